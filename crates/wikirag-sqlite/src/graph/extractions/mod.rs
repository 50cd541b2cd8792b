//! What an extractor found in passages, in one SQLite file beside the facts of the graph.
//!
//! [`ExtractionStore`] reads, [`ExtractionWriter`] follows the catalog and takes what the extractor says. Both happen apart: a text that
//! is not known waits, with its text, until the extractor has seen it. What was found is kept by fingerprint of the extractor and text,
//! so that a text that comes back, moves or occurs twice is looked at once.

mod schema;
mod store;
#[cfg(test)]
mod tests;
mod verify;
mod write;

use std::collections::HashMap;

pub use store::ExtractionStore;
use wikirag_core::{ChunkId, Extraction};
pub use write::{ExtractionDraft, ExtractionWriter};

use super::GraphVersion;
use crate::TextKey;

/// All that was found, as far as passages have it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExtractionFacts {
    /// The state of the file.
    pub version: GraphVersion,
    /// The texts of passages, those left out in which nothing was found. Sorted by id.
    pub passages: Vec<(ChunkId, TextKey)>,
    /// What is in each of these texts.
    pub found: HashMap<TextKey, Extraction>,
}

/// A text that the extractor has not seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waiting {
    /// By which it is known.
    pub key: TextKey,
    /// The passage.
    pub text: String,
}
