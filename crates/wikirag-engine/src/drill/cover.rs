//! How much of a question the loaded text speaks of.

use std::collections::HashSet;

use wikirag_core::{Query, Result};
use wikirag_text::{Analyser, Form, Language};

use crate::open::OpenLayer;

/// The words of a question, what each counts, and which of them were seen.
pub(super) struct Cover {
    analyser: Analyser,
    words: Vec<Word>,
}

#[derive(Debug)]
struct Word {
    stem: String,
    weight: f64,
    is_seen: bool,
}

/// In how many passages of the wikis a word stands.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Frequency {
    with: u64,
    all: u64,
}

impl Frequency {
    /// Counts the passages with `word` as a layer with words knows them, in each of the wikis; nothing where no layer has words.
    ///
    /// # Errors
    /// Where an index cannot be read.
    pub(super) fn of(word: &str, wikis: &[Vec<OpenLayer>]) -> Result<Self> {
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
    /// nothing). A word that no passage holds counts nothing, since no load could ever hold it.
    fn weight(self) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "counts of passages, far below 2^52")]
        let (with, all) = (self.with as f64, self.all as f64);
        match (self.with, self.all) {
            (_, 0) => 1.0,
            (0, _) => 0.0,
            _ => ((all - with + 0.5).max(0.0) / (with + 0.5)).ln_1p(),
        }
    }
}

impl Cover {
    /// Takes a question apart as passages in `language` are. The words of `mark`, which tell what kind of question it is and not what
    /// it is about, do not count unless there are no others.
    ///
    /// # Errors
    /// What `frequency` says.
    pub(super) fn new(
        question: &str,
        mark: &str,
        language: Option<Language>,
        mut frequency: impl FnMut(&str) -> Result<Frequency>,
    ) -> Result<Self> {
        let analyser = Analyser::new(language);
        let mut marks = HashSet::new();
        analyser.tokens(mark, |token| {
            marks.insert(token.stem.to_string());
        });
        let mut found: Vec<(String, String)> = Vec::new();
        analyser.tokens(question, |token| {
            let is_new = !found.iter().any(|(_, stem)| *stem == token.stem);
            if matches!(token.form, Form::Word | Form::Pair) && is_new {
                found.push((token.text.to_string(), token.stem.to_string()));
            }
        });
        if found.iter().any(|(_, stem)| !marks.contains(stem)) {
            found.retain(|(_, stem)| !marks.contains(stem));
        }
        let words =
            found.into_iter().map(|(text, stem)| Ok(Word { weight: frequency(&text)?.weight(), stem, is_seen: false }));
        let words = words.collect::<Result<Vec<_>>>()?;
        Ok(Self { analyser, words })
    }

    /// Takes note of a text that was loaded.
    pub(super) fn see(&mut self, text: &str) {
        let words = &mut self.words;
        self.analyser.tokens(text, |token| {
            for word in words.iter_mut().filter(|word| !word.is_seen) {
                word.is_seen = word.stem == token.stem;
            }
        });
    }

    /// The share of the question that was seen, by weight: 0 to 1. Of a question without words that count it is 0.
    pub(super) fn share(&self) -> f64 {
        let sum = |words: &mut dyn Iterator<Item = &Word>| words.map(|word| word.weight).sum::<f64>();
        let all = sum(&mut self.words.iter());
        if all > 0.0 { sum(&mut self.words.iter().filter(|word| word.is_seen)) / all } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cover(question: &str, mark: &str) -> Cover {
        let frequency = |word: &str| {
            let with = match word {
                "the" => 90,
                "basil" => 2,
                "unheard" => 0,
                _ => 10,
            };
            Ok(Frequency { with, all: 100 })
        };
        Cover::new(question, mark, Some(Language::English), frequency).unwrap()
    }

    #[test]
    fn rare_words_count_more() {
        let mut cover = cover("why does the basil of the unheard wilt", "why");
        assert_eq!(cover.share(), 0.0);
        cover.see("the");
        let common = cover.share();
        assert!(common > 0.0 && common < 0.1, "{common}");
        cover.see("Basils");
        let most = cover.share();
        assert!(most > 0.35 && most < 0.6, "{most}");
        cover.see("does of wilted");
        assert_eq!(cover.share(), 1.0, "what no passage holds does not count, and neither does the mark");
    }

    #[test]
    fn a_question_of_marks_alone_is_about_them() {
        let mut marks = cover("what changed", "what changed");
        marks.see("it has changed");
        assert!(marks.share() > 0.4);
        assert_eq!(cover("", "").share(), 0.0);
        assert_eq!(cover("unheard", "").share(), 0.0);
    }
}
