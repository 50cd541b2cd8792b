//! What a reader promises of every document that it makes.

use wikirag_core::{BlockKind, DocumentText, Places, Span};

use crate::check::{Outcome, ensure};

/// Looks whether `document` keeps all of these promises, whatever file it was read from.
///
/// The suite of readers asks them one by one; this is for those who have documents of their own, as fuzzing does.
///
/// # Errors
/// The first promise that is broken.
pub fn keeps_promises(document: &DocumentText) -> Outcome {
    spans_lie_in_the_text(document)?;
    blocks_come_in_order(document)?;
    blocks_are_well_formed(document)?;
    every_word_lies_in_a_block(document)?;
    links_come_in_order(document)?;
    places_come_in_order(document)?;
    warnings_name_a_line(document)
}

/// Every span of a block, a link or a table's header lies in the text and cuts no character, and so does every cut.
pub(crate) fn spans_lie_in_the_text(document: &DocumentText) -> Outcome {
    let headers = document.blocks.iter().filter_map(|block| match block.kind {
        BlockKind::Table { header } => header,
        _ => None,
    });
    let blocks = document.blocks.iter().map(|block| block.span);
    let links = document.links.iter().map(|link| link.span);
    for span in blocks.chain(links).chain(headers) {
        ensure!(span.slice(&document.text).is_some(), "{span:?} leaves the text or cuts a character");
    }
    let mut cuts = document.blocks.iter().flat_map(|block| &block.cuts);
    let cut = cuts.find(|cut| !document.text.is_char_boundary(**cut));
    ensure!(cut.is_none(), "the cut at {cut:?} leaves the text or cuts a character");
    Ok(())
}

/// Blocks come in order, do not overlap and are not empty.
pub(crate) fn blocks_come_in_order(document: &DocumentText) -> Outcome {
    let empty = document.blocks.iter().find(|block| block.span.is_empty());
    ensure!(empty.is_none(), "a block is empty: {empty:?}");
    let pair = document.blocks.windows(2).find(|pair| pair[0].span.end > pair[1].span.start);
    ensure!(pair.is_none(), "two blocks overlap or are out of order: {pair:?}");
    Ok(())
}

/// Front matter comes first and once; headings have levels 1 to 6; the header of a table lies in it; cuts lie inside their
/// block and ascend.
pub(crate) fn blocks_are_well_formed(document: &DocumentText) -> Outcome {
    for (place, block) in document.blocks.iter().enumerate() {
        let fault = match &block.kind {
            BlockKind::FrontMatter if place > 0 => Some("front matter that is not the first block"),
            BlockKind::Heading { level, .. } if !(1..=6).contains(level) => Some("a heading of no known level"),
            BlockKind::Table { header: Some(header) } if !block.span.contains(*header) => {
                Some("a table whose header lies outside")
            }
            _ => None,
        };
        ensure!(fault.is_none(), "{}: {block:?}", fault.unwrap_or_default());
        let inside = block.cuts.iter().all(|cut| block.span.range().contains(cut));
        let ascend = block.cuts.windows(2).all(|pair| pair[0] < pair[1]);
        ensure!(inside && ascend, "the cuts of a block lie outside or do not ascend: {block:?}");
    }
    Ok(())
}

/// Between the blocks stands nothing but white space and marks: every word lies in a block.
pub(crate) fn every_word_lies_in_a_block(document: &DocumentText) -> Outcome {
    let mut covered = 0;
    let end = Span::new(document.text.len(), document.text.len());
    for span in document.blocks.iter().map(|block| block.span).chain([end]) {
        let gap = Span::new(covered, span.start).slice(&document.text).unwrap_or_default();
        ensure!(!gap.contains(char::is_alphanumeric), "no block holds {gap:?}, before byte {}", span.start);
        covered = covered.max(span.end);
    }
    Ok(())
}

/// Links come in the order of their places.
pub(crate) fn links_come_in_order(document: &DocumentText) -> Outcome {
    let pair = document.links.windows(2).find(|pair| pair[0].span.start > pair[1].span.start);
    ensure!(pair.is_none(), "two links are out of order: {pair:?}");
    Ok(())
}

/// The places that lead back to the file lie in the text and come in order; lines count from 1.
pub(crate) fn places_come_in_order(document: &DocumentText) -> Outcome {
    let (offsets, ascend): (Vec<usize>, bool) = match &document.places {
        Places::Same => (Vec::new(), true),
        Places::Lines(lines) => {
            let first = lines.first().is_none_or(|first| first.1 > 0);
            let rest = lines.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 <= pair[1].1);
            (lines.iter().map(|line| line.0).collect(), first && rest)
        }
        Places::Pages(pages) => (pages.clone(), pages.is_sorted() && pages.first() == Some(&0)),
    };
    ensure!(ascend, "places do not ascend, or do not begin where they must: {:?}", document.places);
    let outside = offsets.iter().find(|offset| !document.text.is_char_boundary(**offset));
    ensure!(outside.is_none(), "a place lies outside of the text or in a character: {outside:?}");
    Ok(())
}

/// A warning says something, and names a line of the file.
pub(crate) fn warnings_name_a_line(document: &DocumentText) -> Outcome {
    let wrong = document.warnings.iter().find(|warning| warning.line == 0 || warning.message.trim().is_empty());
    ensure!(wrong.is_none(), "a warning has no line (they count from 1) or says nothing: {wrong:?}");
    Ok(())
}
