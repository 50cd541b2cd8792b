//! Words that make two statements different whatever else is the same, in any language.
//!
//! Where the language of a sentence is known, its [`Lexicon`] tells more. Copies are looked for before that, and in every
//! language at once: two texts that differ in a word that may be a fact are no copies, which costs little where it is none.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::lexicon::Lexicon;

/// Negations beyond those of the lexicons: of languages without one, and words that negate only together with others. Of scripts
/// without spaces the pairs of characters that the analyser makes.
const NEGATIONS: &str = "none nobody nothing nichts pas jamais aucun aucune \
    não nunca sem nenhum nenhuma non mai senza nessun nessuna niet geen nooit zonder inte aldrig utan ikke aldri \
    nie nigdy bez не нет ни никогда без ні немає لا ليس لم لن غير بدون नहीं không ない せん";

/// Characters of Chinese that turn a statement round wherever they stand.
const NEGATIVE_CHARACTERS: [char; 6] = ['不', '没', '沒', '未', '无', '無'];

/// Days, which sentences name as values only with a date beside them.
const WEEKDAYS: &str = "monday tuesday wednesday thursday friday saturday sunday";

static WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    let further = NEGATIONS.split_ascii_whitespace().chain(WEEKDAYS.split_ascii_whitespace());
    Lexicon::all().flat_map(Lexicon::facts).chain(further).collect()
});

/// Whether two texts that differ in this word may state different things: numbers in digits or words, versions, dates, negations. The word is in the
/// exact form of the analyser.
pub(crate) fn is_fact(word: &str) -> bool {
    word.chars().any(|c| c.is_numeric() || NEGATIVE_CHARACTERS.contains(&c))
        || word.ends_with("n't")
        || WORDS.contains(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_and_negations_of_all_lexicons_are_facts() {
        for word in [
            "not",
            "nicht",
            "ne",
            "jamás",
            "won't",
            "März".to_lowercase().as_str(),
            "may",
            "seven",
            "zwölf",
            "1.2",
            "v٣",
            "不可",
        ] {
            assert!(is_fact(word), "{word}");
        }
        for word in ["", "gateway", "knot", "maybe"] {
            assert!(!is_fact(word), "{word}");
        }
    }
}
