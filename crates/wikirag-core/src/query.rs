//! Questions to one layer, and its answers.

use std::sync::Arc;

use crate::{ChunkId, Score};

/// A question to one layer of one wiki.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Query {
    /// The question as asked. Any text is valid; each layer analyses it itself.
    pub text: Arc<str>,
    /// How many hits are wanted at most.
    pub want: usize,
    /// Whether the words are meant as they stand: a quoted phrase, an identifier. A layer of meanings has less to say then.
    pub is_exact: bool,
    /// For layers that go on from what the others found (see [`Retriever::needs_seeds`](crate::Retriever::needs_seeds)): the hits
    /// of all others of the wiki, fused, in the order of a [`RankedList`].
    pub seeds: Arc<[Ranked]>,
}

impl Query {
    /// A question.
    #[must_use]
    pub fn new(text: impl Into<Arc<str>>, want: usize) -> Self {
        Self { text: text.into(), want, is_exact: false, seeds: Arc::default() }
    }

    /// The same question with what the other layers of the wiki found.
    #[must_use]
    pub fn with_seeds(mut self, seeds: Arc<[Ranked]>) -> Self {
        self.seeds = seeds;
        self
    }
}

/// One hit of one layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ranked {
    /// Which chunk.
    pub chunk: ChunkId,
    /// How well it matches, on this layer's own scale.
    pub score: Score,
}

/// The answer of one layer: best first, no chunk twice, ties by ascending chunk id, at most `want` long.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RankedList {
    /// The hits.
    pub hits: Vec<Ranked>,
}

impl RankedList {
    /// Puts hits into the promised order, drops repeated chunks (the better one stays) and cuts at `want`.
    #[must_use]
    pub fn from_unordered(mut hits: Vec<Ranked>, want: usize) -> Self {
        hits.sort_by(|a, b| b.score.cmp(&a.score).then(a.chunk.cmp(&b.chunk)));
        let mut seen = std::collections::HashSet::with_capacity(hits.len());
        hits.retain(|hit| seen.insert(hit.chunk));
        hits.truncate(want);
        Self { hits }
    }
}

/// How often a word of the question occurs in a wiki.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TermStatistic {
    /// The word as it stands in the question, folded: what wikis in different languages agree on.
    pub term: String,
    /// Chunks that hold it.
    pub chunk_frequency: u64,
}

/// What a lexical layer knows cheaply about a question, for weighing wikis against each other.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TermStatistics {
    /// Chunks in the layer.
    pub chunks: u64,
    /// Words in the layer.
    pub words: u64,
    /// One entry per distinct word of the question, in the order of the question.
    pub terms: Vec<TermStatistic>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_put_in_order() {
        let hit = |chunk, score| Ranked { chunk: ChunkId(chunk), score: Score::new(score).unwrap() };
        let list = RankedList::from_unordered(vec![hit(3, 1.0), hit(1, 1.0), hit(3, 2.0), hit(9, 0.5)], 2);
        assert_eq!(list.hits, [hit(3, 2.0), hit(1, 1.0)]);
    }
}
