//! How far an extractor has come through the passages of a wiki.

use serde::Serialize;

use crate::Reason;

/// What a layer knows from an [`Extractor`](crate::Extractor), and what it still lacks. Passages of the same text are asked about once.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ExtractionReport {
    /// Passages of which is known what they hold, whenever that was found.
    pub extracted: u64,
    /// Texts that were sent by this call.
    pub sent: u64,
    /// Passages that came with this call and whose text was known already.
    pub cached: u64,
    /// Where nothing could be read of what the extractor said, or it would not look: by file, in the order of their paths. The layer
    /// does without it for these passages, as if none were set.
    pub failed: Vec<FailedPassages>,
    /// Texts that it has not been shown.
    pub pending: u64,
    /// Why some are pending after this call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<Reason>,
}

/// Passages of one file that an extractor could not make anything of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FailedPassages {
    /// Below the root of the wiki.
    pub path: String,
    /// How many, at least 1.
    pub passages: u64,
    /// What was off with the first of them.
    pub detail: String,
}

impl ExtractionReport {
    /// The code of the reason where as many texts were sent as somebody allowed.
    pub const BUDGET: &'static str = "extraction-budget";

    /// Whether something kept the extractor from its work that should not have: not that a bound was reached that somebody set.
    #[must_use]
    pub fn is_held_up(&self) -> bool {
        self.reason.as_ref().is_some_and(|reason| reason.code != Self::BUDGET)
    }

    /// Passages that failed, of all files.
    #[must_use]
    pub fn failures(&self) -> u64 {
        self.failed.iter().map(|file| file.passages).sum()
    }
}
