//! From the pool to what is shown: near-duplicates listed under the best of them, few passages of one document, and whether the
//! file of each still stands.

use std::collections::HashMap;

use wikirag_core::WikiName;
use wikirag_text::Language;

use super::Understood;
use super::answer::{By, PassagePart, QueryOptions, Same, SearchResult, Snippet};
use super::pool::Pooled;
use super::similar::{Group, group};
use super::snippet::snippet;
use crate::fresh::{Freshness, FreshnessCheck};

/// What is shown, and how many better hits were left out since their files are gone.
pub(super) struct Shown {
    pub(super) results: Vec<SearchResult>,
    pub(super) gone: usize,
    /// Whether there are fewer than asked for, or some of them only since there is nothing else.
    pub(super) is_short: bool,
}

/// How much is shown.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    /// Results at most.
    pub(super) limit: usize,
    /// Passages of one document, while other documents have some; at least 1.
    pub(super) per_document: usize,
}

/// A document, by wiki and path.
type Document = (WikiName, String);

/// Chooses from the pool, which comes best first. Only files of what is shown are looked at: a hit whose file is gone lets the
/// next one in.
pub(super) fn choose(question: &Understood, pool: Vec<Pooled>, bounds: Bounds, options: &QueryOptions) -> Shown {
    let groups = match options.passages {
        true => group(&pool.iter().map(|pooled| pooled.result.text.as_str()).collect::<Vec<_>>()),
        false => (0..pool.len()).map(Group::of_one).collect(),
    };
    let mut files = Files { question, options, check: FreshnessCheck::default(), gone: 0 };
    let mut pool: Vec<Option<Pooled>> = pool.into_iter().map(Some).collect();
    let mut groups = groups.into_iter().filter_map(|group| files.present(group, &mut pool));
    let (chosen, filled) = match options.by {
        By::Passage => passages(&mut groups, bounds),
        By::Document => (documents(&mut groups, bounds.limit), 0),
    };
    drop(groups);
    let is_short = filled > 0 || chosen.len() < bounds.limit;
    let results = (1..).zip(chosen).map(|(rank, one)| files.finish(rank, one)).collect();
    Shown { results, gone: files.gone, is_short }
}

/// A hit that will be shown, with those that say the same.
struct Chosen {
    /// Its place in the pool.
    place: usize,
    hit: Pooled,
    /// Further passages of the document, where documents are shown.
    passages: Vec<Pooled>,
}

impl Chosen {
    fn document(&self) -> Document {
        (self.hit.result.wiki.clone(), self.hit.result.path.clone())
    }
}

/// The best hits, of one document no more than `per_document` while there are others; then what was held back, and how many
/// those are.
fn passages(hits: &mut dyn Iterator<Item = Chosen>, bounds: Bounds) -> (Vec<Chosen>, usize) {
    let mut chosen: Vec<Chosen> = Vec::new();
    let mut held = Vec::new();
    let mut counts: HashMap<Document, usize> = HashMap::new();
    while chosen.len() < bounds.limit
        && let Some(hit) = hits.next()
    {
        let count = counts.entry(hit.document()).or_default();
        if *count < bounds.per_document {
            *count += 1;
            chosen.push(hit);
        } else {
            held.push(hit);
        }
    }
    let room = bounds.limit - chosen.len();
    let rest = held.split_off(room.min(held.len()));
    let filled = held.len();
    chosen.append(&mut held);
    chosen.sort_by_key(|hit| hit.place);
    for held in rest {
        let document = held.document();
        if let Some(first) = chosen.iter_mut().find(|hit| hit.document() == document) {
            first.hit.result.more += 1;
        }
    }
    (chosen, filled)
}

/// The best documents, each by its best passage, with its others.
fn documents(hits: &mut dyn Iterator<Item = Chosen>, limit: usize) -> Vec<Chosen> {
    let mut chosen: Vec<Chosen> = Vec::new();
    let mut places: HashMap<Document, usize> = HashMap::new();
    for hit in hits {
        match places.get(&hit.document()) {
            Some(place) => chosen[*place].passages.push(hit.hit),
            None if chosen.len() < limit => {
                places.insert(hit.document(), chosen.len());
                chosen.push(hit);
            }
            None => {}
        }
    }
    chosen
}

/// Looks at the files of hits, each once.
struct Files<'a> {
    question: &'a Understood,
    options: &'a QueryOptions,
    check: FreshnessCheck,
    gone: usize,
}

impl Files<'_> {
    /// The best of a group whose file is still there, with the others of which that is so.
    fn present(&mut self, group: Group, pool: &mut [Option<Pooled>]) -> Option<Chosen> {
        let mut members = group.members.into_iter().filter_map(|member| {
            let mut hit = pool.get_mut(member.place)?.take()?;
            hit.result.freshness = self.freshness(&hit);
            if hit.result.freshness == Freshness::Gone {
                self.gone += 1;
                return None;
            }
            Some((member, hit))
        });
        let (first, mut hit) = members.next()?;
        let same = members.map(|(member, other)| same(other.result, member.similarity));
        hit.result.same = same.collect();
        Some(Chosen { place: first.place, hit, passages: Vec::new() })
    }

    fn freshness(&mut self, hit: &Pooled) -> Freshness {
        let root = self.question.prepared.get(hit.key.wiki.0 as usize).map(|wiki| &wiki.wiki.root);
        match root {
            Some(root) if self.options.check_freshness => self.check.of(root, &hit.result.path, &hit.content_hash),
            _ => Freshness::Unknown,
        }
    }
    /// The result as it is shown.
    fn finish(&self, rank: usize, chosen: Chosen) -> SearchResult {
        let passages = chosen.passages.into_iter().map(|passage| {
            let snippet = self.snippet(&passage);
            let SearchResult { id, headings, place, score, .. } = passage.result;
            PassagePart { id, headings, place, score, snippet }
        });
        let passages = passages.collect();
        let snippet = self.snippet(&chosen.hit);
        let factors = chosen.hit.explained();
        let Pooled { mut result, rescored, .. } = chosen.hit;
        if let Some(explanation) = &mut result.explanation {
            explanation.reranked = rescored;
            explanation.factors = factors;
        }
        SearchResult { rank, snippet, passages, ..result }
    }

    fn snippet(&self, hit: &Pooled) -> Snippet {
        match self.options.passages {
            true => snippet(&self.question.words, &hit.result.text, Language::from_code(&hit.language)),
            false => Snippet::default(),
        }
    }
}

fn same(result: SearchResult, similarity: f64) -> Same {
    let SearchResult { id, wiki, path, title, place, role, score, .. } = result;
    Same { id, wiki, path, title, place, role, score, similarity }
}
