//! Plugin `borda`: fuses ranked lists by counting points.
//!
//! With `n` the length of the longest list, the first hit of a list gets `n` points, the next `n - 1`, and so on, each
//! times the weight of the list. Ranks count linearly here, where reciprocal rank fusion favours the first ones.
//!
//! J. A. Aslam and M. Montague: *Models for Metasearch*, SIGIR 2001, with no points for hits that a list does not hold.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde::Deserialize;
use wikirag_core::{
    Capability, Contribution, FusedHit, Fuser, HitKey, Plugin, PluginSetup, Result, Score, WeightedList, submit,
};

/// The descriptor of this plugin.
pub const PLUGIN: Plugin = Plugin {
    name: "borda",
    version: env!("CARGO_PKG_VERSION"),
    summary: "Borda count: fuses ranked lists by points for ranks",
    personal: &[],
    provides: &[Capability::Fuser { make }],
};
submit!(PLUGIN);

/// There is nothing to set, and whoever tries is told so.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Settings {}

fn make(setup: &PluginSetup) -> Result<Box<dyn Fuser>> {
    let Settings {} = setup.settings.parse()?;
    Ok(Box::new(Borda))
}

struct Borda;

impl Fuser for Borda {
    fn fuse(&self, lists: &[WeightedList<'_>], want: usize) -> Vec<FusedHit> {
        let counting = || lists.iter().enumerate().filter(|(_, list)| list.weight > 0.0);
        let longest = counting().map(|(_, list)| list.hits.len()).max().unwrap_or_default();
        // Sorted by key, so that the stable sort by score below leaves ties in the order of their keys.
        let mut found: BTreeMap<HitKey, Vec<Contribution>> = BTreeMap::new();
        for (index, list) in counting() {
            for (place, &(key, score)) in list.hits.iter().enumerate() {
                let value = list.weight * (longest - place) as f64;
                found.entry(key).or_default().push(Contribution { list: index, rank: place + 1, score, value });
            }
        }
        let mut fused: Vec<_> = found.into_iter().map(|(key, contributions)| sum(key, contributions)).collect();
        fused.sort_by_key(|hit| Reverse(hit.score));
        fused.truncate(want);
        fused
    }
}

/// The order of the lists must not show, and floating-point sums depend on it: the largest value is added first.
fn sum(key: HitKey, mut contributions: Vec<Contribution>) -> FusedHit {
    contributions.sort_by(|a, b| b.value.total_cmp(&a.value).then(a.list.cmp(&b.list)));
    let sum: f64 = contributions.iter().map(|contribution| contribution.value).sum();
    // Only absurd weights overflow, and a fuser cannot fail.
    FusedHit { key, score: Score::new(sum.min(f64::MAX)).unwrap_or_default(), contributions }
}
