//! The pages of a vault, their names, and which page a link or a mention means.
//!
//! * [`Pages`] resolves links as Obsidian does (shortest unique path, aliases, headings, blocks), relative Markdown
//!   links
//!   as file systems and the generators of sites do, and finds the page that a person named. Where several pages are
//!   meant, it says which and never picks one.
//! * [`has_anchor`] tells whether a page holds the heading or block that a link points to.
//! * [`names_of`] lists the names of a page, and [`Names`] finds the names of all pages in a text in one pass.
//!
//! Everything here is pure, takes any text and never panics.
//!
//! # Why words in a trie
//!
//! An Aho-Corasick automaton over bytes would find the names in one pass too. Words do better here: case, accents,
//! punctuation, line ends and spaces of any kind between them do not matter, for a text is cut into words as the index
//! cuts it; a name ends where a word ends without a check; scripts without spaces work by pairs of characters; and a
//! name comes and goes by as many entries as it has words, where an automaton would have to be built anew.

mod anchor;
mod hash;
mod mentions;
mod names;
mod pages;
mod paths;
mod resolution;
mod resolve;
mod shared;
mod target;
mod words;

pub use anchor::has_anchor;
pub use mentions::{Mention, Names, unlinked};
pub use names::{is_name, names_of};
pub use pages::{Page, Pages};
pub use paths::{is_markdown, join};
pub use resolution::{Anchor, By, Resolution, Several};
pub use words::{MAX_NAME_WORDS, NameWords, Word, name_key};
