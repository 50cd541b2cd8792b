//! What a build did: the account of every file.

use std::collections::BTreeMap;

use serde::Serialize;
use wikirag_core::{ExtractionReport, Generation, Reason, WikiName};

/// A file that could not be indexed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FileProblem {
    /// Below the root of the wiki; a folder ends in `/`.
    pub path: String,
    /// A stable code: `unreadable`, `invalid`, ...
    pub reason: String,
    /// What is off.
    pub detail: String,
}

/// Something odd about a file that was indexed all the same.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FileWarning {
    /// Below the root of the wiki.
    pub path: String,
    /// Line, from 1.
    pub line: usize,
    /// What is odd.
    pub message: String,
}

/// What became of the passages.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct ChunkCounts {
    /// New, or changed in what layers index.
    pub changed: u64,
    /// Gone.
    pub removed: u64,
    /// In the catalog now.
    pub total: u64,
}

/// How a layer stands after the build.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct LayerReport {
    /// Name of the layer.
    pub layer: String,
    /// Chunks written by this build.
    pub upserted: u64,
    /// Chunks removed by this build.
    pub deleted: u64,
    /// Changes of the feed that the layer has not followed yet. 0 after a build that ended well.
    pub pending: u64,
    /// Why the build did without the layer, where nobody named it and it was not ready.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_out: Option<Reason>,
    /// What an extractor found for the layer, where one is set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extraction: Option<ExtractionReport>,
}

impl LayerReport {
    /// Whether there was nothing to do.
    pub(crate) fn is_idle(&self) -> bool {
        self.upserted == 0 && self.deleted == 0 && self.extraction.as_ref().is_none_or(|known| known.sent == 0)
    }
}

/// The report of one build. Every file of the folder is in exactly one of `indexed`, `unchanged`,
/// `skipped`, `failed`; those below a folder that failed are counted by `kept` as far as they were known.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BuildReport {
    /// The wiki.
    pub wiki: WikiName,
    /// The generation of the catalog after the build.
    pub generation: Generation,
    /// Files read and indexed by this build.
    pub indexed: u64,
    /// Files that stand in the index as they are in the folder.
    pub unchanged: u64,
    /// Documents that left the index since their file is gone or no part of the wiki any more.
    pub removed: u64,
    /// Documents that stay as they were indexed, since the folder they lie in could not be read.
    pub kept: u64,
    /// Files and whole folders that are no part of the wiki, by reason.
    pub skipped: BTreeMap<String, u64>,
    /// Files and folders that could not be read or understood.
    pub failed: Vec<FileProblem>,
    /// Oddities of files read by this build.
    pub warnings: Vec<FileWarning>,
    /// Documents in the catalog now, index pages among them.
    pub documents: u64,
    /// Characters read by this build.
    pub characters: u64,
    /// Passages.
    pub chunks: ChunkCounts,
    /// The layers.
    pub layers: Vec<LayerReport>,
    /// Duration in milliseconds.
    pub took_ms: u128,
}

impl BuildReport {
    /// Whether something of the folder is missing in the index for a reason that should not be.
    #[must_use]
    pub fn is_partial(&self) -> bool {
        let is_partial = |layer: &LayerReport| {
            let is_behind = layer.pending > 0 && layer.left_out.is_none();
            is_behind || layer.extraction.as_ref().is_some_and(ExtractionReport::is_held_up)
        };
        !self.failed.is_empty() || self.layers.iter().any(is_partial)
    }
}
