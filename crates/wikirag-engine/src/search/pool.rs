//! From fused hits to the pool: the best hits with passage, front matter and role. More than are asked for, since a second look
//! may bring up what stands below, and what is grouped or held back makes room.

use wikirag_core::{Factor, HitKey, Metadata, Result, ResultExt};

use super::answer::{By, Evidence, Explanation, LayerPart, QueryOptions, SearchResult, Snippet, WikiPart};
use super::fuse::Fused;
use super::relevance::{Curve, evidence};
use super::{Prepared, Searched, Understood};
use crate::fresh::Freshness;
use crate::scan::still_belongs;

/// So many hits beyond those asked for are looked at.
const SPARE: usize = 20;

/// A pool of this size is not made larger only to find other documents than those that fill it.
pub(super) const DEEP: usize = 400;

/// A hit of the pool.
pub(super) struct Pooled {
    pub(super) key: HitKey,
    pub(super) meta: Metadata,
    pub(super) content_hash: [u8; 32],
    pub(super) language: String,
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
    for (place, hit) in fused.iter().enumerate() {
        if pool.hits.len() == size {
            pool.is_cut = true;
            break;
        }
        let slot = hit.outer.key.wiki.0 as usize;
        let (Some(wiki), Some(lists)) = (question.prepared.get(slot), searched.get(slot)) else { continue };
        let name = &wiki.wiki.manifest.name;
        if let Some(Some(documents)) = question.documents.get(slot) {
            let document = wiki.open.catalog.document_of(hit.outer.key.chunk).with("wiki", name)?;
            if !document.is_some_and(|document| documents.contains(&document)) {
                pool.refused += 1;
                continue;
            }
        }
        // A layer may be a moment ahead of or behind the catalog that was opened; such a hit has no text here.
        let Some(chunk) = wiki.open.catalog.chunk(hit.outer.key.chunk).with("wiki", name)? else { continue };
        if !question.allows(&chunk) {
            pool.refused += 1;
            continue;
        }
        // A manifest that was changed or added since the build holds at once.
        if !still_belongs(&wiki.wiki, &chunk.record.path) {
            pool.gone += 1;
            continue;
        }
        let record = chunk.record;
        let layers = hit.inner.contributions.iter().map(|part| LayerPart {
            layer: lists.lists.get(part.list).map_or_else(String::new, |found| found.name.clone()),
            rank: part.rank,
            score: part.score.get(),
            weight: lists.lists.get(part.list).map_or(0.0, |found| found.weight),
            value: part.value,
        });
        let result = SearchResult {
            rank: 0,
            id: SearchResult::id_of(name, record.id),
            wiki: name.clone(),
            sensitivity: wiki.wiki.manifest.sensitivity,
            file: wiki.wiki.root.join(&record.path),
            snippet: Snippet::default(),
            path: record.path,
            title: record.title,
            headings: record.headings,
            role: chunk.role,
            place: chunk.place,
            bytes: [chunk.span.start, chunk.span.end],
            text: if options.passages { record.text } else { String::new() },
            score: hit.outer.score.get(),
            reason: None,
            layers: layers.collect(),
            same: Vec::new(),
            passages: Vec::new(),
            more: 0,
            conflicts: Vec::new(),
            freshness: Freshness::Unknown,
            explanation: options.explain.then(|| explanation(hit, wiki, lists)),
        };
        pool.hits.push(Pooled {
            key: hit.outer.key,
            meta: chunk.meta,
            content_hash: chunk.content_hash,
            language: record.language,
            relevance: pool.curve.relevance(place),
            fused: hit.outer.score.get(),
            rescored: None,
            factors: Vec::new(),
            result,
        });
    }
    Ok(pool)
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
