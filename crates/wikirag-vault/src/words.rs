//! Names and texts as words that can be compared.

use std::ops::Range;

use wikirag_text::{Analyser, Form};

use crate::hash;
use crate::names::is_name;

/// The most words a name may have. Longer ones are sentences, and a text that repeats the beginning of one would be
/// slow to search.
pub const MAX_NAME_WORDS: usize = 64;

/// A word of a name or of a text; of a script without spaces, two neighbouring characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// A hash of the word without case, accents and the English `'s`. Two words of one hash are taken for one; among
    /// ten million different words the odds that any two meet are about 1 to 400,000. The same on every machine and in
    /// every release.
    pub key: u64,
    /// Where it stands, in bytes of the text. Never cuts a character. Words stand in the order of the text.
    pub span: Range<usize>,
}

/// Cuts names and texts into words. One should be used for many; it may be sent to another thread but not shared.
#[derive(Debug)]
pub struct NameWords {
    analyser: Analyser,
}

impl Default for NameWords {
    fn default() -> Self {
        Self::new()
    }
}

impl NameWords {
    /// Words of any language, not stemmed: `The Birds` is no name for a bird.
    #[must_use]
    pub const fn new() -> Self {
        Self { analyser: Analyser::new(None) }
    }

    /// The words of a text, in its order. Linear.
    #[must_use]
    pub fn of(&self, text: &str) -> Vec<Word> {
        let mut words = Vec::new();
        self.read(text, &mut words);
        words
    }

    /// As [`of`](Self::of), into `words`, which are cleared first.
    pub fn read(&self, text: &str, words: &mut Vec<Word>) {
        words.clear();
        self.analyser.tokens(text, |token| {
            // Korean runs repeat the noun before a particle, which names of one syllable need and others must not have.
            let is_repeated = words.last().is_some_and(|last| token.span.end < last.span.end);
            if matches!(token.form, Form::Word | Form::Pair) && !is_repeated {
                words.push(Word { key: word_key(&token.stem), span: token.span.clone() });
            }
        });
    }

    /// The words of `name`, if it is a name by which pages can be found: [`is_name`], and 1 to [`MAX_NAME_WORDS`]
    /// words.
    #[must_use]
    pub fn name(&self, name: &str) -> Option<Vec<Word>> {
        let words = if is_name(name) { self.of(name) } else { Vec::new() };
        (1..=MAX_NAME_WORDS).contains(&words.len()).then_some(words)
    }
}

/// A hash of the words of a name, in their order: equal for names that are mentioned by the same words. As stable as
/// [`Word::key`]. `0` is that of no words.
#[must_use]
pub fn name_key(words: &[Word]) -> u64 {
    words.iter().fold(0, |state, word| extended(state, word.key))
}

/// The hash of a name with one more word.
pub(crate) fn extended(name: u64, word: u64) -> u64 {
    hash::spread(name.wrapping_add(0x9e37_79b9_7f4a_7c15) ^ word.rotate_left(32))
}

fn word_key(stem: &str) -> u64 {
    hash::spread(hash::feed(hash::START, stem.as_bytes()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn key(name: &str) -> u64 {
        name_key(&NameWords::new().of(name))
    }

    #[test]
    fn what_lies_between_words_does_not_matter() {
        for (one, other) in [
            ("Crème Brûlée", "creme\n  brulee"),
            ("atomic_write_json", "Atomic Write JSON"),
            ("U\u{308}ber uns", "ÜBER-UNS"),
            ("東京大学", "東京大学"),
            ("TCP/IP", "tcp ip"),
            ("Nolan’s", "nolan"),
            ("NOLAN'S", "nolan"),
        ] {
            assert_eq!(key(one), key(other), "{one} {other}");
        }
        assert_ne!(key("a b"), key("b a"));
        assert_ne!(key("dog"), key("dogs"));
    }

    #[test]
    fn keys_are_the_same_in_every_release() {
        assert_eq!((key("Tokyo"), key("New York")), (14_792_506_376_710_011_949, 11_381_401_401_305_077_516));
    }

    #[test]
    fn long_names_are_none() {
        let words = NameWords::new();
        assert_eq!(words.name(&"ab ".repeat(MAX_NAME_WORDS)).map(|words| words.len()), Some(MAX_NAME_WORDS));
        assert_eq!(words.name(&"ab ".repeat(MAX_NAME_WORDS + 1)), None);
        assert_eq!(words.name("2024"), None);
    }

    proptest! {
        #[test]
        fn words_lie_in_the_text(text in "\\PC{0,60}|[a-c's’漢字집에서은 .-]{0,30}") {
            let mut last = 0;
            for word in NameWords::new().of(&text) {
                prop_assert!(text.get(word.span.clone()).is_some_and(|source| !source.is_empty()));
                prop_assert!(word.span.start >= last, "{word:?} after {last}");
                last = word.span.start;
            }
        }
    }
}
