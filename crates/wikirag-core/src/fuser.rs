//! Several ranked lists in, one out.

use std::cmp::Reverse;
use std::collections::BTreeMap;

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

/// The sum of what each list adds, for fusers that are such a sum: `values` gives, for each hit of a list of a weight above 0 and in
/// the order of its hits, what it adds. Keeps the promises of [`Fuser`] where the values are above 0 and fall strictly, and grow with the
/// weight.
pub fn fuse_by_sum(
    lists: &[WeightedList<'_>],
    want: usize,
    mut values: impl FnMut(&WeightedList<'_>) -> Vec<f64>,
) -> Vec<FusedHit> {
    // Sorted by key, so that the stable sort by score below leaves ties in the order of their keys.
    let mut found: BTreeMap<HitKey, Vec<Contribution>> = BTreeMap::new();
    for (index, list) in lists.iter().enumerate().filter(|(_, list)| list.weight > 0.0) {
        for (place, (&(key, score), value)) in list.hits.iter().zip(values(list)).enumerate() {
            found.entry(key).or_default().push(Contribution { list: index, rank: place + 1, score, value });
        }
    }
    let mut fused: Vec<_> = found.into_iter().map(|(key, contributions)| sum(key, contributions)).collect();
    fused.sort_by_key(|hit| Reverse(hit.score));
    fused.truncate(want);
    fused
}

/// Floating-point sums depend on the order of their terms, and the order of the lists must not show: the largest value
/// is added first. Equal values may change places without changing the sum; the index only makes their order definite.
fn sum(key: HitKey, mut contributions: Vec<Contribution>) -> FusedHit {
    contributions.sort_by(|a, b| b.value.total_cmp(&a.value).then(a.list.cmp(&b.list)));
    let sum: f64 = contributions.iter().map(|contribution| contribution.value).sum();
    // Only absurd weights overflow, and a fuser cannot fail.
    let score = Score::new(sum.min(f64::MAX)).unwrap_or_default();
    FusedHit { key, score, contributions }
}

const _: fn(&dyn Fuser) = |_| {};
