//! The encoding by a look at the bytes, where nothing else tells it.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, IBM866, ISO_2022_JP, ISO_8859_5, KOI8_U, WINDOWS_1251, WINDOWS_1252, X_MAC_CYRILLIC};

use super::{Basis, Decoded, cyrillic, in_encoding};

/// The longest part of a file that is looked at. Frequencies do not change after that.
const SAMPLE: usize = 1 << 20;

/// Decodes what switches between sets of characters by escape sequences: ISO-2022-JP. All its bytes are ASCII.
pub(super) fn escaped(bytes: &[u8]) -> Option<Decoded<'_>> {
    let switch = bytes.windows(2).position(|pair| matches!(pair, b"\x1b$"))?;
    if !bytes.is_ascii() || detected(sample(bytes, switch), false) != ISO_2022_JP {
        return None;
    }
    Some(in_encoding(bytes, ISO_2022_JP, Basis::Guess)).filter(|decoded| !decoded.malformed)
}

/// Decodes the bytes in the encoding that fits them best.
///
/// The detector of Firefox knows what pages of the web are in. It does not know the Cyrillic code pages of DOS and of
/// the old Macintosh: it takes them for Western or for the Cyrillic of Windows, so in these cases we look again.
pub(super) fn guessed(bytes: &[u8]) -> Decoded<'_> {
    let from = std::str::from_utf8(bytes).map_or_else(|fault| fault.valid_up_to(), |_| 0);
    let sample = sample(bytes, from);
    let encoding = detected(sample, sample.as_ptr_range().end == bytes.as_ptr_range().end);
    let may_be_cyrillic = [WINDOWS_1252, WINDOWS_1251, KOI8_U, ISO_8859_5, IBM866].contains(&encoding);
    if may_be_cyrillic {
        let likeness = |text: &str| cyrillic::likeness(text).filter(|&mean| mean >= cyrillic::LIKE_WORDS);
        let (text, _) = encoding.decode_without_bom_handling(sample);
        let so_far = likeness(&text);
        let mac = likeness(&X_MAC_CYRILLIC.decode_without_bom_handling(sample).0);
        let dos = likeness(&cyrillic::ibm855(sample, Basis::Guess).text);
        if dos > so_far && dos > mac {
            return cyrillic::ibm855(bytes, Basis::Guess);
        }
        if mac > so_far {
            return in_encoding(bytes, X_MAC_CYRILLIC, Basis::Guess);
        }
    }
    in_encoding(bytes, encoding, Basis::Guess)
}

/// What the detector says; `ends` where the file ends with the sample, and not perhaps in the middle of a character.
fn detected(sample: &[u8], ends: bool) -> &'static Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    detector.feed(sample, ends);
    detector.guess(None, Utf8Detection::Deny)
}

/// The part of the file that is looked at: from the line on that holds byte `from`.
fn sample(bytes: &[u8], from: usize) -> &[u8] {
    let head = &bytes[from.saturating_sub(SAMPLE / 8)..from];
    let line = head.iter().rposition(|&byte| byte == b'\n').map_or(from, |at| from - head.len() + at + 1);
    &bytes[line..bytes.len().min(line + SAMPLE)]
}
