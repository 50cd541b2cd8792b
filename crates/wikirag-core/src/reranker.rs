//! A second look at the best hits.

use async_trait::async_trait;

use crate::{Context, HitKey, Metadata, Result, Score};

/// A hit with what a reranker may look at.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate<'a> {
    /// Which chunk.
    pub key: HitKey,
    /// The fused score so far.
    pub score: Score,
    /// Title of the document.
    pub title: &'a str,
    /// The passage.
    pub text: &'a str,
    /// Front matter of the document.
    pub meta: &'a Metadata,
}

/// Gives candidates new scores.
#[async_trait]
pub trait Reranker: Send + Sync {
    /// One score per candidate, in the order of the candidates.
    ///
    /// # Errors
    /// Where the model or the service fails; the engine then keeps the fused order and says so.
    async fn rerank(&self, question: &str, candidates: &[Candidate<'_>], context: &Context) -> Result<Vec<Score>>;
}

const _: fn(&dyn Reranker) = |_| {};
