//! The facts that a graph layer keeps, in one SQLite file beside the catalog: which passage names what and leads where.
//!
//! [`GraphStore`] reads, [`GraphWriter`] follows the catalog in committed batches. Only facts of single passages are stored,
//! never what follows from several of them (which page a link means, how common a name is): so one changed page changes its own
//! rows and those of passages that hold its names, and what follows is worked out when the facts are read.
//!
//! Passages that hold the words of a name side by side are found by an index of words (FTS5 of SQLite), so a page that comes
//! later finds the passages that have named it all along.
//!
//! What a model found in passages lies in a file of its own ([`ExtractionStore`], [`ExtractionWriter`]), which follows the catalog by
//! itself: it costs much to make and nothing to do without.

mod extractions;
mod journal;
mod portable;
mod schema;
mod store;
mod verify;
mod write;

pub use extractions::{ExtractionDraft, ExtractionFacts, ExtractionStore, ExtractionWriter, Waiting};
use serde::{Deserialize, Serialize};
pub use store::GraphStore;
use wikirag_core::{CatalogId, ChunkId, DocId, FeedPosition, LinkKind};
pub use write::{GraphDraft, GraphWriter};

/// How a store stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GraphState {
    /// The catalog that was followed.
    pub catalog: CatalogId,
    /// How far.
    pub position: FeedPosition,
    /// What the facts were found by, as the layer writes it: facts found in another way are not mixed with them.
    pub recipe: String,
    /// Passages.
    pub chunks: u64,
    /// The file and how often something was committed to it: equal versions hold equal facts.
    pub version: GraphVersion,
}

/// Tells one state of a store from all others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GraphVersion {
    pub(crate) id: String,
    pub(crate) commits: u64,
}

/// A document as the graph knows it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct GraphPage {
    /// Path below the root of the wiki.
    pub path: String,
    /// Title.
    pub title: String,
    /// Other names of the document.
    pub aliases: Vec<String>,
    /// Tags.
    pub tags: Vec<String>,
    /// Its names, by their numbers.
    pub names: Vec<u32>,
}

/// What a passage holds.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct GraphPassage {
    /// Names whose words stand in it side by side, by their numbers, ascending.
    pub names: Vec<u32>,
    /// Its links: how each is written, and its target.
    pub links: Vec<(LinkKind, String)>,
    /// What it speaks of beside names of pages: identifiers, names that no page has. Equal numbers are equal terms.
    pub terms: Vec<u64>,
}

/// The words of a passage.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PassageWords {
    /// All of them with a space between, each of lower-case letters and digits of ASCII, whatever the layer makes them stand for.
    pub all: String,
    /// All of them in their order, as the layer writes them.
    pub order: Vec<u8>,
}

/// All facts of one state.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GraphFacts {
    /// Documents, in no order that means anything.
    pub pages: Vec<(DocId, GraphPage)>,
    /// Passages with their documents, sorted by id.
    pub passages: Vec<(ChunkId, DocId, GraphPassage)>,
    /// Names by number, as the layer writes them.
    pub names: Vec<(u32, String)>,
}
