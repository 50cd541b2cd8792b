//! A second look at the best hits.

use async_trait::async_trait;
use serde::Serialize;

use crate::{Context, HitKey, Metadata, Result, Score};

/// A hit with what a reranker may look at.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate<'a> {
    /// Which chunk.
    pub key: HitKey,
    /// The score so far: the fused one, or that of the reranker before.
    pub score: Score,
    /// Title of the document.
    pub title: &'a str,
    /// Path of the document below the root of its wiki, with `/`.
    pub path: &'a str,
    /// What kind of document it is: `curated`, `raw`, or empty where nothing is said.
    pub role: &'a str,
    /// The passage. Empty where the question was asked without passages.
    pub text: &'a str,
    /// Front matter of the document.
    pub meta: &'a Metadata,
}

/// One reason why a hit counts more or less than its relevance alone says.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Factor {
    /// What is looked at, in one stable word: `role`.
    pub name: String,
    /// What the relevance is multiplied by: finite and above 0; 1 changes nothing.
    pub value: f64,
    /// What was found there, for people: `curated`.
    pub note: String,
}

/// What a reranker says of all candidates: one entry for each, in their order.
#[derive(Debug, Clone, PartialEq)]
pub enum Reranked {
    /// Scores on a scale of its own, which take the place of those before. The way of models that give no reasons.
    Scores(Vec<Score>),
    /// Scores as [`Reranked::Scores`], and for each candidate why it has its own, in a line; empty where nothing is said.
    Reasoned {
        /// One a candidate.
        scores: Vec<Score>,
        /// One a candidate.
        reasons: Vec<String>,
    },
    /// Factors on the relevance of each candidate; none: it stays as it is. They cannot fail to re-make the score, since
    /// the engine makes it of them.
    Factors(Vec<Vec<Factor>>),
}

/// Gives candidates another order.
#[async_trait]
pub trait Reranker: Send + Sync {
    /// How many candidates it wants to look at, if more than there would be.
    fn wants(&self) -> usize {
        0
    }

    /// One entry per candidate, in the order of the candidates, which come best first.
    ///
    /// # Errors
    /// Where the model or the service fails; the engine then keeps the order and says so.
    async fn rerank(&self, question: &str, candidates: &[Candidate<'_>], context: &Context) -> Result<Reranked>;
}

const _: fn(&dyn Reranker) = |_| {};
