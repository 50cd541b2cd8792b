//! Long stretches of text, taken apart into pieces and put together to passages.

use std::cmp::Reverse;
use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;
use wikirag_core::Span;
use wikirag_text::estimate_tokens;

use super::pack::{Piece, Seam, pack};
use super::units::{Kind, Unit};
use crate::lines::line_starts;
use crate::trim::trimmed;

/// How finely units that would fit are taken apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Grain {
    /// Not at all: the seams between units do.
    Blocks,
    /// Down to sentences, save for atomic units.
    Sentences,
}

/// Cuts `units`, which are neighbours, into passages of at most `limit` tokens, save where a single grapheme is larger.
/// Returns the passages with their sizes.
pub(super) fn split(text: &str, units: &[Unit<'_>], limit: usize, grain: Grain) -> Vec<(Span, usize)> {
    let Some(end) = units.last().map(|unit| unit.span.end) else { return Vec::new() };
    let pieces = pieces(text, units, limit, grain);
    let mut passages = Vec::new();
    let mut from = 0;
    for count in pack(text, &pieces, limit) {
        let until = pieces.get(from + count).map_or(end, |piece| piece.start);
        settle(text, &pieces[from..from + count], until, limit, &mut passages);
        from += count;
    }
    passages
}

/// Counts the passage that `pieces` make, and cuts it at its strongest seam (of equal ones that nearest the middle) should the
/// estimate of the whole be over the limit although the sum of the parts is not.
fn settle(text: &str, pieces: &[Piece], end: usize, limit: usize, passages: &mut Vec<(Span, usize)>) {
    let Some(span) = pieces.first().and_then(|first| trimmed(text, Span::new(first.start, end))) else { return };
    let tokens = estimate_tokens(&text[span.range()]);
    if tokens <= limit || pieces.len() < 2 {
        passages.push((span, tokens));
        return;
    }
    let strength = |&at: &usize| (pieces[at].seam, Reverse(at.abs_diff(pieces.len() / 2)));
    let (left, right) = pieces.split_at((1..pieces.len()).max_by_key(strength).unwrap_or(1));
    settle(text, left, right[0].start, limit, passages);
    settle(text, right, end, limit, passages);
}

/// One way of taking text apart; each is finer than the one before.
#[derive(Clone, Copy)]
enum Step<'a> {
    Cuts(&'a [usize]),
    Lines,
    Sentences,
    /// Lines of running text, which the editor broke: better than any word. Also what keeps a log of a hundred megabytes
    /// without a full stop from being taken apart into its words.
    Wraps,
    Words,
    /// Runs of graphemes: pieces of a word that are long enough for an estimate to mean something.
    Runs,
    Graphemes,
}

/// Bytes of a run of graphemes, at least.
const RUN_BYTES: usize = 32;

impl Step<'_> {
    /// Where the parts behind the first begin, and how well they may be parted there.
    fn seams(self, text: &str, range: Range<usize>) -> Vec<(usize, Seam)> {
        let inside = &text[range.clone()];
        let offset = range.start;
        match self {
            Step::Cuts(cuts) => {
                let from = cuts.partition_point(|&cut| cut <= range.start);
                let until = cuts.partition_point(|&cut| cut < range.end).max(from);
                cuts[from..until].iter().map(|&cut| (cut, Seam::Part)).collect()
            }
            Step::Lines => lines(text, range),
            Step::Wraps => line_starts(text, range).skip(1).map(|start| (start, Seam::Wrap)).collect(),
            Step::Sentences => sentence_starts(inside).map(|start| (offset + start, Seam::Sentence)).collect(),
            Step::Words => {
                inside.split_word_bound_indices().skip(1).map(|(start, _)| (offset + start, Seam::Word)).collect()
            }
            Step::Runs => {
                let mut last = 0;
                let is_far = |&(start, _): &(usize, &str)| {
                    let far = start - last >= RUN_BYTES;
                    if far {
                        last = start;
                    }
                    far
                };
                let runs = inside.grapheme_indices(true).filter(is_far);
                runs.map(|(start, _)| (offset + start, Seam::Grapheme)).collect()
            }
            Step::Graphemes => {
                inside.grapheme_indices(true).skip(1).map(|(start, _)| (offset + start, Seam::Grapheme)).collect()
            }
        }
    }
}

/// Line starts; after an empty line the seam is stronger.
fn lines(text: &str, range: Range<usize>) -> Vec<(usize, Seam)> {
    let mut last = range.start;
    let seam = |start: usize| {
        let is_empty = text[last..start].trim().is_empty();
        last = start;
        (start, if is_empty { Seam::Part } else { Seam::Line })
    };
    line_starts(text, range).skip(1).map(seam).collect()
}

/// Where sentences behind the first begin, by the rules of UAX #29, save that the end of a line ends no sentence: lines of
/// a paragraph are broken where the editor broke them.
pub(super) fn sentence_starts(text: &str) -> impl Iterator<Item = usize> {
    text.split_sentence_bound_indices().filter_map(|(start, sentence)| {
        let end = start + sentence.len();
        (end < text.len() && ends_a_sentence(sentence)).then_some(end)
    })
}

fn ends_a_sentence(sentence: &str) -> bool {
    const CLOSING: &[char] = &[')', ']', '"', '\'', '”', '’', '»', '」', '』', '）', '*', '_', '`'];
    const ENDING: &[char] = &['.', '!', '?', '…', '。', '！', '？', '｡', '।', '॥', '؟', '։', '።'];
    sentence.trim_end().trim_end_matches(CLOSING).ends_with(ENDING)
}

fn pieces(text: &str, units: &[Unit<'_>], limit: usize, grain: Grain) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut before: Option<&Unit<'_>> = None;
    // Tokens of the headings right before, which must share a passage with what follows.
    let mut above = 0;
    for unit in units {
        let seam = match (before, unit.kind) {
            (Some(Unit { kind: Kind::Heading(_), .. }), _) => Seam::Bound,
            (_, Kind::Heading(_)) => Seam::Section,
            (Some(Unit { kind: Kind::Prose, span, .. }), Kind::Parts | Kind::Atom { .. })
                if text[span.range()].ends_with([':', '：']) =>
            {
                Seam::Announced
            }
            _ => Seam::Block,
        };
        let is_atom = matches!(unit.kind, Kind::Atom { .. });
        let room = match grain {
            _ if is_atom => limit,
            Grain::Blocks if above <= limit / 2 => limit - above,
            Grain::Blocks => limit,
            Grain::Sentences => (limit / 8).max(1),
        };
        let steps: &[Step<'_>] = match unit.kind {
            Kind::Heading(_) | Kind::Prose => &[Step::Sentences, Step::Wraps, Step::Words, Step::Runs, Step::Graphemes],
            Kind::Parts => {
                &[Step::Cuts(unit.cuts), Step::Lines, Step::Sentences, Step::Words, Step::Runs, Step::Graphemes]
            }
            Kind::Atom { .. } => &[Step::Lines, Step::Words, Step::Runs, Step::Graphemes],
        };
        let first = pieces.len();
        take_apart(text, unit.span.range(), seam, steps, room, &mut pieces);
        if let Kind::Atom { head } = unit.kind {
            bind_ends(&mut pieces[first..], head);
        }
        above = if matches!(unit.kind, Kind::Heading(_)) { above + unit.tokens } else { 0 };
        before = Some(unit);
    }
    pieces
}

/// Takes `range` apart until each piece has at most `room` tokens. Each step counts each byte once.
fn take_apart(text: &str, range: Range<usize>, seam: Seam, steps: &[Step<'_>], room: usize, pieces: &mut Vec<Piece>) {
    let tokens = estimate_tokens(&text[range.clone()]);
    match steps.split_first() {
        Some((step, finer)) if tokens > room => {
            let mut start = range.start;
            let mut before = seam;
            for (next, behind) in step.seams(text, range.clone()) {
                take_apart(text, start..next, before, finer, room, pieces);
                start = next;
                before = behind;
            }
            take_apart(text, start..range.end, before, finer, room, pieces);
        }
        _ => pieces.push(Piece { start: range.start, tokens, seam }),
    }
}

/// The pieces of an atomic unit that was taken apart: its first line (or the header of a table) stays with what
/// follows, the last line (which may close a fence) with what is before it.
fn bind_ends(pieces: &mut [Piece], head: Option<usize>) {
    let bound = head.map_or(1, |head| pieces.partition_point(|piece| piece.start < head));
    for piece in pieces.iter_mut().skip(1).take(bound) {
        piece.seam = Seam::Bound;
    }
    if let [_, .., last] = pieces {
        last.seam = Seam::Bound;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sentences(text: &str) -> Vec<&str> {
        let mut starts: Vec<_> = std::iter::once(0).chain(sentence_starts(text)).collect();
        starts.push(text.len());
        starts.windows(2).map(|pair| text[pair[0]..pair[1]].trim_end()).collect()
    }

    #[test]
    fn a_line_break_ends_no_sentence() {
        assert_eq!(sentences("One goes\non. (Two.) Three"), ["One goes\non.", "(Two.)", "Three"]);
        assert_eq!(sentences("你好。再见！好"), ["你好。", "再见！", "好"]);
        assert_eq!(sentences("no end"), ["no end"]);
    }

    #[test]
    fn many_full_stops_take_linear_time() {
        assert_eq!(sentence_starts(&". ".repeat(500_000)).count(), 0);
        assert_eq!(sentence_starts(&"a.b,".repeat(500_000)).count(), 0);
        assert_eq!(sentence_starts(&"A b. ".repeat(200_000)).count(), 199_999);
    }
}
