//! The change feed: how a layer follows the catalog.

use crate::{CatalogId, ChunkId, DocId, FeedPosition, Link, Result};

/// One chunk with all that a layer may index of it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ChunkRecord {
    /// The chunk.
    pub id: ChunkId,
    /// Its document.
    pub document: DocId,
    /// Path of the document below the root of the wiki, with `/`.
    pub path: String,
    /// Title of the document.
    pub title: String,
    /// Headings above the passage, outermost first.
    pub headings: Vec<String>,
    /// Other names of the document (front matter `aliases`).
    pub aliases: Vec<String>,
    /// Tags of the document.
    pub tags: Vec<String>,
    /// What the document says it is about (front matter `summary` or `description`), or empty.
    pub summary: String,
    /// Language of the document as an ISO 639-3 code (`eng`), or empty where unknown.
    pub language: String,
    /// Its links, with their places in the passage. Those in the front matter belong to the first passage of the document
    /// and have an empty span at its start.
    pub links: Vec<Link>,
    /// The passage.
    pub text: String,
}

/// One change of the catalog.
#[expect(clippy::large_enum_variant, reason = "nearly all changes are upserts: a box for each would only cost")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// The chunk is new, or something of it changed: index this and forget what was there under the id.
    Upsert(ChunkRecord),
    /// The chunk is gone. Deleting one that was never seen is no error.
    Delete(ChunkId),
}

/// Some changes in the order of the feed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FeedBatch {
    /// The changes; each chunk at most once. Empty at the end of the feed.
    pub changes: Vec<Change>,
    /// Where the feed stands after them.
    pub position: FeedPosition,
}

/// The changes of one catalog, to be read from any position on.
///
/// Only the last change of each chunk is kept, so following from position 0 costs what is there now, not what
/// ever happened. Reading is repeatable: a layer that lost its last batch reads it again.
pub trait ChangeFeed: Send + Sync {
    /// Which catalog this is.
    fn catalog(&self) -> &CatalogId;

    /// The position of the newest change.
    ///
    /// # Errors
    /// Where the catalog cannot be read.
    fn head(&self) -> Result<FeedPosition>;

    /// How many changes lie after `position`.
    ///
    /// # Errors
    /// Where the catalog cannot be read.
    fn pending(&self, position: FeedPosition) -> Result<u64>;

    /// Up to `limit` changes after `position`, in order.
    ///
    /// # Errors
    /// Where the catalog cannot be read.
    fn after(&self, position: FeedPosition, limit: usize) -> Result<FeedBatch>;
}

const _: fn(&dyn ChangeFeed) = |_| {};
