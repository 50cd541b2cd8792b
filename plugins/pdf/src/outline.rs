//! The bookmarks of a file, and the lines that they name.

use std::collections::{HashMap, HashSet};

use hayro_interpret::hayro_syntax::Pdf;
use hayro_interpret::hayro_syntax::object::{Dict, ObjectIdentifier, String as PdfString};

use crate::destination::Destinations;
use crate::document::Page;
use crate::info::text_string;

/// A bookmark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Bookmark {
    /// Its words.
    pub(crate) title: String,
    /// How deep it lies, from 0.
    pub(crate) depth: u8,
    /// The page to which it leads, from 0, if that is clear.
    pub(crate) page: Option<usize>,
}

/// Bookmarks that are looked at. The index of a thick manual has a few thousand.
const MAX_BOOKMARKS: usize = 50_000;

/// All bookmarks in the order of the outline. Loops are left where they close.
pub(crate) fn bookmarks(pdf: &Pdf) -> Vec<Bookmark> {
    let mut found = Vec::new();
    let mut seen = HashSet::new();
    let mut destinations = None;
    let outline = pdf.xref().get::<Dict<'_>>(pdf.xref().root_id()).and_then(|root| root.get::<Dict<'_>>(b"Outlines"));
    // Entries still to visit. A sibling lies below the children, which come first.
    let mut waiting: Vec<(ObjectIdentifier, u8)> = Vec::new();
    waiting.extend(outline.and_then(|outline| outline.get_ref(b"First")).map(|first| (first.into(), 0)));
    while let Some((id, depth)) = waiting.pop() {
        if found.len() >= MAX_BOOKMARKS || !seen.insert(id) {
            continue;
        }
        let Some(entry) = pdf.xref().get::<Dict<'_>>(id) else { continue };
        let title = entry.get::<PdfString<'_>>(b"Title").map(|title| text_string(title.as_bytes())).unwrap_or_default();
        let page = destinations.get_or_insert_with(|| Destinations::of(pdf)).page(&entry);
        found.push(Bookmark { title, depth, page });
        waiting.extend(entry.get_ref(b"Next").map(|next| (next.into(), depth)));
        waiting.extend(entry.get_ref(b"First").map(|first| (first.into(), depth.saturating_add(1))));
    }
    found
}

/// A line or two that a bookmark names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Named {
    /// The first line.
    pub(crate) line: usize,
    /// How many lines, 1 or 2.
    pub(crate) count: usize,
    /// Level of the heading, 1 to 6.
    pub(crate) level: u8,
}

/// Which of the lines, counted through all pages, are headings: those, in order, that say what a bookmark says, but for
/// a number before it, on the page to which it leads. A bookmark that no line repeats names nothing.
///
/// With one bookmark above all others that one is of level 1; else level 1, which is the title of a document, is left
/// free.
pub(crate) fn headings(bookmarks: &[Bookmark], pages: &[Page]) -> Vec<Named> {
    let top = bookmarks.iter().filter(|bookmark| bookmark.depth == 0).count();
    let first_level = if top == 1 { 1 } else { 2 };
    let wanted: HashSet<(usize, String)> =
        bookmarks.iter().filter_map(|bookmark| Some((bookmark.page?, key(&bookmark.title)))).collect();
    let places = if wanted.is_empty() { HashMap::new() } else { places(&wanted, pages) };
    let (mut named, mut free) = (Vec::new(), 0);
    for bookmark in bookmarks {
        let Some(page) = bookmark.page else { continue };
        let Some(places) = places.get(&(page, key(&bookmark.title))) else { continue };
        let next = places.partition_point(|(line, _)| *line < free);
        if let Some(&(line, count)) = places.get(next) {
            named.push(Named { line, count, level: bookmark.depth.saturating_add(first_level).min(6) });
            free = line + count;
        }
    }
    named
}

/// Where the wanted words stand: first line, and one line or two.
fn places(wanted: &HashSet<(usize, String)>, pages: &[Page]) -> HashMap<(usize, String), Vec<(usize, usize)>> {
    let mut places: HashMap<_, Vec<_>> = HashMap::new();
    let mut first = 0;
    for (number, page) in pages.iter().enumerate() {
        let keys: Vec<String> = page.lines.iter().map(|line| key(&line.text)).collect();
        for (line, one) in keys.iter().enumerate().filter(|(_, key)| !key.is_empty()) {
            let two = keys.get(line + 1).map(|next| format!("{one}{next}"));
            for (count, words) in [(1, Some(one.clone())), (2, two)] {
                if let Some(place) = words.map(|words| (number, words)).filter(|place| wanted.contains(place)) {
                    places.entry(place).or_default().push((first + line, count));
                }
            }
        }
        first += page.lines.len();
    }
    places
}

/// Letters and digits in lower case, without the number of a section before them.
fn key(text: &str) -> String {
    let bare = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.' || c.is_whitespace());
    let text = if bare.is_empty() { text } else { bare };
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::TextLine;

    fn bookmark(title: &str, depth: u8, page: usize) -> Bookmark {
        Bookmark { title: title.into(), depth, page: Some(page) }
    }

    fn pages() -> [Page; 2] {
        let contents = ["Contents", "Foo", "Bar"];
        let text = ["1 Foo", "Text", "1.1 A long", "name", "Foo", "2. Bar!", "More"];
        [&contents[..], &text[..]].map(|lines| Page {
            lines: lines.iter().map(|text| TextLine { text: (*text).into(), begins: false }).collect(),
            ..Page::default()
        })
    }

    #[test]
    fn lines_are_named_in_order_and_on_their_page() {
        let nowhere = Bookmark { page: None, ..bookmark("Contents", 0, 0) };
        let marks = [
            nowhere,
            bookmark("Foo", 0, 1),
            bookmark("A Long Name", 1, 1),
            bookmark("Missing", 1, 1),
            bookmark("Bar", 0, 1),
        ];
        let expected = [(3, 1, 2), (5, 2, 3), (8, 1, 2)].map(|(line, count, level)| Named { line, count, level });
        assert_eq!(headings(&marks, &pages()), expected);
    }

    #[test]
    fn one_bookmark_above_all_is_the_title() {
        let named = headings(&[bookmark("Foo", 0, 1), bookmark("Bar", 9, 1)], &pages());
        assert_eq!(named.iter().map(|named| named.level).collect::<Vec<_>>(), [1, 6]);
    }

    #[test]
    fn empty_bookmarks_name_nothing() {
        assert!(headings(&[bookmark("", 0, 0), bookmark("...", 0, 0), bookmark("Foo", 0, 9)], &pages()).is_empty());
    }
}
