//! Keeping the places of this machine out of what callers are told.

use std::borrow::Cow;

use wikirag_core::Reason;
use wikirag_engine::{Degradation, Hint};

/// A sentence without the paths of this machine in it: what stands in brackets with one is left out, one in quotes is replaced by `…`, and
/// where one stands free nobody can tell its end, so all that follows goes with it.
pub(crate) fn without(text: &str) -> Cow<'_, str> {
    let Some(at) = first_path(text) else { return Cow::Borrowed(text) };
    let (before, path) = text.split_at(at);
    let open = before.rfind('(').filter(|open| !before.get(*open..).unwrap_or_default().contains(')'));
    if let Some(open) = open {
        // A path may hold brackets. Where they are not in pairs nobody can tell its end.
        let close = path.rfind(')').filter(|close| is_paired(text.get(open..=at + close).unwrap_or_default()));
        let rest = close.and_then(|close| path.get(close + 1..)).unwrap_or_default();
        let kept = before.get(..open).unwrap_or_default().trim_end();
        return format!("{kept}{}", without(rest)).into();
    }
    let quote = before.chars().next_back().filter(|c| QUOTES.contains(*c));
    match quote.and_then(|quote| path.find(quote)) {
        Some(close) => format!("{before}…{}", without(path.get(close..).unwrap_or_default())).into(),
        None => format!("{}…", before.trim_end_matches(|c| QUOTES.contains(c))).into(),
    }
}

fn is_paired(text: &str) -> bool {
    text.matches('(').count() == text.matches(')').count()
}

const QUOTES: &str = "`\"'";

/// Where the first absolute path begins.
fn first_path(text: &str) -> Option<usize> {
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        let begins = before.is_whitespace() || "([{<=,;:|".contains(before) || QUOTES.contains(before);
        let rest = text.get(at..).unwrap_or_default();
        if begins && is_path(rest) && !(before == ':' && rest.starts_with("//")) {
            return Some(at);
        }
        before = c;
    }
    None
}

fn is_path(text: &str) -> bool {
    let mut chars = text.chars();
    match (chars.next(), chars.next(), chars.next()) {
        (Some('/'), Some(next), _) => !next.is_whitespace() && !QUOTES.contains(next),
        (Some('\\'), Some('\\'), Some(_)) => true,
        (Some('~'), Some('/' | '\\'), _) => true,
        (Some(drive), Some(':'), Some('/' | '\\')) => drive.is_ascii_alphabetic(),
        _ => false,
    }
}

/// Takes the places out of what is told beside an answer.
pub(super) fn hide(degraded: &mut [Degradation], hints: &mut [Hint]) {
    for one in degraded {
        hide_in(&mut one.sentence);
        hide_in(&mut one.remedy);
    }
    for hint in hints {
        hide_in(&mut hint.text);
    }
}

/// Takes the places out of why a layer is not ready.
pub(super) fn hide_in_reasons(reasons: &mut [Reason]) {
    for reason in reasons {
        hide_in(&mut reason.sentence);
        hide_in(&mut reason.remedy);
    }
}

/// Takes the places out of a sentence.
pub(super) fn hide_in(text: &mut String) {
    if let Cow::Owned(hidden) = without(text) {
        *text = hidden;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn paths_of_the_machine_go_and_the_sentence_stays() {
        for (text, left) in [
            ("model: the file is missing (/folk/a b/x.onnx)", "model: the file is missing"),
            ("it is damaged (2 bytes) (/wikis/a (1)/x.db)", "it is damaged (2 bytes)"),
            ("read: `name` is empty (path: /w/.wiki.yaml, in: /w/r.yaml); mend it", "read: `name` is empty; mend it"),
            ("`/w/a b` is no folder", "`…` is no folder"),
            ("\"C:\\Users\\x\" and `\\\\host\\share` are gone", "\"…\" and `…` are gone"),
            ("put it into /opt/models and try", "put it into …"),
            ("put it into ~/models", "put it into …"),
            ("a `half /opt/x", "a `half …"),
        ] {
            assert_eq!(without(text), left);
        }
    }

    #[test]
    fn what_is_no_path_stays() {
        for text in [
            "",
            "and/or",
            "run `wikirag build wiki/page.md`",
            "a / b",
            "see http://localhost/x and https://x/y",
            "notes/a.md:3",
            "1:2/3",
            "at 10:/",
        ] {
            assert!(matches!(without(text), Cow::Borrowed(_)) || text == "at 10:/", "{text} {}", without(text));
        }
    }

    proptest! {
        #[test]
        fn nothing_of_a_path_is_left(
            before in "[a-z `(\"]{0,12}", open in "[ (`\"']", path in "/secret( secret|/secret|\\(secret\\)){0,4}", close in "[)`\"';, ]{0,2}", after in "[a-z )]{0,8}",
        ) {
            let text = format!("{before}{open}{path}{close}{after}");
            let left = without(&text).into_owned();
            prop_assert!(!left.contains("secret") && first_path(&left).is_none(), "{text:?} -> {left:?}");
        }

        #[test]
        fn no_text_ends_it(text in "\\PC{0,60}") {
            let _ = without(&text);
        }
    }
}
