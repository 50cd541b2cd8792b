//! Secrets that stand in a text: private keys, tokens, passwords.
//!
//! * `token.rs`: tokens with the prefixes that their services document;
//! * `private_key.rs`: key files;
//! * `assignment.rs`: values that are called a password, key or token, and passwords in addresses;
//! * `chance.rs`: whether a value looks drawn by chance or is a word of documentation.

mod assignment;
mod chance;
mod private_key;
mod token;

use std::collections::HashSet;
use std::ops::Range;

use super::check::Check;
use super::finding::Severity;
use super::mask::mask;
use super::sink::{Sink, Spot};
use super::subject::Subject;

/// Private keys, tokens of services, passwords in assignments and addresses. Values that documentation uses and those that are
/// no values (`<your key>`, `xxxx`, `$TOKEN`) are left out.
pub(super) struct Secret {
    prefixes: token::Prefixes,
}

impl Default for Secret {
    fn default() -> Self {
        Self { prefixes: token::Prefixes::new() }
    }
}

/// A secret in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Leak {
    /// What it is.
    what: &'static str,
    /// Where it stands.
    span: Range<usize>,
    severity: Severity,
}

impl Check for Secret {
    fn page(&mut self, _: &Subject, page: usize, text: &str, sink: &mut Sink) {
        let mut seen = HashSet::new();
        for Leak { what, span, severity } in leaks(&self.prefixes, text) {
            // The same one again is no other.
            if !seen.insert(&text[span.clone()]) {
                continue;
            }
            let message = format!("{what} stands here: {}", mask(&text[span.clone()]));
            let remedy = "make it invalid, take it out, and keep its successor elsewhere";
            sink.add(page, Spot::Byte(span.start), severity, message, remedy);
        }
    }
}

/// All leaks, in the order of the text. Where two overlap the one that says more of what it is stays.
fn leaks(prefixes: &token::Prefixes, text: &str) -> Vec<Leak> {
    let mut all = Vec::new();
    private_key::find(text, &mut |leak| all.push((0, leak)));
    prefixes.find(text, &mut |leak| all.push((1, leak)));
    assignment::find(text, &mut |leak| all.push((2, leak)));
    all.sort_by_key(|(rank, leak)| (leak.span.start, *rank));
    let mut found: Vec<(u8, Leak)> = Vec::new();
    for (rank, leak) in all {
        match found.last_mut() {
            Some(last) if last.1.span.end > leak.span.start => {
                if rank < last.0 {
                    *last = (rank, leak);
                }
            }
            _ => found.push((rank, leak)),
        }
    }
    found.into_iter().map(|(_, leak)| leak).collect()
}

#[cfg(test)]
mod tests;
