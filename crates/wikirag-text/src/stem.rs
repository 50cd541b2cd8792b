//! Stems: the form in which the inflections of a word meet.

use frostem::Stemmer;

use crate::fold;
use crate::language::Language;

/// Words repeat, and a stemmer costs many times what a look-up does. Zipf's law makes this many slots enough for any
/// text.
const SLOTS: usize = 4096;
/// Slots for the first words: a question needs no more, and should not wait for a large table to be made.
const FIRST_SLOTS: usize = 64;

/// Stems words of one language, and remembers the last ones.
///
/// The memory is a table in which each word has one slot: a collision costs one more call of the stemmer and nothing
/// else, so no choice of words can make it slow or large.
#[derive(Debug, Default)]
pub(crate) struct Stems {
    slots: Vec<Slot>,
    /// Calls of the stemmer.
    stemmed: usize,
    work: String,
}

#[derive(Debug, Default, Clone)]
struct Slot {
    word: String,
    stem: String,
}

impl Stems {
    /// Words that were stemmed so far.
    pub(crate) const fn stemmed(&self) -> usize {
        self.stemmed
    }

    /// The stem of `word`, an exact form: stemmed in the language, then without accents. The stemmer comes first, since
    /// endings are told apart by their accents, save in English.
    pub(crate) fn stem<'s>(&'s mut self, word: &'s str, language: Option<Language>) -> &'s str {
        let stemmer = language.and_then(Language::algorithm).map(Stemmer::new);
        let Some(stemmer) = stemmer else {
            let word = if language.is_none() { without_possessive(word) } else { word };
            if word.is_ascii() {
                return word;
            }
            if language.is_some_and(Language::keeps_marks) {
                return word;
            }
            without_accents(word, word, &mut self.work);
            return &self.work;
        };
        if word.bytes().all(|byte| byte.is_ascii_digit()) {
            return word;
        }
        if self.slots.is_empty() {
            self.slots.resize(FIRST_SLOTS, Slot::default());
        } else if self.stemmed > FIRST_SLOTS && self.slots.len() < SLOTS {
            // The words so far move to other slots, that is, they are forgotten.
            self.slots.resize(SLOTS, Slot::default());
        }
        let place = hash(word) % self.slots.len() as u64;
        // Less than the length of a vector, so it fits.
        let slot = &mut self.slots[place as usize];
        if slot.word != word {
            self.stemmed = self.stemmed.saturating_add(1);
            slot.word.clear();
            slot.word.push_str(word);
            // The endings of English have no accents, and its stemmer takes a letter with one for no vowel: `résumé` and
            // `resume` would part.
            if language == Some(Language::English) && !word.is_ascii() {
                without_accents(word, word, &mut self.work);
                slot.stem.clear();
                slot.stem.push_str(&stemmer.stem(&self.work));
                if slot.stem.is_empty() {
                    slot.stem.push_str(word);
                }
            } else {
                without_accents(&stemmer.stem(word), word, &mut slot.stem);
            }
        }
        &slot.stem
    }
}

/// FNV-1a, eight bytes at a time. Words that were chosen to collide cost one call of the stemmer each.
fn hash(word: &str) -> u64 {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for chunk in word.as_bytes().chunks(8) {
        let mut bytes = [0; 8];
        bytes[..chunk.len()].copy_from_slice(chunk);
        hash = (hash ^ u64::from_le_bytes(bytes)).wrapping_mul(0x0100_0000_01b3);
        hash ^= hash >> 29;
    }
    // The high bits depend on all bytes.
    hash >> 32
}

/// Puts `stem` without its accents into `out`; a stemmer may take a short word for nothing but an ending, and some
/// words are nothing but marks: such a `word` is its own stem.
fn without_accents(stem: &str, word: &str, out: &mut String) {
    out.clear();
    fold::accents(stem, out);
    if out.is_empty() {
        out.push_str(word);
    }
}

/// `john's` is `john` where nothing is known of the language; the stemmers have rules of their own.
fn without_possessive(word: &str) -> &str {
    match word.strip_suffix("'s") {
        Some(owner) if !owner.is_empty() => owner,
        _ => word,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn stem(word: &str, language: Option<Language>) -> String {
        Stems::default().stem(word, language).to_owned()
    }

    #[test]
    fn inflections_meet() {
        let english = Some(Language::English);
        assert_eq!(stem("connections", english), stem("connected", english));
        assert_eq!(stem("john's", english), "john");
        assert_eq!(stem("john's", None), "john");
        assert_eq!(stem("häuser", Some(Language::German)), stem("haus", Some(Language::German)));
        assert_eq!(stem("книги", Some(Language::Russian)), stem("книга", Some(Language::Russian)));
        assert_eq!(stem("canciones", Some(Language::Spanish)), stem("canción", Some(Language::Spanish)));
        assert_eq!(stem("čas", Some(Language::Slovak)), "cas");
        assert_eq!(stem("2026", english), "2026");
        assert_eq!(stem("résumés", english), stem("resume", english));
        assert_eq!(stem("grüße", english), stem("grusse", english));
    }

    proptest! {
        #[test]
        fn memory_changes_nothing(words in prop::collection::vec("[a-zà-ÿ']{1,8}", 1..200)) {
            let mut stems = Stems::default();
            for word in &words {
                let language = Some(Language::French);
                prop_assert_eq!(stems.stem(word, language), stem(word, language));
            }
        }

        #[test]
        fn no_word_is_too_odd(word in "\\PC{1,30}", index in 0..Language::ALL.len()) {
            let language = Language::ALL[index];
            let mut exact = String::new();
            fold::exact(&word, &mut exact);
            prop_assume!(!exact.is_empty());
            let first = stem(&exact, Some(language));
            prop_assert_eq!(&first, &stem(&exact, Some(language)));
        }
    }
}
