//! What an extractor found, as nodes and edges of the graph.
//!
//! An entity whose name is that of pages is these pages; any other is a hub, which the passages share that hold it. A relation leads
//! from each end to the other: from the passages of a page to a page or hub, and from hub to hub. Names are compared by their words,
//! as everywhere, so that two spellings are one entity. What many passages hold counts less, by the same rule as for names.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;

use wikirag_core::ChunkId;
use wikirag_sqlite::ExtractionFacts;
use wikirag_vault::name_key;

use crate::facts::{Reader, Written};
use crate::graph::{FEW, Owned, PLAIN, count, narrow, rarity};
use crate::settings::Edges;

/// The graph as far as it is known without an extractor.
pub(crate) struct Known<'a> {
    pub(crate) page_of: &'a [u32],
    pub(crate) passages: &'a [Range<u32>],
    pub(crate) place_of: &'a HashMap<ChunkId, u32>,
    /// The names of pages.
    pub(crate) written: &'a [(u32, Written)],
    pub(crate) owners: &'a HashMap<u32, Owned>,
    /// How many hubs there are: those of entities come after them.
    pub(crate) hubs: u32,
}

/// What is added to it.
#[derive(Debug, Default)]
pub(crate) struct Entities {
    /// From passages to pages.
    pub(crate) out: Vec<(u32, u32, f32)>,
    /// From passages to hubs.
    pub(crate) hubs: Vec<(u32, u32, f32)>,
    /// From hubs to hubs.
    pub(crate) related: Vec<(u32, u32, f32)>,
    /// The names of hubs.
    pub(crate) names: Vec<(Written, Owned)>,
    /// How many hubs there are now.
    pub(crate) count: u32,
}

/// Something that passages speak of.
struct Entity {
    /// The spelling that is found most easily: small letters ask for none.
    name: Written,
    /// The passages that hold it, by their places.
    holders: BTreeSet<u32>,
}

/// What an entity is in the graph, with how much its name tells.
enum Node {
    Pages(Vec<u32>, f64),
    Hub(u32, f64),
    /// Too common to mean anything, or alone with what it belongs to.
    Nothing,
}

/// The entities of all passages, by their words, and which belong together, both ways.
#[derive(Default)]
struct Found {
    entities: BTreeMap<u64, Entity>,
    relations: BTreeSet<(u64, u64)>,
}

impl Found {
    fn new(facts: &ExtractionFacts, place_of: &HashMap<ChunkId, u32>) -> Self {
        let reader = Reader::default();
        let mut keys: HashMap<&str, Option<u64>> = HashMap::new();
        let mut all = Self::default();
        for (chunk, text) in &facts.passages {
            let (Some(place), Some(extraction)) = (place_of.get(chunk), facts.found.get(text)) else { continue };
            for entity in &extraction.entities {
                let key = *keys.entry(&entity.name).or_insert_with(|| {
                    let name = reader.name(&entity.name)?;
                    let key = name_key(&name.words);
                    let known = all
                        .entities
                        .entry(key)
                        .or_insert_with(|| Entity { name: name.clone(), holders: BTreeSet::new() });
                    if name.to_text() > known.name.to_text() {
                        known.name = name;
                    }
                    Some(key)
                });
                if let Some(entity) = key.and_then(|key| all.entities.get_mut(&key)) {
                    entity.holders.insert(*place);
                }
            }
            for relation in &extraction.relations {
                let key = |name: &str| keys.get(name).copied().flatten();
                if let (Some(from), Some(to)) = (key(&relation.from), key(&relation.to))
                    && from != to
                {
                    all.relations.extend([(from, to), (to, from)]);
                }
            }
        }
        all
    }

    fn related(&self, key: u64) -> impl Iterator<Item = u64> {
        self.relations.range((key, 0)..=(key, u64::MAX)).map(|(_, to)| *to)
    }
}

/// Joins what was found with what is known.
pub(crate) fn join(facts: &ExtractionFacts, known: &Known<'_>, edges: &Edges) -> Entities {
    let found = Found::new(facts, known.place_of);
    let mut added = Entities { count: known.hubs, ..Entities::default() };
    let nodes = nodes(&found, known, &mut added);
    let node = |key: u64| nodes.get(&key).unwrap_or(&Node::Nothing);
    for (key, entity) in &found.entities {
        for holder in &entity.holders {
            added.lead([*holder], node(*key), edges.entity, known);
        }
        for related in found.related(*key) {
            match node(*key) {
                Node::Pages(pages, _) => {
                    let passages =
                        pages.iter().filter_map(|page| known.passages.get(*page as usize)).cloned().flatten();
                    added.lead(passages, node(related), edges.relation, known);
                }
                Node::Hub(from, _) => {
                    if let Node::Hub(to, weight) = node(related)
                        && edges.relation > 0.0
                    {
                        added.related.push((*from, *to, narrow(edges.relation * weight)));
                    }
                }
                Node::Nothing => {}
            }
        }
    }
    added
}

impl Entities {
    /// Adds edges from passages to a node.
    fn lead(&mut self, from: impl IntoIterator<Item = u32>, to: &Node, weight: f64, known: &Known<'_>) {
        let page_of = |passage: u32| known.page_of.get(passage as usize);
        for passage in from.into_iter().filter(|_| weight > 0.0) {
            match to {
                Node::Pages(pages, tells) => {
                    let share = narrow(weight * tells / count(pages.len()));
                    let others = pages.iter().filter(|page| page_of(passage) != Some(*page));
                    self.out.extend(others.map(|page| (passage, *page, share)));
                }
                Node::Hub(hub, tells) => self.hubs.push((passage, *hub, narrow(weight * tells))),
                Node::Nothing => {}
            }
        }
    }
}

/// What each entity is. Hubs are numbered in the order of their keys.
fn nodes(found: &Found, known: &Known<'_>, added: &mut Entities) -> HashMap<u64, Node> {
    let mut pages: HashMap<u64, BTreeSet<u32>> = HashMap::new();
    for (id, name) in known.written {
        let owned = known.owners.get(id).into_iter().flat_map(|owned| &owned.pages);
        pages.entry(name_key(&name.words)).or_default().extend(owned);
    }
    let is_page = |key: u64| pages.get(&key).is_some_and(|pages| (1..=FEW).contains(&pages.len()));
    let is_shared = |key: u64| found.entities.get(&key).is_some_and(|entity| entity.holders.len() > 1);
    let all = known.page_of.len();
    let mut nodes = HashMap::with_capacity(found.entities.len());
    for (key, entity) in &found.entities {
        let node = match pages.get(key) {
            Some(pages) if is_page(*key) => {
                let is_of =
                    |passage: &&u32| known.page_of.get(**passage as usize).is_some_and(|page| pages.contains(page));
                let holders = entity.holders.len() - entity.holders.iter().filter(is_of).count();
                Node::Pages(pages.iter().copied().collect(), rarity(holders, all))
            }
            Some(_) => Node::Nothing,
            // What only leads back to the passage that it came from would keep the walk there.
            None if !is_shared(*key) && !found.related(*key).any(|key| is_page(key) || is_shared(key)) => Node::Nothing,
            None => Node::Hub(added.count, rarity(entity.holders.len(), all)),
        };
        let node = match node {
            Node::Pages(_, 0.0) | Node::Hub(_, 0.0) => Node::Nothing,
            node => node,
        };
        if let Node::Hub(hub, tells) = node {
            let weight = if entity.name.is_plain() { PLAIN * tells } else { tells };
            added.names.push((entity.name.clone(), Owned { pages: Vec::new(), hub: Some(hub), weight }));
            added.count += 1;
        }
        nodes.insert(*key, node);
    }
    nodes
}
