//! From fused hits to the pool: the best hits with passage, front matter and role. More than are asked for, since a second look
//! may bring up what stands below, and what is grouped or held back makes room.

use std::sync::Arc;

use wikirag_core::{ChunkId, Factor, HitKey, Result, ResultExt};
use wikirag_sqlite::StoredPassage;

use super::answer::{By, Evidence, Explanation, LayerPart, QueryOptions, SearchResult, Snippet, WikiPart};
use super::fuse::Fused;
use super::relevance::{Curve, evidence};
use super::{Prepared, Searched, Understood};
use crate::fresh::Freshness;
use crate::pages::Belonging;
use crate::passages::KnownPassage;

/// So many hits beyond those asked for are looked at.
const SPARE: usize = 20;

/// A pool of this size is not made larger only to find other documents than those that fill it.
pub(super) const DEEP: usize = 400;

/// A hit of the pool.
pub(super) struct Pooled {
    pub(super) key: HitKey,
    pub(super) passage: Arc<KnownPassage>,
    /// Its relevance on the curve of the pool.
    pub(super) relevance: f64,
    /// The fused score.
    pub(super) fused: f64,
    /// What a model put in its place.
    pub(super) rescored: Option<f64>,
    /// What its relevance was multiplied by.
    pub(super) factors: Vec<Factor>,
    /// Without snippet and freshness: they cost more than the rest and are made for what is shown.
    pub(super) result: SearchResult,
}

impl Pooled {
    /// The score before any factor.
    pub(super) fn base(&self) -> f64 {
        self.rescored.unwrap_or(self.fused)
    }

    /// The factors with which the score before them makes the score of the result. The last one, `scale`, is there where the
    /// curve is no straight line from 0, and so most often for a fused score.
    pub(super) fn explained(&self) -> Vec<Factor> {
        let mut factors = self.factors.clone();
        let trust: f64 = factors.iter().map(|factor| factor.value).product();
        let value = self.result.score / (self.base() * trust);
        if !factors.is_empty() && value.is_finite() && (value - 1.0).abs() > 1e-9 {
            let note = format!("from relevance to ranks: {:.2} of the best, times {trust:.2}", self.relevance);
            factors.push(Factor { name: "scale".to_owned(), value, note });
        }
        factors
    }
}

/// The pool, and how many better hits were left out.
pub(super) struct Pool {
    pub(super) hits: Vec<Pooled>,
    /// From relevance to scores, over all hits, so that it does not depend on how many were loaded.
    pub(super) curve: Curve,
    /// Since they are no part of their wiki any more.
    pub(super) gone: usize,
    /// Since the question does not allow them.
    pub(super) refused: usize,
    /// Whether there are more hits than it holds.
    pub(super) is_cut: bool,
}

/// How many hits the pool for so many results has. Documents are made of several hits each.
pub(super) fn size(limit: usize, options: &QueryOptions) -> usize {
    match options.by {
        By::Passage => limit + SPARE,
        By::Document => limit * 4 + SPARE,
    }
}

/// Loads the best hits, up to `size`. Those that are no part of their wiki any more and those that the question does not allow
/// are left out.
pub(super) fn load(
    question: &Understood,
    searched: &[Searched],
    fused: &[Fused],
    size: usize,
    options: &QueryOptions,
) -> Result<Pool> {
    let curve = curve(searched, fused);
    let mut pool = Pool { hits: Vec::with_capacity(size.min(fused.len())), curve, gone: 0, refused: 0, is_cut: false };
    let mut belonging: Vec<Belonging<'_>> = question.prepared.iter().map(|wiki| Belonging::new(&wiki.wiki)).collect();
    let mut rest = fused.iter().enumerate();
    loop {
        let batch: Vec<(usize, &Fused)> = rest.by_ref().take(size - pool.hits.len()).collect();
        if batch.is_empty() {
            break;
        }
        let batch = only_allowed(question, batch, &mut pool.refused)?;
        let passages = passages(question, &batch)?;
        for ((place, hit), passage) in batch.into_iter().zip(passages) {
            let slot = hit.outer.key.wiki.0 as usize;
            let (Some(wiki), Some(lists)) = (question.prepared.get(slot), searched.get(slot)) else { continue };
            let Some(belonging) = belonging.get_mut(slot) else { continue };
            // A layer may be a moment ahead of or behind the catalog that was opened; such a hit has no text here.
            let Some(passage) = passage else { continue };
            if !question.allows(&passage.stored) {
                pool.refused += 1;
                continue;
            }
            // A manifest that was changed or added since the build holds at once.
            if !belonging.has(&passage.stored.source.path) {
                pool.gone += 1;
                continue;
            }
            pool.hits.push(Pooled {
                key: hit.outer.key,
                relevance: pool.curve.relevance(place),
                fused: hit.outer.score.get(),
                rescored: None,
                factors: Vec::new(),
                result: result(hit, &passage.stored, wiki, lists, options),
                passage,
            });
        }
    }
    pool.is_cut = rest.next().is_some();
    Ok(pool)
}

/// The hits in documents that the question allows; how many are not goes to `refused`.
fn only_allowed<'f>(
    question: &Understood,
    mut hits: Vec<(usize, &'f Fused)>,
    refused: &mut usize,
) -> Result<Vec<(usize, &'f Fused)>> {
    let before = hits.len();
    if question.documents.iter().any(Option::is_some) {
        let is_allowed = |hit: &Fused| -> Result<bool> {
            let slot = hit.outer.key.wiki.0 as usize;
            let (Some(wiki), Some(Some(documents))) = (question.prepared.get(slot), question.documents.get(slot))
            else {
                return Ok(true);
            };
            let document = wiki.open.catalog.document_of(hit.outer.key.chunk).with("wiki", &wiki.wiki.manifest.name)?;
            Ok(document.is_some_and(|document| documents.contains(&document)))
        };
        let allowed = hits.iter().map(|(_, hit)| is_allowed(hit)).collect::<Result<Vec<_>>>()?;
        let mut allowed = allowed.into_iter();
        hits.retain(|_| allowed.next().unwrap_or(false));
    }
    *refused += before - hits.len();
    Ok(hits)
}

/// The passages of the hits, in their order, read from each wiki at once.
fn passages(question: &Understood, hits: &[(usize, &Fused)]) -> Result<Vec<Option<Arc<KnownPassage>>>> {
    let mut passages: Vec<Option<Arc<KnownPassage>>> = hits.iter().map(|_| None).collect();
    for (slot, wiki) in question.prepared.iter().enumerate() {
        let keys = hits.iter().map(|(_, hit)| hit.outer.key).enumerate();
        let of_wiki = keys.filter(|(_, key)| key.wiki.0 as usize == slot).map(|(at, key)| (at, key.chunk));
        let (places, ids): (Vec<usize>, Vec<ChunkId>) = of_wiki.unzip();
        if ids.is_empty() {
            continue;
        }
        for (at, passage) in places.into_iter().zip(wiki.open.passages(&ids).with("wiki", &wiki.wiki.manifest.name)?) {
            passages[at] = passage;
        }
    }
    Ok(passages)
}

fn result(
    hit: &Fused,
    passage: &StoredPassage,
    wiki: &Prepared,
    lists: &Searched,
    options: &QueryOptions,
) -> SearchResult {
    let layers = hit.inner.contributions.iter().map(|part| LayerPart {
        layer: lists.lists.get(part.list).map_or_else(String::new, |found| found.name.clone()),
        rank: part.rank,
        score: part.score.get(),
        weight: lists.lists.get(part.list).map_or(0.0, |found| found.weight),
        value: part.value,
    });
    let source = &passage.source;
    SearchResult {
        rank: 0,
        id: SearchResult::id_of(&wiki.wiki.manifest.name, passage.id),
        wiki: wiki.wiki.manifest.name.clone(),
        sensitivity: wiki.wiki.manifest.sensitivity,
        file: wiki.wiki.root.join(&source.path),
        snippet: Snippet::default(),
        path: source.path.clone(),
        title: source.title.clone(),
        headings: passage.headings.clone(),
        role: source.role.clone(),
        place: passage.place,
        bytes: [passage.span.start, passage.span.end],
        text: if options.passages { passage.text.clone() } else { String::new() },
        score: hit.outer.score.get(),
        reason: None,
        layers: layers.collect(),
        same: Vec::new(),
        passages: Vec::new(),
        more: 0,
        conflicts: Vec::new(),
        freshness: Freshness::Unknown,
        explanation: options.explain.then(|| explanation(hit, wiki, lists)),
    }
}

fn curve(searched: &[Searched], fused: &[Fused]) -> Curve {
    let best_weight = searched.iter().map(|wiki| wiki.weight).fold(0.0, f64::max);
    let evidence_of =
        |hit: &Fused| searched.get(hit.outer.key.wiki.0 as usize).map_or(0.0, |wiki| evidence(hit, wiki, best_weight));
    let evidence: Vec<f64> = fused.iter().map(evidence_of).collect();
    Curve::new(&evidence, fused.iter().map(|hit| hit.outer.score.get()))
}

fn explanation(hit: &Fused, wiki: &Prepared, lists: &Searched) -> Explanation {
    let evidence = lists.evidence.iter().map(|(layer, value)| Evidence { layer: layer.clone(), value: *value });
    let evidence: Vec<Evidence> = evidence.collect();
    let wikis = hit.outer.contributions.iter().map(|part| WikiPart {
        weight: lists.weight,
        given: wiki.weight,
        evidence: evidence.clone(),
        rank: part.rank,
        value: part.value,
    });
    Explanation { wikis: wikis.collect(), inside: hit.inner.score.get(), reranked: None, factors: Vec::new() }
}
