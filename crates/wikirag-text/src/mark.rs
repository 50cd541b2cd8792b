//! Which words of a passage a question meant.

use std::collections::HashSet;
use std::ops::Range;

use crate::analyser::Analyser;
use crate::language::Language;

/// Words that are in nearly every English text: marking them would hide what was found.
const FUNCTION_WORDS: [&str; 64] = [
    "a", "about", "all", "am", "an", "and", "are", "as", "at", "be", "been", "but", "by", "can", "could", "did", "do",
    "does", "for", "from", "had", "has", "have", "he", "her", "his", "how", "i", "if", "in", "into", "is", "it", "its",
    "me", "my", "not", "of", "on", "or", "our", "she", "should", "so", "that", "the", "their", "them", "there", "they",
    "this", "to", "was", "we", "were", "what", "when", "where", "which", "who", "will", "with", "would", "you",
];

/// The bytes of `passage` that hold words of `question`: ascending, not overlapping, cutting no character.
///
/// A word is marked where its exact form or its stem is that of a word of the question. English function words are
/// marked only where the question has no other words. `language` is that of the passage. Linear in both texts.
#[must_use]
pub fn mark_terms(question: &str, passage: &str, language: Option<Language>) -> Vec<Range<usize>> {
    let analyser = Analyser::new(language);
    let mut wanted = HashSet::new();
    let mut common = HashSet::new();
    analyser.tokens(question, |token| {
        if token.form.repeats() {
            return;
        }
        let set = if FUNCTION_WORDS.contains(&&*token.text) { &mut common } else { &mut wanted };
        set.insert(token.text.to_string());
        set.insert(token.stem.to_string());
    });
    let wanted = if wanted.is_empty() { common } else { wanted };
    let mut marks: Vec<Range<usize>> = Vec::new();
    if wanted.is_empty() {
        return marks;
    }
    analyser.tokens(passage, |token| {
        if wanted.contains(&*token.text) || wanted.contains(&*token.stem) {
            match marks.last_mut() {
                // The parts of an identifier that is marked whole, the pairs of one run.
                Some(last) if token.span.start <= last.end => last.end = last.end.max(token.span.end),
                _ => marks.push(token.span.clone()),
            }
        }
    });
    marks
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn marked<'p>(question: &str, passage: &'p str) -> Vec<&'p str> {
        mark_terms(question, passage, Some(Language::English)).into_iter().map(|mark| &passage[mark]).collect()
    }

    #[test]
    fn words_are_marked_in_any_inflection() {
        assert_eq!(marked("the connected cat", "The cats have connections."), ["cats", "connections"]);
        assert_eq!(marked("what is it", "It is."), ["It", "is"]);
        assert_eq!(marked("main", "see src/main.rs"), ["main"]);
        assert_eq!(marked("src/main.rs", "see src/main.rs"), ["src/main.rs"]);
        assert_eq!(marked("视频下载", "用来视频下载的工具"), ["视频下载"]);
        assert!(marked("", "text").is_empty());
        assert!(marked("😀", "text 😀").is_empty());
    }

    #[test]
    fn function_words_are_sorted_and_few() {
        assert!(FUNCTION_WORDS.is_sorted());
    }

    proptest! {
        #[test]
        fn marks_are_sound(question in "\\PC{0,30}", passage in "\\PC{0,80}") {
            let mut at = 0;
            for mark in mark_terms(&question, &passage, None) {
                prop_assert!(mark.start >= at && mark.start < mark.end);
                prop_assert!(passage.get(mark.clone()).is_some());
                at = mark.end;
            }
        }
    }
}
