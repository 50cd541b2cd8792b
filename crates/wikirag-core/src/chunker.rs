//! Documents in, spans out.

use crate::{DocumentText, Result, Span};

/// A passage as a span of the document's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChunkSpan {
    /// Where the passage lies.
    pub span: Span,
    /// The innermost heading the passage stands under: an index into `DocumentText::blocks`.
    pub heading: Option<usize>,
}

/// Cuts a document into passages. Sync and pure; spans out, never text, so a citation always points at real bytes.
///
/// Promises, of which the engine checks the first three after each call and the conformance suite all, with hostile
/// input:
/// * **bounds**: every span lies in the text, is not empty and cuts no character;
/// * **order**: starts ascend strictly, and so do ends;
/// * **coverage**: every character of the passage text that is not white space lies in a span (front matter is no
///   passage text);
/// * **size**: no passage is over the size set, save where a single grapheme is;
/// * **determinism and locality**: the same document gives the same spans, and an edit changes spans near it only.
pub trait Chunker: Send + Sync {
    /// The spans of the document's passages. A document without words gives none.
    ///
    /// # Errors
    /// Only for documents that break the promises of [`Reader`](crate::Reader).
    fn chunk(&self, document: &DocumentText) -> Result<Vec<ChunkSpan>>;
}

const _: fn(&dyn Chunker) = |_| {};
