//! What tells who somebody is, or where their money lies.

mod account;
mod card;
mod mail;
mod social;

use std::collections::HashSet;
use std::ops::Range;

use super::check::Check;
use super::finding::Severity;
use super::mask::mask;
use super::sink::{Sink, Spot};
use super::subject::Subject;

/// Mail addresses, card numbers, international bank account numbers, social security numbers of the United States. Those that
/// documentation uses are left out.
pub(super) struct Personal;

impl Check for Personal {
    fn page(&mut self, _: &Subject, page: usize, text: &str, sink: &mut Sink) {
        let mut seen = HashSet::new();
        for Trace { what, span, severity } in traces(text) {
            // Once for each page: `[address](mailto:address)` is one.
            if !seen.insert(&text[span.clone()]) {
                continue;
            }
            let message = format!("{what} stands here: {}", mask(&text[span.clone()]));
            let remedy = "take it out, or make sure that all who read the wiki may know it";
            sink.add(page, Spot::Byte(span.start), severity, message, remedy);
        }
    }
}

/// Something personal in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Trace {
    /// What it is.
    what: &'static str,
    /// Where it stands.
    span: Range<usize>,
    severity: Severity,
}

/// All that is found, in the order of the text.
fn traces(text: &str) -> Vec<Trace> {
    let mut found = Vec::new();
    mail::find(text, &mut |span| {
        // A box that several people read says less of anybody.
        let (what, severity) = match mail::is_shared(&text[span.clone()]) {
            true => ("a mail address of no one person", Severity::Note),
            false => ("a mail address", Severity::Warning),
        };
        found.push(Trace { what, span, severity });
    });
    let mut add = |what, span| found.push(Trace { what, span, severity: Severity::Warning });
    card::find(text, &mut |span| add("a card number", span));
    account::find(text, &mut |span| add("a bank account number", span));
    social::find(text, &mut |span| add("a social security number", span));
    found.sort_by_key(|trace| trace.span.start);
    found
}

/// A number in groups: digits that one blank or dash at most separates. Without the separators.
fn digits(text: &str) -> String {
    text.chars().filter(char::is_ascii_digit).collect()
}

#[cfg(test)]
mod tests;
