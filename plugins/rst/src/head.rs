//! Metadata at the head of a file: a field list, or the header of a Python enhancement proposal.

use serde_json::Value;
use serde_json::map::Entry;
use wikirag_core::{Metadata, Span};

use crate::lines::{Line, line_at, lines};
use crate::marks;

/// The field list `text[span]`: names in lower case, values on one line. A name that comes again has the list of its values.
pub(crate) fn fields(text: &str, span: Span) -> Metadata {
    gather(text, span, |line| marks::field(line.words))
}

/// The header that the file begins with, as mail has it (RFC 822) and as proposals for Python and its kin took over: lines
/// `Name: value` up to a blank line.
///
/// Text may begin with a word and a colon as well, so it is a header only if it has two names at least and one of
/// them is `Title`.
pub(crate) fn header(text: &str) -> Option<(Span, Metadata)> {
    let mut end = 0;
    let mut next = 0;
    while let Some(line) = line_at(text, next).filter(|line| !line.is_blank()) {
        if line.is_flush() && name(&line).is_none() || end == 0 && line.is_indented() {
            return None;
        }
        (end, next) = (line.end(), line.next);
    }
    let span = Span::new(0, end);
    let meta = gather(text, span, name);
    (meta.len() >= 2 && meta.contains_key("title")).then_some((span, meta))
}

fn name<'a>(line: &Line<'a>) -> Option<(&'a str, &'a str)> {
    let (name, value) = line.words.split_once(':')?;
    let is_name = name.starts_with(|first: char| first.is_ascii_uppercase())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    (is_name && (value.is_empty() || value.starts_with(char::is_whitespace))).then(|| (name, value.trim()))
}

fn gather<'a>(text: &'a str, span: Span, begins: impl Fn(&Line<'a>) -> Option<(&'a str, &'a str)>) -> Metadata {
    let mut meta = Metadata::new();
    let mut open: Option<(&str, String)> = None;
    for line in lines(text, span.start, span.end) {
        if let Some((name, value)) = begins(&line).filter(|_| line.is_flush()) {
            keep(&mut meta, open.replace((name, value.to_owned())));
        } else if let Some((_, value)) = &mut open
            && !line.is_blank()
        {
            if !value.is_empty() {
                value.push(' ');
            }
            value.push_str(line.words);
        }
    }
    keep(&mut meta, open);
    meta
}

fn keep(meta: &mut Metadata, field: Option<(&str, String)>) {
    let Some((name, value)) = field else { return };
    let value = Value::String(value);
    match meta.entry(name.to_lowercase()) {
        Entry::Vacant(entry) => {
            entry.insert(value);
        }
        Entry::Occupied(mut entry) => match entry.get_mut() {
            Value::Array(values) => values.push(value),
            first => *first = Value::Array(vec![first.take(), value]),
        },
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_header_of_a_proposal() {
        let text =
            "PEP: 8\nTitle: Style Guide\nAuthor: A <a@b.c>,\n        B <b@b.c>\nCreated: 05-Jul-2001\n\nTitle: no\n";
        let (span, meta) = header(text).unwrap();
        assert!(text[span.range()].ends_with("2001"));
        let expected =
            json!({"pep": "8", "title": "Style Guide", "author": "A <a@b.c>, B <b@b.c>", "created": "05-Jul-2001"});
        assert_eq!(Value::Object(meta), expected);
    }

    #[test]
    fn text_with_colons_is_no_header() {
        for text in [
            "",
            "Title: alone",
            "Note: a\nWarning: b\n",
            "Title: a\nNote: b\nand text\n",
            " Title: a\nB: c",
            "Title: a\nB:c",
        ] {
            assert!(header(text).is_none(), "{text}");
        }
    }

    #[test]
    fn fields_may_have_many_lines_and_come_again() {
        let text = ":Author: Ada\n:orphan:\n:Abstract:\n   One line.\n\n   Another.\n:author: Grace\n:author: Mary";
        let meta = fields(text, Span::new(0, text.len()));
        let expected = json!({"author": ["Ada", "Grace", "Mary"], "orphan": "", "abstract": "One line. Another."});
        assert_eq!(Value::Object(meta), expected);
    }
}
