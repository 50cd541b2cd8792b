//! The answer to a question, as it stands in JSON.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use serde::Serialize;
use wikirag_core::{ChunkId, Factor, PlaceRange, Sensitivity, WikiName};

use super::conflict::Conflict;
use super::{Prepared, Searched};
use crate::fresh::Freshness;
use crate::locate::{Composition, LocatedWiki};
use crate::open::{self, OpenWiki};

/// Whether a question may bring the index up to date first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Refresh {
    /// A few changed files are read before the answer; more are told by a hint.
    #[default]
    Auto,
    /// The same, for those who ask often: a folder that was looked at this short a time ago is not looked at again. So an answer may be
    /// as much older than the documents; whether each hit still stands in its file is seen all the same.
    Within(Duration),
    /// The folder is not looked at.
    Never,
}

/// What a result is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum By {
    /// A passage.
    #[default]
    Passage,
    /// A document: its best passage, whose score is that of the document, and its others under it. A soft maximum (the logarithm of
    /// the sum of exponentials) was no better at any temperature on judged articles of several passages, and worse where it
    /// counted passages most.
    Document,
}

/// How to answer.
#[derive(Debug, Clone)]
pub struct QueryOptions {
    /// Results at most: 1 to [`QueryOptions::MAX_LIMIT`]. `None`: what the composition says, else the setting `limit`.
    pub limit: Option<usize>,
    /// What a result is.
    pub by: By,
    /// Passages of one document while other documents have hits, at least 1. What is held back fills up where they have none
    /// any more. `None`: what the composition says, else the setting `per_document`. Means nothing by document.
    pub per_document: Option<usize>,
    /// Only these layers. `None`: all that a wiki has.
    pub layers: Option<Vec<String>>,
    /// See [`Refresh`].
    pub refresh: Refresh,
    /// Whether a wiki that was never built is built now.
    pub build: bool,
    /// Whether any degradation is an error.
    pub strict: bool,
    /// Whether a wiki without documents is allowed.
    pub allow_missing: bool,
    /// Whether results carry their passage and a snippet of it. Without, a reranker sees no passages, and neither near-duplicates
    /// nor passages that disagree are found.
    pub passages: bool,
    /// Whether the files of the hits are compared with what was indexed.
    pub check_freshness: bool,
    /// Whether results tell where their score came from.
    pub explain: bool,
}

impl QueryOptions {
    /// The most results of one answer.
    pub const MAX_LIMIT: usize = 1_000;
}

impl Default for QueryOptions {
    fn default() -> Self {
        Self {
            limit: None,
            by: By::Passage,
            per_document: None,
            layers: None,
            refresh: Refresh::Auto,
            build: true,
            strict: false,
            allow_missing: false,
            passages: true,
            check_freshness: true,
            explain: false,
        }
    }
}

/// The answer. Serialised it is the envelope of `--format json`; `version` is raised when a field changes its meaning.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Answer {
    /// Of this envelope.
    pub version: u32,
    /// The question as asked.
    pub query: String,
    /// Name of the composition.
    pub rag: String,
    /// Best first.
    pub results: Vec<SearchResult>,
    /// Passages that were ranked before the cut at the limit; searches stop at a depth, so there may be more.
    pub total: usize,
    /// Layers that gave hits or could have, sorted.
    pub served_by: Vec<String>,
    /// What serves less than it could, and why.
    pub degraded: Vec<Degradation>,
    /// What else one may want to know.
    pub hints: Vec<Hint>,
    /// Duration in milliseconds.
    pub took_ms: f64,
}

/// Why an answer is less than it could be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Degradation {
    /// The wiki, as the composition names it.
    pub wiki: String,
    /// The layer, or `catalog`.
    pub layer: String,
    /// Stable.
    pub code: String,
    /// For people.
    pub sentence: String,
    /// What mends it.
    pub remedy: String,
}

impl fmt::Display for Degradation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}: {} [{}]", self.wiki, self.layer, self.sentence, self.code)
    }
}

/// A remark beside the answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Hint {
    /// Stable.
    pub code: String,
    /// For people.
    pub text: String,
}

/// One passage of an answer.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SearchResult {
    /// From 1.
    pub rank: usize,
    /// `WIKI#` and the chunk id in hexadecimal; `get` takes it.
    pub id: String,
    /// Name of the wiki.
    pub wiki: WikiName,
    /// Of the wiki.
    pub sensitivity: Sensitivity,
    /// Below the root of the wiki, with `/`.
    pub path: String,
    /// Of the document.
    pub title: String,
    /// Headings above the passage, outermost first.
    pub headings: Vec<String>,
    /// `curated`, `raw`, or empty.
    pub role: String,
    /// Where in the file: `lines` or `pages`, first and last, from 1.
    #[serde(flatten)]
    pub place: PlaceRange,
    /// First byte and one past the last byte in the text of the document.
    pub bytes: [usize; 2],
    /// The passage.
    pub text: String,
    /// The part of the passage that says most.
    pub snippet: Snippet,
    /// The fused score, or what the rerankers made of it. Comparable within this answer only.
    pub score: f64,
    /// Why a language model put it where it stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What each layer of the wiki said.
    pub layers: Vec<LayerPart>,
    /// Passages that say the same in other places, the best first. They are not results of their own.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub same: Vec<Same>,
    /// By document: its further passages, the best first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub passages: Vec<PassagePart>,
    /// Further hits in this document that made room for other documents; told at its best passage.
    #[serde(skip_serializing_if = "is_zero")]
    pub more: usize,
    /// Where this and other passages disagree, in the order of those. Shown side by side and not resolved.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub conflicts: Vec<Conflict>,
    /// How it stands to its file.
    pub freshness: Freshness,
    /// Where the score came from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explanation: Option<Explanation>,
    /// The file, for links on a terminal.
    #[serde(skip)]
    pub file: PathBuf,
}

impl SearchResult {
    /// The id of a chunk in answers.
    pub(crate) fn id_of(wiki: &WikiName, chunk: ChunkId) -> String {
        format!("{wiki}#{:016x}", chunk.0)
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// A passage with the content of a result, in another place.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Same {
    /// As [`SearchResult::id`].
    pub id: String,
    /// Name of the wiki.
    pub wiki: WikiName,
    /// Below the root of the wiki, with `/`.
    pub path: String,
    /// Of the document.
    pub title: String,
    /// Where in the file.
    #[serde(flatten)]
    pub place: PlaceRange,
    /// `curated`, `raw`, or empty.
    pub role: String,
    /// As [`SearchResult::score`].
    pub score: f64,
    /// Which part of the wording of both is shared, from 0 to 1.
    pub similarity: f64,
}

/// A further passage of a document.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PassagePart {
    /// As [`SearchResult::id`].
    pub id: String,
    /// Headings above the passage, outermost first.
    pub headings: Vec<String>,
    /// Where in the file.
    #[serde(flatten)]
    pub place: PlaceRange,
    /// As [`SearchResult::score`].
    pub score: f64,
    /// The part of the passage that says most.
    pub snippet: Snippet,
}

/// A cut of a passage with the words of the question marked.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Snippet {
    /// One line: white space is folded.
    pub text: String,
    /// Byte ranges in `text` of words that match the question.
    pub marks: Vec<[usize; 2]>,
}

/// What one layer said of a hit.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LayerPart {
    /// Name of the layer.
    pub layer: String,
    /// Rank in its list, from 1.
    pub rank: usize,
    /// Score on its own scale.
    pub score: f64,
    /// Say of the layer for this question, beside the others of its wiki.
    pub weight: f64,
    /// What that added to the score inside the wiki.
    pub value: f64,
}

/// How the wiki of a hit stood in the composition.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WikiPart {
    /// Weight of the wiki for this question.
    pub weight: f64,
    /// Weight that the composition gives it.
    pub given: f64,
    /// What speaks for the wiki at this question. None where wikis are not weighed: there is one only, the composition asks
    /// `all`, or no layer knows anything.
    pub evidence: Vec<Evidence>,
    /// Rank of the hit inside its wiki, from 1.
    pub rank: usize,
    /// What that added to the score.
    pub value: f64,
}

/// Why a wiki has its weight for a question.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Evidence {
    /// The layer that knows it.
    pub layer: String,
    /// What it says for the wiki, from 0 to 1.
    pub value: f64,
}

/// How a score was made, so that it can be made again, but for rounding:
///
/// 1. `inside`, the score inside the wiki, is the sum of the `value` of the result's `layers`. With the fuser `combsum` each is `weight * score`
///    of that layer, divided by its best score, and a millionth of the weight at least; with `rrf` it is `weight / (k + rank)`, where k is 60 if the composition says nothing else.
/// 2. The weight of a wiki is `given` times each of its `evidence`, divided by the largest such product among the wikis, so that the largest weight
///    is 1. Where no wiki is weighed (all `evidence` is empty) it may be `given` itself. A wiki without a layer that others have counts there as
///    their mean.
/// 3. The fused score is the sum of `wikis[].value`. With `combsum` that is `weight * inside`, divided by the largest `inside` of the wiki; with `rrf` it is
///    `weight / (k + rank)`, where the rank is that of the hit in its wiki by `inside`.
/// 4. The score of the result is `reranked` where that is there, else the fused score, times the `value` of each of the `factors`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Explanation {
    /// Parts of the fused score; one, since a passage lies in one wiki.
    pub wikis: Vec<WikiPart>,
    /// The score inside the wiki.
    pub inside: f64,
    /// The score that a model put in the place of the fused one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reranked: Option<f64>,
    /// What the score was multiplied by, and why. Declarations multiply the relevance that the layers measured; the last one,
    /// `scale`, is what makes of that a factor on the score, which knows ranks alone.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub factors: Vec<Factor>,
}

/// What there is to tell beside the results, gathered while wikis are made ready side by side.
#[derive(Debug, Clone, Default)]
pub(crate) struct Notes {
    pub(super) degraded: Vec<Degradation>,
    pub(super) hints: Vec<Hint>,
}

impl Notes {
    pub(super) fn hint(&mut self, code: &str, text: impl Into<String>) {
        self.hints.push(Hint { code: code.to_owned(), text: text.into() });
    }

    pub(super) fn take(&mut self, other: Self) {
        self.degraded.extend(other.degraded);
        self.hints.extend(other.hints);
    }

    pub(super) fn degrade(&mut self, wiki: &LocatedWiki, layer: &str, code: &str, sentence: String, remedy: String) {
        let (wiki, layer, code) = (wiki.manifest.name.to_string(), layer.to_owned(), code.to_owned());
        self.degraded.push(Degradation { wiki, layer, code, sentence, remedy });
    }

    /// Why layers of a wiki serve less than they could.
    pub(super) fn problems(&mut self, wiki: &LocatedWiki, open: &OpenWiki) {
        for (layer, reason) in &open.problems {
            self.degrade(wiki, layer, &reason.code, reason.sentence.clone(), reason.remedy.clone());
        }
    }
}

impl Answer {
    pub(super) fn new(question: &str, composition: &Composition) -> Self {
        Self {
            version: 1,
            query: question.to_owned(),
            rag: composition.name.clone(),
            results: Vec::new(),
            total: 0,
            served_by: Vec::new(),
            degraded: Vec::new(),
            hints: Vec::new(),
            took_ms: 0.0,
        }
    }

    pub(super) fn hint(&mut self, code: &str, text: impl Into<String>) {
        let mut notes = Notes::default();
        notes.hint(code, text);
        self.take(notes);
    }

    pub(super) fn take(&mut self, notes: Notes) {
        self.degraded.extend(notes.degraded);
        self.hints.extend(notes.hints);
    }

    /// Wikis that the composition lists, that are not there, and that may be missing.
    pub(super) fn missing(&mut self, references: &[String]) {
        for reference in references {
            self.hint("wiki-missing", format!("the wiki `{reference}` is not there and was left out"));
        }
    }

    /// Layers that failed while the search ran. Told once, however often the search goes deeper.
    pub(super) fn failures(&mut self, prepared: &[Prepared], searched: &[Searched]) {
        for (wiki, found) in prepared.iter().zip(searched) {
            for (layer, error) in &found.failures {
                let name = wiki.wiki.manifest.name.as_str();
                if !self.degraded.iter().any(|known| known.wiki == name && known.layer == *layer) {
                    let remedy = error.remedy().unwrap_or("run `wikirag doctor`").to_owned();
                    let mut notes = Notes::default();
                    notes.degrade(&wiki.wiki, layer, open::code_of(error), error.statement(), remedy);
                    self.take(notes);
                }
            }
        }
    }

    pub(super) fn served_by(&mut self, searched: &[Searched]) {
        let names = searched.iter().flat_map(|wiki| wiki.lists.iter().map(|found| found.name.clone()));
        self.served_by = names.collect();
        self.served_by.sort();
        self.served_by.dedup();
    }
}
