//! Two steps of fusion: the layers of one wiki rank the same passages, the wikis rank disjoint ones.

use std::sync::Arc;

use wikirag_core::{FusedHit, Fuser, HitKey, Ranked, Score, WeightedList, WikiSlot};

use super::{LayerList, Searched};

/// A hit with both sums behind its place.
pub(super) struct Fused {
    /// Over the wikis. Its score is the score of the result.
    pub(super) outer: FusedHit,
    /// Over the layers of its wiki.
    pub(super) inner: FusedHit,
}

/// Fuses the layers inside each wiki, then the wikis, each with its weight.
///
/// By scores, a hit of a wiki counts the weight of the wiki times its share of the wiki's best hit, so what is nearly as good as the best of the right
/// wiki stands near it. By ranks, the weights would decide nearly alone: with k = 60 the tenth hit of a list counts .87 of the first, so a wiki
/// of weight .87 comes after ten hits of another, whatever it holds.
pub(super) fn fuse(fuser: &dyn Fuser, searched: &[Searched], want: usize) -> Vec<Fused> {
    let inside: Vec<Vec<FusedHit>> =
        (0u32..).zip(searched).map(|(slot, wiki)| inside(fuser, slot, &wiki.lists, want)).collect();
    let ranked: Vec<Vec<(HitKey, Score)>> =
        inside.iter().map(|hits| hits.iter().map(|hit| (hit.key, hit.score)).collect()).collect();
    let lists: Vec<_> =
        ranked.iter().zip(searched).map(|(hits, wiki)| WeightedList { hits, weight: wiki.weight }).collect();
    let mut inner: std::collections::HashMap<HitKey, FusedHit> =
        inside.into_iter().flatten().map(|hit| (hit.key, hit)).collect();
    let outer = fuser.fuse(&lists, want);
    outer.into_iter().filter_map(|outer| Some(Fused { inner: inner.remove(&outer.key)?, outer })).collect()
}

/// What the layers of a wiki found, as one list, for layers that go on from it.
pub(super) fn seeds(fuser: &dyn Fuser, lists: &[LayerList], want: usize) -> Arc<[Ranked]> {
    inside(fuser, 0, lists, want).into_iter().map(|hit| Ranked { chunk: hit.key.chunk, score: hit.score }).collect()
}

fn inside(fuser: &dyn Fuser, slot: u32, lists: &[LayerList], want: usize) -> Vec<FusedHit> {
    let keyed: Vec<Vec<(HitKey, Score)>> = lists
        .iter()
        .map(|found| {
            found.list.hits.iter().map(|hit| (HitKey { wiki: WikiSlot(slot), chunk: hit.chunk }, hit.score)).collect()
        })
        .collect();
    let weighted = keyed.iter().zip(lists);
    let lists: Vec<_> = weighted.map(|(hits, found)| WeightedList { hits, weight: found.weight }).collect();
    fuser.fuse(&lists, want)
}
