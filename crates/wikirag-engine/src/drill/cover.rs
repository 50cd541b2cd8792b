//! How much of a question the loaded text speaks of.

use std::collections::HashSet;

use wikirag_core::Result;
use wikirag_text::{Analyser, Language};

use crate::question_words::{Finder, Frequency, Word, words_of};

/// The words of a question, what each counts, and which of them were seen.
pub(super) struct Cover {
    finder: Finder,
    words: Vec<Word>,
    /// By word.
    is_seen: Vec<bool>,
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
        let mut marks = HashSet::new();
        Analyser::new(language).tokens(mark, |token| {
            marks.insert(token.stem.to_string());
        });
        let mut words = words_of(question, language, |_, stem| marks.contains(stem), &mut frequency)?;
        if words.is_empty() {
            words = words_of(question, language, |_, _| false, frequency)?;
        }
        Ok(Self { finder: Finder::new(&words, language), is_seen: vec![false; words.len()], words })
    }

    /// Takes note of a text that was loaded.
    pub(super) fn see(&mut self, text: &str) {
        let is_seen = &mut self.is_seen;
        self.finder.find(text, |place| is_seen[place] = true);
    }

    /// The share of the question that was seen, by weight: 0 to 1. Of a question without words that count it is 0.
    pub(super) fn share(&self) -> f64 {
        let (mut seen, mut all) = (0.0, 0.0);
        for (word, is_seen) in self.words.iter().zip(&self.is_seen) {
            // A word that no passage holds counts nothing, since no load could ever hold it.
            let weight = if word.frequency.is_unknown() { 0.0 } else { word.frequency.rarity() };
            all += weight;
            seen += if *is_seen { weight } else { 0.0 };
        }
        if all > 0.0 { seen / all } else { 0.0 }
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
