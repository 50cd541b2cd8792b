//! Lines as CommonMark sees them: ended by `\n`, `\r\n` or a lone `\r`.

use std::ops::Range;

/// The lines of `text` from byte `from` on: for each its range without the line ending.
pub(crate) fn lines(text: &str, from: usize) -> Lines<'_> {
    Lines { bytes: text.as_bytes(), next: from }
}

/// See [`lines`].
pub(crate) struct Lines<'a> {
    bytes: &'a [u8],
    next: usize,
}

impl Iterator for Lines<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        let start = self.next;
        let rest = self.bytes.get(start..).filter(|rest| !rest.is_empty())?;
        let length = rest.iter().position(|&byte| matches!(byte, b'\n' | b'\r')).unwrap_or(rest.len());
        self.next = start + length + ending(&rest[length..]);
        Some(start..start + length)
    }
}

/// Length of the line ending that `rest` begins with.
fn ending(rest: &[u8]) -> usize {
    match rest {
        [b'\r', b'\n', ..] => 2,
        [b'\n' | b'\r', ..] => 1,
        _ => 0,
    }
}

/// Where each line of `text[span]` begins, the first of them at the start of the span.
pub(crate) fn line_starts(text: &str, span: Range<usize>) -> impl Iterator<Item = usize> {
    let end = span.end;
    lines(&text[..end], span.start).map(|line| line.start)
}

/// The number of the line that byte `at` stands in, from 1.
pub(crate) fn line_number(bytes: &[u8], at: usize) -> usize {
    let head = &bytes[..at.min(bytes.len())];
    let lone = |index: usize| head[index] == b'\r' && bytes.get(index + 1) != Some(&b'\n');
    1 + (0..head.len()).filter(|&index| head[index] == b'\n' || lone(index)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_three_line_endings() {
        let text = "a\r\nb\rc\n\nd";
        let found: Vec<_> = lines(text, 0).map(|line| &text[line]).collect();
        assert_eq!(found, ["a", "b", "c", "", "d"]);
        assert_eq!(line_number(text.as_bytes(), text.len() - 1), 5);
        assert_eq!(line_number(text.as_bytes(), 3), 2);
        assert_eq!(line_starts(text, 0..text.len()).collect::<Vec<_>>(), [0, 3, 5, 7, 8]);
    }

    #[test]
    fn no_text_has_no_lines() {
        assert_eq!(lines("", 0).count(), 0);
        assert_eq!(lines("a\n", 2).count(), 0);
    }
}
