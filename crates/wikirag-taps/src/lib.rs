//! Taps: corpora that live in git. A **tap** is a shallow clone of somebody's repository, or a folder used in place, with a wiki of
//! the kind `skills` over it.
//!
//! ```text
//! <data_dir>/taps/NAME/tap.yaml      where it comes from, when it was updated, why that failed
//! <data_dir>/taps/NAME/clone/        the clone; none for a folder
//! <data_dir>/wikis/NAME/.wiki.yaml   the wiki, made by name
//! ```
//!
//! Git is the program `git`, not a library: so the credentials, proxies and transports that a user has set up work as they do
//! everywhere, and the two hundred crates of a git in Rust are not needed. It is run so that nothing of a repository is run: no
//! hook, no filter, no file system monitor, no helper that an address names; links are written as text, submodules and the files
//! behind Git LFS are not fetched, and `.gitattributes` are without effect.
//!
//! * [`Taps`]: add, list, update, remove;
//! * [`Source`]: what may be added;
//! * [`catalog`]: a curated list of taps;
//! * [`discover`]: what others have, by the program `gh`.

mod catalog;
mod clone;
mod contents;
mod discover;
mod git;
mod limits;
mod outcome;
mod place;
mod process;
mod source;
mod tap_file;
mod taps;

pub use catalog::{CatalogEntry, Choice, catalog};
pub use contents::Contents;
pub use discover::{Found, MAX_FOUND, discover};
pub use limits::Limits;
pub use outcome::{Added, NewTap, Removed, TapState, TapStatus, UpdateState, Updated};
pub use source::{Source, tap_name};
pub use taps::Taps;
