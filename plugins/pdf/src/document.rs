//! Lines of all pages in, one document out.

use std::collections::HashSet;

use wikirag_core::{Block, BlockKind, DocumentText, Metadata, Places, ReadWarning, Span};

use crate::layout::TextLine;
use crate::outline::{Bookmark, headings};

/// A page as read.
#[derive(Debug, Clone, Default)]
pub(crate) struct Page {
    /// Its lines.
    pub(crate) lines: Vec<TextLine>,
    /// Glyphs of which nobody can tell the characters.
    pub(crate) unknown: usize,
    /// Whether it is a page without anything on it, which nobody misses.
    pub(crate) blank: bool,
}

/// Puts the pages together.
pub(crate) fn document(pages: &[Page], bookmarks: &[Bookmark], meta: Metadata) -> DocumentText {
    let compounds = compounds(pages);
    let mut named = headings(bookmarks, pages).into_iter().peekable();
    let mut document = DocumentText { meta, warnings: warnings(pages), ..DocumentText::default() };
    let (mut starts, mut number) = (Vec::with_capacity(pages.len()), 0);
    for page in pages {
        starts.push(None);
        // The level of the heading that the lines belong to, and how many lines are left of it.
        let mut heading = (0, 0);
        for (place, line) in page.lines.iter().enumerate() {
            let mut begins = place == 0 || line.begins && heading.1 == 0;
            if let Some(name) = named.next_if(|name| name.line == number) {
                heading = (name.level, name.count);
                begins = true;
            } else if heading.1 == 0 && heading.0 > 0 {
                (heading, begins) = ((0, 0), true);
            }
            number += 1;
            heading.1 = heading.1.saturating_sub(1);
            let kind = match heading.0 {
                0 => BlockKind::Paragraph,
                level => BlockKind::Heading { level, title: String::new() },
            };
            let start = push(&mut document, line, begins.then_some(kind), &compounds);
            if let Some(first @ None) = starts.last_mut() {
                *first = Some(start);
            }
        }
    }
    for Block { span, kind, .. } in &mut document.blocks {
        if let BlockKind::Heading { title, .. } = kind {
            *title = span.slice(&document.text).unwrap_or_default().replace('\n', " ");
        }
    }
    document.places = Places::Pages(page_starts(&starts, document.text.len()));
    document
}

/// Adds a line, as a block of the kind that it begins or to the last block, and says where it begins.
fn push(document: &mut DocumentText, line: &TextLine, begins: Option<BlockKind>, compounds: &HashSet<String>) -> usize {
    let text = &mut document.text;
    match (begins, document.blocks.last_mut()) {
        (None, Some(block)) => {
            match cut_word(text, &line.text) {
                Some(compound) if compounds.contains(&compound) => {}
                Some(_) => text.truncate(text.trim_end_matches(HYPHENS).len()),
                None => text.push('\n'),
            }
            let start = text.len();
            text.push_str(&line.text);
            block.span = Span::new(block.span.start, text.len());
            start
        }
        (kind, _) => {
            if !text.is_empty() {
                text.push_str("\n\n");
            }
            let start = text.len();
            text.push_str(&line.text);
            let span = Span::new(start, text.len());
            document.blocks.push(Block { span, kind: kind.unwrap_or(BlockKind::Paragraph), cuts: Vec::new() });
            start
        }
    }
}

const HYPHENS: [char; 3] = ['-', '\u{2010}', '\u{ad}'];

/// The word that the end of the text and the begin of the line are parts of, with its hyphen, if there is one: letter,
/// hyphen, end of line, small letter.
fn cut_word(text: &str, line: &str) -> Option<String> {
    let head = text.strip_suffix(HYPHENS).filter(|head| head.ends_with(char::is_alphabetic))?;
    let tail = line.split(|c: char| !c.is_alphabetic()).next().filter(|tail| tail.starts_with(char::is_lowercase))?;
    let head = &head[head.rfind(char::is_whitespace).map_or(0, |blank| blank + 1)..];
    Some(format!("{}-{tail}", head.trim_start_matches(|c: char| !c.is_alphanumeric())).to_lowercase())
}

/// The words with a hyphen that stand within lines: cut at that hyphen they keep it.
fn compounds(pages: &[Page]) -> HashSet<String> {
    let lines = pages.iter().flat_map(|page| &page.lines);
    let words = lines.flat_map(|line| line.text.split_whitespace()).filter(|word| word.contains('-'));
    let bare = words.map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()));
    bare.filter(|word| word.contains('-')).map(str::to_lowercase).collect()
}

/// A page without text begins where the next one does.
fn page_starts(starts: &[Option<usize>], end: usize) -> Vec<usize> {
    let mut next = end;
    let mut offsets: Vec<usize> =
        starts.iter().rev().map(|start| *start.inspect(|start| next = *start).get_or_insert(next)).collect();
    offsets.reverse();
    offsets
}

fn warnings(pages: &[Page]) -> Vec<ReadWarning> {
    let mut warnings = Vec::new();
    let silent = |page: &Page| page.lines.is_empty() && !page.blank;
    let mut first = 0;
    for run in pages.chunk_by(|one, other| silent(one) == silent(other)) {
        let (from, to) = (first + 1, first + run.len());
        first = to;
        if silent(&run[0]) {
            let message = if from == to {
                format!("page {from} holds no text, perhaps images")
            } else {
                format!("pages {from} to {to} hold no text, perhaps images")
            };
            warnings.push(ReadWarning { line: from, message });
        }
    }
    let unknown: usize = pages.iter().map(|page| page.unknown).sum();
    if let Some(page) = pages.iter().position(|page| page.unknown > 0) {
        let message = format!(
            "{unknown} glyphs, from page {} on, are left out: their fonts name no characters for them",
            page + 1
        );
        warnings.push(ReadWarning { line: page + 1, message });
    }
    warnings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(lines: &[&str]) -> Page {
        let line = |text: &&str| {
            let bare = text.trim_start_matches('¶');
            TextLine { text: bare.into(), begins: bare.len() < text.len() }
        };
        Page { lines: lines.iter().map(line).collect(), ..Page::default() }
    }

    #[test]
    fn pages_paragraphs_and_cut_words() {
        let pages = [page(&["¶One para-", "graph, self-", "Made", "¶Two"]), page(&["three"])];
        let document = document(&pages, &[], Metadata::new());
        assert_eq!(document.text, "One paragraph, self-\nMade\n\nTwo\n\nthree");
        let blocks: Vec<_> = document.blocks.iter().filter_map(|block| block.span.slice(&document.text)).collect();
        assert_eq!(blocks, ["One paragraph, self-\nMade", "Two", "three"]);
        assert_eq!(document.places, Places::Pages(vec![0, 32]));
    }

    #[test]
    fn words_that_have_a_hyphen_elsewhere_keep_it() {
        let pages = [page(&["¶A (self-made) self-", "made web-", "site."])];
        assert_eq!(document(&pages, &[], Metadata::new()).text, "A (self-made) self-made website.");
    }

    #[test]
    fn pages_without_text_begin_where_the_next_one_does() {
        let blank = Page { blank: true, ..Page::default() };
        let pages = [page(&[]), page(&["a"]), page(&[]), page(&[]), page(&["b"]), blank, page(&[])];
        let document = document(&pages, &[], Metadata::new());
        assert_eq!(document.places, Places::Pages(vec![0, 0, 3, 3, 3, 4, 4]));
        let warnings: Vec<_> =
            document.warnings.iter().map(|warning| (warning.line, warning.message.as_str())).collect();
        assert_eq!(
            warnings,
            [
                (1, "page 1 holds no text, perhaps images"),
                (3, "pages 3 to 4 hold no text, perhaps images"),
                (7, "page 7 holds no text, perhaps images")
            ]
        );
    }

    #[test]
    fn headings_are_blocks_of_their_own() {
        let marks = [("Part one", 0, 0), ("Two", 1, 0), ("More", 1, 1)];
        let marks = marks.map(|(title, depth, page)| Bookmark { title: title.into(), depth, page: Some(page) });
        let pages = [page(&["¶Part", "one", "text", "goes on", "2 Two", "text"]), page(&["¶More"])];
        let document = document(&pages, &marks, Metadata::new());
        let kinds: Vec<_> = document
            .blocks
            .iter()
            .map(|block| match &block.kind {
                BlockKind::Heading { level, title } => format!("{level} {title}"),
                _ => block.span.slice(&document.text).unwrap_or_default().into(),
            })
            .collect();
        assert_eq!(kinds, ["1 Part one", "text\ngoes on", "2 2 Two", "text", "2 More"]);
    }
}
