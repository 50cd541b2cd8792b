//! What a model wrote, read as leniently as it can be understood.
//!
//! | form | example |
//! |---|---|
//! | rows, as asked for | `entity<|>Marie Curie<|>person<|>She found radium.` |
//! | with another mark between fields | `entity<|#|>..`, `entity<||>..`, `entity<|..`, `entity|>..`, a tab, `\| entity \| .. \|` |
//! | tuples of earlier versions of LightRAG | `("entity"<|>"Marie Curie"<|>"person"<|>"She ..")##("relationship"<|>..` |
//! | quoted tuples | `("entity", "Marie Curie", "person", "She ..")` |
//! | JSON, in lines or over several lines | see `json.rs` |
//!
//! All of that may stand in fences, in lists and in quotes, with prose before, between and behind. What a model thinks aloud
//! before its answer (`<think>`) is no part of it. A line with letters or digits that is none of the above counts as unreadable.

use serde_json::{Deserializer, Value};

use crate::clean::{clean, fields};
use crate::found::{Found, Row};
use crate::json;
use crate::rows::{ENTITY, RELATION};

/// Whatever lies behind this many bytes is not looked at: a generator that keeps to `max_tokens` never writes as much.
const LONGEST: usize = 1 << 20;

/// Reads an answer.
pub(crate) fn read(answer: &str) -> Found {
    let mut found = Found::default();
    let mut rest = without_thoughts(&answer[..answer.floor_char_boundary(LONGEST)]);
    while !rest.is_empty() {
        rest = without_list_mark(rest);
        let mut end = rest.find('\n').unwrap_or(rest.len());
        if rest.starts_with(['{', '[']) {
            if let Some((value, length)) = value_at(rest) {
                json::rows(&value, &mut found);
                rest = rest[length..].trim_start_matches([',', ' ']);
                continue;
            }
            // A list that was cut in the middle of its line may hold whole objects.
            if rest.starts_with("{\"") || rest.starts_with("[{") {
                end = rest[1..end].find('{').map_or(end, |inner| inner + 1);
            }
        }
        read_line(rest[..end].trim_end(), &mut found);
        rest = &rest[end..];
    }
    found
}

/// The JSON value that `text` begins with, and its length.
fn value_at(text: &str) -> Option<(Value, usize)> {
    let mut values = Deserializer::from_str(text).into_iter::<Value>();
    let value = values.next()?.ok()?;
    Some((value, values.byte_offset()))
}

fn read_line(line: &str, found: &mut Found) {
    let (line, ended) = without_end(line);
    found.ended |= ended;
    if !line.contains(char::is_alphanumeric) || line.starts_with("```") {
        return;
    }
    for record in records(line) {
        found.add(row(record));
    }
}

/// `answer` without what stands before it in `<think>`. Some services leave out the opening mark.
fn without_thoughts(answer: &str) -> &str {
    let answer = answer.trim_start();
    if let Some(thoughts) = answer.strip_prefix("<think>") {
        return thoughts.split_once("</think>").map_or("", |(_, rest)| rest);
    }
    match answer.split_once("\n</think>\n") {
        Some((_, rest)) => rest,
        None => answer,
    }
}

/// `text` without white space and without marks of lists and quotations before it.
fn without_list_mark(text: &str) -> &str {
    let mut text = text.trim_start();
    while let Some(rest) = ["- ", "* ", "• ", "> "].iter().find_map(|mark| text.strip_prefix(mark)) {
        text = rest.trim_start();
    }
    let behind_number = text.trim_start_matches(|c: char| c.is_ascii_digit());
    if behind_number.len() == text.len() {
        return text;
    }
    [". ", ") "].iter().find_map(|mark| behind_number.strip_prefix(mark)).map_or(text, str::trim_start)
}

/// `line` without the mark of the end, and whether it was there.
fn without_end(line: &str) -> (&str, bool) {
    const MARKS: [&str; 4] = ["<|COMPLETE|>", "<|COMPLETE", "<COMPLETE>", "|COMPLETE|"];
    // What follows the end on its line is no row.
    if let Some(at) = MARKS.iter().find_map(|mark| line.find(mark)) {
        return (line[..at].trim_end(), true);
    }
    let word = line.trim_matches(|c: char| !c.is_alphanumeric());
    if word.eq_ignore_ascii_case("complete") { ("", true) } else { (line, false) }
}

/// The records of a line: one, or several tuples.
fn records(line: &str) -> impl Iterator<Item = &str> {
    let is_tuple = line.starts_with('(');
    let mut rest = Some(line);
    std::iter::from_fn(move || {
        let line = rest.take()?;
        let cut = if is_tuple { line.match_indices(')').find_map(|(at, _)| next_tuple(line, at + 1)) } else { None };
        let Some((end, next)) = cut else { return Some(line) };
        rest = Some(&line[next..]);
        Some(&line[..end])
    })
}

/// Whether between the end of a tuple, at `end`, and another one there is nothing but the marks that part them; where the next
/// begins. A last one has nothing behind it.
fn next_tuple(line: &str, end: usize) -> Option<(usize, usize)> {
    let behind = line[end..].trim_start_matches(['#', ',', ';', ' ']);
    let next = line.len() - behind.len();
    let begins = ["(\"entity", "(\"relation", "(entity", "(relation"].iter().any(|start| behind.starts_with(start));
    begins.then_some((end, next))
}

/// The row that a record is.
fn row(record: &str) -> Option<Row> {
    let record = record.trim().trim_end_matches("##").trim_end_matches(',');
    let inner = record.strip_prefix(['(', '[']).map_or(record, |inner| inner.strip_suffix([')', ']']).unwrap_or(inner));
    let parts: Vec<&str> = [fields(inner), inner.split('\t').collect(), quoted(inner), cells(inner)]
        .into_iter()
        .find(|parts| parts.len() >= 3)?;
    row_of(&parts)
}

/// The row of these fields, of which the first says what it is.
pub(crate) fn row_of(parts: &[&str]) -> Option<Row> {
    let [what, one, other, rest @ ..] = parts else { return None };
    let what = clean(what).to_lowercase();
    match what.trim_matches(|c: char| !c.is_alphabetic()) {
        // What stands behind the description is part of it, as the description held a mark.
        ENTITY => Row::entity(one, other, &rest.join(" ")),
        RELATION | "relationship" => {
            // Other versions of the format have keywords beside the description, and at last a strength, which is a number.
            let said = match rest {
                [said @ .., last] if !said.is_empty() && is_number(last) => said,
                said => said,
            };
            Row::relation(one, other, &said.join(" "))
        }
        _ => None,
    }
}

fn is_number(field: &str) -> bool {
    let field = clean(field);
    field.contains(|c: char| c.is_ascii_digit()) && field.chars().all(|c| c.is_ascii_digit() || c == '.')
}

/// The fields of `"a", "b", "c"`.
fn quoted(inner: &str) -> Vec<&str> {
    let inner = inner.trim();
    match inner.strip_prefix('"').and_then(|inner| inner.strip_suffix('"')) {
        Some(inner) => inner.split("\",").map(|field| field.trim_start().trim_start_matches('"')).collect(),
        None => Vec::new(),
    }
}

/// The cells of `| a | b | c |`.
fn cells(inner: &str) -> Vec<&str> {
    inner.trim().trim_matches('|').split('|').collect()
}

#[cfg(test)]
#[path = "read_tests.rs"]
mod tests;
