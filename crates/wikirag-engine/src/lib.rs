//! Wikis on disk, compositions, and the pipelines that build and query them.
//!
//! * [`settings`]: `wikirag.toml`, environment and flags, and which of them won;
//! * [`manifest`]: `.wiki.yaml` and `*.rag.yaml`;
//! * [`locate`]: from a name or path to a wiki, from a manifest to a [`Composition`];
//! * [`Engine`]: build, query, get, status, verify;
//! * [`lint`]: what is wrong with the pages of a wiki;
//! * [`vault`]: the pages around a page, who links to it, who names it;
//! * [`disagree`]: passages of an answer that contradict each other;
//! * [`portable`]: a wiki as one file, exported and imported;
//! * [`questions`]: the log of questions, and what is asked for and missing;
//! * [`standing`]: many wikis kept up to date;
//! * [`eval`]: judged questions and the measures of the field.
//!
//! The engine knows plugins by the traits of `wikirag-core` and the names of the registry, never by type.

mod ask;
mod brief;
mod build;
mod current;
mod cut;
pub mod disagree;
mod drill;
mod engine;
pub mod eval;
mod fresh;
mod get;
mod git_head;
mod head;
mod hot;
mod layers;
pub mod lint;
pub mod locate;
mod lock;
mod log;
mod looks;
pub mod manifest;
mod open;
mod pack;
mod pages;
mod passages;
pub mod portable;
mod question_words;
pub mod questions;
mod scan;
mod seal;
mod search;
pub mod settings;
pub mod skills;
pub mod standing;
mod status;
mod support;
pub mod vault;
mod verify;
mod word_hash;

pub use ask::{AskEvent, AskOptions, Asked, CheckedAnswer, CheckedClaim, OnAskEvent, Searched, SourcePart, Verdict};
pub use build::{BuildOptions, BuildReport, ChunkCounts, FileProblem, FileWarning, LayerReport};
pub use drill::{DrillBlock, DrillLevel, DrillOptions, Drilled, Kinds, LevelLoad};
pub use engine::Engine;
pub use fresh::Freshness;
pub use get::{Fetched, Part, Target};
pub use git_head::{Commit, git_head};
pub use hot::{DroppedItem, HotOptions, HotProposal};
pub use locate::{Composition, LocatedWiki};
pub use lock::WriteLock;
pub use pack::{PackForm, PackOptions, Packed, PackedBlock};
pub use search::{
    Answer, By, Conflict, ConflictSide, Degradation, Evidence, Explanation, Hint, LayerPart, PassagePart, QueryOptions,
    Refresh, Same, SearchResult, Snippet, WikiPart,
};
pub use status::{LayerStatus, WikiStatus};
pub use support::Support;
pub use verify::{Checked, Depth};
pub use wikirag_sqlite::{FileEntry, FileState};
