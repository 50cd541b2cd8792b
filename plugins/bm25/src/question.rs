//! Questions into the words to look for.

use std::collections::HashMap;

use wikirag_text::{Analyser, Language};

/// Distinct words of a question that are looked at. A question is a sentence or a pasted passage; a whole book has
/// more words than a search can use.
const MAX_WORDS: usize = 1024;

/// One word of a question, in every form in which chunks may hold it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Word {
    /// Its stems, in the languages of the index. Not empty, no stem twice.
    pub(crate) stems: Vec<String>,
    /// Its exact forms in the question.
    pub(crate) exact: Vec<String>,
    /// How often it occurs.
    pub(crate) count: u32,
}

/// The distinct words of `question`, in its order: words with the same stems are one. Each is analysed in each of the
/// `languages`, since nobody knows which of them a question of three words is in, and a chunk holds stems of its own
/// language only.
pub(crate) fn words(question: &str, languages: &[Option<Language>]) -> Vec<Word> {
    let mut forms: Vec<Word> = Vec::new();
    let mut places: HashMap<String, (usize, usize)> = HashMap::new();
    for (pass, language) in languages.iter().enumerate() {
        Analyser::new(*language).tokens(question, |token| {
            let full = forms.len() >= MAX_WORDS;
            if let Some((place, first_pass)) = places.get(&*token.text).copied() {
                let word = &mut forms[place];
                word.count = word.count.saturating_add(u32::from(pass == first_pass));
                if !word.stems.iter().any(|stem| *stem == token.stem) {
                    word.stems.push(token.stem.to_string());
                }
            } else if !full {
                places.insert(token.text.to_string(), (forms.len(), pass));
                let exact = vec![token.text.to_string()];
                forms.push(Word { stems: vec![token.stem.to_string()], exact, count: 1 });
            }
        });
    }
    let mut words: Vec<Word> = Vec::new();
    let mut places: HashMap<Vec<String>, usize> = HashMap::new();
    for form in forms {
        let place = *places.entry(form.stems.clone()).or_insert(words.len());
        match words.get_mut(place) {
            None => words.push(form),
            Some(word) => {
                word.count = word.count.saturating_add(form.count);
                word.exact.extend(form.exact);
            }
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(stems: &[&str], exact: &[&str], count: u32) -> Word {
        let owned = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        Word { stems: owned(stems), exact: owned(exact), count }
    }

    #[test]
    fn words_with_the_same_stem_are_one() {
        let found = words("Run, running dogs: RUN", &[Some(Language::English)]);
        assert_eq!(found, [word(&["run"], &["run", "running"], 3), word(&["dog"], &["dogs"], 1)]);
    }

    #[test]
    fn each_language_adds_its_stem() {
        let found = words("Nationen", &[Some(Language::English), Some(Language::German), None]);
        assert_eq!(found, [word(&["nationen", "nation"], &["nationen"], 1)]);
    }

    #[test]
    fn nothing_to_look_for() {
        assert!(words("", &[None]).is_empty());
        assert!(words("😀 ?!", &[None]).is_empty());
        assert!(words("word", &[]).is_empty());
    }

    #[test]
    fn a_book_is_cut() {
        let book: String = (0..50_000).map(|n| format!("w{n}x ")).collect();
        assert_eq!(words(&book, &[None]).len(), MAX_WORDS);
    }
}
