//! Bytes into text, whatever encoding they are in.

mod cyrillic;
mod guess;
mod iso_2022_kr;
mod wide;

use std::borrow::Cow;
use std::fmt;

use encoding_rs::{Encoding, REPLACEMENT, UTF_8, X_USER_DEFINED};

/// Text out of bytes, and how sure that is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decoded<'a> {
    /// The text, without byte order mark.
    pub text: Cow<'a, str>,
    /// The encoding, by the name the WHATWG Encoding Standard gives it where it has one: `UTF-8`, `windows-1252`.
    pub encoding: &'static str,
    /// What the choice of the encoding rests on.
    pub basis: Basis,
    /// Whether some bytes mean nothing in this encoding; U+FFFD stands for each run of them.
    pub malformed: bool,
}

impl Decoded<'_> {
    /// What somebody who reads the text should know of its decoding, a sentence each: that the encoding is a guess, that
    /// bytes were lost. Nothing where all is sure.
    pub fn remarks(&self) -> impl Iterator<Item = String> {
        let guess = (self.basis == Basis::Guess).then(|| format!("read as {}, which is a guess", self.encoding));
        let lost = self.malformed.then(|| {
            format!("some bytes mean nothing in {}: U+FFFD stands in the text where they stood", self.encoding)
        });
        guess.into_iter().chain(lost)
    }
}

/// What the choice of an encoding rests on, the surest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Basis {
    /// A byte order mark.
    Mark,
    /// The bytes are valid UTF-8.
    Valid,
    /// The file itself, or what brought it, names the encoding.
    Declared,
    /// A look at the frequencies of bytes.
    Guess,
}

/// The bytes are no text in any encoding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotText;

impl fmt::Display for NotText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the file is no text: it holds bytes that no text has")
    }
}

impl std::error::Error for NotText {}

/// Decodes `bytes`: by byte order mark, else as UTF-8 where they are valid, else as `declared`, else by a guess.
///
/// `declared` is a label as files write it: `latin1`, `Shift_JIS`, `cp855`. One that is unknown, or that the bytes
/// contradict, is passed over. Where the bytes are valid UTF-8, they are so only by chance if they are UTF-16 or UTF-32
/// without a mark or one of the encodings that switch by escape sequences; these three are looked for first.
///
/// The time is linear, and valid UTF-8 is not copied. Of a file that is longer than a mebibyte, the guess looks at a
/// mebibyte from the first byte on that is not UTF-8.
///
/// # Errors
/// [`NotText`] where no encoding of text has such bytes.
pub fn decode<'a>(bytes: &'a [u8], declared: Option<&str>) -> Result<Decoded<'a>, NotText> {
    let decoded = wide::marked(bytes)
        .or_else(|| wide::unmarked(bytes))
        .or_else(|| iso_2022_kr::decoded(bytes))
        .or_else(|| guess::escaped(bytes))
        .or_else(|| valid(bytes))
        .or_else(|| declared.and_then(|label| as_declared(bytes, label)))
        .or_else(|| nearly_utf8(bytes))
        .unwrap_or_else(|| guess::guessed(bytes));
    if is_text(&decoded) { Ok(decoded) } else { Err(NotText) }
}

fn valid(bytes: &[u8]) -> Option<Decoded<'_>> {
    let text = std::str::from_utf8(bytes).ok()?;
    Some(Decoded { text: Cow::Borrowed(text), encoding: UTF_8.name(), basis: Basis::Valid, malformed: false })
}

/// The bytes in the encoding of that label, where it is known and the bytes are possible in it.
fn as_declared<'a>(bytes: &'a [u8], label: &str) -> Option<Decoded<'a>> {
    if cyrillic::is_label_of_ibm855(label) {
        return Some(cyrillic::ibm855(bytes, Basis::Declared));
    }
    let encoding = Encoding::for_label(label.as_bytes())?;
    // Two names of the standard that stand for no encoding of files.
    if encoding == REPLACEMENT || encoding == X_USER_DEFINED {
        return None;
    }
    Some(in_encoding(bytes, encoding, Basis::Declared)).filter(|decoded| !decoded.malformed)
}

fn in_encoding<'a>(bytes: &'a [u8], encoding: &'static Encoding, basis: Basis) -> Decoded<'a> {
    let (text, malformed) = encoding.decode_without_bom_handling(bytes);
    Decoded { text, encoding: encoding.name(), basis, malformed }
}

/// So many characters of several bytes must stand in UTF-8 for one place that is none. In other encodings such
/// sequences come about by chance, and far more seldom than places that break the rules.
const WELL_FORMED_PER_BROKEN: usize = 4;

/// UTF-8 with a few broken places: a file cut in the middle of a character, or one into which a program of another
/// encoding wrote. As any other encoding, all its other words would be lost.
fn nearly_utf8(bytes: &[u8]) -> Option<Decoded<'_>> {
    let (mut broken, mut well_formed) = (0_usize, 0_usize);
    for chunk in bytes.utf8_chunks() {
        well_formed += chunk.valid().bytes().filter(|&byte| byte >= 0xc0).count();
        broken += usize::from(!chunk.invalid().is_empty());
    }
    (well_formed >= broken * WELL_FORMED_PER_BROKEN).then(|| Decoded {
        text: String::from_utf8_lossy(bytes),
        encoding: UTF_8.name(),
        basis: Basis::Guess,
        malformed: true,
    })
}

/// Random bytes, and with them whatever is compressed, hold a tenth of controls that no text has. A sixteenth still is a
/// file that was damaged, or one whose fields are ended by NUL.
const BYTES_PER_CONTROL: usize = 16;

fn is_text(decoded: &Decoded<'_>) -> bool {
    let text = &decoded.text;
    let controls = match decoded.basis {
        // Bytes beyond ASCII are not valid by chance. What may be is a file that was never written, and is all zeros.
        Basis::Valid => text.bytes().filter(|&byte| byte == 0).count(),
        // The upper controls are what the single-byte encodings of the web have where they have no character.
        Basis::Guess => text.bytes().filter(|&byte| is_foreign_control(byte)).count() + upper_controls(text),
        Basis::Mark | Basis::Declared => text.bytes().filter(|&byte| is_foreign_control(byte)).count(),
    };
    controls * BYTES_PER_CONTROL <= text.len()
}

/// Counts the controls from U+0080 on, save for the line end of mainframes.
fn upper_controls(text: &str) -> usize {
    text.chars().filter(|&letter| matches!(letter, '\u{80}'..='\u{9f}') && letter != '\u{85}').count()
}

/// Whether a byte below 0x80 is a control character that no text has. Bell, backspace and escape are those of terminals:
/// logs and printed manuals have them.
const fn is_foreign_control(byte: u8) -> bool {
    matches!(byte, 0..=6 | 0x0e..=0x1a | 0x1c..=0x1f | 0x7f)
}

#[cfg(test)]
mod tests;
