//! Passages that repeat the end of the one before.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;
use wikirag_core::Span;
use wikirag_text::estimate_tokens;

use super::Passage;
use super::pieces::sentence_starts;
use super::units::{Kind, Unit};
use crate::lines::line_starts;

/// Where each passage begins when it repeats up to `most` tokens of the one before it and stays within `max_tokens`. Only
/// passages that go on within the same stretch do so, and never past a heading: what stands under another heading
/// is no context.
pub(super) fn starts(
    text: &str,
    units: &[Unit<'_>],
    passages: &[Passage],
    most: usize,
    max_tokens: usize,
) -> Vec<usize> {
    let mut before: Option<&Passage> = None;
    let mut starts = Vec::with_capacity(passages.len());
    for passage in passages {
        let own = passage.span.start;
        let room = most.min(max_tokens.saturating_sub(passage.tokens));
        let start = match before {
            Some(before) if room > 0 && before.stretch == passage.stretch => {
                repeated(text, units, before.span, own, room)
            }
            _ => own,
        };
        // Sizes are estimates: the whole may be larger than its parts.
        let fits = start == own
            || estimate_tokens(&text[start..own]) <= most
                && estimate_tokens(&text[start..passage.span.end]) <= max_tokens;
        starts.push(if fits { start } else { own });
        before = Some(passage);
    }
    starts
}

/// The earliest place behind the start of `before` from which the text up to `start` has at most `most` tokens and which begins a
/// block, a sentence, a line of an atomic block that is cut anyway, or at least a word.
fn repeated(text: &str, units: &[Unit<'_>], before: Span, start: usize, most: usize) -> usize {
    let mut budget = most;
    let mut from = start;
    let first = units.partition_point(|unit| unit.span.end <= before.start);
    let until = units.partition_point(|unit| unit.span.start < start);
    for unit in units[first..until].iter().rev() {
        let inside = unit.span.start.max(before.start)..unit.span.end.min(from);
        let is_cut = unit.span.end > start;
        let mut places: Vec<usize> = match unit.kind {
            Kind::Heading(_) => break,
            Kind::Atom { .. } if is_cut => line_starts(text, inside.clone()).collect(),
            Kind::Atom { .. } => vec![inside.start],
            Kind::Prose | Kind::Parts => sentence_places(text, inside.clone()),
        };
        // The starts of passages must ascend: the whole of the one before is never repeated.
        places.retain(|&place| place > before.start);
        let reached = reach(text, &places, from, &mut budget);
        if reached == from && from == start && !matches!(unit.kind, Kind::Atom { .. }) {
            // Not one sentence fits: the last words of it do.
            let words = text[inside.clone()].unicode_word_indices().map(|(at, _)| inside.start + at);
            let words = words.filter(|&word| word > before.start);
            from = reach(text, &words.collect::<Vec<_>>(), from, &mut budget);
        } else {
            from = reached;
        }
        if from > unit.span.start {
            break;
        }
    }
    // Indented lines begin with white space, passages do not.
    start - text[from..start].trim_start().len()
}

fn sentence_places(text: &str, inside: Range<usize>) -> Vec<usize> {
    let sentences = sentence_starts(&text[inside.clone()]).map(|at| inside.start + at);
    std::iter::once(inside.start).chain(sentences).collect()
}

/// Goes back from `from` over `places` as long as the budget lasts. Each stretch between two places is counted once.
fn reach(text: &str, places: &[usize], mut from: usize, budget: &mut usize) -> usize {
    for &place in places.iter().rev() {
        let tokens = estimate_tokens(&text[place..from]);
        if tokens > *budget {
            break;
        }
        *budget -= tokens;
        from = place;
    }
    from
}

#[cfg(test)]
mod tests {
    use wikirag_core::{Block, BlockKind, Chunker, DocumentText};

    use super::*;
    use crate::{MarkdownChunker, Settings};

    /// The most tokens that two neighbours share, where `text` is one paragraph.
    fn most_shared(text: &str, max_tokens: usize, overlap: usize) -> usize {
        let paragraph = Block { span: Span::new(0, text.len()), kind: BlockKind::Paragraph, cuts: Vec::new() };
        let document = DocumentText { text: text.to_owned(), blocks: vec![paragraph], ..DocumentText::default() };
        let settings = Settings { max_tokens, overlap, ..Settings::default() };
        let chunks = MarkdownChunker { settings }.chunk(&document).unwrap();
        let shared = chunks.windows(2).map(|pair| &text[pair[1].span.start.min(pair[0].span.end)..pair[0].span.end]);
        shared.map(estimate_tokens).max().unwrap_or_default()
    }

    #[test]
    fn a_long_word_that_is_larger_than_its_parts_is_not_shared() {
        let text = "¥ú¨0Î2\0\0zzzzzzz÷zzzzzzzzzzzzzzzz*zzzzzzzzzzzzzzzzzzzzzzz†…………Àr-0";
        assert!(most_shared(text, 24, 8) <= 8);
    }
}
