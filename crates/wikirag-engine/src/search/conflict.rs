//! Passages of an answer that disagree, told at each of them that is shown.
//!
//! What is shown is compared with itself and with what stands below the limit, so that the other side of a statement is named
//! even where there was no room for it. All of it comes from the wikis of the composition, like the results.

use std::collections::{HashMap, HashSet};

use serde::Serialize;
use wikirag_core::{PlaceIndex, PlaceRange, Span, WikiName};

use super::Understood;
use super::pool::Pooled;
use crate::disagree::{Disagreement, Kind, Passage, Reading, declared_elsewhere, disagreements_of};

/// Passages of results that are compared at most, copies and further passages of a document among them. Each costs about 0.1 ms: an
/// answer of 30 passages 3 ms, one of 400 70 ms (`--disagree` of the benchmark, real notes, two busy cores).
const MOST_SHOWN: usize = 200;

/// Passages below the results are compared with them up to this many in all: with the usual limit, all that were loaded.
const MOST: usize = 60;

/// A disagreement of a result with another passage. Both are shown as they are: nothing here says which one is right.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Conflict {
    /// In what way they disagree.
    pub kind: Kind,
    /// The result, or the copy or further passage listed under it.
    pub here: ConflictSide,
    /// The other one. `None` for a document that is named by `contradicts:` or `superseded_by:` and of which no passage was
    /// found; `here.text` holds the name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub there: Option<ConflictSide>,
}

/// One side of a [`Conflict`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ConflictSide {
    /// Of the passage, as [`SearchResult::id`](super::SearchResult::id).
    pub id: String,
    /// Name of the wiki.
    pub wiki: WikiName,
    /// Below the root of the wiki, with `/`.
    pub path: String,
    /// Of the document.
    pub title: String,
    /// Of the sentence; of the passage where documents declare the disagreement.
    #[serde(flatten)]
    pub place: PlaceRange,
    /// The words that differ. Where documents declare the disagreement, the line of front matter, and the title of the other
    /// document.
    pub text: String,
    /// The sentence they stand in, in one line. Empty where documents declare the disagreement.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub sentence: String,
    /// Of the result that shows it. `None`: it is in none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rank: Option<usize>,
}

/// The disagreements of each result, given by the places of its passages in the pool; `groups` tells for each place which
/// passages say the same. `is_gone` is asked of passages that are not shown.
///
/// Of each kind a result disagrees once with another result or group, and where documents declare it, with a document.
pub(super) fn conflicts(
    question: &Understood,
    pool: &[Pooled],
    groups: &[usize],
    shown: &[Vec<usize>],
    is_gone: impl FnMut(usize) -> bool,
) -> Vec<Vec<Conflict>> {
    let mut results = HashMap::new();
    for (result, places) in shown.iter().enumerate() {
        results.extend(places.iter().map(|place| (*place, result)));
    }
    let below = (0..pool.len()).filter(|place| !results.contains_key(place));
    let mut compared: Vec<usize> = shown.iter().flatten().copied().take(MOST_SHOWN).collect();
    compared.extend(below.take(MOST.saturating_sub(compared.len())));
    let pooled = || compared.iter().filter_map(|place| pool.get(*place));
    let passages: Vec<Passage<'_>> = pooled().map(|hit| hit.passage.in_wiki(hit.result.wiki.as_str())).collect();
    let readings: Vec<&Reading> = pooled().map(|hit| hit.passage.reading()).collect();
    let disagreements = disagreements_of(&passages, &readings);
    let looked = Looked { question, pool, groups, compared, results, places: HashMap::new() };
    looked.conflicts(&passages, disagreements, shown.len(), is_gone)
}

/// What was compared.
struct Looked<'a> {
    question: &'a Understood,
    pool: &'a [Pooled],
    groups: &'a [usize],
    /// The places of the passages, in the order in which they were given.
    compared: Vec<usize>,
    /// The result that shows a place.
    results: HashMap<usize, usize>,
    /// By place of a passage; `None` where the document is not there any more.
    places: HashMap<usize, Option<PlaceIndex>>,
}

/// A side as it was found: the passage by its place, the sentence, the words.
#[derive(Clone)]
struct Found {
    place: usize,
    at: Span,
    text: String,
}

/// What a result disagrees with.
#[derive(PartialEq, Eq, Hash)]
enum Other<'a> {
    Result(usize),
    Group(usize),
    Document(&'a WikiName, &'a str),
    Named(String),
}

impl<'a> Looked<'a> {
    fn conflicts(
        mut self,
        passages: &[Passage<'_>],
        disagreements: Vec<Disagreement>,
        results: usize,
        mut is_gone: impl FnMut(usize) -> bool,
    ) -> Vec<Vec<Conflict>> {
        let mut pairs: Vec<(Kind, Found, Option<Found>)> = Vec::new();
        for Disagreement { first, second, kind, at: [at_first, at_second], what: [first_text, second_text] } in
            disagreements
        {
            let one = Found { place: self.compared[first], at: at_first, text: first_text };
            let other = Found { place: self.compared[second], at: at_second, text: second_text };
            pairs.push((kind, one.clone(), Some(other.clone())));
            // Two passages of one result tell it once.
            if self.results.get(&one.place) != self.results.get(&other.place) {
                pairs.push((kind, other, Some(one)));
            }
        }
        for one in declared_elsewhere(passages) {
            let at = Span::new(0, passages[one.passage].text.len());
            pairs.push((one.kind, Found { place: self.compared[one.passage], at, text: one.line() }, None));
        }
        let mut told = HashSet::new();
        let mut found: Vec<Vec<Conflict>> = (0..results).map(|_| Vec::new()).collect();
        for (kind, here, there) in pairs {
            let Some(result) = self.results.get(&here.place).copied() else { continue };
            let is_lost = |there: &Found| !self.results.contains_key(&there.place) && is_gone(there.place);
            if there.as_ref().is_some_and(is_lost) {
                continue;
            }
            if told.insert((result, kind, self.other(kind, &here, there.as_ref()))) {
                let (here, there) = (self.side(kind, here), there.map(|there| self.side(kind, there)));
                found[result].push(Conflict { kind, here, there });
            }
        }
        found
    }

    fn other(&self, kind: Kind, here: &Found, there: Option<&Found>) -> Other<'a> {
        let Some(there) = there else { return Other::Named(here.text.clone()) };
        let pool = self.pool;
        let result = &pool[there.place].result;
        match self.results.get(&there.place) {
            _ if kind.is_declared() => Other::Document(&result.wiki, &result.path),
            Some(result) => Other::Result(*result),
            None => Other::Group(self.groups[there.place]),
        }
    }

    fn side(&mut self, kind: Kind, found: Found) -> ConflictSide {
        let result = &self.pool[found.place].result;
        let (place, sentence) = match kind.is_declared() {
            true => (result.place, ""),
            false => (self.place(&found), found.at.slice(&result.text).unwrap_or("")),
        };
        ConflictSide {
            id: result.id.clone(),
            wiki: result.wiki.clone(),
            path: result.path.clone(),
            title: result.title.clone(),
            place,
            text: found.text,
            sentence: sentence.split_whitespace().collect::<Vec<_>>().join(" "),
            rank: self.results.get(&found.place).map(|result| result + 1),
        }
    }

    /// Where in the file the sentence stands. The passage alone does not tell: its lines may be those of an HTML page.
    fn place(&mut self, found: &Found) -> PlaceRange {
        let (pool, question) = (self.pool, self.question);
        let hit = &pool[found.place];
        let index = self.places.entry(found.place).or_insert_with(|| {
            let wiki = question.prepared.get(hit.key.wiki.0 as usize)?;
            let document = wiki.open.catalog.document(&hit.result.path).ok()??;
            (document.content_hash == hit.passage.stored.source.content_hash)
                .then(|| document.places.index(&document.text))
        });
        let start = hit.result.bytes[0];
        let sentence = Span::new(start + found.at.start, start + found.at.end);
        index.as_ref().map_or(hit.result.place, |index| index.of(sentence))
    }
}
