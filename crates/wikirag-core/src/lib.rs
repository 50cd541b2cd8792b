//! The words of wikirag: ids, spans, scores, errors, readiness, the traits that plugins implement and
//! the registry that finds them.
//!
//! This crate opens no file, speaks no SQL, holds no async runtime and loads no model. Every other crate
//! of the workspace depends on it and it depends on none of them.
//!
//! The three traits of the mission come first:
//!
//! * [`Retriever`] follows the change feed of one wiki and answers questions with ranked chunks;
//! * [`Chunker`] turns a document into spans;
//! * [`Fuser`] makes one ranked list out of several.
//!
//! Beside them stand [`Reader`], [`Embedder`], [`Reranker`], [`Generator`], [`Extractor`] and [`TokenCounter`].
//! A plugin crate exports one [`Plugin`] descriptor and submits it with [`submit!`]; [`Registry::collect`]
//! finds all that are linked into the program.

mod chunker;
mod context;
mod date;
mod document;
mod embedder;
mod error;
mod extraction_report;
mod extractor;
mod feed;
mod fuser;
mod generator;
mod host;
mod ids;
mod offload;
mod places;
mod plugin;
mod query;
mod reader;
mod readiness;
mod registry;
mod reranker;
mod retriever;
mod score;
mod section;
mod sensitivity;
mod span;
mod summary;
mod token_counter;

pub use chunker::{ChunkSpan, Chunker};
pub use context::{CancelFlag, Context, NoProgress, Progress, Step, TokenMeter};
pub use date::{Age, Date, fresh_until};
pub use document::{Block, BlockKind, DocumentText, HeadingPaths, Link, LinkKind, Metadata, ReadWarning};
pub use embedder::{Embedder, RecentVectors, Role, Vectors};
pub use error::{Error, ErrorKind, Result, ResultExt, Retry};
pub use extraction_report::{ExtractionReport, FailedPassages};
pub use extractor::{Entity, Extraction, Extractor, Relation};
pub use feed::{Change, ChangeFeed, ChunkRecord, FeedBatch};
pub use fuser::{Contribution, FusedHit, Fuser, HitKey, WeightedList, fuse_by_sum};
pub use generator::{Completion, Ended, Generator, Message, Prompt, Speaker};
pub use host::Host;
pub use ids::{CatalogId, ChunkId, DocId, FeedPosition, Generation, WikiName, WikiSlot};
pub use offload::offload;
pub use places::{PlaceIndex, PlaceRange, Places};
pub use plugin::{Capability, LayerSetup, Plugin, PluginSetup};
pub use query::{Query, Ranked, RankedList, TermStatistic, TermStatistics};
pub use reader::{Reader, Source};
pub use readiness::{Readiness, Reason};
pub use registry::Registry;
pub use reranker::{Candidate, Factor, Reranked, Reranker};
pub use retriever::{PortableIndex, Retriever, SyncReport};
pub use score::Score;
pub use section::Section;
pub use sensitivity::Sensitivity;
pub use span::Span;
pub use summary::{pack_summary, unpack_summary};
pub use token_counter::TokenCounter;

#[doc(hidden)]
pub use inventory as __inventory;

/// Submits a [`Plugin`] descriptor to the registry of the program it is linked into.
///
/// ```
/// use wikirag_core::{Plugin, submit};
/// const PLUGIN: Plugin = Plugin { name: "nothing", version: "0.0.0", summary: "provides nothing", personal: &[], provides: &[] };
/// submit!(PLUGIN);
/// ```
///
/// A crate that no source line of the program names is left out by the linker without a word, so the
/// program must name the plugin crate as well (`use my_plugin as _;` is enough).
#[macro_export]
macro_rules! submit {
    ($plugin:expr) => {
        $crate::__inventory::submit! { $plugin }
    };
}
