//! Two steps of fusion: the layers of one wiki rank the same passages, the wikis rank disjoint ones.

use wikirag_core::{FusedHit, Fuser, HitKey, Score, WeightedList, WikiSlot};

use super::Searched;

/// A hit with both sums behind its place.
pub(super) struct Fused {
    /// Over the wikis. Its score is the score of the result.
    pub(super) outer: FusedHit,
    /// Over the layers of its wiki.
    pub(super) inner: FusedHit,
}

/// What fuses. Scores tell more than ranks where lists rank the same passages, and nothing where they rank disjoint ones, whose best would
/// all be alike.
pub(super) struct Fusers {
    /// The lists of the layers of a wiki.
    pub(super) layers: Box<dyn Fuser>,
    /// The lists of the wikis.
    pub(super) wikis: Box<dyn Fuser>,
}

impl Fusers {
    /// Fuses the layers inside each wiki, then the wikis, each with its weight.
    pub(super) fn fuse(&self, searched: &[Searched], want: usize) -> Vec<Fused> {
        let inside: Vec<Vec<FusedHit>> =
            (0u32..).zip(searched).map(|(slot, wiki)| inside(self.layers.as_ref(), slot, wiki, want)).collect();
        let ranked: Vec<Vec<(HitKey, Score)>> =
            inside.iter().map(|hits| hits.iter().map(|hit| (hit.key, hit.score)).collect()).collect();
        let lists: Vec<_> =
            ranked.iter().zip(searched).map(|(hits, wiki)| WeightedList { hits, weight: wiki.weight }).collect();
        let mut inner: std::collections::HashMap<HitKey, FusedHit> =
            inside.into_iter().flatten().map(|hit| (hit.key, hit)).collect();
        let outer = self.wikis.fuse(&lists, want);
        outer.into_iter().filter_map(|outer| Some(Fused { inner: inner.remove(&outer.key)?, outer })).collect()
    }
}

fn inside(fuser: &dyn Fuser, slot: u32, wiki: &Searched, want: usize) -> Vec<FusedHit> {
    let keyed: Vec<Vec<(HitKey, Score)>> = wiki
        .lists
        .iter()
        .map(|found| {
            found.list.hits.iter().map(|hit| (HitKey { wiki: WikiSlot(slot), chunk: hit.chunk }, hit.score)).collect()
        })
        .collect();
    let weighted = keyed.iter().zip(&wiki.lists);
    let lists: Vec<_> = weighted.map(|(hits, found)| WeightedList { hits, weight: found.weight }).collect();
    fuser.fuse(&lists, want)
}
