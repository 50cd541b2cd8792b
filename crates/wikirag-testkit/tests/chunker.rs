//! The suite for chunkers over chunkers that are broken on purpose.

#![expect(clippy::unwrap_used, reason = "a test may end where something is not as it must be")]

mod broken;
mod plain;

use std::sync::atomic::{AtomicUsize, Ordering};

use plain::{Plain, work_for_each_prefix};
use wikirag_core::{BlockKind, ChunkSpan, Chunker, DocumentText, Reader, Result, Span};
use wikirag_testkit::chunker::{CHECKS, Limits, Subject};
use wikirag_testkit::chunker_suite;

const LIMITS: Limits = Limits { size: 600, overlap: 120, measure: str::len };

type Pair = (Box<dyn Reader>, Box<dyn Chunker>);

fn pair(fault: Option<Fault>) -> Result<Pair> {
    Ok((Box::new(Plain::new(None)), Box::new(Reference::new(fault))))
}

chunker_suite!(the_reference, || pair(None), LIMITS);

#[derive(Debug, Clone, Copy, PartialEq)]
enum Fault {
    LeavesTheText,
    HoldsAnother,
    LosesAWord,
    TakesFrontMatter,
    ForgetsTheSize,
    SharesTooMuch,
    SharesNothing,
    NamesTheHeadingAbove,
    ChunksNothing,
    CutsAtFixedPlaces,
    DependsOnTheInstance,
    FearsSize,
    Quadratic,
}

const FAULTS: &[(Fault, &str)] = &[
    (Fault::LeavesTheText, "spans_lie_in_the_text"),
    (Fault::HoldsAnother, "starts_and_ends_ascend"),
    (Fault::LosesAWord, "every_character_is_covered"),
    (Fault::TakesFrontMatter, "front_matter_is_no_passage"),
    (Fault::ForgetsTheSize, "no_passage_is_over_the_size"),
    (Fault::SharesTooMuch, "the_overlap_is_kept"),
    (Fault::SharesNothing, "the_overlap_is_kept"),
    (Fault::NamesTheHeadingAbove, "headings_are_the_innermost"),
    (Fault::ChunksNothing, "no_words_give_no_passages"),
    (Fault::CutsAtFixedPlaces, "an_edit_changes_spans_near_it"),
    (Fault::DependsOnTheInstance, "equal_documents_get_equal_spans"),
    (Fault::FearsSize, "huge_documents_are_survived"),
    (Fault::Quadratic, "the_time_is_linear"),
];

#[test]
fn each_fault_fails_its_own_check() {
    broken::each_fault_fails_its_own_check(CHECKS, FAULTS, |fault| Subject::new(move || pair(fault), LIMITS));
}

/// The last place at or before `place` that cuts no character.
fn boundary_before(text: &str, place: usize) -> usize {
    (0..=place).rev().find(|place| text.is_char_boundary(*place)).unwrap_or_default()
}

/// Packs words between headings, up to the size, and begins each passage with the last words of the one before.
struct Reference {
    fault: Option<Fault>,
    instance: usize,
}

impl Reference {
    fn new(fault: Option<Fault>) -> Self {
        static INSTANCES: AtomicUsize = AtomicUsize::new(0);
        Self { fault, instance: INSTANCES.fetch_add(1, Ordering::Relaxed) }
    }

    fn has(&self, fault: Fault) -> bool {
        self.fault == Some(fault)
    }

    /// The spans of the section `section`, whose heading is `heading`.
    fn section(&self, text: &str, section: Span, heading: Option<usize>, spans: &mut Vec<ChunkSpan>) {
        let size = LIMITS.size - if self.has(Fault::DependsOnTheInstance) { self.instance % 2 } else { 0 };
        let mut start = section.start;
        while let Some(skipped) = text[start..section.end].find(|c: char| !c.is_whitespace()) {
            start += skipped;
            let end = self.passage_end(text, Span::new(start, section.end), size);
            spans.push(ChunkSpan { span: Span::new(start, end), heading });
            start = end;
        }
    }

    /// Where the passage that begins at `rest.start` ends: after a paragraph, else after a word, else after a grapheme
    /// if it can be had cheaply.
    fn passage_end(&self, text: &str, rest: Span, size: usize) -> usize {
        if rest.len() <= size {
            return rest.end;
        }
        if self.has(Fault::CutsAtFixedPlaces) {
            let grid = (rest.start / size + 1) * size;
            let cut = text[rest.start..boundary_before(text, grid)].rfind(' ').map_or(0, |cut| cut + 1);
            if cut > 0 {
                return rest.start + cut;
            }
        }
        let window = &text[rest.start..boundary_before(text, rest.start + size)];
        let cut = window.rfind("\n\n").or_else(|| window.rfind(". ")).or_else(|| window.rfind(' '));
        let end = cut.filter(|cut| *cut > 0).unwrap_or(window.len());
        // A character of many marks is over any size: it stays whole.
        let marks = text[rest.start + end..rest.end].find(|c: char| c != '\u{301}').unwrap_or(rest.len() - end);
        if marks > 0 && window.trim_end_matches('\u{301}').chars().count() <= 1 {
            return rest.start + end + marks;
        }
        rest.start + end
    }

    /// Lets each passage begin with the end of the one before, where that leaves it within the size.
    fn overlap(&self, text: &str, spans: &mut [ChunkSpan]) {
        let (wanted, size) = match self.fault {
            Some(Fault::SharesNothing) => return,
            Some(Fault::SharesTooMuch) => (300, LIMITS.size),
            _ => (100, LIMITS.size),
        };
        for index in (1..spans.len()).rev() {
            let before = spans[index - 1].span;
            let span = spans[index].span;
            let room = size.saturating_sub(span.len()).min(wanted);
            let earliest = span.start.saturating_sub(room).max(before.start + 1);
            let start = (earliest..span.start).find(|place| text.is_char_boundary(*place)).unwrap_or(span.start);
            if start < before.end && spans[index].heading == spans[index - 1].heading {
                spans[index].span.start = start;
            }
        }
    }

    /// Faults of the finished spans.
    fn spoil(&self, document: &DocumentText, spans: &mut Vec<ChunkSpan>) {
        let before = spans.get(4).map_or(0, |chunk| chunk.span.end);
        match self.fault {
            Some(Fault::LeavesTheText) => {
                if let Some(last) = spans.last_mut() {
                    last.span.end += 1;
                }
            }
            Some(Fault::HoldsAnother) => {
                // A short one: sharing all of it stays within the overlap.
                if let Some(place) = spans.iter().position(|chunk| chunk.span.len() <= LIMITS.overlap) {
                    spans.insert(place, spans[place]);
                }
            }
            Some(Fault::LosesAWord) if spans.len() > 12 => {
                let span = &mut spans[5].span;
                let own = Span::new(span.start.max(before), span.end).slice(&document.text).unwrap_or_default();
                let word = own.trim_start().split(' ').next().unwrap_or_default();
                if word.len() < own.trim_start().len() {
                    span.start = span.end - own.trim_start().len() + word.len();
                }
            }
            Some(Fault::NamesTheHeadingAbove) => {
                let is_heading = |index: &usize| matches!(document.blocks[*index].kind, BlockKind::Heading { .. });
                for chunk in spans {
                    chunk.heading = chunk.heading.map(|own| (0..own).rev().find(is_heading).unwrap_or(own));
                }
            }
            Some(Fault::ChunksNothing) if document.blocks.is_empty() && !document.text.is_empty() => {
                spans.push(ChunkSpan { span: Span::new(0, 1), heading: None });
            }
            _ => {}
        }
    }
}

impl Chunker for Reference {
    fn chunk(&self, document: &DocumentText) -> Result<Vec<ChunkSpan>> {
        let text = &document.text;
        assert!(!(self.has(Fault::FearsSize) && text.len() > 400_000), "too large");
        if self.has(Fault::Quadratic) {
            std::hint::black_box(work_for_each_prefix(text));
        }
        let start = if self.has(Fault::TakesFrontMatter) { 0 } else { document.body_start() };
        let mut sections = vec![(start, None)];
        for (index, block) in document.blocks.iter().enumerate() {
            if matches!(block.kind, BlockKind::Heading { .. }) {
                sections.push((block.span.start, Some(index)));
            }
        }
        let mut spans = Vec::new();
        for (place, (start, heading)) in sections.iter().enumerate() {
            let end = sections.get(place + 1).map_or(text.len(), |(start, _)| *start);
            if self.has(Fault::ForgetsTheSize) && end > *start && end - start < 2 * LIMITS.size {
                if let Some(skipped) = text[*start..end].find(|c: char| !c.is_whitespace()) {
                    spans.push(ChunkSpan { span: Span::new(start + skipped, end), heading: *heading });
                }
            } else {
                self.section(text, Span::new(*start, end), *heading, &mut spans);
            }
        }
        self.overlap(text, &mut spans);
        self.spoil(document, &mut spans);
        Ok(spans)
    }
}
