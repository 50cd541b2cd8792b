//! Where a walk begins: at the pages that the question names, and at the best hits of the other layers.

use std::collections::BTreeMap;

use wikirag_core::Query;
use wikirag_vault::Mention;

use crate::facts::Reader;
use crate::graph::Graph;
use crate::settings::Settings;

/// Hits count by this power of their share of the best one, divided by the root of their rank: the best few are where a walk should
/// begin, the rest keep their order, and scores that are ranks in disguise (reciprocal rank fusion) do not make all of them equal.
/// The answer is put back on the scale of the hits by the root of the same order.
pub(crate) const SHARPNESS: u8 = 5;

/// Passages with their shares of the start, by their places; the shares add up to 1. Empty where nothing is known to begin at.
pub(crate) fn seeds(graph: &Graph, query: &Query, settings: &Settings) -> Vec<(u32, f64)> {
    let (named, sureness) = named(graph, &query.text);
    let hits = hits(graph, query, settings.seeds);
    let share = if hits.is_empty() { 1.0 } else { settings.named * sureness };
    let mut shares: BTreeMap<u32, f64> = BTreeMap::new();
    for (seeds, share) in [(named, share), (hits, 1.0 - share)] {
        let all: f64 = seeds.iter().map(|(_, weight)| weight).sum();
        for (place, weight) in seeds.into_iter().filter(|_| all > 0.0 && share > 0.0) {
            *shares.entry(place).or_default() += share * weight / all;
        }
    }
    shares.into_iter().collect()
}

/// The passages of pages and entities whose names stand in the question, and how much the most telling of the names tells (0 where there is
/// none). Of names that are part of a longer one only the longer counts.
fn named(graph: &Graph, question: &str) -> (Vec<(u32, f64)>, f64) {
    let mut found: Vec<(u32, Mention)> = Vec::new();
    graph.names.find(&Reader::default().words(question), |id, mention| found.push((id, mention.clone())));
    let is_part = |one: &Mention| {
        let holds = |other: &Mention| {
            other.first <= one.first && one.last <= other.last && other.last - other.first > one.last - one.first
        };
        found.iter().any(|(_, other)| holds(other))
    };
    let (mut seeds, mut sureness) = (Vec::new(), 0.0_f64);
    for (id, _) in found.iter().filter(|(_, mention)| !is_part(mention)) {
        let Some(owned) = graph.owners.get(id) else { continue };
        sureness = sureness.max(owned.weight);
        for page in &owned.pages {
            let Some(passages) = graph.passages.get(*page as usize) else { continue };
            let share = owned.weight / f64::from(u32::try_from(owned.pages.len()).unwrap_or(u32::MAX));
            seeds.extend(passages.clone().map(|place| (place, share / f64::from(passages.end - passages.start))));
        }
        if let Some(hub) = owned.hub.map(|hub| hub as usize) {
            let share = |weight: f32| owned.weight * f64::from(weight) / graph.members.sum(hub);
            seeds.extend(graph.members.of(hub).iter().map(|edge| (edge.to, share(edge.weight))));
        }
    }
    (seeds, sureness)
}

/// The best hits, by their scores.
fn hits(graph: &Graph, query: &Query, most: usize) -> Vec<(u32, f64)> {
    let best = query.seeds.first().map_or(0.0, |hit| hit.score.get());
    // Where no score is above 0 they tell nothing but the order.
    let share = |score: f64| if best > 0.0 { (score / best).max(0.0).powi(SHARPNESS.into()) } else { 1.0 };
    let hits = (1u32..).zip(query.seeds.iter()).take(most);
    hits.filter_map(|(rank, hit)| Some((graph.place(hit.chunk)?, share(hit.score.get()) / f64::from(rank).sqrt())))
        .collect()
}
