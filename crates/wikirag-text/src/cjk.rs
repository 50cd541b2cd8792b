//! Scripts without spaces between words: overlapping pairs of characters.
//!
//! Pairs need no dictionary, find every word of two characters or more whatever stands around it, and rank well
//! (they are what Lucene's `CJKAnalyzer` does). A character that stands alone is a term of its own.

use std::ops::Range;

use unicode_normalization::char::canonical_combining_class;

use crate::analyser::Form;
use crate::fold;

/// Calls `sink` with each term of the run `text[span]` and the bytes it came from.
pub(crate) fn pairs(text: &str, span: Range<usize>, mut sink: impl FnMut(&str, Range<usize>, Form)) {
    let mut pair = String::new();
    // The last character with its span, and whether it is part of a pair already.
    let mut last: Option<(char, Range<usize>)> = None;
    let mut alone = true;
    let whole = span.clone();
    units(text, span, |c, at| {
        if let Some((before, from)) = &last {
            pair.clear();
            pair.push(*before);
            pair.push(c);
            if has_words_of_one(*before) {
                sink(before.encode_utf8(&mut [0; 4]), from.clone(), Form::Single);
            }
            sink(&pair, from.start..at.end.max(from.end), Form::Pair);
            alone = false;
        }
        last = Some((c, at));
    });
    if let Some(noun) = noun_of(text, &whole) {
        sink(noun.encode_utf8(&mut [0; 4]), whole.start..whole.start + noun.len_utf8(), Form::Pair);
    }
    if let Some((c, at)) = last
        && (alone || has_words_of_one(c))
    {
        sink(c.encode_utf8(&mut [0; 4]), at, if alone { Form::Pair } else { Form::Single });
    }
}

/// The folded characters of a run. A base and the marks that compose with it are folded together, so that a
/// decomposed spelling (`か` with a voicing mark, conjoining Hangul) gives the same characters as the composed one.
fn units(text: &str, span: Range<usize>, mut sink: impl FnMut(char, Range<usize>)) {
    let mut folded = String::new();
    let mut fold = |from: usize, to: usize| {
        let mut chars = text[from..to].chars();
        if let Some(c) = chars.next()
            && chars.next().is_none()
            && folds_to_itself(c)
        {
            sink(c, from..to);
            return;
        }
        folded.clear();
        fold::exact(&text[from..to], &mut folded);
        for c in folded.chars() {
            sink(c, from..to);
        }
    };
    let mut from = span.start;
    for (offset, c) in text[span.clone()].char_indices() {
        let at = span.start + offset;
        if at > from && !composes(c) {
            fold(from, at);
            from = at;
        }
    }
    if from < span.end {
        fold(from, span.end);
    }
}

/// Particles of Korean, which are written without a space behind the noun.
const PARTICLES: [&str; 24] = [
    "가", "과", "까지", "께", "나", "는", "도", "로", "를", "만", "보다", "부터", "에", "에게", "에서", "와", "으로",
    "은", "을", "의", "이", "이나", "처럼", "하고",
];

/// The noun of a run of Hangul that is a noun of one syllable and a particle: the pairs of `물이` and `물은` have nothing in
/// common. Longer nouns are found by their own pairs.
fn noun_of(text: &str, span: &Range<usize>) -> Option<char> {
    let run = &text[span.clone()];
    // One syllable and at most two more, of three bytes each, composed: so it is written but for file names.
    let noun = run.chars().next().filter(|c| run.len() <= 9 && matches!(c, '가'..='힣'))?;
    PARTICLES.binary_search(&&run[noun.len_utf8()..]).is_ok().then_some(noun)
}

/// Whether one character can be a word: in Han and in Hangul, where it is a syllable. A letter of Kana or Thai hardly
/// ever is.
fn has_words_of_one(c: char) -> bool {
    matches!(c as u32, 0x3005..=0x3007 | 0x3400..=0x4dbf | 0x4e00..=0x9fff | 0xac00..=0xd7a3 | 0xf900..=0xfaff | 0x20000..=0x3fffd)
}

/// The common characters that need no folding, for speed.
fn folds_to_itself(c: char) -> bool {
    matches!(c as u32, 0x4e00..=0x9fff | 0x3041..=0x3096 | 0x30a1..=0x30fa | 0x30fc | 0xac00..=0xd7a3 | 0xe01..=0xe32)
}

/// Whether a character may melt into the one before it.
fn composes(c: char) -> bool {
    // Medial and final jamo, half-width voicing marks.
    !folds_to_itself(c)
        && (matches!(c as u32, 0x1160..=0x11ff | 0xd7b0..=0xd7fb | 0xff9e..=0xff9f)
            || canonical_combining_class(c) != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(text: &str) -> Vec<(String, &str)> {
        let mut found = Vec::new();
        pairs(text, 0..text.len(), |term, span, form| {
            if form == Form::Pair {
                found.push((term.to_owned(), &text[span]));
            }
        });
        found
    }

    #[test]
    fn runs_become_overlapping_pairs() {
        assert_eq!(terms("視頻下"), [("視頻".into(), "視頻"), ("頻下".into(), "頻下")]);
        assert_eq!(terms("水"), [("水".into(), "水")]);
        assert!(terms("").is_empty());
    }

    #[test]
    fn particles_leave_the_noun() {
        assert!(PARTICLES.is_sorted());
        assert_eq!(terms("물은"), [("물은".into(), "물은"), ("물".into(), "물")]);
        assert!(terms("책에서").contains(&("책".into(), "책")));
        assert!(!terms("도서관에서").contains(&("도".into(), "도")));
    }

    #[test]
    fn spellings_meet() {
        let plain = |text| terms(text).into_iter().map(|(term, _)| term).collect::<Vec<_>>();
        assert_eq!(plain("がぎ"), plain("か\u{3099}き\u{3099}"));
        assert_eq!(plain("ガギ"), plain("ｶﾞｷﾞ"));
        assert_eq!(plain("한국"), plain("\u{1112}\u{1161}\u{11ab}\u{1100}\u{116e}\u{11a8}"));
    }
}
