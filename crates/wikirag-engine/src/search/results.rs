//! From fused hits to results: the passage, its place, a snippet, and whether it still stands.

use wikirag_core::{HitKey, Metadata, Result, ResultExt};
use wikirag_text::Language;

use super::answer::{Explanation, LayerPart, QueryOptions, SearchResult, Snippet, WikiPart};
use super::fuse::Fused;
use super::snippet::snippet;
use super::{Searched, Understood};
use crate::fresh::{Freshness, FreshnessCheck};
use crate::scan::still_belongs;

/// A result with what a reranker looks at beside.
pub(super) struct Loaded {
    pub(super) key: HitKey,
    pub(super) meta: Metadata,
    pub(super) result: SearchResult,
}

/// The results, and how many better hits were left out since their files are gone.
pub(super) struct LoadedHits {
    pub(super) results: Vec<Loaded>,
    pub(super) gone: usize,
    /// Better hits that the question does not allow.
    pub(super) refused: usize,
}

/// Loads the best hits until the limit is reached. Hits whose file is gone, and those that the question does not allow, are
/// left out.
pub(super) fn load(
    question: &Understood,
    searched: &[Searched],
    fused: &[Fused],
    limit: usize,
    options: &QueryOptions,
) -> Result<LoadedHits> {
    let mut check = FreshnessCheck::default();
    let (mut gone, mut refused) = (0, 0);
    let mut loaded = Vec::with_capacity(limit.min(fused.len()));
    for hit in fused {
        if loaded.len() == limit {
            break;
        }
        let slot = hit.outer.key.wiki.0 as usize;
        let (Some(wiki), Some(lists)) = (question.prepared.get(slot), searched.get(slot)) else { continue };
        let name = &wiki.wiki.manifest.name;
        if let Some(Some(documents)) = question.documents.get(slot) {
            let document = wiki.open.catalog.document_of(hit.outer.key.chunk).with("wiki", name)?;
            if !document.is_some_and(|document| documents.contains(&document)) {
                refused += 1;
                continue;
            }
        }
        // A layer may be a moment ahead of or behind the catalog that was opened; such a hit has no text here.
        let Some(chunk) = wiki.open.catalog.chunk(hit.outer.key.chunk).with("wiki", name)? else { continue };
        if !question.allows(&chunk) {
            refused += 1;
            continue;
        }
        let root = &wiki.wiki.root;
        // A manifest that was changed or added since the build holds at once.
        if !still_belongs(&wiki.wiki, &chunk.record.path) {
            gone += 1;
            continue;
        }
        let freshness = match options.check_freshness {
            true => check.of(root, &chunk.record.path, &chunk.content_hash),
            false => Freshness::Unknown,
        };
        if freshness == Freshness::Gone {
            gone += 1;
            continue;
        }
        let record = chunk.record;
        let layers = hit.inner.contributions.iter().map(|part| LayerPart {
            layer: lists.lists.get(part.list).map_or_else(String::new, |found| found.name.clone()),
            rank: part.rank,
            score: part.score.get(),
            value: part.value,
        });
        let wikis = hit.outer.contributions.iter().map(|part| WikiPart {
            weight: lists.weight,
            rank: part.rank,
            value: part.value,
        });
        let explanation = options.explain.then(|| Explanation {
            wikis: wikis.collect(),
            inside: hit.inner.score.get(),
            reranked: None,
        });
        let result = SearchResult {
            rank: 0,
            id: SearchResult::id_of(name, record.id),
            wiki: name.clone(),
            sensitivity: wiki.wiki.manifest.sensitivity,
            file: root.join(&record.path),
            snippet: match options.passages {
                true => snippet(&question.words, &record.text, Language::from_code(&record.language)),
                false => Snippet::default(),
            },
            path: record.path,
            title: record.title,
            headings: record.headings,
            role: chunk.role,
            place: chunk.place,
            bytes: [chunk.span.start, chunk.span.end],
            text: if options.passages { record.text } else { String::new() },
            score: hit.outer.score.get(),
            layers: layers.collect(),
            freshness,
            explanation,
        };
        loaded.push(Loaded { key: hit.outer.key, meta: chunk.meta, result });
    }
    Ok(LoadedHits { results: loaded, gone, refused })
}

/// The results in their final order, with their ranks.
pub(super) fn ranked(loaded: Vec<Loaded>) -> Vec<SearchResult> {
    let ranks = 1..;
    ranks.zip(loaded).map(|(rank, loaded)| SearchResult { rank, ..loaded.result }).collect()
}
