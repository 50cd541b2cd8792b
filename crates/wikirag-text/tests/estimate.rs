//! The token estimate against real counts of word pieces.
//!
//! `fixtures/prose` holds twelve texts of several styles: from the public domain (Carroll, Lincoln, Darwin, Melville,
//! Conan Doyle), the others written for this test. `fixtures/count_tokens.py` made `counts.tsv` with the tokenizer of
//! all-MiniLM-L6-v2. The table in `tokens_estimate.rs` was fitted to the texts with odd numbers; the promise is tested
//! on the others.

#![expect(clippy::unwrap_used, reason = "a test ends at the first thing that is off")]

use std::path::{Path, PathBuf};

use wikirag_text::estimate_tokens;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/prose")
}

/// Name, estimate and count of each text.
fn texts() -> Vec<(String, f64, f64)> {
    let counts = std::fs::read_to_string(folder().join("counts.tsv")).unwrap();
    let mut texts = Vec::new();
    for line in counts.lines() {
        let (name, count) = line.split_once('\t').unwrap();
        let text = std::fs::read_to_string(folder().join(name)).unwrap();
        texts.push((name.to_owned(), estimate_tokens(&text) as f64, count.parse().unwrap()));
    }
    assert_eq!(texts.len(), 12);
    texts
}

#[test]
fn english_prose_is_within_fifteen_percent() {
    for (name, estimate, count) in texts().into_iter().skip(1).step_by(2) {
        let off = (estimate - count).abs() / count;
        assert!(off <= 0.15, "{name}: {estimate} estimated, {count} counted");
    }
}

#[test]
fn the_mean_is_not_biased() {
    let (estimated, counted) =
        texts().iter().fold((0.0, 0.0), |(left, right), (_, estimate, count)| (left + estimate, right + count));
    assert!((estimated / counted - 1.0).abs() < 0.05, "{estimated} estimated, {counted} counted");
}
