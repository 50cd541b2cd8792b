//! The front matter of a text, as far as lines tell.

use std::ops::Range;

/// The lines between two markers at the head of a text, each with its place; none where no such block is closed.
///
/// The readers say what front matter is. This finds it again in the text of a page that has some.
fn lines(text: &str) -> Option<(Vec<Range<usize>>, usize)> {
    let start = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let mut rows = Vec::new();
    let mut at = start;
    for (number, row) in text[start..].split_inclusive('\n').enumerate() {
        let line = row.trim_end();
        match (number, line) {
            (0, "---" | "+++") => {}
            (0, _) => return None,
            (_, "---" | "..." | "+++") => return Some((rows, at + row.len())),
            _ => rows.push(at..at + line.len()),
        }
        at += row.len();
    }
    None
}

/// Where the text begins behind its front matter.
pub(crate) fn end(text: &str) -> usize {
    lines(text).map_or(0, |(_, end)| end)
}

/// The text without its front matter.
pub(crate) fn body(text: &str) -> &str {
    &text[end(text)..]
}

/// Where the front matter sets `key`.
pub(crate) fn key(text: &str, key: &str) -> Option<usize> {
    let sets = |row: &Range<usize>| {
        let row = text[row.clone()].trim_start_matches(['"', '\'']);
        let rest = row.strip_prefix(key).map(|rest| rest.trim_start_matches(['"', '\'', ' ']));
        rest.is_some_and(|rest| rest.starts_with([':', '=']))
    };
    lines(text)?.0.into_iter().find(sets).map(|row| row.start)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn front_matter_is_found_again() {
        let text = "---\r\ntitle: A\r\n\"stale_after\": 90d\r\n---\r\nstale_after: no\r\n";
        assert_eq!(body(text), "stale_after: no\r\n");
        assert_eq!(key(text, "stale_after").map(|at| &text[at..at + 13]), Some("\"stale_after\""));
        assert_eq!(key(text, "stale"), None);
        assert_eq!(key("\u{feff}+++\nupdated = 1\n+++\n", "updated"), Some(7));
        for text in ["", "---", "---\na: 1\n", "text\n---\na: 1\n---\n"] {
            assert_eq!((body(text), key(text, "a")), (text, None), "{text:?}");
        }
    }
}
