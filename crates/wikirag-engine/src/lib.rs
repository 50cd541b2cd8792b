//! Wikis on disk, compositions, build and query pipelines
