//! UTF-8, UTF-16 and UTF-32 by their byte order marks, and the latter two without.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

use super::{Basis, Decoded, in_encoding, is_foreign_control};

/// The order of the bytes of a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Order {
    Little,
    Big,
}

/// Decodes what begins with a byte order mark.
pub(super) fn marked(bytes: &[u8]) -> Option<Decoded<'_>> {
    // The mark of UTF-32LE begins with that of UTF-16LE. Text in UTF-16 does not begin with NUL.
    match bytes {
        [0xff, 0xfe, 0, 0, rest @ ..] => Some(utf32(rest, Order::Little, Basis::Mark)),
        [0, 0, 0xfe, 0xff, rest @ ..] => Some(utf32(rest, Order::Big, Basis::Mark)),
        [0xef, 0xbb, 0xbf, rest @ ..] => Some(in_encoding(rest, UTF_8, Basis::Mark)),
        [0xff, 0xfe, rest @ ..] => Some(in_encoding(rest, UTF_16LE, Basis::Mark)),
        [0xfe, 0xff, rest @ ..] => Some(in_encoding(rest, UTF_16BE, Basis::Mark)),
        _ => None,
    }
}

/// Decodes UTF-16 and UTF-32 without a mark: spaces, line ends and digits have NUL in each byte but one, at the same place
/// of each unit, and no other text has NUL.
pub(super) fn unmarked(bytes: &[u8]) -> Option<Decoded<'_>> {
    let mut zeros = [0_usize; 4];
    for unit in bytes.chunks(4) {
        for (zero, byte) in zeros.iter_mut().zip(unit) {
            *zero += usize::from(*byte == 0);
        }
    }
    if zeros == [0; 4] || !bytes.len().is_multiple_of(2) {
        return None;
    }
    let units = bytes.len() / 4;
    // Every character of Unicode has NUL in the highest of its four bytes.
    if bytes.len().is_multiple_of(4) && (zeros[0] == units || zeros[3] == units) {
        let order = if zeros[0] == units { Order::Big } else { Order::Little };
        // So has every second character of text in UTF-16 that is all ASCII.
        let decoded = Some(utf32(bytes, order, Basis::Guess)).filter(is_sound);
        if decoded.is_some() {
            return decoded;
        }
    }
    let (first, second) = (zeros[0] + zeros[2], zeros[1] + zeros[3]);
    let encoding: &'static Encoding = if first > second { UTF_16BE } else { UTF_16LE };
    let (more, fewer) = (first.max(second), first.min(second));
    // Only text without spaces has fewer, and characters whose lower byte is NUL are rare.
    if more * 32 < bytes.len() || fewer * 8 > more {
        return None;
    }
    Some(in_encoding(bytes, encoding, Basis::Guess)).filter(is_sound)
}

/// Whether nothing in the text speaks against its encoding, where that was only a guess.
fn is_sound(decoded: &Decoded<'_>) -> bool {
    !decoded.malformed && !decoded.text.bytes().any(is_foreign_control)
}

fn utf32(bytes: &[u8], order: Order, basis: Basis) -> Decoded<'static> {
    let (units, rest) = bytes.as_chunks::<4>();
    let mut malformed = !rest.is_empty();
    let mut text = String::with_capacity(units.len());
    for unit in units {
        let number = match order {
            Order::Little => u32::from_le_bytes(*unit),
            Order::Big => u32::from_be_bytes(*unit),
        };
        text.push(char::from_u32(number).unwrap_or_else(|| {
            malformed = true;
            char::REPLACEMENT_CHARACTER
        }));
    }
    if !rest.is_empty() {
        text.push(char::REPLACEMENT_CHARACTER);
    }
    let encoding = match order {
        Order::Little => "UTF-32LE",
        Order::Big => "UTF-32BE",
    };
    Decoded { text: Cow::Owned(text), encoding, basis, malformed }
}
