//! What a character is to the word splitter.

use unicode_normalization::char::is_combining_mark;

/// The part that a character plays in a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    /// White space, punctuation, symbols: never part of a word.
    Other,
    /// A letter, lower case or of a script without case.
    Lower,
    /// An upper-case letter.
    Upper,
    /// A digit or another number.
    Digit,
    /// Punctuation that joins the parts of an identifier when a word stands on both sides of it.
    Joint,
    /// An apostrophe, which belongs to the word when letters stand on both sides of it.
    Apostrophe,
    /// A combining mark or an invisible character: part of the word that it stands in.
    Mark,
    /// A letter of a script written without spaces between words.
    Unspaced(Unspaced),
}

/// Scripts written without spaces between words. Runs of one of them are indexed as pairs of characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unspaced {
    /// Han, Kana, Bopomofo, and Hangul, which has spaces but glues particles to its nouns.
    EastAsian,
    /// Thai.
    Thai,
    /// Lao.
    Lao,
    /// Burmese.
    Burmese,
    /// Khmer.
    Khmer,
}

/// See [`alphabet`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Alphabet {
    /// With all letters of Western Europe and Vietnam.
    Latin,
    /// Of all languages.
    Cyrillic,
    /// With its points.
    Hebrew,
    /// Of all languages.
    Arabic,
}

impl Class {
    /// Whether a word can begin with such a character.
    pub(crate) const fn begins_word(self) -> bool {
        matches!(self, Self::Lower | Self::Upper | Self::Digit)
    }

    /// Whether it is a letter of a script with spaces.
    pub(crate) const fn is_letter(self) -> bool {
        matches!(self, Self::Lower | Self::Upper)
    }
}

/// The classes of the ASCII characters, for the fast path.
pub(crate) const ASCII: [Class; 128] = ascii_classes();

const fn ascii_classes() -> [Class; 128] {
    let mut classes = [Class::Other; 128];
    let mut byte = 0;
    while byte < 128 {
        classes[byte] = match byte as u8 {
            b'a'..=b'z' => Class::Lower,
            b'A'..=b'Z' => Class::Upper,
            b'0'..=b'9' => Class::Digit,
            b'_' | b'-' | b'.' | b'/' | b'@' | b':' | b',' => Class::Joint,
            b'\'' => Class::Apostrophe,
            _ => Class::Other,
        };
        byte += 1;
    }
    classes
}

/// Characters that cannot be seen and part no words: soft hyphen, joiners, marks of direction, byte order mark. (The
/// zero-width space does part words.)
pub(crate) fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200c}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// The alphabet of a letter, where it is one of those that are mixed in one word without a joint between them
/// (`בGit`, `Pythonом`). Greek is not: its letters belong to the names in which they stand (`PKCζ`).
pub(crate) fn alphabet(c: char) -> Option<Alphabet> {
    Some(match c as u32 {
        0..0x250 | 0x1e00..=0x1eff => Alphabet::Latin,
        0x400..=0x52f => Alphabet::Cyrillic,
        0x590..=0x5ff | 0xfb1d..=0xfb4f => Alphabet::Hebrew,
        0x600..=0x6ff | 0x750..=0x77f | 0x8a0..=0x8ff | 0xfb50..=0xfdff | 0xfe70..=0xfefc => Alphabet::Arabic,
        _ => return None,
    })
}

/// The class of any character.
pub(crate) fn class(c: char) -> Class {
    if c.is_ascii() {
        return ASCII[c as usize];
    }
    // Most letters of Europe, without a look at the tables.
    match c {
        'à'..='ö' | 'ø'..='ÿ' | 'ά'..='ώ' | 'а'..='џ' => return Class::Lower,
        'À'..='Ö' | 'Ø'..='Þ' | 'Ѐ'..='Я' => return Class::Upper,
        _ => {}
    }
    if let Some(script) = unspaced(c) {
        return Class::Unspaced(script);
    }
    match c {
        _ if is_invisible(c) => Class::Mark,
        '\u{2bc}' | '\u{2019}' | '\u{ff07}' => Class::Apostrophe,
        '\u{2010}' | '\u{2011}' => Class::Joint,
        _ if is_combining_mark(c) => Class::Mark,
        _ if c.is_uppercase() => Class::Upper,
        _ if c.is_alphabetic() => Class::Lower,
        _ if c.is_numeric() => Class::Digit,
        _ => Class::Other,
    }
}

/// The script of a character that is written without spaces; digits of these scripts are digits as others are.
fn unspaced(c: char) -> Option<Unspaced> {
    Some(match c as u32 {
        0..0xe01 => return None,
        0xe01..=0xe3a | 0xe40..=0xe4e => Unspaced::Thai,
        0xe81..=0xebe | 0xec0..=0xece | 0xedc..=0xedf => Unspaced::Lao,
        0x1000..=0x103f | 0x1050..=0x108f | 0x109a..=0x109d | 0xa9e0..=0xa9ef | 0xa9fa..=0xa9fe | 0xaa60..=0xaa7f => {
            Unspaced::Burmese
        }
        0x1780..=0x17d3 | 0x17d7 | 0x17dc..=0x17dd => Unspaced::Khmer,
        // Hangul: jamo, syllables, compatibility and half-width forms.
        0x1100..=0x11ff | 0x3131..=0x318e | 0xa960..=0xa97c | 0xac00..=0xd7fb | 0xffa0..=0xffdc => Unspaced::EastAsian,
        // Kana with their marks, Bopomofo.
        0x3041..=0x309a
        | 0x309d..=0x309f
        | 0x30a1..=0x30fa
        | 0x30fc..=0x312f
        | 0x31a0..=0x31bf
        | 0x31f0..=0x31ff
        | 0xff66..=0xff9f
        | 0x1aff0..=0x1b16f => Unspaced::EastAsian,
        // Han: iteration mark, zero, numerals, the blocks of ideographs.
        0x3005
        | 0x3007
        | 0x3021..=0x3029
        | 0x3038..=0x303b
        | 0x3400..=0x4dbf
        | 0x4e00..=0x9fff
        | 0xf900..=0xfaff
        | 0x20000..=0x3fffd => Unspaced::EastAsian,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_of_scripts() {
        for (c, expected) in [
            ('é', Class::Lower),
            ('É', Class::Upper),
            ('\u{301}', Class::Mark),
            ('’', Class::Apostrophe),
            ('²', Class::Digit),
            ('๓', Class::Digit),
            ('א', Class::Lower),
            ('क', Class::Lower),
            ('ि', Class::Mark),
            ('字', Class::Unspaced(Unspaced::EastAsian)),
            ('ー', Class::Unspaced(Unspaced::EastAsian)),
            ('한', Class::Unspaced(Unspaced::EastAsian)),
            ('ก', Class::Unspaced(Unspaced::Thai)),
            ('。', Class::Other),
            ('・', Class::Other),
            ('😀', Class::Other),
        ] {
            assert_eq!(class(c), expected, "{c:?}");
        }
    }
}
