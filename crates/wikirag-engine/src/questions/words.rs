//! The words of questions, and how much each says of what is missing.

use std::collections::HashMap;

use wikirag_text::{Analyser, Form, Language};

use crate::disagree::is_function;

/// A word of a question.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Weighed {
    pub(super) stem: String,
    pub(super) text: String,
    pub(super) weight: f64,
}

/// Takes questions into words.
pub(super) struct Words {
    analyser: Analyser,
    language: Option<Language>,
    /// In how many of the questions that are answered well a stem stands.
    answered: HashMap<String, usize>,
    count: usize,
}

impl Words {
    pub(super) fn new(language: Option<Language>, questions: &[String]) -> Self {
        let (analyser, count) = (Analyser::new(language), questions.len());
        let mut words = Self { analyser, language, answered: HashMap::new(), count };
        for question in questions {
            for word in words.of(question) {
                *words.answered.entry(word.stem).or_default() += 1;
            }
        }
        words
    }

    /// The words of a question, each stem once, in their order. Those that tell what it is about, or all where none does.
    pub(super) fn of(&self, question: &str) -> Vec<Weighed> {
        let mut all: Vec<Weighed> = Vec::new();
        self.analyser.tokens(question, |token| {
            let is_new = all.iter().all(|word| word.stem != token.stem);
            if matches!(token.form, Form::Word | Form::Pair) && is_new {
                all.push(Weighed { stem: token.stem.to_string(), text: token.text.to_string(), weight: 1.0 });
            }
        });
        let tells = |word: &Weighed| !is_function(&word.text, self.language);
        if all.iter().any(tells) {
            all.retain(tells);
        }
        all
    }

    /// How much a word says of what is missing, from 0 to 1: the less the more questions use it that are answered well. A few of them
    /// say little of how people ask.
    pub(super) fn telling(&self, stem: &str) -> f64 {
        const FEW: usize = 10;
        let answered = self.answered.get(stem).copied().unwrap_or(0);
        #[expect(clippy::cast_precision_loss, reason = "counts of questions")]
        let logarithm = |count: usize| (count as f64).ln_1p();
        1.0 - logarithm(answered) / logarithm(self.count + FEW)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(words: &Words, question: &str) -> Vec<String> {
        words.of(question).into_iter().map(|word| word.text).collect()
    }

    #[test]
    fn words_that_tell_are_kept_once() {
        let words = Words::new(Some(Language::English), &[]);
        assert_eq!(texts(&words, "How do I prune the roses, and which rose?"), ["prune", "roses"]);
        assert_eq!(texts(&words, "how do i"), ["how", "do", "i"]);
        assert!(texts(&words, " 🌹 ").is_empty());
    }

    #[test]
    fn what_answered_questions_use_too_says_little() {
        let answered: Vec<String> = (0..90).map(|number| format!("explain {}", "o".repeat(number + 3))).collect();
        let words = Words::new(Some(Language::English), &answered);
        let stem = |word: &str| words.of(word).remove(0).stem;
        let [every, one, none] = ["explain", "ooooo", "wasp"].map(|word| words.telling(&stem(word)));
        assert!((0.0..0.1).contains(&every) && every < one && one < none, "{every} {one} {none}");
        assert_eq!(none, 1.0);
        // One question says little of how people ask.
        let words = Words::new(Some(Language::English), &answered[..1]);
        assert!(words.telling(&stem("explain")) > 0.5);
    }
}
