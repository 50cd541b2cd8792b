//! The walk with restarts: personalised PageRank (Page, Brin, Motwani and Winograd 1999; Jeh and Widom 2003).
//!
//! Computed as the sum over the steps of the walk, from the passages where something is left to walk on (Andersen, Chung and Lang
//! 2006 call what is left the residual): a question touches what lies around its start and not the whole graph. After a fixed number
//! of steps hardly anything is left. Passages are worked through in their order, so sums are the same to the last bit.

use wikirag_core::{Context, Result};

use crate::csr::Csr;
use crate::graph::Graph;
use crate::settings::Settings;

/// What is less than this share of the start is not walked on.
const LEAST: f64 = 1e-5;

/// The weight of going nowhere, beside edges of weights up to 1: where all that leads on is a name that many passages hold, the walk
/// should hardly go there, though nothing else leads on.
const SLACK: f64 = 0.25;

/// With a restart of .4 less than a walk in 500 is longer than that.
const STEPS: usize = 12;

/// How likely the walk is at each passage, over all its steps, by places. The values add up to at most 1.
///
/// # Errors
/// What the context says.
pub(crate) fn walk(graph: &Graph, seeds: &[(u32, f64)], settings: &Settings, context: &Context) -> Result<Vec<f64>> {
    let mut visited = Mass::new(graph.chunks.len());
    let mut here = Mass::new(graph.chunks.len());
    let mut pages = Mass::new(graph.passages.len());
    let mut backs = Mass::new(graph.passages.len());
    let mut hubs = Mass::new(graph.members.len());
    let mut related = Mass::new(graph.related.len());
    seeds.iter().for_each(|(place, share)| here.add(*place, *share));
    for _ in 0..STEPS {
        context.check("walk graph")?;
        let edges = &settings.edges;
        for (chunk, mass) in here.take() {
            visited.add(chunk, mass * settings.restart);
            let mass = mass * (1.0 - settings.restart);
            if mass < LEAST {
                continue;
            }
            let at = chunk as usize;
            let page = graph.page_of.get(at).copied().unwrap_or_default();
            let (out, hub) = (graph.out.sum(at), graph.hubs.sum(at));
            let back = graph.back.sum(page as usize) * edges.back;
            let own = if size(graph, page) > 1.0 { edges.page } else { 0.0 };
            let all = out + back + hub + own + SLACK;
            for edge in graph.out.of(at) {
                pages.add(edge.to, mass * f64::from(edge.weight) / all);
            }
            for edge in graph.hubs.of(at) {
                hubs.add(edge.to, mass * f64::from(edge.weight) / all);
            }
            if back > 0.0 {
                backs.add(page, mass * back / all);
            }
            if own > 0.0 {
                pages.add(page, mass * own / all);
            }
        }
        for (page, mass) in pages.take() {
            let Some(passages) = graph.passages.get(page as usize) else { continue };
            let share = mass / size(graph, page).max(1.0);
            passages.clone().for_each(|passage| here.add(passage, share));
        }
        for (page, mass) in backs.take() {
            spread(&graph.back, page, mass, graph.back.sum(page as usize), &mut here);
        }
        for (hub, mass) in hubs.take() {
            let all = graph.members.sum(hub as usize) + graph.related.sum(hub as usize);
            spread(&graph.members, hub, mass, all, &mut here);
            spread(&graph.related, hub, mass, all, &mut related);
        }
        for (hub, mass) in related.take() {
            spread(&graph.members, hub, mass, graph.members.sum(hub as usize), &mut here);
        }
        if here.touched.is_empty() {
            break;
        }
    }
    Ok(visited.of)
}

/// Hands on the mass that lies on a node, by the shares that its edges have of `all`.
fn spread(edges: &Csr, node: u32, mass: f64, all: f64, to: &mut Mass) {
    for edge in edges.of(node as usize) {
        to.add(edge.to, mass * f64::from(edge.weight) / all);
    }
}

/// How many passages a page has.
fn size(graph: &Graph, page: u32) -> f64 {
    graph.passages.get(page as usize).map_or(0.0, |passages| f64::from(passages.end - passages.start))
}

/// Mass on few of many nodes.
struct Mass {
    of: Vec<f64>,
    touched: Vec<u32>,
}

impl Mass {
    fn new(nodes: usize) -> Self {
        Self { of: vec![0.0; nodes], touched: Vec::new() }
    }

    fn add(&mut self, node: u32, mass: f64) {
        let Some(known) = self.of.get_mut(node as usize) else { return };
        if *known == 0.0 && mass > 0.0 {
            self.touched.push(node);
        }
        *known += mass;
    }

    /// What lies where, in the order of the nodes; nothing is left.
    fn take(&mut self) -> Vec<(u32, f64)> {
        let mut touched = std::mem::take(&mut self.touched);
        touched.sort_unstable();
        touched.into_iter().map(|node| (node, std::mem::take(&mut self.of[node as usize]))).collect()
    }
}
