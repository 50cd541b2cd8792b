//! How much each wiki counts for a question.
//!
//! Wikis hold disjoint passages, so nothing but evidence about the wikis tells how their lists go together. There is evidence of two
//! kinds, and the weight of a wiki is their product, times the weight that the composition gives it:
//!
//! * **words** (`promise * strength`): how much more often the words of the question stand in the wiki than in all wikis together, known before
//!   any search, and how well its best passage matches, by the rarity of words over all wikis;
//! * **scores that compare** (cosines of one model): the best score of the wiki.
//!
//! Each is divided by the largest among the wikis and counts a tenth at least, since a wiki that shares no word with the question may hold its answer.
//! A wiki without a layer that others have counts as their mean there. What is known before the search also says which wikis are searched at all.
//!
//! The words are weighed by a language model of each wiki, smoothed by that of all (Si, Jin, Callan and Ogilvie, *A language modeling
//! framework for resource selection and results merging*, CIKM 2002; the smoothing is Dirichlet's, Zhai and Lafferty, SIGIR 2001). CORI (Callan, Lu
//! and Croft, SIGIR 1995), which stood here before, was worse on the same questions: see `docs/quality.md`.

use std::collections::{BTreeMap, HashMap};

use wikirag_core::{RankedList, TermStatistics};

use super::survey::{Counted, Surveyed};
use super::{Prepared, Searched};
use crate::manifest::Route;

/// Wikis that `auto` searches at most. Of 187 wikis cut by topic out of six judged sets, the ten of the largest promise gave the same answers as
/// all of them.
const MOST_SEARCHED: usize = 16;

/// How many words of all wikis are added to each before its words are compared with theirs. Between 1,000 and 100,000 it makes no difference on six
/// judged sets; less would trust small wikis more.
const SMOOTHING: f64 = 10_000.0;

/// What evidence counts at least.
const LEAST: f64 = 0.1;

/// What the words of the question say of one wiki.
#[derive(Debug, Clone)]
struct Words {
    /// Name of the layer that knows them.
    layer: String,
    /// 0..=1: 1 for the wiki in which the words stand most densely; 0 where none stands.
    promise: f64,
    /// From the scores of the layer to a scale that all wikis share.
    scale: f64,
}

/// What the wikis of a composition know of a question before they are searched.
pub(super) struct Routing {
    /// The wikis to search, by their place, ascending.
    pub(super) chosen: Vec<usize>,
    /// By wiki; `None` where no layer knows words.
    words: Vec<Option<Words>>,
    /// Whether the lists are weighed by evidence.
    by_evidence: bool,
}

impl Route {
    /// How many wikis are searched at most; `None`: all.
    pub(super) const fn most(self) -> Option<usize> {
        match self {
            Self::All => None,
            Self::Auto => Some(MOST_SEARCHED),
            Self::Top(most) => Some(most),
        }
    }
}

/// Chooses the wikis to search: the `most` that promise something, or all. `near`: how near each is to the question, 0..=1.
pub(super) fn choose(
    route: Route,
    wikis: &[Surveyed],
    counted: &[Option<Counted>],
    near: &[Option<f64>],
    most: Option<usize>,
) -> Routing {
    if route == Route::All || wikis.len() < 2 {
        let words = wikis.iter().map(|_| None).collect();
        return Routing { chosen: (0..wikis.len()).collect(), words, by_evidence: false };
    }
    let collection = Collection::of(counted);
    let words: Vec<Option<Words>> = counted.iter().map(|one| Some(collection.words(one.as_ref()?))).collect();
    let promise = |place: usize| words.get(place)?.as_ref().map(|words| words.promise);
    let worth: Vec<f64> = (0..wikis.len())
        .map(|place| {
            // Where nothing is known before the search the best is assumed.
            let near = wikis[place].comparable().map(|_| near.get(place).copied().flatten().unwrap_or(1.0));
            let known: Vec<f64> = [promise(place), near].into_iter().flatten().collect();
            let mean = if known.is_empty() { 1.0 } else { known.iter().sum::<f64>() / known.len() as f64 };
            wikis[place].weight * mean
        })
        .collect();
    let mut order: Vec<usize> = (0..wikis.len()).collect();
    if let Some(most) = most {
        order.retain(|place| worth[*place] > 0.0);
        // Of equals, the first in the composition.
        order.sort_by(|a, b| worth[*b].total_cmp(&worth[*a]).then(a.cmp(b)));
        order.truncate(most);
        order.sort_unstable();
    }
    Routing { chosen: order, words, by_evidence: true }
}

impl Routing {
    /// Puts the final weights into what the searches of the `chosen` wikis found; the largest is 1.
    pub(super) fn weigh(&self, prepared: &[Prepared], searched: &mut [Searched]) {
        if !self.by_evidence {
            return;
        }
        let kinds = std::iter::once(self.words_evidence(searched)).chain(shared_scales(prepared, searched));
        for kind in kinds.filter(|kind| !kind.is_empty()) {
            let mean = kind.values().map(|(_, value)| value).sum::<f64>() / kind.len() as f64;
            // A layer of the kind, for wikis that have none.
            let any = kind.values().next().map(|(layer, _)| layer.clone()).unwrap_or_default();
            for (place, wiki) in searched.iter_mut().enumerate() {
                let (layer, value) = kind.get(&place).cloned().unwrap_or_else(|| (any.clone(), mean));
                wiki.weight *= value;
                wiki.evidence.push((layer, value));
            }
        }
        let best = searched.iter().map(|wiki| wiki.weight).fold(0.0, f64::max);
        if best > 0.0 {
            searched.iter_mut().for_each(|wiki| wiki.weight /= best);
        }
    }

    /// For each wiki whose words are known, by its place among the searched: promise times strength.
    fn words_evidence(&self, searched: &[Searched]) -> Kind {
        let of_wiki = |(place, wiki): (usize, &Searched)| {
            let words = self.words.get(*self.chosen.get(place)?)?.as_ref()?;
            let list = wiki.lists.iter().find(|found| found.name == words.layer)?;
            Some((place, (words, words.scale * best(&list.list))))
        };
        let found: BTreeMap<_, _> = searched.iter().enumerate().filter_map(of_wiki).collect();
        let best = found.values().map(|(_, strength)| *strength).fold(0.0, f64::max);
        if best <= 0.0 {
            // No word was found anywhere: they tell nothing.
            return Kind::new();
        }
        let value = |words: &Words, strength: f64| (words.promise * strength / best).max(LEAST);
        found
            .into_iter()
            .map(|(place, (words, strength))| (place, (words.layer.clone(), value(words, strength))))
            .collect()
    }
}

/// Evidence of one kind, by the place of the wiki among the searched: the layer that gives it, and what it says for the wiki.
type Kind = BTreeMap<usize, (String, f64)>;

/// For each scale on which layers of some wikis compare: the best score of each wiki as a share of the best of all.
fn shared_scales(prepared: &[Prepared], searched: &[Searched]) -> Vec<Kind> {
    let mut scales: BTreeMap<String, Kind> = BTreeMap::new();
    for (place, (wiki, lists)) in prepared.iter().zip(searched).enumerate() {
        for list in &lists.lists {
            let layer = wiki.open.layers.iter().find(|layer| layer.name == list.name);
            if let Some(scale) = layer.and_then(|layer| layer.retriever.scale()) {
                scales.entry(scale).or_default().insert(place, (list.name.clone(), best(&list.list)));
            }
        }
    }
    let as_shares = |mut kind: Kind| {
        let best = kind.values().map(|(_, score)| *score).fold(0.0, f64::max);
        kind.values_mut().for_each(|(_, score)| *score = (*score / best).max(LEAST));
        (best > 0.0).then_some(kind)
    };
    scales.into_values().filter_map(as_shares).collect()
}

/// The best score, 0 for nothing.
fn best(list: &RankedList) -> f64 {
    list.hits.first().map_or(0.0, |hit| hit.score.get().max(0.0))
}

/// All wikis of a composition taken together.
struct Collection<'a> {
    chunks: f64,
    words: f64,
    /// Chunks that hold a word, in all wikis.
    frequencies: HashMap<&'a str, f64>,
    /// The largest [`lift`](Self::lift).
    best_lift: f64,
}

#[expect(clippy::cast_precision_loss, reason = "counts of chunks and words, far below 2^52")]
impl<'a> Collection<'a> {
    fn of(counted: &'a [Option<Counted>]) -> Self {
        let known = || counted.iter().flatten().map(|one| &one.statistics);
        let mut frequencies = HashMap::<&str, f64>::new();
        for term in known().flat_map(|one| &one.terms).filter(|term| term.chunk_frequency > 0) {
            *frequencies.entry(term.term.as_str()).or_default() += term.chunk_frequency as f64;
        }
        let chunks = known().map(|one| one.chunks as f64).sum::<f64>();
        let words = known().map(|one| one.words as f64).sum::<f64>().max(1.0);
        let mut collection = Self { chunks, words, frequencies, best_lift: 0.0 };
        collection.best_lift = known().map(|one| collection.lift(one)).fold(0.0, f64::max);
        collection
    }

    fn words(&self, one: &Counted) -> Words {
        let promise = match self.best_lift {
            best if best > 0.0 => (self.lift(&one.statistics) / best).sqrt(),
            _ => 0.0,
        };
        Words { layer: one.layer.clone(), promise, scale: self.scale(&one.statistics) }
    }

    /// How rare a word is over all wikis.
    fn idf(&self, term: &str) -> f64 {
        idf(self.chunks, self.frequencies.get(term).copied().unwrap_or(0.0))
    }

    /// How many times as often the words of the question stand in one wiki as in all: the geometric mean over the words, each
    /// as often as it is rare. 0 where none stands in it.
    ///
    /// Each frequency is that of a wiki to which [`SMOOTHING`] words were added that are those of all wikis, so that a few notes that hold a rare
    /// word by chance are not taken for a book about it.
    fn lift(&self, one: &TermStatistics) -> f64 {
        if one.terms.iter().all(|term| term.chunk_frequency == 0) {
            return 0.0;
        }
        let (mut sum, mut weight) = (0.0, 0.0);
        for term in &one.terms {
            let Some(everywhere) = self.frequencies.get(term.term.as_str()) else { continue };
            let expected = everywhere / self.words;
            let here = (term.chunk_frequency as f64 + SMOOTHING * expected) / (one.words as f64 + SMOOTHING);
            let rarity = self.idf(&term.term);
            sum += rarity * (here / expected).ln();
            weight += rarity;
        }
        if weight > 0.0 { (sum / weight).exp() } else { 0.0 }
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

#[cfg(test)]
mod tests {
    use wikirag_core::TermStatistic;

    use super::*;

    fn wiki(words: u64, terms: &[(&str, u64)]) -> Option<Counted> {
        let terms =
            terms.iter().map(|(term, df)| TermStatistic { term: (*term).to_owned(), chunk_frequency: *df }).collect();
        Some(Counted { layer: "words".to_owned(), statistics: TermStatistics { chunks: words / 100, words, terms } })
    }

    fn promises(counted: &[Option<Counted>]) -> Vec<f64> {
        let collection = Collection::of(counted);
        counted.iter().flatten().map(|one| collection.words(one).promise).collect()
    }

    #[test]
    fn the_wiki_that_alone_holds_the_rare_word_promises_most() {
        let promises = promises(&[
            wiki(10_000, &[("basil", 0), ("grow", 40)]),
            wiki(10_000, &[("basil", 30), ("grow", 40)]),
            wiki(10_000, &[("basil", 0), ("grow", 0)]),
            None,
        ]);
        assert!(promises[0] < promises[1] && promises[0] > 0.0, "{promises:?}");
        assert!((promises[1] - 1.0).abs() < 1e-9 && promises[2].abs() < f64::EPSILON, "{promises:?}");
    }

    #[test]
    fn a_chance_word_in_a_few_notes_is_less_than_a_book_about_it() {
        let promises = promises(&[
            wiki(300, &[("compaction", 1)]),
            wiki(60_000, &[("compaction", 200)]),
            wiki(60_000, &[("compaction", 2)]),
        ]);
        assert!(promises[1] > promises[0] && promises[0] > promises[2], "{promises:?}");
    }

    #[test]
    fn no_evidence_anywhere_promises_nothing() {
        assert_eq!(promises(&[wiki(10, &[("x", 0)]), wiki(20, &[("x", 0)])]), [0.0, 0.0]);
        assert!(promises(&[None]).is_empty());
    }

    #[test]
    fn scores_shrink_where_a_local_rarity_is_common_elsewhere() {
        let counted = [wiki(100_000, &[("the", 5)]), wiki(100_000, &[("the", 900)])];
        let collection = Collection::of(&counted);
        let scales: Vec<f64> = counted.iter().flatten().map(|one| collection.scale(&one.statistics)).collect();
        assert!(scales[0] < 0.5 && scales[1] > 1.0, "{scales:?}");
    }
}
