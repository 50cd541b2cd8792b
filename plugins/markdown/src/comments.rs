//! Comments of Obsidian: `%% .. %%`.
//!
//! They are text like any other, so that every word of a file can be found. But a link in one is none: Obsidian keeps no such link,
//! and templates hold many that nobody meant. The same is true of `<!-- .. -->`, in which CommonMark reads no links.
//!
//! A comment that begins a line may run over several paragraphs, and ends with the file if it is never closed and its mark stands alone.
//! One within a line ends in it, or is none: `100%%` opens nothing.

use std::ops::Range;

use wikirag_core::Link;

/// The marks of a document, in its order.
#[derive(Debug, Default)]
pub(crate) struct Comments {
    marks: Vec<usize>,
}

const MARK: &str = "%%";

impl Comments {
    /// Takes the marks in `text[range]`, which is prose behind all that was taken before.
    pub(crate) fn take(&mut self, text: &str, range: Range<usize>) {
        let mut at = range.start;
        while let Some(found) = text.get(at..range.end).and_then(|rest| rest.find(MARK)) {
            at += found;
            if !text[..at].ends_with('\\') {
                self.marks.push(at);
            }
            at += MARK.len();
        }
    }

    /// Takes out the links that begin in a comment.
    pub(crate) fn retain_outside(&self, text: &str, links: &mut Vec<Link>) {
        let comments = self.spans(text);
        links.retain(|link| {
            let before = comments.partition_point(|comment| comment.start <= link.span.start);
            before == 0 || comments[before - 1].end <= link.span.start
        });
    }

    /// The comments, in order. Linear: what lies between two marks is looked at once or twice.
    fn spans(&self, text: &str) -> Vec<Range<usize>> {
        let mut spans = Vec::new();
        let mut marks = self.marks.iter().copied().peekable();
        while let Some(open) = marks.next() {
            let line_before = text[..open].trim_end_matches([' ', '\t', '>', '-', '*', '+']);
            let begins_line = line_before.is_empty() || line_before.ends_with(['\n', '\r']);
            match marks.peek() {
                Some(&close) if begins_line || !text[open..close].contains(['\n', '\r']) => {
                    spans.push(open..close + MARK.len());
                    marks.next();
                }
                None if begins_line
                    && text[open + MARK.len()..].lines().next().is_none_or(|rest| rest.trim().is_empty()) =>
                {
                    spans.push(open..text.len());
                }
                _ => {}
            }
        }
        spans
    }
}
