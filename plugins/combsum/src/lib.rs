//! Plugin `combsum`: the weighted sum of normalised scores.
//!
//! Each list brings its scores to a scale that all lists share, and a hit gets `weight * normalised score` from each list that
//! holds it. A list that does not hold it gives nothing. Unlike ranks, scores tell how far one hit is ahead of the next.
//!
//! It is for lists over the same passages, the layers of a wiki. Over wikis, which hold disjoint passages, each list would have
//! its best hit near the top of the scale, whatever the wiki knows of the question; the figures are in `docs/quality.md`.
//!
//! E. A. Fox and J. A. Shaw: *Combination of Multiple Searches*, TREC-2, 1993 (CombSUM); J. H. Lee: *Analyses of Multiple Evidence
//! Combination*, SIGIR 1997 (with scores normalised by list). With weights it is the convex combination of S. Bruch, S. Gai and
//! A. Ingber: *An Analysis of Fusion Functions for Hybrid Retrieval*, TOIS 42(1), 2023.
//!
//! Settings: `normalise`, one of the kinds of [`Normalise`], default `max`.

mod normalise;

use serde::Deserialize;
use wikirag_core::{Capability, FusedHit, Fuser, Plugin, PluginSetup, Result, WeightedList, fuse_by_sum, submit};

pub use normalise::Normalise;

/// The descriptor of this plugin.
pub const PLUGIN: Plugin = Plugin {
    name: "combsum",
    version: env!("CARGO_PKG_VERSION"),
    summary: "fuses ranked lists by the weighted sum of their normalised scores",
    personal: &[],
    provides: &[Capability::Fuser { make }],
};
submit!(PLUGIN);

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Settings {
    normalise: Normalise,
}

fn make(setup: &PluginSetup) -> Result<Box<dyn Fuser>> {
    let Settings { normalise } = setup.settings.parse()?;
    Ok(Box::new(CombSum { normalise }))
}

struct CombSum {
    normalise: Normalise,
}

impl CombSum {
    /// What each hit of a list adds, in the order of its hits: above 0, so that more weight never takes from a hit, and strictly
    /// falling, so that hits whose scores are equal, or too close to tell apart once normalised, keep the order of their list.
    fn values(&self, list: &WeightedList<'_>) -> Vec<f64> {
        let scores: Vec<f64> = list.hits.iter().map(|(_, score)| score.get()).collect();
        let mut values = self.normalise.apply(&scores);
        let mut least = 0.0;
        for value in values.iter_mut().rev() {
            // Only absurd weights overflow, and a fuser cannot fail.
            *value = (list.weight * *value).max(least).min(f64::MAX);
            least = value.next_up();
        }
        values
    }
}

impl Fuser for CombSum {
    fn fuse(&self, lists: &[WeightedList<'_>], want: usize) -> Vec<FusedHit> {
        fuse_by_sum(lists, want, |list| self.values(list))
    }
}

#[cfg(test)]
mod tests;
