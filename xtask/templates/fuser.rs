//! Plugin `__NAME__`: adds up `weight / rank`.

use serde::Deserialize;
use wikirag_core::{
    Capability, FusedHit, Fuser, Plugin, PluginSetup, Result, WeightedList, fuse_by_sum, submit,
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
        // What a list adds must be above 0 and fall strictly from hit to hit.
        fuse_by_sum(lists, want, |list| (1..=list.hits.len()).map(|rank| list.weight / rank as f64).collect())
    }
}
