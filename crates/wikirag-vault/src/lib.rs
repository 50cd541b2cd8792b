//! The pages of a vault, their names, and which page a link or a mention means.
