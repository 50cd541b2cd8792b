//! Filling a level with whole lines and paragraphs, by the stated counter.

use std::collections::HashMap;
use std::ops::Range;

use wikirag_core::Span;
use wikirag_text::estimate_tokens;

use super::DrillBlock;
use crate::cut::{self, Cuts};

/// A level while it is filled.
#[derive(Debug)]
pub(super) struct Room {
    /// Tokens that it may take.
    allowance: usize,
    pub(super) tokens: usize,
    pub(super) blocks: Vec<DrillBlock>,
    /// Whether something was left out for want of room.
    pub(super) is_full: bool,
}

impl Room {
    pub(super) const fn new(allowance: usize) -> Self {
        Self { allowance, tokens: 0, blocks: Vec::new(), is_full: false }
    }

    pub(super) const fn left(&self) -> usize {
        self.allowance.saturating_sub(self.tokens)
    }

    /// How many bytes of `text` fit below the line `head` into `most` tokens and into what is left; 0 where nothing does. No
    /// heading stands at the end of what is cut.
    pub(super) fn fitting(&self, head: &str, text: &str, cuts: Cuts, most: usize) -> usize {
        let most = most.min(self.left());
        let fits = |end: usize| cost(head, text.get(..end).unwrap_or_default()) <= most;
        cut::fitting(text, cuts, fits)
    }

    /// Adds a block that was found to fit.
    pub(super) fn add(&mut self, mut block: DrillBlock) {
        block.tokens = cost(&block.head, &block.text);
        self.tokens += block.tokens;
        self.blocks.push(block);
    }
}

/// Tokens of a block as it is printed. White space costs nothing and ends every run that does, so blocks together cost no more
/// than each alone.
pub(super) fn cost(head: &str, text: &str) -> usize {
    estimate_tokens(&format!("{head}\n{text}"))
}

/// What was loaded of which document, so that nothing is loaded twice.
#[derive(Debug, Default)]
pub(super) struct Loaded {
    /// By wiki and path: sorted, not overlapping.
    spans: HashMap<(usize, String), Vec<Span>>,
}

impl Loaded {
    /// The parts of `span` that are not loaded, without white space around them; those without letters and digits are none.
    pub(super) fn gaps(&self, wiki: usize, path: &str, text: &str, span: Span) -> Vec<Span> {
        let mut gaps = Vec::new();
        let mut start = span.start;
        for known in self.spans.get(&(wiki, path.to_owned())).into_iter().flatten() {
            if known.end <= start || known.start >= span.end {
                continue;
            }
            gaps.extend(trimmed(text, start..known.start.max(start)));
            start = known.end;
        }
        gaps.extend(trimmed(text, start..span.end.max(start)));
        gaps
    }

    pub(super) fn add(&mut self, wiki: usize, path: &str, span: Span) {
        let spans = self.spans.entry((wiki, path.to_owned())).or_default();
        let place = spans.partition_point(|known| known.start < span.start);
        spans.insert(place, span);
    }

    /// How many pages of which something is loaded.
    pub(super) fn pages(&self) -> usize {
        self.spans.len()
    }
}

/// Whole characters without white space around them, beginning with a whole line where that is indented.
fn trimmed(text: &str, range: Range<usize>) -> Option<Span> {
    let part = text.get(range.clone())?;
    if !part.contains(char::is_alphanumeric) {
        return None;
    }
    let indent = part.len() - part.trim_start().len();
    let line = part[..indent].rfind('\n').map_or(0, |at| at + 1);
    Some(Span::new(range.start + line, range.start + part.trim_end().len()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn texts_are_cut_at_borders() {
        let text = "# A\n\none two three.\nfour five.\n\n## B\n\nsix seven. Eight nine.";
        let cut = |most, cuts| {
            let room = Room::new(most);
            &text[..room.fitting("", text, cuts, usize::MAX)]
        };
        assert_eq!((cut(100, Cuts::Lines), cut(100, Cuts::Prose)), (text, text));
        assert_eq!((cut(1, Cuts::Lines), cut(2, Cuts::Prose)), ("", ""));
        assert_eq!(cut(7, Cuts::Lines), "# A\n\none two three.");
        assert_eq!(cut(12, Cuts::Prose), "# A\n\none two three.\nfour five.");
        assert_eq!(cut(13, Cuts::Lines), "# A\n\none two three.\nfour five.", "no heading at the end");
        let one = "Six seven. Eight nine. Ten";
        assert_eq!(&one[..Room::new(4).fitting("", one, Cuts::Prose, usize::MAX)], "Six seven.");
        assert_eq!(Room::new(100).fitting("a head", text, Cuts::Lines, 3), 0);
    }

    #[test]
    fn gaps_are_what_is_not_loaded() {
        let text = "one\n  two\n\nthree\n---\nfour\n";
        let mut loaded = Loaded::default();
        let whole = Span::new(0, text.len());
        let gaps = |loaded: &Loaded| {
            let gaps = loaded.gaps(0, "a.md", text, whole);
            gaps.iter().map(|gap| &text[gap.range()]).collect::<Vec<_>>()
        };
        assert_eq!(gaps(&loaded), [text.trim_end()]);
        loaded.add(0, "a.md", Span::new(11, 16));
        loaded.add(1, "a.md", whole);
        assert_eq!(gaps(&loaded), ["one\n  two", "---\nfour"]);
        loaded.add(0, "a.md", Span::new(0, 3));
        assert_eq!(gaps(&loaded), ["  two", "---\nfour"]);
        loaded.add(0, "a.md", Span::new(21, 26));
        assert_eq!(gaps(&loaded), ["  two"], "a rule is nothing to load");
        loaded.add(0, "a.md", Span::new(4, 11));
        assert!(gaps(&loaded).is_empty());
        assert_eq!(loaded.pages(), 2);
    }

    proptest! {
        #[test]
        fn what_is_said_to_fit_does(head in "\\PC{0,20}", text in "(\\PC{0,20}|[.\n# ]{0,3}){0,12}", most in 0..60_usize) {
            let room = Room::new(most);
            for cuts in [Cuts::Lines, Cuts::Prose] {
                let end = room.fitting(&head, &text, cuts, usize::MAX);
                prop_assert!(text.is_char_boundary(end));
                prop_assert!(end == 0 || cost(&head, &text[..end]) <= most);
            }
        }

        #[test]
        fn blocks_together_cost_no_more_than_each_alone(parts in proptest::collection::vec("\\PC{0,30}", 0..6)) {
            let alone: usize = parts.iter().map(|part| cost("a head", part)).sum();
            let all: Vec<String> = parts.iter().map(|part| format!("a head\n{part}")).collect();
            prop_assert!(estimate_tokens(&all.join("\n\n")) <= alone);
        }
    }
}
