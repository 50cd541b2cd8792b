//! Wikis on disk, compositions, and the pipelines that build and query them.
//!
//! * [`settings`]: `wikirag.toml`, environment and flags, and which of them won;
//! * [`manifest`]: `.wiki.yaml` and `*.rag.yaml`;
//! * [`locate`]: from a name or path to a wiki, from a manifest to a [`Composition`];
//! * [`Engine`]: build, query, get, status, verify;
//! * [`disagree`]: passages of an answer that contradict each other;
//! * [`eval`]: judged questions and the measures of the field.
//!
//! The engine knows plugins by the traits of `wikirag-core` and the names of the registry, never by type.

mod build;
pub mod disagree;
mod engine;
pub mod eval;
mod fresh;
mod get;
mod layers;
pub mod locate;
mod lock;
mod log;
pub mod manifest;
mod open;
mod scan;
mod seal;
mod search;
pub mod settings;
mod status;
mod verify;

pub use build::{BuildOptions, BuildReport, ChunkCounts, FileProblem, FileWarning, LayerReport};
pub use engine::Engine;
pub use fresh::Freshness;
pub use get::{Fetched, Target};
pub use locate::{Composition, LocatedWiki};
pub use search::{
    Answer, By, Conflict, ConflictSide, Degradation, Evidence, Explanation, Hint, LayerPart, PassagePart, QueryOptions,
    Refresh, Same, SearchResult, Snippet, WikiPart,
};
pub use status::{LayerStatus, WikiStatus};
pub use verify::{Checked, Depth};
pub use wikirag_sqlite::{FileEntry, FileState};
