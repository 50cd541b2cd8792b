//! Where something stands in its file, and the line around it.

use wikirag_core::{Link, LinkKind, PlaceIndex, Result, ResultExt, Span};
use wikirag_sqlite::{Catalog, StoredPage};

use super::prose;
use crate::Snippet;
use crate::lint::At;

/// Characters of a line that are shown.
const MOST: usize = 200;

/// Characters of it that stand before what is shown.
const LEAD: usize = 60;

/// The text of a page, with what is needed to tell places in it.
pub(super) struct Source {
    pub(super) text: String,
    /// Where the front matter ends.
    pub(super) body: usize,
    places: PlaceIndex,
}

impl Source {
    /// Reads the text of a page; an empty one where the page is gone since the vault was opened.
    ///
    /// # Errors
    /// Where the catalog cannot be read.
    pub(super) fn read(catalog: &Catalog, page: &StoredPage) -> Result<Self> {
        let document = catalog.document(&page.path).with("path", &page.path)?;
        let (text, places) = document.map_or_else(Default::default, |document| (document.text, document.places));
        let places = places.index(&text);
        Ok(Self { body: prose::body_start(page, &text), places, text })
    }

    /// The line or page of the file.
    pub(super) fn at(&self, byte: usize) -> At {
        At::from(self.places.of(Span::new(byte, byte)))
    }

    /// The words that a link shows, where it has some of its own: `[[page|words]]`, `[words](page.md)`.
    pub(super) fn words(&self, link: &Link) -> Option<String> {
        let written = link.span.slice(&self.text)?;
        let words = match written.trim_start_matches('!').strip_prefix("[[") {
            Some(inside) => inside.strip_suffix("]]")?.split_once('|')?.1,
            None if link.kind == LinkKind::Wiki => return None,
            None => written.trim_start_matches('!').strip_prefix('[')?.rsplit_once("](")?.0,
        };
        let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
        (!words.is_empty() && words != link.target).then_some(words)
    }

    /// The line in which `span` begins, cut around it where it is long, with `span` marked.
    pub(super) fn excerpt(&self, span: Span) -> Snippet {
        let text = self.text.as_str();
        let (Some(before), Some(after)) = (text.get(..span.start), text.get(span.start..)) else {
            return Snippet::default();
        };
        let start = before.rfind(['\n', '\r']).map_or(0, |at| at + 1);
        let end = after.find(['\n', '\r']).map_or(text.len(), |at| span.start + at);
        let marked = Span::new(span.start, span.end.min(end).max(span.start));
        snippet(&text[start..end], Span::new(marked.start - start, marked.end - start))
    }
}

/// `line` with white space folded, the bytes `mark` of it marked, and cut at words to about [`MOST`] characters.
fn snippet(line: &str, mark: Span) -> Snippet {
    let from = if line.chars().nth(MOST).is_none() { 0 } else { window_start(line, mark.start) };
    let until = line[from..].char_indices().nth(MOST).map_or(line.len(), |(at, _)| {
        let cut = line[from..from + at].rfind(' ').map_or(from + at, |space| from + space);
        // What is marked is shown from its beginning at least.
        if cut > mark.start { cut } else { from + at }
    });
    let mut snippet = Snippet::default();
    if from > 0 {
        snippet.text.push('…');
    }
    let bare = snippet.text.len();
    let mut open = None;
    for (at, c) in line[from..until].char_indices().map(|(at, c)| (from + at, c)) {
        if at >= mark.end {
            close(&mut snippet, &mut open);
        }
        if !c.is_whitespace() {
            if at >= mark.start && at < mark.end && open.is_none() {
                open = Some(snippet.text.len());
            }
            snippet.text.push(c);
        } else if snippet.text.len() > bare && !snippet.text.ends_with(' ') {
            snippet.text.push(' ');
        }
    }
    close(&mut snippet, &mut open);
    snippet.text.truncate(snippet.text.trim_end().len());
    if until < line.trim_end().len() {
        snippet.text.push('…');
    }
    snippet
}

fn close(snippet: &mut Snippet, open: &mut Option<usize>) {
    if let Some(start) = open.take() {
        snippet.marks.push([start, snippet.text.trim_end().len()]);
    }
}

/// Where the shown part of a long line begins: some words before `mark`.
fn window_start(line: &str, mark: usize) -> usize {
    let Some((lead, _)) = line[..mark].char_indices().rev().nth(LEAD) else { return 0 };
    line[lead..mark].find(' ').map_or(lead, |space| lead + space + 1)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_short_line_is_shown_whole_and_a_long_one_around_its_mark() {
        let line = "  - see [[Basil]]\tand  beans ";
        let at = line.find("[[").unwrap();
        let short = snippet(line, Span::new(at, at + 9));
        assert_eq!((short.text.as_str(), short.marks), ("- see [[Basil]] and beans", vec![[6, 15]]));
        let line = format!("{}[[Basil]] {}", "one word after another ".repeat(30), "and more ".repeat(60));
        let at = line.find("[[").unwrap();
        let Snippet { text, marks } = snippet(&line, Span::new(at, at + 9));
        assert_eq!(&text[marks[0][0]..marks[0][1]], "[[Basil]]");
        assert!(text.starts_with("…after") && text.ends_with(" and…"), "{text}");
    }

    proptest! {
        #[test]
        fn any_mark_is_shown(line in "[^\r\n]{0,40}|[a 漢]{150,400}", cut in (0.0..1.0, 0.0..1.0)) {
            let at = |share: f64| line.floor_char_boundary((share * line.len() as f64) as usize);
            let mark = Span::new(at(cut.0).min(at(cut.1)), at(cut.0).max(at(cut.1)));
            let Snippet { text, marks } = snippet(&line, mark);
            prop_assert!(text.chars().count() <= MOST + 2);
            let is_blank = mark.slice(&line).unwrap().trim().is_empty();
            prop_assert!(is_blank || marks.len() == 1, "{text:?} {marks:?} {mark:?}");
            for [start, end] in marks {
                prop_assert!(text.get(start..end).is_some_and(|shown| !shown.is_empty()));
            }
        }
    }
}
