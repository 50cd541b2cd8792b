//! What passages speak of beside the names of pages: identifiers, and names that no page has.

use std::collections::BTreeSet;

use wikirag_text::{Analyser, Form};
use wikirag_vault::{NameWords, name_key};

/// The most words of such a name.
const MOST_WORDS: usize = 5;

/// The terms of a passage, as numbers that are equal for equal terms, ascending.
///
/// Identifiers are what the analyser takes for such (`atomic_write_json`, `DEC-0054`). Names are runs of two and more words
/// that begin with a capital letter. Single words are none: at the beginning of a sentence all have one, and in German many more.
pub(crate) fn terms(text: &str, analyser: &Analyser, words: &NameWords) -> Vec<u64> {
    let mut found = BTreeSet::new();
    let mut add = |name: &str| {
        if let Some(words) = words.name(name) {
            found.insert(name_key(&words));
        }
    };
    let mut run: Option<(usize, usize, usize)> = None;
    let close = |run: &mut Option<(usize, usize, usize)>, add: &mut dyn FnMut(&str)| {
        if let Some((start, end, count)) = run.take()
            && (2..=MOST_WORDS).contains(&count)
        {
            add(&text[start..end]);
        }
    };
    analyser.tokens(text, |token| match token.form {
        Form::Whole => add(&text[token.span.clone()]),
        Form::Word => {
            let is_capital = text[token.span.clone()].starts_with(char::is_uppercase);
            let goes_on = run.is_some_and(|(_, end, _)| is_between(&text[..end], text.get(end..token.span.start)));
            if is_capital && goes_on {
                if let Some((_, end, count)) = &mut run {
                    (*end, *count) = (token.span.end, *count + 1);
                }
            } else {
                close(&mut run, &mut add);
                run = is_capital.then_some((token.span.start, token.span.end, 1));
            }
        }
        Form::Pair | Form::Single | Form::Bare => {}
    });
    close(&mut run, &mut add);
    found.into_iter().collect()
}

/// Whether a name may go on after `gap`. A full stop ends it, unless it is that of an initial.
fn is_between(before: &str, gap: Option<&str>) -> bool {
    let is_initial = || before.chars().rev().nth(1).is_none_or(|c| !c.is_alphanumeric());
    match gap {
        Some(" " | "-" | "\n" | "\u{a0}") => true,
        Some(". ") => is_initial(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Vec<u64> {
        terms(text, &Analyser::new(None), &NameWords::new())
    }

    fn key(name: &str) -> u64 {
        name_key(&NameWords::new().of(name))
    }

    #[test]
    fn identifiers_and_runs_of_capitals() {
        let found =
            of("In May Christopher  Nolan called atomic_write_json, said J. R. Smith of New\nYork. Then he left.");
        for name in ["atomic_write_json", "J R Smith", "New York"] {
            assert!(found.contains(&key(name)), "{name}");
        }
        for none in ["In", "Then", "May Christopher", "Christopher", "he left"] {
            assert!(!found.contains(&key(none)), "{none}");
        }
    }

    #[test]
    fn long_runs_are_headlines() {
        assert!(of("The Whole Of This Headline Is In Capitals").is_empty());
        assert!(of("").is_empty());
    }
}
