//! Plugin `trust`: a reranker by what documents declare of themselves.
//!
//! | front matter | counts more | counts less |
//! |---|---|---|
//! | the role of the wiki's manifest | `curated` | `raw` |
//! | `status` | `stable` | `draft`, `deprecated`, `superseded` |
//! | `confidence` | from 0.5, `medium`, to 1, `high` | down to 0, `low` |
//! | `verified` | `true`, or a date that is past | |
//! | `stale_after`, and `last_updated` or `updated` | | a date that is past, or a time such as `90d` after the update |
//!
//! Each is a factor with a name, their product has a floor and a ceiling, and what is not said or not understood counts 1: a
//! document without front matter stands as its relevance alone puts it, and nothing is an error. No passage is dropped.
//!
//! # What the numbers mean
//!
//! The engine multiplies the relevance of a passage with them, which is the score of its layers in relation to the best
//! one, and not the fused score. On the scale of reciprocal rank fusion, `1 / (60 + rank)`, a second place is 1.6 % behind the
//! first whether it says the same or shares one word with the question, and 1.1 carries a hit over six others: no bounded factor
//! could put the curated one of two equals first and leave a raw page first that is clearly better. On the scale of relevance it
//! can. With the defaults a curated page passes a raw one that is up to 1.22 times (1 / 0.82) as relevant, and no declaration
//! whatever passes one that is 1.72 times (ceiling / floor) as relevant. `curated` is what a document is where nobody says
//! otherwise, so it counts 1 and `raw` less.
//!
//! # Settings
//!
//! The factors `curated` 1, `raw` 0.82, `stable` 1.05, `draft` 0.9, `deprecated` 0.8, `superseded` 0.75, `verified` 1.05, `stale`
//! 0.9, each from 0.1 to 10; `confidence` 0.1, from 0 to 0.9: how much full confidence adds and none takes away; `floor` 0.7, from
//! 0.1 to 1, and `ceiling` 1.2, from 1 to 10.

mod declared;

use async_trait::async_trait;
use serde::Deserialize;
use wikirag_core::{
    Candidate, Capability, Context, Date, Error, ErrorKind, Plugin, PluginSetup, Reranked, Reranker, Result, Section,
    submit,
};

/// The descriptor of this plugin.
pub const PLUGIN: Plugin = Plugin {
    name: "trust",
    version: env!("CARGO_PKG_VERSION"),
    summary: "prefers what documents declare to be curated, stable, verified and fresh",
    personal: &[],
    provides: &[Capability::Reranker { make }],
};
submit!(PLUGIN);

/// See the head of this file.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Settings {
    curated: f64,
    raw: f64,
    stable: f64,
    draft: f64,
    deprecated: f64,
    superseded: f64,
    confidence: f64,
    verified: f64,
    stale: f64,
    floor: f64,
    ceiling: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            curated: 1.0,
            raw: 0.82,
            stable: 1.05,
            draft: 0.9,
            deprecated: 0.8,
            superseded: 0.75,
            confidence: 0.1,
            verified: 1.05,
            stale: 0.9,
            floor: 0.7,
            ceiling: 1.2,
        }
    }
}

impl Settings {
    fn read(section: &Section) -> Result<Self> {
        let settings: Self = section.parse()?;
        let factor = 0.1..=10.0;
        let ranges = [
            ("curated", settings.curated, factor.clone()),
            ("raw", settings.raw, factor.clone()),
            ("stable", settings.stable, factor.clone()),
            ("draft", settings.draft, factor.clone()),
            ("deprecated", settings.deprecated, factor.clone()),
            ("superseded", settings.superseded, factor.clone()),
            ("verified", settings.verified, factor.clone()),
            ("stale", settings.stale, factor),
            ("confidence", settings.confidence, 0.0..=0.9),
            ("floor", settings.floor, 0.1..=1.0),
            ("ceiling", settings.ceiling, 1.0..=10.0),
        ];
        match ranges.iter().find(|(_, value, range)| !range.contains(value)) {
            Some((key, value, range)) => {
                Err(Error::new(ErrorKind::Invalid, "read settings", format!("`{key}` is {value}"))
                    .with("in", section.origin())
                    .help(format!(
                        "set `{key}` to a number from {} to {}, or leave it out",
                        range.start(),
                        range.end()
                    )))
            }
            None => Ok(settings),
        }
    }
}

fn make(setup: &PluginSetup) -> Result<Box<dyn Reranker>> {
    Ok(Box::new(Trust { settings: Settings::read(&setup.settings)?, today: Date::today }))
}

struct Trust {
    settings: Settings,
    /// What day it is.
    today: fn() -> Date,
}

#[async_trait]
impl Reranker for Trust {
    async fn rerank(&self, _: &str, candidates: &[Candidate<'_>], context: &Context) -> Result<Reranked> {
        context.check("rerank")?;
        let today = (self.today)();
        let factors = candidates.iter().map(|candidate| self.settings.factors(candidate.role, candidate.meta, today));
        Ok(Reranked::Factors(factors.collect()))
    }
}

#[cfg(test)]
mod tests;
