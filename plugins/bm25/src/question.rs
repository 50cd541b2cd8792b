//! Questions into the words to look for.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use wikirag_text::{Analyser, Form, Language, is_accented};

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
    /// Whether it is a part of a word as a rule: a pair of characters, or a syllable of Vietnamese.
    pub(crate) part: bool,
    /// Whether it is written with accents that its stems lack.
    pub(crate) accented: bool,
}

/// The words of the last questions. A composition asks hundreds of wikis the same, and most of them are in the same languages.
static RECENT: Mutex<VecDeque<Recent>> = Mutex::new(VecDeque::new());

/// How many are kept: more than there are sets of languages among the wikis of a composition.
const KEPT: usize = 16;

struct Recent {
    question: Arc<str>,
    languages: Vec<Option<Language>>,
    words: Arc<Vec<Word>>,
}

/// [`words`], taken apart once for all wikis in the same languages.
pub(crate) fn recent_words(question: &Arc<str>, languages: &[Option<Language>]) -> Arc<Vec<Word>> {
    let is_it = |recent: &&Recent| recent.question == *question && recent.languages == languages;
    let known =
        RECENT.lock().unwrap_or_else(PoisonError::into_inner).iter().find(is_it).map(|it| Arc::clone(&it.words));
    if let Some(known) = known {
        return known;
    }
    let words = Arc::new(words(question, languages));
    let mut recent = RECENT.lock().unwrap_or_else(PoisonError::into_inner);
    recent.truncate(KEPT - 1);
    let (question, languages) = (Arc::clone(question), languages.to_vec());
    recent.push_front(Recent { question, languages, words: Arc::clone(&words) });
    words
}

/// The distinct words of `question`, in its order: words with the same stems are one. Each is analysed in each of the
/// `languages`, since nobody knows which of them a question of three words is in, and a chunk holds stems of its own
/// language only. The first of the languages is that of most chunks.
pub(crate) fn words(question: &str, languages: &[Option<Language>]) -> Vec<Word> {
    let syllables = languages.first().is_some_and(|first| first.is_some_and(Language::parts_syllables));
    let mut forms: Vec<Word> = Vec::new();
    let mut places: HashMap<String, (usize, usize)> = HashMap::new();
    for (pass, language) in languages.iter().enumerate() {
        let mut last = None;
        Analyser::new(*language).tokens(question, |token| {
            let full = forms.len() >= MAX_WORDS;
            match token.form {
                Form::Single => return,
                // Who writes the marks means them, and still wants what was written without.
                Form::Bare => {
                    if let Some(word) = last.and_then(|place: usize| forms.get_mut(place))
                        && !word.stems.iter().any(|stem| *stem == token.stem)
                    {
                        word.part = true;
                        word.stems.push(token.stem.to_string());
                    }
                    return;
                }
                Form::Word | Form::Whole | Form::Pair => {}
            }
            if let Some((place, first_pass)) = places.get(&*token.text).copied() {
                last = Some(place);
                let word = &mut forms[place];
                word.count = word.count.saturating_add(u32::from(pass == first_pass));
                if !word.stems.iter().any(|stem| *stem == token.stem) {
                    word.stems.push(token.stem.to_string());
                }
            } else if !full {
                last = Some(forms.len());
                places.insert(token.text.to_string(), (forms.len(), pass));
                let (stems, exact) = (vec![token.stem.to_string()], vec![token.text.to_string()]);
                forms.push(Word {
                    stems,
                    exact,
                    count: 1,
                    part: syllables || token.form == Form::Pair,
                    accented: is_accented(&token.text),
                });
            } else {
                last = None;
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
        Word { stems: owned(stems), exact: owned(exact), count, part: false, accented: false }
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
    fn marks_that_are_letters_are_meant() {
        let found = words("mã ma", &[Some(Language::Vietnamese)]);
        assert_eq!(
            found,
            [
                Word { part: true, accented: true, ..word(&["mã", "ma"], &["mã"], 1) },
                Word { part: true, ..word(&["ma"], &["ma"], 1) }
            ]
        );
    }

    #[test]
    fn characters_count_where_they_stand_alone() {
        let pair = |term| Word { part: true, ..word(&[term], &[term], 1) };
        assert_eq!(words("学校 水", &[None]), [pair("学校"), pair("水")]);
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
