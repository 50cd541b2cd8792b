//! The analyser, phrases and marks: a question on the first line, a passage on the others.
#![no_main]

use libfuzzer_sys::fuzz_target;
use wikirag_text::{Analyser, Language, MAX_TERM_BYTES, Phrase, detect_language, estimate_tokens, mark_terms};

const LANGUAGES: [Option<Language>; 4] =
    [None, Some(Language::English), Some(Language::German), Some(Language::Vietnamese)];

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    let (question, passage) = text.split_once('\n').unwrap_or((&text, &text));
    for language in LANGUAGES.into_iter().chain([detect_language(passage)]) {
        tokens_are_sound(passage, language);
        marks_are_sound(question, passage, language);
    }
    phrases_are_found(question, passage);
    assert!(estimate_tokens(passage) <= passage.len(), "more tokens than bytes");
});

fn tokens_are_sound(text: &str, language: Option<Language>) {
    let (mut start, mut position) = (0, 0);
    Analyser::new(language).tokens(text, |token| {
        assert!(text.get(token.span.clone()).is_some_and(|word| !word.is_empty()), "no word at {token:?}");
        assert!(token.span.start >= start, "{token:?} begins before byte {start}, where the one before it does");
        assert!(token.position >= position, "{token:?} goes back from position {position}");
        assert!((1..=MAX_TERM_BYTES).contains(&token.text.len()), "{token:?} is empty or too long");
        assert!(!token.stem.is_empty(), "{token:?} has no stem");
        (start, position) = (token.span.start, token.position);
    });
}

fn marks_are_sound(question: &str, passage: &str, language: Option<Language>) {
    let mut end = 0;
    for mark in mark_terms(question, passage, language) {
        assert!(mark.start >= end && mark.start < mark.end, "{mark:?} is empty, or begins before byte {end}");
        assert!(passage.get(mark.clone()).is_some(), "{mark:?} leaves the passage or cuts a character");
        end = mark.end;
    }
}

fn phrases_are_found(question: &str, passage: &str) {
    let Some(phrase) = Phrase::new(question) else { return };
    assert!(phrase.is_in(question), "{question:?} is not in itself");
    assert!(phrase.is_in(&format!("{passage}\n{question}\n{passage}")), "{question:?} is not found among other lines");
}
