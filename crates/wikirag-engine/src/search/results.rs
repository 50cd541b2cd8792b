//! From the pool to what is shown: near-duplicates listed under the best of them, few passages of one document, and whether the
//! file of each still stands. Last, where they disagree.

use std::collections::HashMap;

use wikirag_core::WikiName;

use super::Understood;
use super::answer::{By, PassagePart, QueryOptions, Same, SearchResult, Snippet};
use super::conflict::conflicts;
use super::pool::Pooled;
use super::similar::{Group, Member, group};
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

/// Chooses from the pool, which comes best first. Only files of what is shown are looked at: a hit whose file is gone lets the
/// next one in.
pub(super) fn choose(question: &Understood, pool: Vec<Pooled>, bounds: Bounds, options: &QueryOptions) -> Shown {
    let groups = match options.passages {
        true => group(pool.iter().map(|pooled| pooled.passage.sketch())),
        false => (0..pool.len()).map(Group::of_one).collect(),
    };
    let group_of = group_of(&groups, pool.len());
    let mut files = Files { question, options, check: FreshnessCheck::default(), gone: 0 };
    let mut present = groups.into_iter().filter_map(|group| files.present(group, &pool));
    let (chosen, filled) = match options.by {
        By::Passage => passages(&pool, &mut present, bounds),
        By::Document => (documents(&pool, &mut present, bounds.limit), 0),
    };
    drop(present);
    let is_short = filled > 0 || chosen.len() < bounds.limit;
    let shown: Vec<Vec<usize>> = chosen.iter().map(|one| one.places().collect()).collect();
    let conflicts = match options.passages {
        true => conflicts(question, &pool, &group_of, &shown, |place| files.freshness(&pool[place]) == Freshness::Gone),
        false => shown.iter().map(|_| Vec::new()).collect(),
    };
    let mut pool: Vec<Option<Pooled>> = pool.into_iter().map(Some).collect();
    let results = (1..).zip(chosen).zip(conflicts).filter_map(|((rank, one), conflicts)| {
        let result = files.finish(one, &mut pool)?;
        Some(SearchResult { rank, conflicts, ..result })
    });
    let results = results.collect();
    Shown { results, gone: files.gone, is_short }
}

/// By place: the number of its group.
fn group_of(groups: &[Group], places: usize) -> Vec<usize> {
    let mut group_of = vec![0; places];
    for (number, group) in groups.iter().enumerate() {
        for member in &group.members {
            group_of[member.place] = number;
        }
    }
    group_of
}

/// A hit that will be shown, by its place in the pool, with those that say the same.
struct Chosen {
    place: usize,
    same: Vec<Member>,
    /// Places of further passages of the document, where documents are shown.
    passages: Vec<usize>,
    /// Further hits of the document that are not shown.
    more: usize,
}

impl Chosen {
    /// Of all passages that are shown, the hit first.
    fn places(&self) -> impl Iterator<Item = usize> {
        let same = self.same.iter().map(|member| member.place);
        std::iter::once(self.place).chain(same).chain(self.passages.iter().copied())
    }
}

/// A document, by wiki and path.
type Document<'a> = (&'a WikiName, &'a str);

fn document(pool: &[Pooled], place: usize) -> Document<'_> {
    let result = &pool[place].result;
    (&result.wiki, &result.path)
}

/// The best hits, of one document no more than `per_document` while there are others; then what was held back, and how many
/// those are.
fn passages(pool: &[Pooled], hits: &mut dyn Iterator<Item = Chosen>, bounds: Bounds) -> (Vec<Chosen>, usize) {
    let mut chosen: Vec<Chosen> = Vec::new();
    let mut held = Vec::new();
    let mut counts: HashMap<Document<'_>, usize> = HashMap::new();
    while chosen.len() < bounds.limit
        && let Some(hit) = hits.next()
    {
        let count = counts.entry(document(pool, hit.place)).or_default();
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
        let of = document(pool, held.place);
        if let Some(first) = chosen.iter_mut().find(|hit| document(pool, hit.place) == of) {
            first.more += 1;
        }
    }
    (chosen, filled)
}

/// The best documents, each by its best passage, with its others.
fn documents(pool: &[Pooled], hits: &mut dyn Iterator<Item = Chosen>, limit: usize) -> Vec<Chosen> {
    let mut chosen: Vec<Chosen> = Vec::new();
    let mut places: HashMap<Document<'_>, usize> = HashMap::new();
    for hit in hits {
        let of = document(pool, hit.place);
        match places.get(&of) {
            Some(place) => chosen[*place].passages.push(hit.place),
            None if chosen.len() < limit => {
                places.insert(of, chosen.len());
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
    fn present(&mut self, group: Group, pool: &[Pooled]) -> Option<Chosen> {
        let members = group.members.into_iter().filter(|member| {
            let is_gone = self.freshness(&pool[member.place]) == Freshness::Gone;
            self.gone += usize::from(is_gone);
            !is_gone
        });
        let mut members: Vec<Member> = members.collect();
        let same = members.split_off(members.len().min(1));
        Some(Chosen { place: members.first()?.place, same, passages: Vec::new(), more: 0 })
    }

    fn freshness(&mut self, hit: &Pooled) -> Freshness {
        let wiki = self.question.prepared.get(hit.key.wiki.0 as usize).map(|wiki| &wiki.wiki);
        let source = &hit.passage.stored.source;
        match wiki {
            Some(wiki) if self.options.check_freshness => {
                self.check.of(wiki, &source.path, source.stamp, &source.content_hash)
            }
            _ => Freshness::Unknown,
        }
    }

    /// The result as it is shown, taken out of the pool. `None` where it was taken out before.
    fn finish(&mut self, chosen: Chosen, pool: &mut [Option<Pooled>]) -> Option<SearchResult> {
        let mut take = |place: usize| pool.get_mut(place).and_then(Option::take);
        let hit = take(chosen.place)?;
        let same = chosen.same.iter().filter_map(|member| Some(same(take(member.place)?.result, member.similarity)));
        let same = same.collect();
        let passages = chosen.passages.iter().filter_map(|place| {
            let passage = take(*place)?;
            let snippet = self.snippet(&passage);
            let SearchResult { id, headings, place, score, .. } = passage.result;
            Some(PassagePart { id, headings, place, score, snippet })
        });
        let passages = passages.collect();
        let (snippet, freshness, factors) = (self.snippet(&hit), self.freshness(&hit), hit.explained());
        let Pooled { mut result, rescored, .. } = hit;
        if let Some(explanation) = &mut result.explanation {
            explanation.reranked = rescored;
            explanation.factors = factors;
        }
        Some(SearchResult { snippet, same, passages, freshness, more: chosen.more, ..result })
    }

    fn snippet(&self, hit: &Pooled) -> Snippet {
        match self.options.passages {
            true => snippet(&self.question.words, &hit.result.text, hit.passage.language()),
            false => Snippet::default(),
        }
    }
}

fn same(result: SearchResult, similarity: f64) -> Same {
    let SearchResult { id, wiki, path, title, place, role, score, .. } = result;
    Same { id, wiki, path, title, place, role, score, similarity }
}
