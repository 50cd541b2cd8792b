//! Documents in, passages out, along the structure of the document.
//!
//! The steps, each in a module of its own:
//!
//! 1. [`units`]: the blocks of the document, and what lies between them, each counted once in tokens;
//! 2. [`sections`]: which units make one passage as long as the size allows it;
//! 3. [`pieces`] and [`pack`]: sections over the size are cut at the strongest seams there are;
//! 4. [`join`]: passages too short to mean anything join a neighbour;
//! 5. [`grow`]: passages are joined until there are no more than the most that are wanted;
//! 6. [`overlap`]: a passage that goes on where another was cut repeats the end of it.
//!
//! An edit must not move all cuts behind it, or each edit would embed the rest of the document anew. So where
//! several places serve equally, the text at the place decides (see [`pack`]), not its distance from the start.

mod grow;
mod join;
mod overlap;
mod pack;
mod pieces;
mod sections;
mod units;

use std::num::NonZeroUsize;

use serde::Deserialize;
use wikirag_core::{ChunkSpan, Chunker, DocumentText, Error, ErrorKind, Result, Section, Span};
use wikirag_text::estimate_tokens;

use units::Outline;

/// How a document is divided before sizes are looked at.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Strategy {
    /// A section with its subsections is one passage where it is short (half of `max_tokens`); else each subsection
    /// is looked at in the same way. Neighbouring sections under one parent share a passage only if each of them
    /// is very short (an eighth) and they stay short together. Headings and very short introductions go with
    /// the first subsection below them.
    #[default]
    Recursive,
    /// One passage for each section of the level set and for those above it, with all that is below.
    Heading,
}

/// The settings of the chunker.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// How the document is divided.
    pub strategy: Strategy,
    /// The size: no passage is over it, by [`estimate_tokens`], save where a single grapheme is.
    pub max_tokens: usize,
    /// The most tokens of the passage before that a passage repeats, where a section had to be cut. At most half of `max_tokens`.
    pub overlap: usize,
    /// For [`Strategy::Heading`]: the deepest heading level, 1 to 6, that begins a passage.
    pub level: u8,
    /// Passages with fewer characters join a neighbour.
    pub min_chars: usize,
    /// The most passages of a document. Passages are joined, also over `max_tokens`, until there are no more.
    pub max_chunks: Option<NonZeroUsize>,
}

impl Default for Settings {
    fn default() -> Self {
        Self { strategy: Strategy::Recursive, max_tokens: 512, overlap: 0, level: 2, min_chars: 40, max_chunks: None }
    }
}

/// Cuts a document along its headings, blocks, sentences and words, in this order.
///
/// Beside the promises of [`Chunker`]:
/// * code, tables and other atomic blocks are cut only where they alone are over the size, and then at lines (a line over
///   the size at words). The header of a table stays with its first rows; spans cannot repeat it for the others;
/// * a heading stays with what follows it, save where both do not fit into the size and what follows is atomic;
/// * no passage is under `min_chars`, save where the document is, or where the size leaves no other way;
/// * passages neither begin nor end with white space.
#[derive(Debug, Clone)]
pub struct MarkdownChunker {
    settings: Settings,
}

/// A passage on its way: not overlapping others yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Passage {
    span: Span,
    tokens: usize,
    /// Number of the stretch of sections it was cut from.
    stretch: usize,
}

impl MarkdownChunker {
    /// The chunker with these settings.
    ///
    /// # Errors
    /// [`ErrorKind::Invalid`] naming the setting that is off.
    pub fn new(section: &Section) -> Result<Self> {
        let settings: Settings = section.parse()?;
        let refuse = |message: String| {
            Err(Error::new(ErrorKind::Invalid, "read settings", message).with("in", section.origin()))
        };
        if settings.max_tokens == 0 {
            return refuse("`max_tokens` is 0".into());
        }
        if settings.overlap > settings.max_tokens / 2 {
            let (overlap, max) = (settings.overlap, settings.max_tokens);
            return refuse(format!("`overlap` is {overlap}, more than half of `max_tokens`, which is {max}"));
        }
        if !(1..=6).contains(&settings.level) {
            return refuse(format!("`level` is {}, and headings have the levels 1 to 6", settings.level));
        }
        Ok(Self { settings })
    }
}

impl Chunker for MarkdownChunker {
    fn chunk(&self, document: &DocumentText) -> Result<Vec<ChunkSpan>> {
        let Settings { strategy, max_tokens, overlap, level, min_chars, max_chunks } = self.settings;
        let text = document.text.as_str();
        let outline = Outline::of(document)?;
        let stretches = match strategy {
            Strategy::Recursive => sections::by_size(text, &outline.units, max_tokens),
            Strategy::Heading => sections::by_level(&outline.units, level),
        };
        let mut passages = Vec::new();
        for (stretch, range) in stretches.into_iter().enumerate() {
            let units = &outline.units[range];
            let (Some(first), Some(last)) = (units.first(), units.last()) else { continue };
            let span = Span::new(first.span.start, last.span.end);
            let tokens = estimate_tokens(&text[span.range()]);
            if tokens <= max_tokens {
                passages.push(Passage { span, tokens, stretch });
            } else {
                let parts = pieces::split(text, units, max_tokens - overlap, pieces::Grain::Blocks);
                passages.extend(parts.into_iter().map(|(span, tokens)| Passage { span, tokens, stretch }));
            }
        }
        let mut passages = join::join_short(text, &outline, passages, max_tokens, min_chars);
        if let Some(most) = max_chunks {
            passages = grow::at_most(most.get(), passages);
        }
        let headings: Vec<_> = passages.iter().map(|passage| outline.heading_of(passage.span)).collect();
        let starts = overlap::starts(text, &outline.units, &passages, overlap, max_tokens);
        let spans = passages.iter().zip(starts).map(|(passage, start)| Span::new(start, passage.span.end));
        Ok(spans.zip(headings).map(|(span, heading)| ChunkSpan { span, heading }).collect())
    }
}
