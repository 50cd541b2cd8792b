//! The catalog of a wiki: documents, text, chunks and the change feed, in one SQLite file.
//!
//! The catalog is the truth; what a layer keeps is a cache of it. [`Catalog::open`] reads, also while a build writes
//! and from a folder that cannot be written to. [`Catalog::open_or_create`] is for the one writer: it makes an
//! [`Update`], which is one transaction, so a reader sees the state before it or after it and a kill leaves one of
//! the two.
//!
//! What is kept, and how it is found to be damaged:
//!
//! * The text of a document is stored once; a chunk is a span of it with the hash of the passage. Every passage that
//!   leaves the catalog was checked against its hash, so a damaged file gives
//!   [`Damaged`](wikirag_core::ErrorKind::Damaged) and never a wrong citation.
//! * A chunk's id is derived from path, text and count of equal texts before it, so equal folders have equal ids,
//!   whatever was edited before.
//! * Each chunk carries the number of its last change, and each deleted one leaves a tombstone with the same kind of
//!   number: the [`ChangeFeed`](wikirag_core::ChangeFeed) is both in the order of these numbers.
//!
//! With the feature `vectors` there is a store for the vectors of a dense layer as well, over sqlite-vec.
//!
//! This is the only crate that knows SQLite; no type of it leaves the crate.

mod catalog;
mod error;
mod feed;
mod file;
mod file_id;
mod filter;
mod graph;
mod identity;
mod links;
mod model;
mod open;
mod pages;
mod passages;
mod portable;
mod put;
mod read;
mod readers;
mod schema;
mod update;
#[cfg(feature = "vectors")]
mod vectors;
mod verify;

pub use catalog::Catalog;
pub use file_id::FileId;
pub use graph::{
    ExtractionDraft, ExtractionFacts, ExtractionStore, ExtractionWriter, GraphDraft, GraphFacts, GraphPage,
    GraphPassage, GraphState, GraphStore, GraphVersion, GraphWriter, PassageWords, Waiting,
};
pub use identity::TextKey;
pub use model::{
    CatalogInfo, DocumentFields, DocumentStamp, FileEntry, FileStamp, FileState, NewChunk, NewDocument, PassageSource,
    PutReport, ReadAttempt, StoredChunk, StoredDocument, StoredPassage, StoredSpan,
};
pub use pages::StoredPage;
pub use update::Update;
#[cfg(feature = "vectors")]
pub use vectors::{VectorBatch, VectorSpace, VectorState, VectorStore, VectorWriter};
