//! The vectors of a wiki's chunks, in one SQLite file beside the catalog: what a dense layer keeps.
//!
//! [`VectorStore`] reads and searches, [`VectorWriter`] follows the catalog in committed batches. Vectors are kept by
//! the text they were made of, so a text that comes back, moves or occurs twice is embedded once; see `schema.rs` for
//! the tables.
//!
//! # How it searches
//!
//! Results are exact at any size: scores are the cosines that sqlite-vec computes from the `f32` vectors, and the
//! list is the one that computing all of them would give. A compact form of each vector, one byte a dimension, tells
//! which ones are worth it: it lies in blocks that are read into memory once and refreshed as commits change them,
//! and gives an upper bound of each cosine (see `block.rs`), not just an estimate. Hits are scored in the order of
//! their bounds until no bound reaches what is there.
//!
//! Measured on two cores of an AMD EPYC (release build, baseline x86-64, one thread) with vectors of
//! all-MiniLM-L6-v2, 384 dimensions: 20,000 real passages, and 200,000 made of them by adding noise (cosine to the
//! original .9); 300 real questions, 100 hits wanted. Overlap is that of the first ten with brute force in `f32`.
//!
//! | way | 20k: p50 | 200k: p50 | overlap | peak memory at 200k |
//! |---|---|---|---|---|
//! | `vec0`, `float[384]` | 12.6 ms | 110 ms | 1 | 10 MB |
//! | `vec_distance_cosine` in a plain table | 19.6 ms | 194 ms | 1 | 13 MB |
//! | `vec0`, `bit[384]`, chunks of 128, best 1,000 scored again | 27 ms | 133 ms | .994 | 13 MB |
//! | `vec0`, `bit[384]`, chunks of 1,024, best 4,096 scored again | 120 ms | 456 ms | .999 | 13 MB |
//! | `vec0`, `int8[384]`, chunks of 1,024, best 150 scored again | 15.7 ms | 101 ms | 1 | 14 MB |
//! | this store | 1.6 ms | 10.7 ms | 1, by the bounds | 96 MB |
//!
//! The virtual table reads its blobs anew for each question and looks for the best of a chunk once for each hit
//! wanted, so neither smaller forms nor smaller chunks help it. The price of this store is memory, 408 bytes a chunk,
//! and reading it once: the first question takes 15 ms at 20,000 chunks and 110 ms at 200,000.

mod block;
mod centroids;
mod coarse;
mod extension;
mod portable;
mod schema;
mod search;
mod store;
mod vector;
mod verify;
mod write;

pub use store::VectorStore;
use wikirag_core::{CatalogId, ChunkId, Error, ErrorKind, FeedPosition, Result};
pub use write::VectorWriter;

use crate::TextKey;

/// Whose vectors a store holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VectorSpace {
    /// Of the embedder.
    pub fingerprint: String,
    /// Width of the vectors, at least 1.
    pub dimensions: usize,
}

/// How a store stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VectorState {
    /// The catalog that was followed.
    pub catalog: CatalogId,
    /// How far.
    pub position: FeedPosition,
    /// Fingerprint of the embedder.
    pub fingerprint: String,
    /// Width of the vectors.
    pub dimensions: usize,
    /// Chunks that can be found.
    pub chunks: u64,
}

impl VectorState {
    /// Whether the vectors are those of `space`.
    ///
    /// # Errors
    /// [`ErrorKind::StaleIndex`] naming both embedders, with the remedy.
    pub fn must_be_of(&self, space: &VectorSpace) -> Result<()> {
        if self.fingerprint == space.fingerprint && self.dimensions == space.dimensions {
            return Ok(());
        }
        let message = format!(
            "index built with {} ({} dimensions), config asks {} ({} dimensions)",
            self.fingerprint, self.dimensions, space.fingerprint, space.dimensions
        );
        Err(Error::new(ErrorKind::StaleIndex, "open vectors", message).help(crate::error::REBUILD))
    }
}

/// Changes that are committed together.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct VectorBatch {
    /// Forget all chunks first: they are those of another catalog. Their vectors stay.
    pub anew: bool,
    /// New vectors by their texts.
    pub vectors: Vec<(TextKey, Vec<f32>)>,
    /// Chunks with their texts, each of which has a vector in `vectors` or in the store.
    pub upserts: Vec<(ChunkId, TextKey)>,
    /// Chunks that are gone; such as were never there do no harm.
    pub deletes: Vec<ChunkId>,
    /// Where the feed stands after this.
    pub position: FeedPosition,
}
