//! Plugin `rrf`: weighted reciprocal rank fusion.
//!
//! A hit gets `weight / (k + rank)` from each list that holds it, rank counted from 1, and its score is the sum. Only
//! ranks count, so lists whose scores have nothing to do with each other (BM25 and cosines) can be fused. `k` damps the
//! first ranks: with `k = 60` the first hit of a list counts 1.15 times the tenth, with `k = 1` 5.5 times.
//!
//! G. V. Cormack, C. L. A. Clarke and S. Büttcher: *Reciprocal Rank Fusion outperforms Condorcet and individual Rank
//! Learning Methods*, SIGIR 2009. The weights are ours; with equal weights the order is that of the paper.
//!
//! Settings: `k`, above 0 and at most [`MAX_K`], default 60 (the paper's).

use serde::Deserialize;
use wikirag_core::{
    Capability, Error, ErrorKind, FusedHit, Fuser, Plugin, PluginSetup, Result, WeightedList, fuse_by_sum, submit,
};

/// The descriptor of this plugin.
pub const PLUGIN: Plugin = Plugin {
    name: "rrf",
    version: env!("CARGO_PKG_VERSION"),
    summary: "reciprocal rank fusion: fuses ranked lists by rank alone",
    personal: &[],
    provides: &[Capability::Fuser { make }],
};
submit!(PLUGIN);

/// The largest `k`. A far larger one would swallow the rank in `k + rank`, and a list would lose its order.
pub const MAX_K: f64 = 1e9;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Settings {
    k: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self { k: 60.0 }
    }
}

fn make(setup: &PluginSetup) -> Result<Box<dyn Fuser>> {
    let Settings { k } = setup.settings.parse()?;
    if !(k > 0.0 && k <= MAX_K) {
        return Err(Error::new(ErrorKind::Invalid, "read settings", format!("`k` is {k}"))
            .with("in", setup.settings.origin())
            .help("set `k` to a number above 0 and at most 1e9, or leave it out for 60"));
    }
    Ok(Box::new(ReciprocalRank { k }))
}

struct ReciprocalRank {
    k: f64,
}

impl Fuser for ReciprocalRank {
    fn fuse(&self, lists: &[WeightedList<'_>], want: usize) -> Vec<FusedHit> {
        fuse_by_sum(lists, want, |list| {
            (1..=list.hits.len()).map(|rank| list.weight / (self.k + rank as f64)).collect()
        })
    }
}

#[cfg(test)]
mod tests {
    use wikirag_core::{ChunkId, HitKey, Score, WikiSlot};
    use wikirag_testkit::{json, make};

    use super::{ErrorKind, Fuser, PLUGIN, ReciprocalRank, WeightedList};

    fn key(chunk: u64) -> HitKey {
        HitKey { wiki: WikiSlot(0), chunk: ChunkId(chunk) }
    }

    fn list(chunks: &[u64]) -> Vec<(HitKey, Score)> {
        chunks.iter().map(|chunk| (key(*chunk), Score::default())).collect()
    }

    #[test]
    fn scores_are_those_of_the_formula() {
        let (first, second) = (list(&[1, 2]), list(&[2, 3]));
        let lists = [WeightedList { hits: &first, weight: 1.0 }, WeightedList { hits: &second, weight: 0.5 }];
        let fused = ReciprocalRank { k: 60.0 }.fuse(&lists, 10);
        let scores: Vec<_> = fused.iter().map(|hit| (hit.key.chunk.0, hit.score.get())).collect();
        assert_eq!(scores, [(2, 1.0 / 62.0 + 0.5 / 61.0), (1, 1.0 / 61.0), (3, 0.5 / 62.0)]);
    }

    #[test]
    fn settings_are_checked() {
        for good in [json!({}), json!(null), json!({ "k": 1 }), json!({ "k": 0.5 })] {
            assert!(make::fuser(PLUGIN, good).is_ok());
        }
        for bad in
            [json!({ "k": 0 }), json!({ "k": -60.0 }), json!({ "k": 1e10 }), json!({ "k": "60" }), json!({ "K": 60 })]
        {
            assert_eq!(make::fuser(PLUGIN, bad.clone()).err().expect("refused").kind(), ErrorKind::Invalid, "{bad}");
        }
    }
}
