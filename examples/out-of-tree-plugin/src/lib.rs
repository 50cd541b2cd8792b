//! Plugin `borda`: fuses ranked lists by counting points.
//!
//! With `n` the length of the longest list, the first hit of a list gets `n` points, the next `n - 1`, and so on, each
//! times the weight of the list. Ranks count linearly here, where reciprocal rank fusion favours the first ones.
//!
//! J. A. Aslam and M. Montague: *Models for Metasearch*, SIGIR 2001, with no points for hits that a list does not hold.

use serde::Deserialize;
use wikirag_core::{Capability, FusedHit, Fuser, Plugin, PluginSetup, Result, WeightedList, fuse_by_sum, submit};

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
        let counting = lists.iter().filter(|list| list.weight > 0.0);
        let longest = counting.map(|list| list.hits.len()).max().unwrap_or_default();
        fuse_by_sum(lists, want, |list| {
            (0..list.hits.len()).map(|place| list.weight * (longest - place) as f64).collect()
        })
    }
}
