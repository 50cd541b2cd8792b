//! Passages too short to mean anything join a neighbour.

use wikirag_core::Span;

use super::Passage;
use super::pieces::{Grain, split};
use super::units::{Kind, Outline};

/// Joins passages of fewer than `min_chars` characters with a neighbour, as far as `max_tokens` allows it: with one of the same
/// stretch first, else with the first subsection where the passage is what stands above it, else with what is before.
/// Where neither neighbour has room, the one before (else the one behind) is cut anew together with the short one.
pub(super) fn join_short(
    text: &str,
    outline: &Outline<'_>,
    passages: Vec<Passage>,
    max_tokens: usize,
    min_chars: usize,
) -> Vec<Passage> {
    let joiner = Joiner { text, outline, max_tokens, min_chars };
    let mut done: Vec<Passage> = Vec::with_capacity(passages.len());
    let mut rest = passages.into_iter().peekable();
    while let Some(mut passage) = rest.next() {
        while joiner.is_short(passage) {
            let before = done.last().copied();
            let behind = rest.peek().copied();
            let with_before = before.and_then(|before| joiner.joined(before, passage));
            let with_behind = behind.and_then(|behind| joiner.joined(passage, behind));
            if let Some(joined) = with_behind
                && (with_before.is_none() || joiner.belongs_behind(before, passage, behind))
            {
                rest.next();
                passage = joined;
            } else if let Some(joined) = with_before {
                done.pop();
                passage = joined;
            } else if let Some(parts) = before.and_then(|before| joiner.cut_anew(before, passage)) {
                done.pop();
                done.extend(&parts[..parts.len() - 1]);
                passage = parts[parts.len() - 1];
            } else if let Some(parts) = behind.and_then(|behind| joiner.cut_anew(passage, behind)) {
                rest.next();
                done.extend(&parts[..parts.len() - 1]);
                passage = parts[parts.len() - 1];
            } else {
                break;
            }
        }
        done.push(passage);
    }
    done
}

struct Joiner<'a> {
    text: &'a str,
    outline: &'a Outline<'a>,
    max_tokens: usize,
    min_chars: usize,
}

impl Joiner<'_> {
    fn is_short(&self, passage: Passage) -> bool {
        self.text[passage.span.range()].chars().take(self.min_chars).count() < self.min_chars
    }

    /// The two as one, if the size allows it.
    fn joined(&self, first: Passage, second: Passage) -> Option<Passage> {
        let span = Span::new(first.span.start, second.span.end);
        // The sum is no more than a guess: what is estimated apart may be more or less together.
        let may_fit = first.tokens + second.tokens <= self.max_tokens + 2;
        let tokens = if may_fit { wikirag_text::estimate_tokens(&self.text[span.range()]) } else { usize::MAX };
        let stretch = if self.is_short(first) { second.stretch } else { first.stretch };
        (tokens <= self.max_tokens).then_some(Passage { span, tokens, stretch })
    }

    /// Whether a short passage goes better with what is behind it, where both would do.
    fn belongs_behind(&self, before: Option<Passage>, passage: Passage, behind: Option<Passage>) -> bool {
        let is_same = |other: Option<Passage>| other.is_some_and(|other| other.stretch == passage.stretch);
        if is_same(before) || is_same(behind) {
            return !is_same(before);
        }
        let level = |passage: Passage| {
            self.outline.within(self.text, passage.span).first().map(|unit| match unit.kind {
                Kind::Heading(level) => level,
                _ => 0,
            })
        };
        behind.is_some_and(|behind| level(passage) < level(behind))
    }

    /// Cuts two neighbours, which do not fit together, at other places. `None` where that leaves a short one as well.
    fn cut_anew(&self, first: Passage, second: Passage) -> Option<Vec<Passage>> {
        let units = self.outline.within(self.text, Span::new(first.span.start, second.span.end));
        let parts = split(self.text, &units, self.max_tokens, Grain::Sentences);
        let stretch = if self.is_short(first) { second.stretch } else { first.stretch };
        let parts: Vec<_> = parts.into_iter().map(|(span, tokens)| Passage { span, tokens, stretch }).collect();
        (parts.len() > 1 && parts.iter().all(|&part| !self.is_short(part))).then_some(parts)
    }
}
