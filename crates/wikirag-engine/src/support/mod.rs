//! How well the passages of an answer support an answer to the question.
//!
//! The score of a hit says how it stands to the other hits and not whether it is any good: the best of nothing has the score of the best.
//! So this looks at the passages themselves: which of the question's words they hold, each weighed by how rare it is in the wikis, and
//! whether a page is called by them. See `docs/support.md` for what was measured.

mod evidence;
mod formula;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::Arc;

use serde::Serialize;
use wikirag_core::{Result, ResultExt, offload};
use wikirag_sqlite::Catalog;
use wikirag_text::Language;

use crate::disagree::is_function;
use crate::get::Target;
use crate::locate::{Composition, LocatedWiki};
use crate::open::{self, OpenLayer};
use crate::question_words::{Frequency, Word, words_of};
use crate::search::{Question, SearchResult};
use crate::{Answer, Engine};
use evidence::{Evidence, Passage};

/// Passages that are looked at. A further one changes nothing: what is not among these has not been found.
const MOST_PASSAGES: usize = 10;

/// Wikis in which words are counted: as many as `route: auto` asks.
const MOST_WIKIS: usize = 16;

/// Words that tell what is wanted and not what it is about, beside those that say nothing anywhere.
const ASKING: [&str; 18] = [
    "about", "all", "describe", "explain", "give", "he", "her", "him", "his", "not", "please", "she", "should", "show",
    "tell", "whom", "whose", "why",
];

/// How well the passages of an answer support an answer to the question. All shares are by the weight of words, which is the larger the
/// rarer a word is in the wikis, and go from 0 to 1.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Support {
    /// The probability that the passages hold the answer, from 0 to 1.
    pub strength: f64,
    /// Whether that is so small that one should say that nothing was found.
    pub is_weak: bool,
    /// The share of the question that the passages hold, with the titles and headings above them.
    pub coverage: f64,
    /// The share of the question that the first three of them hold.
    pub together: f64,
    /// How much the words that one passage holds say: the sum of their weights, as a multiple of what it takes to tell one passage from
    /// all others.
    pub information: f64,
    /// How nearly a page or a section is called by the words of the question, from 0 to 1.
    pub about: f64,
    /// How much more the best passage has to say than the fifth, as a share of what it has, from 0 to 1.
    pub lead: f64,
    /// The largest cosine, where vectors of a model served whose cosines are known; 0 where they found nothing near.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cosine: Option<f64>,
    /// Words of the question that count and that no passage holds, in the order of the question.
    pub missing: Vec<String>,
    /// Those of them that no passage of the wikis holds at all.
    pub unknown: Vec<String>,
}

impl Engine {
    /// How well the passages of `answer`, which the wikis of `composition` gave, support an answer to its question. Needs no model, and an answer of
    /// ten passages says more than one of three.
    ///
    /// # Errors
    /// [`ErrorKind::Refused`](wikirag_core::ErrorKind::Refused) as [`Composition::check`]; where an index or a catalog cannot be read.
    pub async fn support(&self, composition: &Composition, answer: &Answer) -> Result<Support> {
        composition.check()?;
        let results: Vec<SearchResult> = answer.results.iter().take(MOST_PASSAGES).cloned().collect();
        let asked = Asked {
            engine: self.clone(),
            wikis: wikis_of(composition, &results),
            question: answer.query.clone(),
            served_by: answer.served_by.clone(),
            is_all: answer.total <= results.len(),
            results,
        };
        offload(move || asked.support()).await
    }
}

/// The wikis whose words are counted, those first that answer best.
fn wikis_of(composition: &Composition, results: &[SearchResult]) -> Vec<Arc<LocatedWiki>> {
    let rank = |name: &str| results.iter().position(|result| result.wiki.as_str() == name).unwrap_or(usize::MAX);
    let mut wikis: Vec<_> = composition.wikis.iter().map(|wiki| Arc::clone(&wiki.located)).collect();
    wikis.sort_by_key(|wiki| rank(wiki.manifest.name.as_str()));
    wikis.truncate(MOST_WIKIS);
    wikis
}

/// A question with what was answered.
struct Asked {
    engine: Engine,
    wikis: Vec<Arc<LocatedWiki>>,
    question: String,
    served_by: Vec<String>,
    results: Vec<SearchResult>,
    /// Whether there are no other results.
    is_all: bool,
}

impl Asked {
    fn support(&self) -> Result<Support> {
        let catalogs = self.catalogs()?;
        let passages = self.results.iter().map(|result| passage(result, &catalogs)).collect::<Result<Vec<_>>>()?;
        let question = Question::parse(&self.question, |field| {
            catalogs.values().try_fold(false, |is_known, catalog| Ok(is_known || catalog.has_field(field)?))
        })?;
        let language = passages.first().and_then(|passage| passage.language);
        let layers: Vec<Vec<OpenLayer>> = self.wikis.iter().map(|wiki| open::counting(&self.engine, wiki)).collect();
        let words = counting_words(&question.words, language, |word| Frequency::of(word, &layers))?;
        let evidence = Evidence::of(&words, &passages, self.is_all);
        Ok(supported(&words, evidence, self.cosine(&layers)))
    }

    /// The catalogs of the wikis that gave results, by name.
    fn catalogs(&self) -> Result<HashMap<String, Arc<Catalog>>> {
        let answers = |wiki: &&Arc<LocatedWiki>| self.results.iter().any(|result| result.wiki == wiki.manifest.name);
        let named = |wiki: &Arc<LocatedWiki>| Ok((wiki.manifest.name.to_string(), open::catalog(&self.engine, wiki)?));
        self.wikis.iter().filter(answers).map(named).collect()
    }

    /// The layers of a wiki for what they know of words. What cannot be opened counts no words; that it served no answer stands with the answer.
    /// The largest cosine on a known scale, and what it says in log odds. Of a layer that served and found nothing near it is 0.
    fn cosine(&self, layers: &[Vec<OpenLayer>]) -> Option<(f64, f64)> {
        let mut best: Option<(f64, f64)> = None;
        for (wiki, layers) in self.wikis.iter().zip(layers) {
            for layer in layers.iter().filter(|layer| self.served_by.contains(&layer.name)) {
                let results = self.results.iter().filter(|result| result.wiki == wiki.manifest.name);
                let parts = results.flat_map(|result| &result.layers).filter(|part| part.layer == layer.name);
                let cosine = parts.map(|part| part.score).fold(0.0, f64::max);
                let odds = layer.retriever.scale().and_then(|scale| formula::nearness(&scale, cosine));
                if let Some(odds) = odds.filter(|odds| best.is_none_or(|(_, known)| *odds > known)) {
                    best = Some((cosine, odds));
                }
            }
        }
        best
    }
}

fn supported(words: &[Word], evidence: Evidence, cosine: Option<(f64, f64)>) -> Support {
    let strength = formula::strength(&evidence, cosine.map(|(_, odds)| odds));
    let missing = || words.iter().zip(&evidence.is_held).filter(|(_, is_held)| !**is_held).map(|(word, _)| word);
    Support {
        strength,
        is_weak: strength < formula::WEAK,
        coverage: evidence.coverage,
        together: evidence.together,
        information: evidence.information,
        about: evidence.about,
        lead: evidence.lead,
        cosine: cosine.map(|(cosine, _)| cosine),
        missing: missing().map(|word| word.text.clone()).collect(),
        unknown: missing().filter(|word| word.frequency.is_unknown()).map(|word| word.text.clone()).collect(),
    }
}

/// What stands in a passage and above it, from the catalog; of a passage that is gone from there, as it was answered.
fn passage(result: &SearchResult, catalogs: &HashMap<String, Arc<Catalog>>) -> Result<Passage> {
    let name = result.wiki.as_str();
    let stored = match (catalogs.get(name), Target::parse(&result.id)) {
        (Some(catalog), Ok(Target::Chunk { chunk, .. })) => catalog.chunk(chunk).with("wiki", name)?,
        _ => None,
    };
    let mut names: Vec<String> = file_names(&result.path).map(str::to_owned).collect();
    Ok(match stored {
        Some(stored) => {
            let record = stored.record;
            let language = Language::from_code(&record.language);
            names.extend(std::iter::once(record.title).chain(record.headings).chain(record.aliases));
            let above = std::iter::once(record.summary).chain(record.tags).collect();
            Passage { language, names, above, text: record.text }
        }
        None => {
            names.extend(std::iter::once(&result.title).chain(&result.headings).cloned());
            Passage { names, text: result.text.clone(), ..Passage::default() }
        }
    })
}

/// The name of a file without its ending, and that of its folder, by which a page called `index` or `README` goes.
fn file_names(path: &str) -> impl Iterator<Item = &str> {
    let mut parts = path.rsplit('/');
    let file = parts.next().map(|file| file.rsplit_once('.').map_or(file, |(stem, _)| stem));
    file.into_iter().chain(parts.next())
}

/// The words of a question that tell what it is about; where there are none, all its words.
fn counting_words(
    question: &str,
    language: Option<Language>,
    mut frequency: impl FnMut(&str) -> Result<Frequency>,
) -> Result<Vec<Word>> {
    let is_left_out = |text: &str, _: &str| is_function(text, language) || ASKING.contains(&text);
    let words = words_of(question, language, is_left_out, &mut frequency)?;
    if words.is_empty() { words_of(question, language, |_, _| false, frequency) } else { Ok(words) }
}
