//! Private keys in the formats of key files.

use super::Leak;
use crate::lint::finding::Severity;

/// From here to there stands what kind of key follows.
const BEGIN: &str = "-----BEGIN ";

/// Bytes behind the head of a key in which its first long line must stand.
const WITHIN: usize = 400;

/// Bytes from the first mark of a key to its first long line, at most: PuTTY has the public key before the private one.
const NEAR: usize = 8 << 10;

/// Base 64 characters in one line that are no word of documentation.
const LEAST: usize = 40;

/// Private keys in PEM and OpenPGP armour, also where line ends are written as `\n`, and those of PuTTY and age.
pub(super) fn find(text: &str, sink: &mut impl FnMut(Leak)) {
    let heads = [(BEGIN, "a private key"), ("PuTTY-User-Key-File-", "a private key of PuTTY")];
    for (head, what) in heads {
        for (start, _) in text.match_indices(head) {
            let rest = &text[start..text.ceil_char_boundary(start + NEAR)];
            let kind = &rest[head.len()..];
            let from = if head == BEGIN {
                kind.find("-----").filter(|end| kind[..*end].contains("PRIVATE KEY")).map(|end| end + 5)
            } else {
                kind.find("Private-Lines:").map(|end| end + 14)
            };
            if let Some(end) = from.and_then(|from| material(rest, head.len() + from)) {
                sink(Leak { what, span: start..start + end, severity: Severity::Error });
            }
        }
    }
}

/// The end of the first long line of base 64, if it is drawn by chance.
fn material(text: &str, from: usize) -> Option<usize> {
    let is_base64 = |byte: &u8| byte.is_ascii_alphanumeric() || b"+/=".contains(byte);
    let bytes = text.as_bytes();
    let (mut at, stop) = (from, (from + WITHIN).min(bytes.len()));
    while at < stop {
        let length = bytes[at..].iter().take_while(|byte| is_base64(byte)).count();
        if length >= LEAST {
            let distinct = bytes[at..at + length].iter().collect::<std::collections::HashSet<_>>().len();
            return (distinct >= 16).then_some(at + length);
        }
        at += length + 1;
    }
    None
}
