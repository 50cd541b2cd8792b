//! Where the front matter of a file ends, and whether it is front matter at all.
//!
//! A first line `---` may just as well be a thematic break, so the marker alone decides nothing: the block must be
//! closed and must parse as a mapping. What looks like front matter and does not parse stays passage text, with a
//! warning, so that no word of it is lost.

use std::collections::HashSet;
use std::ops::Range;

use wikirag_core::{Metadata, ReadWarning, Span};

use crate::lines::{line_number, lines};
use crate::meta::{self, Fault, Parsed};

/// A block between two markers at the head of a file.
#[derive(Debug, PartialEq)]
pub(crate) struct FrontMatter {
    /// From the opening marker to the end of the closing one, without the line ending.
    pub span: Span,
    /// What it says; `None` where it does not parse and is to be kept as text.
    pub meta: Option<Metadata>,
}

/// How a block of front matter is marked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Dialect {
    Yaml,
    Toml,
}

impl Dialect {
    fn opened_by(line: &str) -> Option<Self> {
        match line.trim_end_matches([' ', '\t']) {
            "---" => Some(Self::Yaml),
            "+++" => Some(Self::Toml),
            _ => None,
        }
    }

    fn is_closed_by(self, line: &str) -> bool {
        match line.trim_end_matches([' ', '\t']) {
            "---" | "..." => self == Self::Yaml,
            "+++" => self == Self::Toml,
            _ => false,
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Yaml => "YAML",
            Self::Toml => "TOML",
        }
    }

    /// Whether `line` sets a key, as far as one line can tell.
    fn is_entry(self, line: &str) -> bool {
        let sign = match self {
            Self::Yaml => ':',
            Self::Toml => '=',
        };
        let Some((key, value)) = line.split_once(sign) else { return false };
        let key = key.trim();
        let plain = |letter: char| letter.is_alphanumeric() || " _-./'\"".contains(letter);
        // `https://` and `::` are no keys: in YAML a blank or the end of the line follows the colon.
        let is_separated = self == Self::Toml || value.is_empty() || value.starts_with([' ', '\t']);
        is_separated
            && key.starts_with(|first: char| first.is_alphanumeric() || "_'\"".contains(first))
            && key.chars().all(plain)
    }
}

/// Looks for front matter at byte `start` (after a byte order mark, if there is one). `None` means that the text begins with
/// its body.
pub(crate) fn front_matter(text: &str, start: usize, warnings: &mut Vec<ReadWarning>) -> Option<FrontMatter> {
    let mut rows = lines(text, start);
    let dialect = Dialect::opened_by(&text[rows.next()?])?;
    let mut content: Option<Span> = None;
    let closing = rows.find(|row| {
        let is_closing = dialect.is_closed_by(&text[row.clone()]);
        if !is_closing {
            let from = content.map_or(row.start, |known| known.start);
            content = Some(Span::new(from, row.end));
        }
        is_closing
    });
    let content = content.map_or("", |span| &text[span.range()]);
    let Some(closing) = closing else {
        // Only what begins like front matter is worth a warning: a rule at the head of a file is common.
        if content.lines().next().is_some_and(|line| dialect.is_entry(line)) {
            let message = format!(
                "front matter ({}) is opened here and never closed; it was read as text. Close it with a line like the first",
                dialect.name()
            );
            warnings.push(ReadWarning { line: 1, message });
        }
        return None;
    };
    let span = Span::new(start, closing.end);
    if content.trim().is_empty() {
        return Some(FrontMatter { span, meta: Some(Metadata::new()) });
    }
    let looks_meant = looks_meant(dialect, content);
    // The opening line goes along as a YAML document marker: so the parser counts lines as the file does.
    let parsed = match dialect {
        Dialect::Yaml => meta::yaml(&text[start..closing.start]),
        Dialect::Toml => {
            meta::toml(content).map(Some).map_err(|fault| Fault { line: fault.line.map(|n| n + 1), ..fault })
        }
    };
    match parsed {
        Ok(Some(parsed)) => {
            warn_of_repeated_keys(text, &parsed, span, warnings);
            Some(FrontMatter { span, meta: Some(parsed.meta) })
        }
        Ok(None) => None,
        Err(fault) if looks_meant => {
            let message =
                format!("front matter ({}) does not parse and was kept as text: {}", dialect.name(), fault.message);
            warnings.push(ReadWarning { line: fault.line.unwrap_or(1), message });
            Some(FrontMatter { span, meta: None })
        }
        Err(_) => None,
    }
}

/// Whether the writer meant `content` to be front matter, parsable or not. A letterhead between two rules is not, nor
/// is a chapter of prose in which some line ends its first word with a colon.
fn looks_meant(dialect: Dialect, content: &str) -> bool {
    let mut entries = content.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    let begins_so = entries.next().is_some_and(|line| dialect.is_entry(line.trim_start()));
    let is_tight = content.lines().all(|line| !line.trim().is_empty());
    begins_so || is_tight && content.lines().any(|line| dialect.is_entry(line))
}

/// Keys that are named in warnings; a file with more repeated ones than that is broken as a whole.
const REPEATED_KEYS_NAMED: usize = 8;

fn warn_of_repeated_keys(text: &str, parsed: &Parsed, span: Span, warnings: &mut Vec<ReadWarning>) {
    let mut seen = HashSet::new();
    let distinct = parsed.repeated.iter().filter(|key| seen.insert(key.as_str()));
    for key in distinct.take(REPEATED_KEYS_NAMED) {
        let sets_key = |row: &Range<usize>| {
            let row = text[row.clone()].trim_start().trim_start_matches(['"', '\'', '{']);
            let rest = row.strip_prefix(key.as_str()).map(|rest| rest.trim_start_matches(['"', '\'', ' ']));
            rest.is_some_and(|rest| rest.starts_with(':'))
        };
        let second = lines(&text[..span.end], span.start).filter(sets_key).nth(1);
        let message = format!(
            "the key `{key}` stands more than once in the front matter; lists were joined, of other values the last one was taken"
        );
        let line = line_number(text.as_bytes(), second.map_or(span.start, |row| row.start));
        warnings.push(ReadWarning { line, message });
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(text: &str) -> (Option<FrontMatter>, Vec<ReadWarning>) {
        let mut warnings = Vec::new();
        (front_matter(text, 0, &mut warnings), warnings)
    }

    fn meta_of(text: &str) -> serde_json::Value {
        let (found, warnings) = read(text);
        assert_eq!(warnings, []);
        serde_json::Value::Object(found.unwrap().meta.unwrap())
    }

    #[test]
    fn closed_blocks_that_parse() {
        assert_eq!(meta_of("---\ntitle: A\n---\nbody"), json!({"title": "A"}));
        assert_eq!(meta_of("---  \r\ntitle: A\r\n...\r\nbody"), json!({"title": "A"}));
        assert_eq!(meta_of("---\rtitle: A\r---"), json!({"title": "A"}));
        assert_eq!(meta_of("+++\ntitle = 'A'\n+++\nbody"), json!({"title": "A"}));
        assert_eq!(meta_of("---\n---\nbody"), json!({}));
        assert_eq!(meta_of("---\npath: C:\\agent\n---\n"), json!({"path": "C:\\agent"}));
    }

    #[test]
    fn the_span_ends_with_the_closing_marker() {
        let text = "---\na: 1\n---\nbody";
        let found = read(text).0.unwrap();
        assert_eq!(&text[found.span.range()], "---\na: 1\n---");
    }

    #[test]
    fn rules_are_no_front_matter() {
        for text in [
            "---\n**OSTROWSKI LEGAL PLLC**\n---\nDear Sir",
            "---\n\n# Title\n\n---\n",
            "---\nA rule and no end",
            "---\njust a string\n---\n",
            "---\n- a\n- b\n---\n",
            "\n---\ntitle: late\n---\n",
            "----\ntitle: four\n----\n",
            "---\nSome *emphasis here.\n\nNote: [a, b\n\n---\n",
            "",
            "---",
        ] {
            assert_eq!(read(text), (None, Vec::new()), "{text:?}");
        }
    }

    #[test]
    fn what_was_meant_and_does_not_parse_stays_text_with_a_warning() {
        for (text, line) in [
            ("---\ntitle: *Italic*\n---\nbody", 2),
            ("---\nrelated:\n  - [[link]]suffix\n---\nbody", 3),
            // The parser names the line on which the value begins that the tab ends.
            ("---\ntitle: x\n\tname: y\n---\nbody", 2),
            ("+++\ntitle = \"x\"\nname = \n+++\nbody", 3),
            ("---\n%$: bad\ntitle: x\n---\nbody", 2),
        ] {
            let (found, warnings) = read(text);
            assert_eq!(found.unwrap().meta, None, "{text:?}");
            assert_eq!(warnings.len(), 1);
            assert_eq!(warnings[0].line, line, "{text:?}: {}", warnings[0].message);
        }
    }

    #[test]
    fn unclosed_front_matter_is_a_warning_and_body() {
        let (found, warnings) = read("---\ntitle: never closed\ntags: [a, b\n\n# Heading\n");
        assert_eq!(found, None);
        assert_eq!(warnings.len(), 1);
        assert_eq!(warnings[0].line, 1);
    }

    #[test]
    fn repeated_keys_warn_with_the_line_of_the_second() {
        let (found, warnings) = read("---\ntitle: one\nx: 1\ntitle: two\n---\n");
        assert_eq!(found.unwrap().meta.unwrap()["title"], "two");
        assert_eq!(warnings.len(), 1);
        assert_eq!(warnings[0].line, 4);
    }
}
