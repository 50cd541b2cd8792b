//! The graph of a wiki in memory: what follows from all facts together.
//!
//! Nodes are passages, pages (documents) and hubs (a tag, an identifier, a rare name or an entity that several passages share). A page stands for
//! its passages: what leads to it leads to all of them, each with its share. Edges:
//!
//! * from a passage to a page that it links to, or whose name stands in it, and back;
//! * between passages that share a hub;
//! * between the passages of one page;
//! * to and between what an extractor found, see `entities.rs`.
//!
//! A link or a name that may mean several pages leads to each with its share: which one is meant nobody can tell, and none is
//! guessed. A name counts the less the more passages hold it, and one that every twentieth passage holds means nothing.
//!
//! All orders are those of paths and ids, so the same pages give the same graph after any history.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;

use wikirag_core::{ChunkId, Context, DocId, Result};
use wikirag_sqlite::{ExtractionFacts, GraphFacts, GraphPage, GraphPassage, GraphVersion};
use wikirag_vault::{Page, Pages, Resolution};

use crate::community;
use crate::csr::Csr;
use crate::entities;
use crate::facts::Written;
use crate::settings::Edges;
use crate::spotter::Spotter;

/// Whatever so few passages share is never too common, and what more pages than that are called is the name of none (`index`, `README`).
pub(crate) const FEW: usize = 20;

/// What every so-and-so-many-th passage holds means nothing.
const COMMON: usize = 20;

/// What a name of one word in small letters counts: `architecture` is rarely the page of that name.
pub(crate) const PLAIN: f64 = 0.2;

/// The graph of one state of the store.
#[derive(Debug)]
pub(crate) struct Graph {
    pub(crate) version: GraphVersion,
    /// The state of the extractions, where there are some.
    pub(crate) extracted: Option<GraphVersion>,
    /// The passages, those of a page together, by page and id.
    pub(crate) chunks: Vec<ChunkId>,
    /// The page of each passage.
    pub(crate) page_of: Vec<u32>,
    /// The passages of each page. Pages are sorted by path.
    pub(crate) passages: Vec<Range<u32>>,
    /// From passages to the pages that they link to or name.
    pub(crate) out: Csr,
    /// From pages to those passages.
    pub(crate) back: Csr,
    /// From passages to hubs.
    pub(crate) hubs: Csr,
    /// From hubs to passages.
    pub(crate) members: Csr,
    /// From hubs to hubs.
    pub(crate) related: Csr,
    /// The community of each page.
    pub(crate) communities: Vec<u32>,
    /// The names of pages and hubs, by their numbers.
    pub(crate) names: Spotter,
    /// By the number of the name.
    pub(crate) owners: HashMap<u32, Owned>,
    /// The share of pages that others link to or name: 0 to 1. Where hardly any page is, names are words like others, and the graph
    /// has nothing to say.
    pub(crate) reach: f64,
    place_of: HashMap<ChunkId, u32>,
}

/// What is known of a name that pages or a hub have.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Owned {
    /// The pages that have it; at least one, unless it is that of a hub.
    pub(crate) pages: Vec<u32>,
    /// The hub that has it: an entity that is no page.
    pub(crate) hub: Option<u32>,
    /// How much it tells: 1 for a name that one passage holds, down to 0 for one that all hold.
    pub(crate) weight: f64,
}

impl Graph {
    /// Works out the graph, with what an extractor found, if one did.
    ///
    /// # Errors
    /// What the context says.
    pub(crate) fn new(
        version: GraphVersion,
        facts: &GraphFacts,
        extractions: Option<&ExtractionFacts>,
        edges: &Edges,
        context: &Context,
    ) -> Result<Self> {
        let mut pages: Vec<_> = facts.pages.iter().collect();
        pages.sort_unstable_by(|a, b| (&a.1.path, a.0).cmp(&(&b.1.path, b.0)));
        let place: HashMap<DocId, u32> =
            (0u32..).zip(&pages).map(|(place, (document, _))| (*document, place)).collect();
        let page_place = |document: &DocId| place.get(document).copied().unwrap_or(u32::MAX);
        let mut order: Vec<_> = facts.passages.iter().map(|passage| (page_place(&passage.1), passage)).collect();
        order.retain(|(page, _)| *page != u32::MAX);
        order.sort_unstable_by_key(|(page, passage)| (*page, passage.0));
        let chunks: Vec<ChunkId> = order.iter().map(|(_, passage)| passage.0).collect();
        let page_of: Vec<u32> = order.iter().map(|(page, _)| *page).collect();
        let passages = ranges(&page_of, pages.len());
        context.check("read graph")?;

        let known: Vec<Page> = pages
            .iter()
            .map(|(_, page)| Page { path: page.path.clone(), title: page.title.clone(), aliases: page.aliases.clone() })
            .collect();
        let known = Pages::new(known, []);
        // A name that no page has any more is no name, and hides none that is part of it.
        let owned: HashSet<u32> = pages.iter().flat_map(|(_, page)| page.names.iter().copied()).collect();
        let stored = facts.names.iter().filter(|(id, _)| owned.contains(id));
        let written: Vec<(u32, Written)> =
            stored.filter_map(|(id, name)| Some((*id, Written::from_text(name)?))).collect();
        let mut names = Spotter::default();
        written.iter().for_each(|(id, name)| names.insert(name.clone(), *id));
        context.check("read graph")?;
        let held = Held::new(&order, &written, &names);
        let mut owners = owners(&written, &pages, &order, &held);
        context.check("read graph")?;

        let mut out = Vec::new();
        for (chunk, (page, (_, _, passage))) in (0u32..).zip(&order) {
            if chunk.is_multiple_of(4096) {
                context.check("read graph")?;
            }
            let from = known.page(*page as usize).map_or("", |page| page.path.as_str());
            let mut lead = |to: &[u32], weight: f64| {
                if (1..=FEW).contains(&to.len()) && weight > 0.0 {
                    let share = narrow(weight / count(to.len()));
                    out.extend(to.iter().filter(|to| *to != page).map(|to| (chunk, *to, share)));
                }
            };
            for (kind, target) in &passage.links {
                match known.resolve(from, *kind, target) {
                    Resolution::Page { page, .. } => lead(&[index(page)], edges.link),
                    Resolution::Ambiguous { pages, .. } => {
                        lead(&pages.into_iter().map(index).collect::<Vec<_>>(), edges.link);
                    }
                    Resolution::File(_) | Resolution::AmbiguousFile(_) | Resolution::Missing => {}
                }
            }
            for owned in held.by(chunk).iter().filter_map(|name| owners.get(name)) {
                lead(&owned.pages, edges.mention * owned.weight);
            }
        }
        let (mut shared, mut hubs) = shared(&order, &pages, &passages, edges);
        let place_of = (0u32..).zip(&chunks).map(|(place, chunk)| (*chunk, place)).collect();
        let mut related = Csr::default();
        if let Some(extractions) = extractions {
            context.check("read graph")?;
            let known = entities::Known {
                page_of: &page_of,
                passages: &passages,
                place_of: &place_of,
                written: &written,
                owners: &owners,
                hubs,
            };
            let found = entities::join(extractions, &known, edges);
            out.extend(found.out);
            shared.extend(found.hubs);
            hubs = found.count;
            related = Csr::new(hubs as usize, found.related);
            let next = owners.keys().max().map_or(0, |last| last + 1);
            for (id, (name, owned)) in (next..).zip(found.names) {
                names.insert(name, id);
                owners.insert(id, owned);
            }
        }
        let out = Csr::new(chunks.len(), out);
        let back = out.turned(pages.len());
        let (hubs, members) = both_ways(chunks.len(), shared, hubs as usize);
        let communities = community::of(&out, &page_of, pages.len());
        let reached = (0..pages.len()).filter(|page| !back.of(*page).is_empty()).count();
        let reach = count(reached) / count(pages.len().max(1));
        Ok(Self {
            version,
            extracted: extractions.map(|extractions| extractions.version.clone()),
            chunks,
            page_of,
            passages,
            out,
            back,
            hubs,
            members,
            related,
            communities,
            names,
            owners,
            reach,
            place_of,
        })
    }

    /// The place of a passage, if it is here.
    pub(crate) fn place(&self, chunk: ChunkId) -> Option<u32> {
        self.place_of.get(&chunk).copied()
    }
}

type Order<'a> = [(u32, &'a (ChunkId, DocId, GraphPassage))];
type PageRow<'a> = &'a (DocId, GraphPage);

/// The stretch of each of `pages` values in an ascending list.
fn ranges(page_of: &[u32], pages: usize) -> Vec<Range<u32>> {
    let start = |page: usize| index(page_of.partition_point(|of| (*of as usize) < page));
    (0..pages).map(|page| start(page)..start(page + 1)).collect()
}

/// The names that each passage holds, without those that are part of a longer one there: who writes of `New York City` does not
/// mean the state.
struct Held(Vec<Vec<u32>>);

impl Held {
    fn new(order: &Order<'_>, written: &[(u32, Written)], names: &Spotter) -> Self {
        let mut parts: HashMap<u32, Vec<u32>> = HashMap::new();
        for (id, name) in written.iter().filter(|(_, name)| name.words.len() > 1) {
            names.parts(name, |part| parts.entry(*id).or_default().push(part));
        }
        let held = order.iter().map(|(_, (_, _, passage))| {
            let within: HashSet<u32> =
                passage.names.iter().filter_map(|name| parts.get(name)).flatten().copied().collect();
            passage.names.iter().copied().filter(|name| !within.contains(name)).collect()
        });
        Self(held.collect())
    }

    fn by(&self, chunk: u32) -> &[u32] {
        self.0.get(chunk as usize).map_or(&[], Vec::as_slice)
    }
}

/// The pages of each name, and how much it tells by how many passages of other pages hold it.
fn owners(written: &[(u32, Written)], pages: &[PageRow<'_>], order: &Order<'_>, held: &Held) -> HashMap<u32, Owned> {
    let mut owners: HashMap<u32, Owned> = HashMap::with_capacity(written.len());
    for (place, (_, page)) in (0u32..).zip(pages) {
        for name in &page.names {
            owners.entry(*name).or_default().pages.push(place);
        }
    }
    let mut holders: HashMap<u32, usize> = HashMap::with_capacity(owners.len());
    for (chunk, (page, _)) in (0u32..).zip(order) {
        for name in held.by(chunk) {
            if owners.get(name).is_some_and(|owned| !owned.pages.contains(page)) {
                *holders.entry(*name).or_default() += 1;
            }
        }
    }
    for (name, written) in written {
        if let Some(owned) = owners.get_mut(name) {
            let doubt = match written.is_plain() {
                _ if owned.pages.len() > FEW => 0.0,
                true => PLAIN,
                false => 1.0,
            };
            owned.weight = doubt * rarity(holders.get(name).copied().unwrap_or(0), order.len());
        }
    }
    owners
}

/// How much it tells that one of `all` passages holds what `holders` of them hold: 1 for one, less for more, 0 where it is common.
pub(crate) fn rarity(holders: usize, all: usize) -> f64 {
    if holders > FEW.max(all / COMMON) {
        return 0.0;
    }
    let information = |holders: usize| (1.0 + count(all) / count(holders.max(1))).ln();
    information(holders) / information(1)
}

/// Edges from passages to tags and terms that several of them share, and how many such hubs there are.
fn shared(
    order: &Order<'_>,
    pages: &[PageRow<'_>],
    passages: &[Range<u32>],
    edges: &Edges,
) -> (Vec<(u32, u32, f32)>, u32) {
    let mut tags: BTreeMap<String, Vec<u32>> = BTreeMap::new();
    let mut terms: BTreeMap<u64, Vec<u32>> = BTreeMap::new();
    if edges.tag > 0.0 {
        for ((_, page), passages) in pages.iter().zip(passages) {
            for tag in &page.tags {
                tags.entry(tag.to_lowercase()).or_default().extend(passages.clone());
            }
        }
    }
    if edges.term > 0.0 {
        for (chunk, (_, (_, _, passage))) in (0u32..).zip(order) {
            passage.terms.iter().for_each(|term| terms.entry(*term).or_default().push(chunk));
        }
    }
    let tags = tags.into_values().map(|members| (edges.tag, members));
    let shared = tags.chain(terms.into_values().map(|members| (edges.term, members)));
    let mut joined = Vec::new();
    let mut hub = 0;
    for (weight, members) in shared.filter(|(_, members)| members.len() > 1) {
        let weight = weight * rarity(members.len(), order.len());
        if weight > 0.0 {
            joined.extend(members.into_iter().map(|member| (member, hub, narrow(weight))));
            hub += 1;
        }
    }
    (joined, hub)
}

/// Edges from passages to hubs, and the same back.
fn both_ways(passages: usize, edges: Vec<(u32, u32, f32)>, hubs: usize) -> (Csr, Csr) {
    let there = Csr::new(passages, edges);
    let back = there.turned(hubs);
    (there, back)
}

/// A graph of four billion nodes does not fit into memory.
fn index(place: usize) -> u32 {
    u32::try_from(place).unwrap_or(u32::MAX)
}

#[expect(clippy::cast_precision_loss, reason = "counts of passages, far below 2^52")]
pub(crate) fn count(number: usize) -> f64 {
    number as f64
}

#[expect(clippy::cast_possible_truncation, reason = "weights from 0 to 10")]
pub(crate) fn narrow(weight: f64) -> f32 {
    weight as f32
}
