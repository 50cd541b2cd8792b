//! Lines, one at a time: a file of a hundred million empty lines needs no list of them.

/// A line of the text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Line<'a> {
    /// Where it begins.
    pub start: usize,
    /// Where the next one begins.
    pub next: usize,
    /// Bytes of white space before the words.
    pub indent: usize,
    /// Without white space at either end.
    pub words: &'a str,
}

impl Line<'_> {
    pub(crate) const fn is_blank(&self) -> bool {
        self.words.is_empty()
    }

    /// Whether it says something, and not at the left margin.
    pub(crate) const fn is_indented(&self) -> bool {
        self.indent > 0 && !self.is_blank()
    }

    /// Whether it says something at the left margin.
    pub(crate) const fn is_flush(&self) -> bool {
        self.indent == 0 && !self.is_blank()
    }

    /// Where its words begin.
    pub(crate) const fn words_start(&self) -> usize {
        self.start + self.indent
    }

    /// Where its words end.
    pub(crate) const fn end(&self) -> usize {
        self.words_start() + self.words.len()
    }
}

/// The line that begins at byte `start`; `None` at the end of the text. A line ends with `\n`, `\r\n` or a lone `\r`.
pub(crate) fn line_at(text: &str, start: usize) -> Option<Line<'_>> {
    let rest = text.get(start..).filter(|rest| !rest.is_empty())?;
    let length = rest.find(['\n', '\r']).unwrap_or(rest.len());
    let ending = match &rest.as_bytes()[length..] {
        [b'\r', b'\n', ..] => 2,
        [] => 0,
        _ => 1,
    };
    let line = &rest[..length];
    let indent = line.len() - line.trim_start().len();
    Some(Line { start, next: start + length + ending, indent, words: line.trim() })
}

/// The lines of `text[start..end]`, where `start` begins a line.
pub(crate) fn lines(text: &str, start: usize, end: usize) -> impl Iterator<Item = Line<'_>> {
    let text = &text[..end];
    std::iter::successors(line_at(text, start), |line| line_at(text, line.next))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_know_their_places() {
        let text = "a\r\n\t b \r\n\rc";
        let found: Vec<_> = lines(text, 0, text.len()).map(|line| (line.indent, line.words, line.end())).collect();
        assert_eq!(found, [(0, "a", 1), (2, "b", 6), (0, "", 9), (0, "c", 11)]);
        assert!(line_at(text, text.len()).is_none());
    }
}
