//! How much each wiki counts for a question.

use std::collections::HashMap;

use futures_util::future::join_all;
use wikirag_core::{Query, RankedList, Result, ResultExt, TermStatistic, TermStatistics};

use super::{Prepared, Searched};
use crate::manifest::Route;

/// Default belief of CORI: what a wiki gets for a word that it does not hold.
const DEFAULT_BELIEF: f64 = 0.4;

/// The constant of CORI that plays the part of `k1` in BM25, and the size of a wiki in passages for which it was made.
const CORI_K: f64 = 200.0;
const CORI_CHUNKS: f64 = 5_000.0;

/// What the wikis of a composition know of a question before they are searched.
pub(super) struct Routing {
    /// One weight per wiki: what the composition says, times the belief in the wiki. 0: not searched.
    pub(super) weights: Vec<f64>,
    /// For each wiki whose layer knows words: the name of the layer, and the factor from its scores to a scale that all
    /// wikis share.
    scales: Vec<Option<(String, f64)>>,
}

/// Weighs the wikis by their word statistics.
pub(super) async fn weigh(route: Route, prepared: &[Prepared], query: &Query) -> Result<Routing> {
    let weights: Vec<f64> = prepared.iter().map(|wiki| wiki.weight).collect();
    let scales = vec![None; weights.len()];
    if route == Route::All || prepared.len() < 2 {
        return Ok(Routing { weights, scales });
    }
    let found = join_all(prepared.iter().map(|wiki| statistics_of(wiki, query))).await;
    let (names, statistics): (Vec<_>, Vec<_>) =
        found.into_iter().collect::<Result<Vec<_>>>()?.into_iter().map(Option::unzip).unzip();
    let collection = Collection::of(&statistics);
    let beliefs = statistics.iter().map(|one| one.as_ref().map_or(1.0, |one| collection.belief(one)));
    let mut weights: Vec<f64> = weights.into_iter().zip(beliefs).map(|(weight, belief)| weight * belief).collect();
    let scale = |(name, one): (Option<String>, &Option<TermStatistics>)| Some((name?, collection.scale(one.as_ref()?)));
    let scales = names.into_iter().zip(&statistics).map(scale).collect();
    if let Route::Top(most) = route {
        keep_best(&mut weights, most);
    }
    Ok(Routing { weights, scales })
}

impl Routing {
    /// The final weights: the beliefs times the best scores that the searches found, on the shared scale.
    pub(super) fn after_search(&self, searched: &mut [Searched]) {
        let evidence: Vec<Option<f64>> = self
            .scales
            .iter()
            .zip(&*searched)
            .map(|(scale, wiki)| {
                let (name, scale) = scale.as_ref()?;
                let found = wiki.lists.iter().find(|found| found.name == *name)?;
                Some(scale * mean_of_best(&found.list))
            })
            .collect();
        let best = evidence.iter().flatten().copied().fold(0.0, f64::max);
        let mut weights: Vec<f64> = searched.iter().map(|wiki| wiki.weight).collect();
        if best > 0.0 {
            for (weight, evidence) in weights.iter_mut().zip(&evidence) {
                *weight *= evidence.map_or(1.0, |evidence| evidence / best);
            }
        }
        let best = weights.iter().copied().fold(0.0, f64::max);
        for (wiki, weight) in searched.iter_mut().zip(weights) {
            wiki.weight = if best > 0.0 { weight / best } else { weight };
        }
    }
}

/// Of the first layer that knows words: its name and what it knows.
async fn statistics_of(wiki: &Prepared, query: &Query) -> Result<Option<(String, TermStatistics)>> {
    for layer in &wiki.open.layers {
        let found = layer.retriever.term_statistics(query).await;
        if let Some(statistics) = found.with("layer", &layer.name).with("wiki", &wiki.wiki.manifest.name)? {
            return Ok(Some((layer.name.clone(), statistics)));
        }
    }
    Ok(None)
}

/// The mean of the three best scores, where missing ones count as 0: one lucky hit is less than three.
fn mean_of_best(list: &RankedList) -> f64 {
    list.hits.iter().take(3).map(|hit| hit.score.get()).sum::<f64>() / 3.0
}

/// All wikis of a composition taken together.
struct Collection<'a> {
    wikis: f64,
    chunks: f64,
    mean_chunks: f64,
    mean_words: f64,
    /// For each word: chunks that hold it, and wikis that hold it.
    words: HashMap<&'a str, (f64, f64)>,
}

#[expect(clippy::cast_precision_loss, reason = "counts of chunks and words, far below 2^52")]
impl<'a> Collection<'a> {
    fn of(statistics: &'a [Option<TermStatistics>]) -> Self {
        let known: Vec<&TermStatistics> = statistics.iter().flatten().collect();
        let mut words = HashMap::<&str, (f64, f64)>::new();
        for term in known.iter().flat_map(|one| &one.terms).filter(|term| term.chunk_frequency > 0) {
            let (chunks, wikis) = words.entry(term.term.as_str()).or_default();
            *chunks += term.chunk_frequency as f64;
            *wikis += 1.0;
        }
        let chunks = known.iter().map(|one| one.chunks as f64).sum::<f64>();
        let wikis = (known.len() as f64).max(1.0);
        let mean_words = (known.iter().map(|one| one.words as f64).sum::<f64>() / wikis).max(1.0);
        Self { wikis, chunks, mean_chunks: chunks / wikis, mean_words, words }
    }

    /// How rare a word is over all wikis.
    fn idf(&self, term: &str) -> f64 {
        idf(self.chunks, self.words.get(term).map_or(0.0, |(chunks, _)| *chunks))
    }

    /// The belief of CORI in a wiki, in 0..=1; 0 where it holds no word of the question, so that it costs no search.
    ///
    /// For each word `T = df / (df + K * (.25 + .75 * words / mean words))` and `I = ln((C + .5) / cf) / ln(C + 1)` with
    /// `C` wikis of which `cf` hold the word; the belief in the word is `.4 + .6 * T * I`. Two things differ from the
    /// paper: `K`, which is 200 there for collections of thousands of documents, shrinks with small wikis, where a word
    /// can never be in 200 passages; and the mean over the words is weighted by their rarity, since common words
    /// are kept here.
    ///
    /// Callan, Lu & Croft, "Searching distributed collections with inference networks", SIGIR 1995.
    fn belief(&self, one: &TermStatistics) -> f64 {
        if one.terms.iter().all(|term| term.chunk_frequency == 0) {
            return 0.0;
        }
        let k =
            CORI_K.min(CORI_K * self.mean_chunks / CORI_CHUNKS) * (0.25 + 0.75 * one.words as f64 / self.mean_words);
        let of_term = |term: &TermStatistic| {
            let df = term.chunk_frequency as f64;
            let holders = self.words.get(term.term.as_str()).map_or(1.0, |(_, wikis)| *wikis);
            let t = df / (df + k.max(0.5));
            let i = ((self.wikis + 0.5) / holders).ln() / (self.wikis + 1.0).ln();
            DEFAULT_BELIEF + (1.0 - DEFAULT_BELIEF) * t * i
        };
        let (mut sum, mut weight) = (0.0, 0.0);
        for term in &one.terms {
            let rarity = self.idf(&term.term);
            sum += rarity * of_term(term);
            weight += rarity;
        }
        sum / weight.max(f64::MIN_POSITIVE)
    }

    /// From scores under the word rarities of one wiki to scores under those of all: a word that is rare in a wiki and
    /// common elsewhere says little.
    fn scale(&self, one: &TermStatistics) -> f64 {
        let held = || one.terms.iter().filter(|term| term.chunk_frequency > 0);
        let here: f64 = held().map(|term| idf(one.chunks as f64, term.chunk_frequency as f64)).sum();
        let everywhere: f64 = held().map(|term| self.idf(&term.term)).sum();
        if here > 0.0 { everywhere / here } else { 0.0 }
    }
}

/// Inverse document frequency as in BM25.
fn idf(chunks: f64, holding: f64) -> f64 {
    (1.0 + (chunks - holding + 0.5) / (holding + 0.5)).ln()
}

/// Sets all but the `most` largest weights to 0; of equal ones the first in the composition stay.
fn keep_best(weights: &mut [f64], most: usize) {
    let mut order: Vec<usize> = (0..weights.len()).collect();
    order.sort_by(|a, b| weights[*b].total_cmp(&weights[*a]).then(a.cmp(b)));
    for index in order.into_iter().skip(most) {
        weights[index] = 0.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wiki(words: u64, terms: &[(&str, u64)]) -> Option<TermStatistics> {
        let terms =
            terms.iter().map(|(term, df)| TermStatistic { term: (*term).to_owned(), chunk_frequency: *df }).collect();
        Some(TermStatistics { chunks: words / 100, words, terms })
    }

    fn beliefs(statistics: &[Option<TermStatistics>]) -> Vec<f64> {
        let collection = Collection::of(statistics);
        statistics.iter().flatten().map(|one| collection.belief(one)).collect()
    }

    #[test]
    fn the_wiki_that_alone_holds_the_rare_word_comes_first() {
        let beliefs = beliefs(&[
            wiki(10_000, &[("basil", 0), ("grow", 40)]),
            wiki(10_000, &[("basil", 30), ("grow", 40)]),
            wiki(10_000, &[("basil", 0), ("grow", 0)]),
            None,
        ]);
        assert!(beliefs[0] < beliefs[1] && beliefs[0] > 0.0, "{beliefs:?}");
        assert!(beliefs[2].abs() < f64::EPSILON);
    }

    #[test]
    fn no_evidence_anywhere_weighs_nothing() {
        assert_eq!(beliefs(&[wiki(10, &[("x", 0)]), wiki(20, &[("x", 0)])]), [0.0, 0.0]);
        assert!(beliefs(&[None]).is_empty());
    }

    #[test]
    fn scores_shrink_where_a_local_rarity_is_common_elsewhere() {
        let statistics = [wiki(100_000, &[("the", 5)]), wiki(100_000, &[("the", 900)])];
        let collection = Collection::of(&statistics);
        let scales: Vec<f64> = statistics.iter().flatten().map(|one| collection.scale(one)).collect();
        assert!(scales[0] < 0.5 && scales[1] > 1.0, "{scales:?}");
    }

    #[test]
    fn top_keeps_the_best_and_the_first_of_equals() {
        let mut weights = [0.5, 1.0, 0.5, 0.2];
        keep_best(&mut weights, 2);
        assert_eq!(weights, [0.5, 1.0, 0.0, 0.0]);
    }
}
