//! A half-open range of bytes.

use std::ops::Range;

use serde::{Deserialize, Serialize};

/// A half-open byte range `start..end` of one document's text, `start <= end`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// The span `start..end`; an end before the start is taken as an empty span at `start`.
    #[must_use]
    pub const fn new(start: usize, end: usize) -> Self {
        Self { start, end: if end < start { start } else { end } }
    }

    /// Length in bytes.
    #[must_use]
    pub const fn len(self) -> usize {
        self.end - self.start
    }

    /// Whether no byte lies in it.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// The range, for slicing.
    #[must_use]
    pub const fn range(self) -> Range<usize> {
        self.start..self.end
    }

    /// The text it covers, or `None` where it leaves the text or cuts a character.
    #[must_use]
    pub fn slice(self, text: &str) -> Option<&str> {
        text.get(self.range())
    }

    /// Whether every byte of `other` lies in it.
    #[must_use]
    pub const fn contains(self, other: Self) -> bool {
        self.start <= other.start && other.end <= self.end
    }
}

impl From<Range<usize>> for Span {
    fn from(range: Range<usize>) -> Self {
        Self::new(range.start, range.end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_never_cuts_a_character() {
        assert_eq!(Span::new(0, 2).slice("é!"), Some("é"));
        assert_eq!(Span::new(0, 1).slice("é!"), None);
        assert_eq!(Span::new(2, 9).slice("é!"), None);
        assert!(Span::new(5, 2).is_empty());
    }
}
