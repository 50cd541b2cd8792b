//! The reader and the chunker as a pair, and what they promise of any file.

use serde_json::Value;
use wikirag_core::{BlockKind, ChunkSpan, Chunker, DocumentText, Reader, Section, Source, Span};
use wikirag_markdown::{MarkdownChunker, MarkdownReader};
use wikirag_text::estimate_tokens;

/// A document with its passages.
#[derive(Debug)]
pub(crate) struct Chunked {
    pub(crate) document: DocumentText,
    pub(crate) chunks: Vec<ChunkSpan>,
}

impl Chunked {
    pub(crate) fn of(file: &str, settings: Value) -> Self {
        let reader = MarkdownReader::new(&Section::empty()).unwrap();
        let document = reader.read(Source { path: "note.md", bytes: file.as_bytes() }).unwrap();
        let chunks = MarkdownChunker::new(&Section::new("test", settings)).unwrap().chunk(&document).unwrap();
        Self { document, chunks }
    }

    pub(crate) fn texts(&self) -> Vec<&str> {
        self.chunks.iter().map(|chunk| chunk.span.slice(&self.document.text).unwrap()).collect()
    }

    /// Checks what the traits promise. `max_tokens` and `overlap` are those of the settings.
    pub(crate) fn keeps_promises(&self, max_tokens: usize, overlap: usize) -> Result<(), String> {
        self.reader_keeps_promises()?;
        self.chunker_keeps_promises(max_tokens, overlap)
    }

    fn reader_keeps_promises(&self) -> Result<(), String> {
        let DocumentText { text, blocks, links, .. } = &self.document;
        let mut end = 0;
        for block in blocks {
            let Span { start, end: stop } = block.span;
            let content =
                block.span.slice(text).ok_or_else(|| format!("{block:?} leaves the text or cuts a character"))?;
            holds(start >= end && !content.is_empty(), || format!("{block:?} is empty or overlaps"))?;
            let gap = &text[end..start];
            holds(gap.trim().is_empty(), || format!("{gap:?} lies in no block"))?;
            let cuts: Vec<_> = std::iter::once(start).chain(block.cuts.iter().copied()).chain([stop]).collect();
            let ascend =
                cuts.windows(2).all(|pair| pair[0] < pair[1]) && cuts.iter().all(|&cut| text.is_char_boundary(cut));
            holds(ascend, || format!("cuts of {block:?}"))?;
            end = stop;
        }
        holds(text[end..].trim().is_empty(), || "the end lies in no block".into())?;
        for link in links {
            holds(link.span.slice(text).is_some_and(|link| !link.is_empty()), || format!("{link:?}"))?;
        }
        holds(links.is_sorted_by_key(|link| link.span.start), || "links are out of order".into())
    }

    fn chunker_keeps_promises(&self, max_tokens: usize, overlap: usize) -> Result<(), String> {
        let text = &self.document.text;
        let mut covered = self.document.body_start();
        let mut last = Span::new(0, 0);
        for (index, chunk) in self.chunks.iter().enumerate() {
            let content =
                chunk.span.slice(text).ok_or_else(|| format!("{chunk:?} leaves the text or cuts a character"))?;
            holds(!content.is_empty() && content.trim() == content, || format!("{content:?} is not trimmed"))?;
            let ascend = index == 0 || last.start < chunk.span.start && last.end < chunk.span.end;
            holds(ascend, || format!("{chunk:?} is out of order"))?;
            let between = text.get(covered..chunk.span.start).unwrap_or_default();
            holds(between.trim().is_empty(), || format!("{between:?} is in no passage"))?;
            let shared = text.get(chunk.span.start..covered).unwrap_or_default();
            holds(index == 0 || estimate_tokens(shared) <= overlap, || format!("{shared:?} is shared"))?;
            let size = estimate_tokens(content);
            holds(size <= max_tokens || is_grapheme(content), || format!("{size} tokens in {content:?}"))?;
            let heading = chunk.heading.map(|heading| &self.document.blocks[heading]);
            let is_heading = heading.is_none_or(|block| matches!(block.kind, BlockKind::Heading { .. }));
            holds(is_heading, || format!("{chunk:?} names no heading"))?;
            covered = chunk.span.end;
            last = chunk.span;
        }
        let rest = &text[covered..];
        let has_words = rest.contains(|letter: char| !letter.is_ascii_punctuation() && !letter.is_whitespace());
        holds(rest.trim().is_empty() || self.chunks.is_empty() && !has_words, || format!("{rest:?} is in no passage"))
    }
}

fn is_grapheme(text: &str) -> bool {
    unicode_segmentation::UnicodeSegmentation::graphemes(text, true).count() == 1
}

fn holds(condition: bool, message: impl FnOnce() -> String) -> Result<(), String> {
    if condition { Ok(()) } else { Err(message()) }
}
