//! Forms of a word that are to be taken for equal.

use std::borrow::Cow;

use unicode_normalization::char::{canonical_combining_class, decompose_canonical};
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};

use crate::classes::is_invisible;

/// Appends the exact form of `word`: NFKC, lower case, one kind of apostrophe, no invisible characters.
/// Accents stay. Composed and decomposed spellings, full-width and half-width forms become one.
pub(crate) fn exact(word: &str, out: &mut String) {
    if word.is_ascii() {
        let start = out.len();
        out.push_str(word);
        out[start..].make_ascii_lowercase();
        return;
    }
    // The letters of most European words need no tables.
    let start = out.len();
    if word.chars().all(|c| simple_lower(c).map(|lower| out.push(lower)).is_some()) {
        return;
    }
    out.truncate(start);
    let lowered: String = compatible(word).chars().filter(|c| !is_invisible(*c)).flat_map(char::to_lowercase).collect();
    // Lower case can undo composition (`İ` becomes two characters), so the result is composed once more.
    out.extend(compatible(&lowered).chars().map(|c| match c {
        '\u{2bc}' | '\u{2019}' => '\'',
        '\u{2010}' | '\u{2011}' => '-',
        // Both are sigma; which one is written depends on the place in the word.
        'ς' => 'σ',
        c => european_digit(c),
    }));
}

/// The lower case of a letter that NFKC leaves alone, for the common ones; `None` says that the tables must be asked.
fn simple_lower(c: char) -> Option<char> {
    Some(match c {
        'A'..='Z' => c.to_ascii_lowercase(),
        '\0'..='\u{7f}' | 'à'..='ö' | 'ø'..='ÿ' | 'α'..='ρ' | 'σ'..='ω' | 'а'..='џ' => c,
        'À'..='Ö' | 'Ø'..='Þ' | 'Α'..='Ρ' | 'Σ'..='Ω' | 'А'..='Я' => char::from_u32(c as u32 + 32)?,
        'Ѐ'..='Џ' => char::from_u32(c as u32 + 80)?,
        _ => return None,
    })
}

/// NFKC, without a copy where the text is in that form already.
pub(crate) fn compatible(text: &str) -> Cow<'_, str> {
    match is_nfkc_quick(text.chars()) {
        IsNormalized::Yes => Cow::Borrowed(text),
        _ => Cow::Owned(text.nfkc().collect()),
    }
}

/// The zeros of the decimal digits of other scripts; nine digits follow each.
const ZEROS: [u32; 21] = [
    0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xde6, 0xe50, 0xed0, 0xf20,
    0x1040, 0x1090, 0x17e0, 0x1810, 0x19d0,
];

/// `٣` is the number that `3` is: numbers are written in either digits within one language.
fn european_digit(c: char) -> char {
    let code = c as u32;
    if !(0x660..=0x19d9).contains(&code) {
        return c;
    }
    let value = ZEROS.iter().find_map(|zero| code.checked_sub(*zero).filter(|value| *value < 10));
    value.and_then(|value| char::from_digit(value, 10)).unwrap_or(c)
}

/// Appends `word` without accents: what people leave out when they type in a hurry or on a foreign keyboard.
///
/// Latin, Greek and Cyrillic letters lose their marks, Hebrew and Arabic their points, and Latin letters that have no
/// decomposition are spelled out (`ß` as `ss`, `ø` as `o`). Arabic letters that are written for each other become one
/// (`ة` and `ه`, `ى`, `ی` and `ي`, `ک` and `ك`). The marks of other scripts (vowel signs of Devanagari, say)
/// are letters in their own right and stay.
pub(crate) fn accents(word: &str, out: &mut String) {
    if word.is_ascii() {
        out.push_str(word);
        return;
    }
    // The last letter that is no mark decides whether the marks after it may go.
    let mut foldable = false;
    let mut taken_apart = false;
    for c in word.chars() {
        match c {
            // A letter of its own, not `и` with an accent.
            'й' => {
                foldable = false;
                out.push(c);
                continue;
            }
            'a'..='z' | 'а'..='я' | 'α'..='ω' => {
                foldable = true;
                out.push(c);
                continue;
            }
            _ => taken_apart = true,
        }
        decompose_canonical(c, |part| {
            if canonical_combining_class(part) != 0 {
                if !foldable {
                    out.push(part);
                }
                return;
            }
            foldable = loses_marks(part);
            match spelled_out(part) {
                Some(letters) => out.push_str(letters),
                None if part == '\u{640}' => {} // the Arabic stretching mark
                None => out.push(part),
            }
        });
    }
    // What was taken apart and kept (Hangul, Indic letters) is put together again.
    if taken_apart && is_nfkc_quick(out.chars()) != IsNormalized::Yes {
        *out = out.nfc().collect();
    }
}

/// Whether `word`, an exact form, is written in a way that people simplify when they type in a hurry: `résumé`, `ß`.
#[must_use]
pub fn is_accented(word: &str) -> bool {
    let mut bare = String::new();
    accents(word, &mut bare);
    bare != word
}

fn loses_marks(c: char) -> bool {
    matches!(c as u32,
        0x41..=0x24f | 0x1e00..=0x1eff        // Latin
        | 0x370..=0x3ff | 0x1f00..=0x1fff     // Greek
        | 0x400..=0x52f                       // Cyrillic
        | 0x590..=0x5ff                       // Hebrew
        | 0x600..=0x6ff | 0x750..=0x77f       // Arabic
    )
}

fn spelled_out(c: char) -> Option<&'static str> {
    Some(match c {
        'ß' => "ss",
        'æ' => "ae",
        'œ' => "oe",
        'ø' => "o",
        'đ' | 'ð' => "d",
        'ħ' => "h",
        'ı' => "i",
        'ł' => "l",
        'ŋ' => "n",
        'þ' => "th",
        'ŧ' => "t",
        'ة' | 'ۀ' | 'ە' | 'ہ' => "ه",
        'ى' | 'ی' => "ي",
        'ک' => "ك",
        'ٱ' => "ا",
        _ => return None,
    })
}

/// `text` in lower case, composed (NFC): the form in which names meet that a file system or a link may write either way.
/// Accents, compatibility forms (`²`) and emoji stay what they are. To fold the result again changes nothing.
#[must_use]
pub fn caseless(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        let is_lower = !text.bytes().any(|byte| byte.is_ascii_uppercase());
        return if is_lower { Cow::Borrowed(text) } else { Cow::Owned(text.to_ascii_lowercase()) };
    }
    let lowered = text.nfd().flat_map(char::to_lowercase).map(|c| if c == 'ς' { 'σ' } else { c });
    Cow::Owned(lowered.nfc().collect())
}

/// Whether two texts differ at most in how their characters are composed (canonical equivalence, Unicode chapter 3.7), as
/// file names do that came by way of macOS.
#[must_use]
pub fn is_same_text(one: &str, other: &str) -> bool {
    one == other || one.nfc().eq(other.nfc())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn exact_of(word: &str) -> String {
        let mut out = String::new();
        exact(word, &mut out);
        out
    }

    fn without_accents(word: &str) -> String {
        let mut out = String::new();
        accents(&exact_of(word), &mut out);
        out
    }

    #[test]
    fn spellings_of_one_word_meet() {
        assert_eq!(exact_of("impo\u{302}t"), exact_of("IMPÔT"));
        assert_eq!(exact_of("ＡＢＣ"), "abc");
        assert_eq!(exact_of("ΟΔΟΣ"), exact_of("οδος"));
        assert_eq!(exact_of("don’t"), "don't");
        assert_eq!(exact_of("co\u{ad}operate"), "cooperate");
        assert_eq!(exact_of("ﬁn"), "fin");
        assert_eq!(exact_of("١٢٣"), "123");
        assert_eq!(exact_of("๑๗"), "17");
        assert_eq!(exact_of("byte\u{feff}mark"), "bytemark");
    }

    #[test]
    fn accents_go_where_they_are_accents() {
        assert_eq!(without_accents("Crème"), "creme");
        assert_eq!(without_accents("Straße"), "strasse");
        assert_eq!(without_accents("Łódź"), "lodz");
        assert_eq!(without_accents("ёлка"), "елка");
        assert_eq!(without_accents("йод"), "йод");
        assert_eq!(without_accents("Ἀθῆναι"), "αθηναι");
        assert_eq!(without_accents("שָׁלוֹם"), "שלום");
        assert_eq!(without_accents("مُحَمَّد"), "محمد");
        assert_eq!(without_accents("مدرسة"), without_accents("مدرسه"));
        assert_eq!(without_accents("کتاب"), without_accents("كتاب"));
        assert_eq!(without_accents("हिन्दी"), exact_of("हिन्दी"));
        assert_eq!(without_accents("한국어"), "한국어");
        assert_eq!(without_accents("が"), "が");
    }

    #[test]
    fn names_meet_without_case_in_either_composition() {
        assert_eq!(caseless("U\u{308}BER.md"), caseless("über.MD"));
        assert_eq!(caseless("ΟΔΟΣ"), caseless("οδος"));
        assert_ne!(caseless("x²"), caseless("x2"));
        assert_eq!(caseless("🗂\u{fe0f} Hub"), "🗂\u{fe0f} hub");
        assert!(matches!(caseless("plain name.md"), Cow::Borrowed(_)));
    }

    proptest! {
        #[test]
        fn a_caseless_name_stays(name in "\\PC{0,40}|\\PC{0,3}\u{301}\u{345}\\PC{0,3}") {
            let once = caseless(&name).into_owned();
            let decomposed: String = name.nfd().collect();
            prop_assert_eq!(&*caseless(&once).into_owned(), &once);
            prop_assert_eq!(caseless(&decomposed).into_owned(), once);
        }

        #[test]
        fn folding_again_changes_nothing(word in "\\PC{0,40}") {
            let once = exact_of(&word);
            prop_assert_eq!(exact_of(&once), once);
        }

        #[test]
        fn simple_letters_are_those_that_the_tables_leave_alone(c in any::<char>()) {
            if let Some(lower) = simple_lower(c) {
                prop_assert_eq!(c.to_lowercase().nfkc().collect::<String>(), lower.to_string());
            }
        }

        #[test]
        fn the_decomposed_form_folds_to_the_same(word in "[a-zà-ÿÀ-ßа-яё한가字が]{0,20}") {
            let decomposed: String = word.nfd().collect();
            prop_assert_eq!(exact_of(&decomposed), exact_of(&word));
            prop_assert_eq!(without_accents(&decomposed), without_accents(&word));
        }
    }
}
