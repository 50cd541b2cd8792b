//! What a chunker promises of the passages of every document.

use unicode_segmentation::UnicodeSegmentation;
use wikirag_core::{BlockKind, ChunkSpan, DocumentText, Span};

use crate::check::{Outcome, ensure};
use crate::chunker::Limits;

/// Looks whether the passages of `document` keep all of these promises, those of `limits` among them.
///
/// The suite of chunkers asks them one by one; this is for those who have documents of their own, as fuzzing does.
///
/// # Errors
/// The first promise that is broken.
pub fn keep_promises(document: &DocumentText, spans: &[ChunkSpan], limits: Limits) -> Outcome {
    spans_lie_in_the_text(document, spans)?;
    starts_and_ends_ascend(document, spans)?;
    every_character_is_covered(document, spans)?;
    front_matter_is_no_passage(document, spans)?;
    headings_are_the_innermost(document, spans)?;
    no_passage_is_over_the_size(document, spans, limits)?;
    no_more_than_the_overlap_is_shared(document, spans, limits)
}

/// Every span lies in the text, is not empty and cuts no character.
pub(crate) fn spans_lie_in_the_text(document: &DocumentText, spans: &[ChunkSpan]) -> Outcome {
    for chunk in spans {
        let passage = chunk.span.slice(&document.text);
        ensure!(
            passage.is_some_and(|passage| !passage.is_empty()),
            "{:?} is no passage of a text of {} bytes: it leaves the text, is empty or cuts a character",
            chunk.span,
            document.text.len()
        );
    }
    Ok(())
}

/// Starts ascend strictly, and so do ends.
pub(crate) fn starts_and_ends_ascend(_: &DocumentText, spans: &[ChunkSpan]) -> Outcome {
    let ascend = |pair: &[ChunkSpan]| pair[0].span.start < pair[1].span.start && pair[0].span.end < pair[1].span.end;
    let pair = spans.windows(2).find(|pair| !ascend(pair));
    ensure!(pair.is_none(), "two spans are out of order, or one holds the other: {pair:?}");
    Ok(())
}

/// Every character after the front matter that is not white space lies in a span.
pub(crate) fn every_character_is_covered(document: &DocumentText, spans: &[ChunkSpan]) -> Outcome {
    let mut covered = document.body_start();
    let end = Span::new(document.text.len(), document.text.len());
    for span in spans.iter().map(|chunk| chunk.span).chain([end]) {
        let gap = Span::new(covered, span.start).slice(&document.text).unwrap_or_default();
        // A document of marks only has no words, and so may have no passages at all.
        let wordless = spans.is_empty() && !gap.contains(char::is_alphanumeric);
        ensure!(wordless || gap.trim().is_empty(), "no span holds {gap:?}, before byte {}", span.start);
        covered = covered.max(span.end);
    }
    Ok(())
}

/// No span reaches into the front matter.
pub(crate) fn front_matter_is_no_passage(document: &DocumentText, spans: &[ChunkSpan]) -> Outcome {
    let body = document.body_start();
    let first = spans.iter().find(|chunk| chunk.span.start < body);
    ensure!(first.is_none(), "the front matter ends at byte {body}, and a span reaches into it: {first:?}");
    Ok(())
}

/// The heading of a passage is the last one at or before its start; a passage that reaches over a later heading may
/// name one of those instead.
pub(crate) fn headings_are_the_innermost(document: &DocumentText, spans: &[ChunkSpan]) -> Outcome {
    let is_heading = |index: &usize| matches!(document.blocks[*index].kind, BlockKind::Heading { .. });
    let headings: Vec<usize> = (0..document.blocks.len()).filter(is_heading).collect();
    for ChunkSpan { span, heading } in spans {
        let above = headings.iter().rev().find(|index| document.blocks[**index].span.start <= span.start);
        let inside = headings.iter().filter(|index| {
            let start = document.blocks[**index].span.start;
            span.start < start && start < span.end
        });
        let allowed: Vec<_> = inside.map(|index| Some(*index)).chain([above.copied()]).collect();
        ensure!(
            allowed.contains(heading),
            "the passage at {span:?} stands under the heading {heading:?} (an index of blocks); right were {allowed:?}"
        );
    }
    Ok(())
}

/// No passage is over the size, save where a single grapheme is.
pub(crate) fn no_passage_is_over_the_size(document: &DocumentText, spans: &[ChunkSpan], limits: Limits) -> Outcome {
    let Limits { size, measure, .. } = limits;
    for span in spans.iter().map(|chunk| chunk.span) {
        let passage = span.slice(&document.text).unwrap_or_default();
        ensure!(
            measure(passage) <= size || passage.trim().graphemes(true).nth(1).is_none(),
            "the passage at {span:?} measures {}, {size} are allowed",
            measure(passage)
        );
    }
    Ok(())
}

/// Neighbours share no more than the overlap that is set.
pub(crate) fn no_more_than_the_overlap_is_shared(
    document: &DocumentText,
    spans: &[ChunkSpan],
    limits: Limits,
) -> Outcome {
    let Limits { overlap, measure, .. } = limits;
    for pair in spans.windows(2) {
        let shared = Span::new(pair[1].span.start, pair[0].span.end);
        let size = measure(shared.slice(&document.text).unwrap_or_default());
        ensure!(size <= overlap, "{pair:?} share text that measures {size}, {overlap} are allowed");
    }
    Ok(())
}
