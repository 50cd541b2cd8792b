//! From a text back to the file that it was read from.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::Span;

/// How a place in the text leads back to a place in the file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Places {
    /// The text is the file: its lines are the lines of the file.
    #[default]
    Same,
    /// The text was taken out of a file of lines. From each offset of the text on, ascending, it comes from that line of
    /// the file, from 1, never descending. What lies before the first offset comes from line 1.
    Lines(Vec<(usize, u32)>),
    /// The text was taken out of a file of pages: the offset at which each page begins, ascending, the first page first.
    /// A page without text begins where the next one does.
    Pages(Vec<usize>),
}

/// A part of a file, in the unit in which people find it again. Both ends belong to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum PlaceRange {
    /// First and last line, from 1.
    Lines(u32, u32),
    /// First and last page, from 1.
    Pages(u32, u32),
}

impl PlaceRange {
    /// First and last line or page.
    #[must_use]
    pub const fn ends(self) -> (u32, u32) {
        match self {
            Self::Lines(first, last) | Self::Pages(first, last) => (first, last),
        }
    }

    /// The range without what lies behind the end of `other`, in the same unit.
    #[must_use]
    pub fn until(self, other: Self) -> Self {
        match self {
            Self::Lines(first, last) => Self::Lines(first, last.min(other.ends().1)),
            Self::Pages(first, last) => Self::Pages(first, last.min(other.ends().1)),
        }
    }
}

/// As it stands behind a path: `:7`, `:7-9`, `#page=3`, `#page=3-4`. Programs that open a PDF at a page know the latter.
impl fmt::Display for PlaceRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Lines(..) => ":",
            Self::Pages(..) => "#page=",
        })?;
        match self.ends() {
            (first, last) if first == last => write!(f, "{first}"),
            (first, last) => write!(f, "{first}-{last}"),
        }
    }
}

/// The places of one text, ready to be asked. Made by [`Places::index`].
#[derive(Debug, Clone)]
pub struct PlaceIndex {
    /// From which offset on the text belongs to which line or page.
    starts: Vec<(usize, u32)>,
    end: usize,
    is_pages: bool,
}

impl Places {
    /// Prepares the places of `text`, in time linear in it.
    #[must_use]
    pub fn index(&self, text: &str) -> PlaceIndex {
        let number = |index: usize| u32::try_from(index + 1).unwrap_or(u32::MAX);
        let mut starts: Vec<(usize, u32)> = match self {
            Self::Same => {
                let newlines = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
                let starts = std::iter::once(0).chain(newlines.filter(|start| *start < text.len()));
                starts.enumerate().map(|(index, start)| (start, number(index))).collect()
            }
            Self::Lines(lines) => lines.clone(),
            Self::Pages(pages) => pages.iter().enumerate().map(|(index, start)| (*start, number(index))).collect(),
        };
        if starts.first().is_none_or(|first| first.0 > 0) {
            starts.insert(0, (0, 1));
        }
        PlaceIndex { starts, end: text.len(), is_pages: matches!(self, Self::Pages(_)) }
    }
}

impl PlaceIndex {
    /// Where `span` of the text lies in the file.
    #[must_use]
    pub fn of(&self, span: Span) -> PlaceRange {
        let number = |offset: usize| match self.starts.partition_point(|start| start.0 <= offset) {
            0 => 1,
            behind => self.starts[behind - 1].1,
        };
        let (first, last) = (number(span.start), number(span.end.saturating_sub(1).max(span.start)));
        if self.is_pages { PlaceRange::Pages(first, last) } else { PlaceRange::Lines(first, last) }
    }

    /// The whole text.
    #[must_use]
    pub fn whole(&self) -> PlaceRange {
        let last = self.starts.last().map_or(1, |start| start.1);
        if self.is_pages { PlaceRange::Pages(1, last) } else { PlaceRange::Lines(1, last) }
    }

    /// The text that comes from the lines or pages `range`, both ends included. `None` where that is behind the end, or in
    /// the other unit. Of a line out of which no text was taken it is the text around.
    #[must_use]
    pub fn span(&self, range: PlaceRange) -> Option<Span> {
        let (first, last) = range.ends();
        let whole = self.whole();
        if matches!(range, PlaceRange::Pages(..)) != self.is_pages || first > whole.ends().1 || last < first {
            return None;
        }
        let before = self.starts.partition_point(|start| start.1 < first);
        let from = match self.starts.get(before) {
            Some((start, number)) if *number == first => *start,
            _ => self.starts.get(before.saturating_sub(1)).map_or(0, |start| start.0),
        };
        let behind = self.starts.partition_point(|start| start.1 <= last);
        let until = self.starts.get(behind).map_or(self.end, |start| start.0);
        Some(Span::new(from, until.max(from)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_a_text_that_is_the_file() {
        let text = "a\nbc\n\nd\n";
        let places = Places::Same.index(text);
        assert_eq!(places.of(Span::new(0, 1)), PlaceRange::Lines(1, 1));
        assert_eq!(places.of(Span::new(0, 4)), PlaceRange::Lines(1, 2));
        assert_eq!(places.of(Span::new(6, 7)), PlaceRange::Lines(4, 4));
        assert_eq!(places.whole(), PlaceRange::Lines(1, 4));
        assert_eq!(places.span(PlaceRange::Lines(2, 3)).unwrap().slice(text), Some("bc\n\n"));
        assert_eq!(places.span(PlaceRange::Lines(4, 9)).unwrap().slice(text), Some("d\n"));
        assert_eq!(places.span(PlaceRange::Lines(5, 5)), None);
        assert_eq!(places.span(PlaceRange::Pages(1, 1)), None);
        assert_eq!(Places::Same.index("").whole(), PlaceRange::Lines(1, 1));
    }

    #[test]
    fn lines_of_a_text_that_was_taken_out() {
        let text = "Title\nOne.\nTwo.";
        let places = Places::Lines(vec![(0, 3), (6, 10), (11, 10)]).index(text);
        assert_eq!(places.of(Span::new(6, 15)), PlaceRange::Lines(10, 10));
        assert_eq!(places.of(Span::new(0, 10)), PlaceRange::Lines(3, 10));
        assert_eq!(places.span(PlaceRange::Lines(10, 10)).unwrap().slice(text), Some("One.\nTwo."));
        assert_eq!(places.span(PlaceRange::Lines(5, 6)).unwrap().slice(text), Some("Title\n"));
        assert_eq!(places.span(PlaceRange::Lines(11, 11)), None);
    }

    #[test]
    fn pages() {
        let text = "onethree";
        let places = Places::Pages(vec![0, 3, 3]).index(text);
        assert_eq!(places.of(Span::new(0, 3)), PlaceRange::Pages(1, 1));
        assert_eq!(places.of(Span::new(0, 8)), PlaceRange::Pages(1, 3));
        assert_eq!(places.span(PlaceRange::Pages(2, 2)).unwrap().slice(text), Some(""));
        assert_eq!(places.span(PlaceRange::Pages(3, 3)).unwrap().slice(text), Some("three"));
        assert_eq!(places.whole(), PlaceRange::Pages(1, 3));
        assert_eq!(PlaceRange::Pages(3, 4).to_string(), "#page=3-4");
        assert_eq!(PlaceRange::Lines(7, 7).to_string(), ":7");
    }
}
