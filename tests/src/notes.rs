//! Notes made up from a seed: the same for the same seed, on every machine.

use std::fmt::Write as _;

use fastrand::Rng;

/// Syllables that words are made of. 24 x 24 x 24 words are enough for a vocabulary with rare and common ones.
const SYLLABLES: [&str; 24] = [
    "ba", "cor", "den", "el", "fa", "gri", "hol", "is", "ju", "kem", "lo", "mar", "nu", "ost", "pe", "qua", "ri",
    "sol", "ta", "ur", "ven", "wa", "yo", "zi",
];

/// A word; small numbers are drawn more often than large ones, as in any language.
#[must_use]
pub fn word(rng: &mut Rng) -> String {
    let squared = rng.f64() * rng.f64();
    let number = (squared * 24.0 * 24.0 * 24.0) as usize;
    let syllable = |number: usize| SYLLABLES[number % SYLLABLES.len()];
    [syllable(number / 576), syllable(number / 24), syllable(number)].concat()
}

/// A sentence of 6 to 14 words.
#[must_use]
pub fn sentence(rng: &mut Rng) -> String {
    let words: Vec<String> = (0..rng.usize(6..15)).map(|_| word(rng)).collect();
    format!("The {}. ", words.join(" "))
}

/// A note with a title, two sections and a few hundred characters.
#[must_use]
pub fn note(title: &str, rng: &mut Rng) -> String {
    let mut text = format!("# {title}\n\n");
    for section in ["Origin", "Use"] {
        let sentences: String = (0..rng.usize(2..5)).map(|_| sentence(rng)).collect();
        // Writing into a string cannot fail.
        let _ = write!(text, "## {section}\n\n{sentences}\n\n");
    }
    text
}
