//! The plugin against a service on the other end of a real connection.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod answers;
mod fake;
mod stopping;
mod trouble;

use std::sync::LazyLock;

use fake::{Embedders as _, Fake};
use wikirag_core::{Context, Embedder, Result, Role};
use wikirag_testkit::{block_on, json};

wikirag_testkit::embedder_suite!(conformance, || {
    static SERVICE: LazyLock<Fake> = LazyLock::new(Fake::new);
    SERVICE.try_embedder(json!({"max_tokens": 64}))
});

/// The rows of `texts`.
fn embed(embedder: &dyn Embedder, texts: &[&str], role: Role) -> Result<Vec<Vec<f32>>> {
    let vectors = block_on(embedder.embed(texts, role, &Context::new()))?;
    Ok(vectors.rows().map(<[f32]>::to_vec).collect())
}

/// The rows of `texts` as passages.
fn passages(embedder: &dyn Embedder, texts: &[&str]) -> Result<Vec<Vec<f32>>> {
    embed(embedder, texts, Role::Passage)
}

fn cosine(one: &[f32], other: &[f32]) -> f32 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

/// Whether each of `rows` points where the service itself says that its text lies.
fn are_those_of(rows: &[Vec<f32>], texts: &[&str]) -> bool {
    rows.len() == texts.len()
        && rows.iter().zip(texts).all(|(row, text)| cosine(row, &fake::unit_vector(text)) > 0.9999)
}
