//! About how many tokens a model sees.

/// Estimates how many word pieces a BERT-like model makes of `text`, special tokens not counted.
///
/// Exact counts need the vocabulary of a model, which a build without models does not have. Instead each run of letters
/// costs what runs of its length cost on average: in English prose nearly every word of up to seven letters is one
/// piece, and longer ones break ever more often. A number of up to four digits is one piece, and so is every other
/// character that is not white space.
///
/// * English prose: within 15 % of the count of an uncased English BERT (`tests/estimate.rs` holds it to that).
/// * Latin letters with accents break words into pieces of about two letters in an English vocabulary.
/// * Other alphabets: two letters a piece, between what multilingual vocabularies need (three to four letters) and what
///   an English one makes of them (one letter).
/// * Scripts without spaces: one piece a character.
///
/// Linear in the length of the text.
#[must_use]
pub fn estimate_tokens(text: &str) -> usize {
    let mut hundredths = 0;
    let mut run = Run::default();
    for c in text.chars() {
        let kind = if c.is_ascii() { ASCII[c as usize] } else { kind(c) };
        if kind == run.kind || (kind == Kind::Accented && run.kind == Kind::Letter) {
            run.length += 1;
            run.kind = kind;
        } else if kind == Kind::Letter && run.kind == Kind::Accented {
            run.length += 1;
        } else {
            hundredths += run.cost();
            run = Run { kind, length: 1 };
        }
    }
    hundredths += run.cost();
    hundredths.div_ceil(100)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Kind {
    #[default]
    Space,
    /// An ASCII letter.
    Letter,
    /// Another Latin letter; a word with one of them is of this kind.
    Accented,
    /// A letter or mark of another alphabet.
    Foreign,
    Digit,
    /// Punctuation, symbols, scripts without spaces: a piece each.
    Single,
}

/// The kinds of the ASCII characters, for the fast path.
const ASCII: [Kind; 128] = {
    let mut kinds = [Kind::Space; 128];
    let mut byte = 0;
    while byte < 128 {
        kinds[byte] = match byte as u8 {
            b'a'..=b'z' | b'A'..=b'Z' => Kind::Letter,
            b'0'..=b'9' => Kind::Digit,
            b'!'..=b'~' => Kind::Single,
            _ => Kind::Space,
        };
        byte += 1;
    }
    kinds
};

/// The kind of a character that is not ASCII.
fn kind(c: char) -> Kind {
    match c {
        '\u{c0}'..='\u{24f}' | '\u{300}'..='\u{36f}' | '\u{1e00}'..='\u{1eff}' => Kind::Accented,
        '\u{370}'..='\u{dff}' | '\u{e50}'..='\u{e59}' | '\u{10a0}'..='\u{10ff}' | '\u{1200}'..='\u{139f}' => {
            Kind::Foreign
        }
        _ if c.is_whitespace() || c.is_control() => Kind::Space,
        _ => Kind::Single,
    }
}

#[derive(Default)]
struct Run {
    kind: Kind,
    length: usize,
}

/// Pieces of an English word by its letters, in hundredths: means over the texts of `tests/fixtures/prose` with an odd
/// number, smoothed. From [`LONG_WORD`] letters on, each letter adds [`LETTER_OF_A_LONG_WORD`].
const WORD: [usize; LONG_WORD] = [0, 100, 100, 100, 100, 104, 106, 110, 122, 130, 142, 155];
const LONG_WORD: usize = 12;
const LETTER_OF_A_LONG_WORD: usize = 20;
/// What has more letters than any word is code or noise, which falls into pieces of three letters.
const LONGEST_WORD: usize = 24;

impl Run {
    /// In hundredths of a piece.
    fn cost(&self) -> usize {
        let length = self.length;
        match self.kind {
            Kind::Space => 0,
            Kind::Letter if length < LONG_WORD => WORD[length],
            Kind::Letter if length <= LONGEST_WORD => {
                WORD[LONG_WORD - 1] + (length + 1 - LONG_WORD) * LETTER_OF_A_LONG_WORD
            }
            Kind::Letter => length * 100 / 3,
            Kind::Accented => (length * 45).max(100),
            Kind::Foreign => (length * 50).max(100),
            Kind::Digit if length <= 4 => 100,
            Kind::Digit => 100 + (length - 4) * 40,
            Kind::Single => length * 100,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn simple_texts() {
        for (text, pieces) in
            [("", 0), (" \n\t", 0), ("the cat", 2), ("Hello, world!", 5), ("2026-03-31", 5), ("漢字", 2), ("😀", 1)]
        {
            assert_eq!(estimate_tokens(text), pieces, "{text:?}");
        }
    }

    #[test]
    fn noise_costs_what_its_length_says() {
        let noise = estimate_tokens(&"x".repeat(1 << 20));
        assert!((1 << 18..1 << 20).contains(&noise), "{noise}");
    }

    proptest! {
        #[test]
        fn a_text_costs_about_what_its_halves_do(left in "\\PC{0,40}", right in "\\PC{0,40}") {
            let whole = estimate_tokens(&format!("{left} {right}"));
            let halves = estimate_tokens(&left) + estimate_tokens(&right);
            // Each of the three is rounded up once.
            prop_assert!(whole <= halves && halves <= whole + 1, "{whole} {halves}");
        }
    }
}
