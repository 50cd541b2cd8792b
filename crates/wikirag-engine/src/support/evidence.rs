//! What the passages hold of a question.

use wikirag_text::Language;

use crate::disagree::is_function;
use crate::question_words::{Finder, Word};

/// Passages among the first that may bear an answer together.
const TOGETHER: usize = 3;

/// The passage that the best one is compared with, from 0: what several passages say as well is no answer to this question alone.
const FOIL: usize = 4;

/// A question of so many words is not brief any more: it is a sentence, and no page is called by it.
const SENTENCE: usize = 6;

/// A passage of an answer.
#[derive(Debug, Clone, Default)]
pub(super) struct Passage {
    pub(super) language: Option<Language>,
    /// What the page and the section may be called: title, headings, other names, file, folder.
    pub(super) names: Vec<String>,
    /// What stands above the passage beside its names: the summary, tags.
    pub(super) above: Vec<String>,
    pub(super) text: String,
}

/// What was found of a question. Shares are by the weight of the words, 0 to 1.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Evidence {
    /// Of all passages.
    pub(super) coverage: f64,
    /// Of the first [`TOGETHER`] passages.
    pub(super) together: f64,
    /// How much the words that one passage holds say: the sum of their weights, as a multiple of what it takes to tell one passage from all
    /// others (the logarithm of their number). Not negative.
    pub(super) information: f64,
    /// How nearly a page or a section is called by the words of the question, 0 to 1.
    pub(super) about: f64,
    /// How much more the best passage has to say than the fifth, as a share of what it has, 0 to 1.
    pub(super) lead: f64,
    /// 1 for a question of one word that counts, 0 for a sentence.
    pub(super) brevity: f64,
    /// By word: whether some passage holds it.
    pub(super) is_held: Vec<bool>,
}

impl Evidence {
    /// `is_all`: no further passage holds a word of the question, so that those are all there is to compare with.
    pub(super) fn of(words: &[Word], passages: &[Passage], is_all: bool) -> Self {
        let scale = Scale::of(words);
        let mut found = Self { is_held: vec![false; words.len()], brevity: brevity(words.len()), ..Self::default() };
        let mut depths = Vec::with_capacity(passages.len());
        for (rank, passage) in passages.iter().enumerate() {
            let finder = Finder::new(words, passage.language);
            let mut counts = vec![0_u32; words.len()];
            for text in passage.names.iter().chain(&passage.above).chain([&passage.text]) {
                finder.find(text, |place| counts[place] = counts[place].saturating_add(1));
            }
            let is_held: Vec<bool> = counts.iter().map(|count| *count > 0).collect();
            found.is_held.iter_mut().zip(&is_held).for_each(|(any, here)| *any |= here);
            if rank < TOGETHER {
                found.together = scale.share(&found.is_held);
            }
            found.information = found.information.max(scale.information(&is_held));
            depths.push(scale.depth(&counts));
            let names = passage.names.iter().map(|name| called(name, &finder, passage.language, &scale));
            found.about = names.fold(found.about, f64::max);
        }
        found.coverage = scale.share(&found.is_held);
        found.lead = lead(depths, is_all);
        found
    }
}

/// What the words of a question count.
struct Scale {
    weights: Vec<f64>,
    /// Not 0.
    sum: f64,
    /// What tells one passage from all others.
    one_of_all: f64,
}

impl Scale {
    fn of(words: &[Word]) -> Self {
        let weights: Vec<f64> = words.iter().map(|word| word.frequency.rarity()).collect();
        let sum = weights.iter().sum::<f64>().max(f64::MIN_POSITIVE);
        let all = words.iter().map(|word| word.frequency.all).max().unwrap_or(0);
        #[expect(clippy::cast_precision_loss, reason = "counts of passages, far below 2^52")]
        let one_of_all = (all as f64).ln_1p().max(1.0);
        Self { weights, sum, one_of_all }
    }

    fn weight(&self, is_held: &[bool]) -> f64 {
        let held = self.weights.iter().zip(is_held).filter(|(_, is_held)| **is_held);
        // A sum of nothing is minus zero, which would be shown.
        held.map(|(weight, _)| weight).sum::<f64>() + 0.0
    }

    fn share(&self, is_held: &[bool]) -> f64 {
        (self.weight(is_held) / self.sum).clamp(0.0, 1.0)
    }

    fn information(&self, is_held: &[bool]) -> f64 {
        self.weight(is_held) / self.one_of_all
    }

    /// How much of the question a passage speaks of, where a word that stands there more often counts more: once a half, twice two
    /// thirds, and so on, as the frequency of a term saturates in BM25.
    fn depth(&self, counts: &[u32]) -> f64 {
        let counted = self.weights.iter().zip(counts);
        let sum: f64 = counted.map(|(weight, count)| weight * f64::from(*count) / (f64::from(*count) + 1.0)).sum();
        (sum / self.sum).clamp(0.0, 1.0)
    }
}

/// How nearly the question is a name: the share of it that stands in the name, times the share of the name that stands in the question.
fn called(name: &str, finder: &Finder, language: Option<Language>, scale: &Scale) -> f64 {
    let mut is_held = vec![false; scale.weights.len()];
    let (mut all, mut asked) = (0_u32, 0_u32);
    finder.walk(name, |text, place| {
        if let Some(place) = place {
            is_held[place] = true;
            asked = asked.saturating_add(1);
        }
        if place.is_some() || !is_function(text, language) {
            all = all.saturating_add(1);
        }
    });
    if all == 0 { 0.0 } else { scale.share(&is_held) * f64::from(asked) / f64::from(all) }
}

fn lead(mut depths: Vec<f64>, is_all: bool) -> f64 {
    depths.sort_by(|a, b| b.total_cmp(a));
    let Some(best) = depths.first().copied().filter(|best| *best > 0.0) else { return 0.0 };
    let foil = match depths.get(FOIL) {
        Some(foil) => *foil,
        None if is_all => 0.0,
        None => depths.last().copied().unwrap_or(best),
    };
    (best - foil) / best
}

#[expect(clippy::cast_precision_loss, reason = "a number of words")]
fn brevity(words: usize) -> f64 {
    SENTENCE.saturating_sub(words.max(1)) as f64 / (SENTENCE - 1) as f64
}
