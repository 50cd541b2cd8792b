//! The blocks of a context as the sources of an answer.

use std::collections::BTreeMap;

use serde::Serialize;
use wikirag_core::{PlaceRange, WikiName};
use wikirag_text::detect_language;

use super::cite::citations;
use super::claim::{Borne, Claim, Verdict, borne_out, claims, without};
use super::names::{Document, Names};
use super::verify::CheckedClaim;
use crate::PackedBlock;
use crate::search::{Snippet, snippet};

/// A passage that an answer cites.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SourcePart {
    /// As the answer cites it, as [`PackedBlock::cite`].
    pub cite: String,
    /// As [`PackedBlock::id`].
    pub id: String,
    /// As [`PackedBlock::citation`].
    pub citation: String,
    /// Name of the wiki.
    pub wiki: WikiName,
    /// Below the root of the wiki, with `/`.
    pub path: String,
    /// Of the document.
    pub title: String,
    /// Headings above, outermost first, without the title.
    pub headings: Vec<String>,
    /// `curated`, `raw`, or empty.
    pub role: String,
    /// Where in the file.
    #[serde(flatten)]
    pub place: PlaceRange,
    /// blake3 of the text of the passage in hexadecimal.
    pub hash: String,
    /// The part of the passage that is nearest to what is said, with the words that both have marked.
    pub quote: Snippet,
}

/// Blocks by the names of their documents.
pub(super) struct Sources<'b> {
    blocks: &'b [PackedBlock],
    names: Names,
    /// The blocks of each document.
    of: Vec<Vec<usize>>,
}

impl<'b> Sources<'b> {
    pub(super) fn of(blocks: &'b [PackedBlock]) -> Self {
        let mut documents: BTreeMap<(&WikiName, &str), (Document, Vec<usize>)> = BTreeMap::new();
        for (place, block) in blocks.iter().enumerate() {
            let document = || Document {
                wiki: block.wiki.to_string(),
                path: block.path.clone(),
                title: block.title.clone(),
                aliases: Vec::new(),
            };
            documents.entry((&block.wiki, &block.path)).or_insert_with(|| (document(), Vec::new())).1.push(place);
        }
        let (documents, of): (Vec<_>, Vec<_>) = documents.into_values().unzip();
        Self { blocks, names: Names::new(&documents), of }
    }

    pub(super) fn is_known(&self, target: &str, pages: Option<(u32, u32)>) -> bool {
        !self.find(target, pages).is_empty()
    }

    /// The blocks that are meant, the best passage first. A page that no block has is no source.
    fn find(&self, target: &str, pages: Option<(u32, u32)>) -> Vec<&'b PackedBlock> {
        let places = self.names.find(target).iter().filter_map(|document| self.of.get(*document)).flatten();
        let has_page = |block: &&PackedBlock| match (pages, block.place) {
            (None, _) | (_, PlaceRange::Lines(..)) => true,
            (Some((first, last)), PlaceRange::Pages(from, until)) => first <= until && from <= last,
        };
        let mut found: Vec<&PackedBlock> =
            places.filter_map(|place| self.blocks.get(*place)).filter(has_page).collect();
        found.sort_by_key(|block| block.rank);
        found
    }

    /// Each sentence of an answer with what the passages that it cites say of it.
    pub(super) fn check(&self, answer: &str) -> Vec<CheckedClaim> {
        claims(answer).iter().map(|claim| self.checked(answer, claim)).collect()
    }

    fn checked(&self, answer: &str, claim: &Claim) -> CheckedClaim {
        let words = without(answer, &claim.span, &claim.cited);
        let found: Vec<Vec<&PackedBlock>> =
            claim.cited.iter().map(|cited| self.find(&cited.target, cited.pages)).collect();
        let blocks = || found.iter().flatten();
        let texts: Vec<&str> = blocks()
            .flat_map(|block| {
                [block.text.as_str(), &block.title].into_iter().chain(block.headings.iter().map(String::as_str))
            })
            .collect();
        let (borne, verdict) = if claim.cited.is_empty() {
            (Borne::default(), Verdict::Uncited)
        } else {
            let borne = borne_out(&words, &texts, detect_language(&words));
            let verdict = if found.iter().any(Vec::is_empty) { Verdict::Invented } else { borne.verdict() };
            (borne, verdict)
        };
        CheckedClaim::new(answer, claim, verdict, borne)
    }

    /// The passages that an answer cites, each once, in the order of the first citation.
    pub(super) fn cited(&self, answer: &str) -> Vec<SourcePart> {
        let claims = claims(answer);
        let mut parts: Vec<SourcePart> = Vec::new();
        for cited in citations(answer) {
            let claim = claims.iter().find(|claim| claim.cited.contains(&cited));
            let said = claim.map_or(String::new(), |claim| without(answer, &claim.span, &claim.cited));
            // Of several passages of a document the one that says most of what is said.
            let share = |block: &PackedBlock| borne_out(&said, &[&block.text], None).share;
            let found = self.find(&cited.target, cited.pages);
            let best = found.into_iter().map(|block| (share(block), block));
            let best = best.reduce(|best, next| if next.0 > best.0 { next } else { best });
            let Some((_, block)) = best.filter(|(_, block)| !parts.iter().any(|part| part.id == block.id)) else {
                continue;
            };
            parts.push(SourcePart {
                cite: block.cite.clone(),
                id: block.id.clone(),
                citation: block.citation.clone(),
                wiki: block.wiki.clone(),
                path: block.path.clone(),
                title: block.title.clone(),
                headings: block.headings.clone(),
                role: block.role.clone(),
                place: block.place,
                hash: block.hash.clone(),
                quote: snippet(&said, &block.text, detect_language(&block.text)),
            });
        }
        parts
    }
}
