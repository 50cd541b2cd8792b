//! The words of a question, how rare each is, and where they stand in a text.

use std::collections::{HashMap, HashSet};

use wikirag_core::{Query, Result};
use wikirag_text::{Analyser, Form, Language};

use crate::open::OpenLayer;

/// Distinct words of a question that are looked at: more than any question has, and few enough for a page that was pasted as one.
const MOST_WORDS: usize = 256;

/// In how many passages of the wikis a word stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Frequency {
    /// Passages with the word.
    pub(crate) with: u64,
    /// All passages.
    pub(crate) all: u64,
}

impl Frequency {
    /// Counts the passages with `word` as a layer with words knows them, in each of the wikis; nothing where no layer has words.
    ///
    /// # Errors
    /// Where an index cannot be read.
    pub(crate) fn of(word: &str, wikis: &[Vec<OpenLayer>]) -> Result<Self> {
        let query = Query::new(word, 0);
        let mut sum = Self::default();
        for layers in wikis {
            for layer in layers {
                if let Some(known) = layer.retriever.term_statistics(&query)? {
                    // An identifier is one word and its parts: the rarest is the one that was meant.
                    sum.with += known.terms.iter().map(|term| term.chunk_frequency).min().unwrap_or(0);
                    sum.all += known.chunks;
                    break;
                }
            }
        }
        Ok(sum)
    }

    /// The weight of a word as in BM25 (Robertson and Spärck Jones, 1976, with 1 added so that no word counts less than
    /// nothing). A word that no passage holds has the largest. 1 where nothing was counted.
    pub(crate) fn rarity(self) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "counts of passages, far below 2^52")]
        let (with, all) = (self.with as f64, self.all as f64);
        if self.all == 0 { 1.0 } else { ((all - with + 0.5).max(0.0) / (with + 0.5)).ln_1p() }
    }

    /// Whether the wikis were counted and no passage holds the word.
    pub(crate) const fn is_unknown(self) -> bool {
        self.all > 0 && self.with == 0
    }
}

/// A word of a question.
#[derive(Debug, Clone)]
pub(crate) struct Word {
    /// In its exact form.
    pub(crate) text: String,
    /// How often it stands in the wikis.
    pub(crate) frequency: Frequency,
}

/// The distinct words of `question`, parts of identifiers and pairs of characters among them, in their order, as passages in
/// `language` have them.
///
/// # Errors
/// What `frequency` says.
pub(crate) fn words_of(
    question: &str,
    language: Option<Language>,
    mut is_left_out: impl FnMut(&str, &str) -> bool,
    mut frequency: impl FnMut(&str) -> Result<Frequency>,
) -> Result<Vec<Word>> {
    let mut stems = HashSet::new();
    let mut texts = Vec::new();
    Analyser::new(language).tokens(question, |token| {
        let is_word = matches!(token.form, Form::Word | Form::Pair) && texts.len() < MOST_WORDS;
        if is_word && !is_left_out(&token.text, &token.stem) && stems.insert(token.stem.to_string()) {
            texts.push(token.text.to_string());
        }
    });
    texts.into_iter().map(|text| Ok(Word { frequency: frequency(&text)?, text })).collect()
}

/// Finds the words of a question in texts of one language.
#[derive(Debug)]
pub(crate) struct Finder {
    analyser: Analyser,
    /// From stems to places among the words.
    places: HashMap<String, usize>,
}

impl Finder {
    pub(crate) fn new(words: &[Word], language: Option<Language>) -> Self {
        let analyser = Analyser::new(language);
        let mut places = HashMap::new();
        for (place, word) in words.iter().enumerate() {
            analyser.tokens(&word.text, |token| {
                if matches!(token.form, Form::Word | Form::Pair) {
                    places.entry(token.stem.to_string()).or_insert(place);
                }
            });
        }
        Self { analyser, places }
    }

    /// Calls `sink` with the place of each word of the question that stands in `text`, as often as it does.
    pub(crate) fn find(&self, text: &str, mut sink: impl FnMut(usize)) {
        self.walk(text, |_, place| place.into_iter().for_each(&mut sink));
    }

    /// Calls `sink` with each word of `text` in its exact form, and with its place among the words of the question.
    pub(crate) fn walk(&self, text: &str, mut sink: impl FnMut(&str, Option<usize>)) {
        self.analyser.tokens(text, |token| {
            if matches!(token.form, Form::Word | Form::Pair) {
                sink(&token.text, self.places.get(&*token.stem).copied());
            }
        });
    }
}
