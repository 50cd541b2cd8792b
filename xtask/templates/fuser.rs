//! Plugin `__NAME__`: adds up `weight / rank`.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde::Deserialize;
use wikirag_core::{
    Capability, Contribution, FusedHit, Fuser, HitKey, Plugin, PluginSetup, Result, Score, WeightedList, submit,
};

/// The descriptor of this plugin.
pub const PLUGIN: Plugin = Plugin {
    name: "__NAME__",
    version: env!("CARGO_PKG_VERSION"),
    summary: "fuses ranked lists by the inverse of the rank",
    personal: &[],
    provides: &[Capability::Fuser { make }],
};
submit!(PLUGIN);

/// What can be set.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Settings {}

fn make(setup: &PluginSetup) -> Result<Box<dyn Fuser>> {
    let Settings {} = setup.settings.parse()?;
    Ok(Box::new(InverseRank))
}

struct InverseRank;

impl Fuser for InverseRank {
    fn fuse(&self, lists: &[WeightedList<'_>], want: usize) -> Vec<FusedHit> {
        let mut found: BTreeMap<HitKey, Vec<Contribution>> = BTreeMap::new();
        for (index, list) in lists.iter().enumerate().filter(|(_, list)| list.weight > 0.0) {
            for (place, &(key, score)) in list.hits.iter().enumerate() {
                let rank = place + 1;
                let value = list.weight / rank as f64;
                found.entry(key).or_default().push(Contribution { list: index, rank, score, value });
            }
        }
        let mut fused: Vec<_> = found.into_iter().map(|(key, contributions)| sum(key, contributions)).collect();
        // Stable, so ties stay in the order of their keys.
        fused.sort_by_key(|hit| Reverse(hit.score));
        fused.truncate(want);
        fused
    }
}

/// The order of the lists must not show, and floating-point sums depend on it: the largest value is added first.
fn sum(key: HitKey, mut contributions: Vec<Contribution>) -> FusedHit {
    contributions.sort_by(|a, b| b.value.total_cmp(&a.value).then(a.list.cmp(&b.list)));
    let sum: f64 = contributions.iter().map(|contribution| contribution.value).sum();
    FusedHit { key, score: Score::new(sum.min(f64::MAX)).unwrap_or_default(), contributions }
}
