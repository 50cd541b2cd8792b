//! Several ranked lists in, one out.

use crate::{ChunkId, Score, WikiSlot};

/// A chunk in an answer over several wikis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HitKey {
    /// The wiki, by its place in the composition.
    pub wiki: WikiSlot,
    /// The chunk in that wiki.
    pub chunk: ChunkId,
}

/// A ranked list and how much it counts.
#[derive(Debug, Clone, Copy)]
pub struct WeightedList<'a> {
    /// Hits, best first, each key once.
    pub hits: &'a [(HitKey, Score)],
    /// Finite and not negative. A list of weight 0 changes nothing.
    pub weight: f64,
}

/// What one list gave to a fused hit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contribution {
    /// Which list, by its place in the input.
    pub list: usize,
    /// The rank there, from 1.
    pub rank: usize,
    /// The score there.
    pub score: Score,
    /// What it added to the fused score.
    pub value: f64,
}

/// A hit of the fused list.
#[derive(Debug, Clone, PartialEq)]
pub struct FusedHit {
    /// Which chunk.
    pub key: HitKey,
    /// The sum of the contributions' values, added in their order.
    pub score: Score,
    /// Where the score came from, largest value first: an order that does not depend on that of the lists, since the sum of
    /// floating-point numbers depends on the order of its terms.
    pub contributions: Vec<Contribution>,
}

/// Makes one ranked list out of several. Sync, pure, and cannot fail.
///
/// Promises, which the conformance suite checks:
/// * fusing one list keeps its order; an empty list, or one of weight 0, changes nothing;
/// * the order of the lists does not matter (save for `Contribution::list`);
/// * the contributions of a hit re-add to its score, exactly;
/// * more weight for a list never moves its hits down against hits it does not hold;
/// * hits come best first, ties by key; at most `want` of them.
pub trait Fuser: Send + Sync {
    /// Fuses.
    fn fuse(&self, lists: &[WeightedList<'_>], want: usize) -> Vec<FusedHit>;
}

const _: fn(&dyn Fuser) = |_| {};
