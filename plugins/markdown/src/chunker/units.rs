//! The parts of a document that are not cut unless they must be.

use wikirag_core::{Block, BlockKind, DocumentText, Error, ErrorKind, Result, Span};
use wikirag_text::estimate_tokens;

use crate::trim::trimmed;

/// What a unit is, as far as cutting goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A heading of this level.
    Heading(u8),
    /// Running text, cut at sentences.
    Prose,
    /// Items, quotations and the like, cut at their parts, then at lines.
    Parts,
    /// Code, tables: cut at lines if they alone are over the size. `head` is where the lines end that name the columns.
    Atom {
        /// End of the header, where there is one.
        head: Option<usize>,
    },
}

/// A block of the document, or text between two of them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Unit<'a> {
    /// Without white space at the ends.
    pub span: Span,
    pub kind: Kind,
    /// Where it may be cut, ascending; may reach outside of the span.
    pub cuts: &'a [usize],
    pub tokens: usize,
    /// Index of the innermost heading above it (or of itself, if it is one) in the blocks of the document.
    pub heading: Option<usize>,
}

/// All units of a document in order. They cover its passage text save for white space.
#[derive(Debug)]
pub(super) struct Outline<'a> {
    pub units: Vec<Unit<'a>>,
}

impl<'a> Outline<'a> {
    /// The units of `document`. A document without words has none.
    pub(super) fn of(document: &'a DocumentText) -> Result<Self> {
        let text = document.text.as_str();
        let mut builder = Builder { text, units: Vec::new(), heading: None, has_words: false };
        let mut end = 0;
        for (index, block) in document.blocks.iter().enumerate() {
            if block.span.start < end || block.span.slice(text).is_none() {
                let message =
                    format!("block {index} of the document overlaps another, leaves the text or cuts a character");
                return Err(Error::new(ErrorKind::Internal, "chunk document", message).with("block", index));
            }
            let before = Span::new(std::mem::replace(&mut end, block.span.end), block.span.start);
            // The passage text begins behind the front matter, also where some marks stand above it.
            if index == 0 && block.kind == BlockKind::FrontMatter {
                continue;
            }
            builder.add(before, Kind::Parts, &[]);
            let kind = match block.kind {
                BlockKind::Heading { level, .. } => {
                    builder.heading = Some(index);
                    Kind::Heading(level)
                }
                BlockKind::Paragraph => Kind::Prose,
                BlockKind::Table { header } => Kind::Atom { head: header.map(|header| header.end) },
                BlockKind::FrontMatter | BlockKind::Code => Kind::Atom { head: None },
                BlockKind::List | BlockKind::Quote | BlockKind::Other => Kind::Parts,
            };
            builder.add_block(block, kind);
        }
        builder.add(Span::new(end, text.len()), Kind::Parts, &[]);
        let Builder { units, has_words, .. } = builder;
        Ok(Self { units: if has_words { units } else { Vec::new() } })
    }

    /// The units that share text with `span`, each clipped to it.
    pub(super) fn within(&self, text: &str, span: Span) -> Vec<Unit<'a>> {
        let from = self.units.partition_point(|unit| unit.span.end <= span.start);
        let touching = self.units[from..].iter().take_while(|unit| unit.span.start < span.end);
        let clip = |unit: &Unit<'a>| {
            let clipped = Span::new(unit.span.start.max(span.start), unit.span.end.min(span.end));
            let tokens = if clipped == unit.span { unit.tokens } else { estimate_tokens(&text[clipped.range()]) };
            Unit { span: clipped, tokens, ..*unit }
        };
        touching.map(clip).collect()
    }

    /// The innermost heading that a passage stands under. Where the passage begins with headings, that is the last of
    /// these: the text that follows stands under it.
    pub(super) fn heading_of(&self, passage: Span) -> Option<usize> {
        let from = self.units.partition_point(|unit| unit.span.end <= passage.start);
        let inside = self.units[from..].iter().take_while(|unit| unit.span.start < passage.end);
        let mut heading = None;
        for unit in inside {
            heading = unit.heading;
            if !matches!(unit.kind, Kind::Heading(_)) {
                break;
            }
        }
        heading
    }
}

struct Builder<'a> {
    text: &'a str,
    units: Vec<Unit<'a>>,
    heading: Option<usize>,
    has_words: bool,
}

impl<'a> Builder<'a> {
    fn add_block(&mut self, block: &'a Block, kind: Kind) {
        self.add(block.span, kind, &block.cuts);
    }

    fn add(&mut self, span: Span, kind: Kind, cuts: &'a [usize]) {
        let Some(span) = trimmed(self.text, span) else { return };
        let content = &self.text[span.range()];
        // Bullets, rules and table bars alone say nothing; any other character may be what somebody looks for.
        self.has_words = self.has_words
            || content.contains(|letter: char| !letter.is_ascii_punctuation() && !letter.is_whitespace());
        self.units.push(Unit { span, kind, cuts, tokens: estimate_tokens(content), heading: self.heading });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_before_the_front_matter_is_no_unit() {
        let text = "====\n:tags: a\n\nWords.".to_owned();
        let block = |start, end, kind| Block { span: Span::new(start, end), kind, cuts: Vec::new() };
        let blocks = vec![block(5, 13, BlockKind::FrontMatter), block(15, 21, BlockKind::Paragraph)];
        let document = DocumentText { text, blocks, ..DocumentText::default() };
        let units = Outline::of(&document).unwrap().units;
        assert_eq!(units.iter().map(|unit| unit.span).collect::<Vec<_>>(), [Span::new(15, 21)]);
    }
}
