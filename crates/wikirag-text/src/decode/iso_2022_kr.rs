//! ISO-2022-KR (RFC 1557): the Korean of old mail, in seven bits. The Encoding Standard has no decoder for it.

use std::borrow::Cow;

use encoding_rs::EUC_KR;

use super::{Basis, Decoded};

/// What every such text says before its first Korean letter: KS X 1001 is what shift-out leads to.
const DESIGNATION: &[u8] = b"\x1b$)C";
const SHIFT_OUT: u8 = 0x0e;
const SHIFT_IN: u8 = 0x0f;

/// Decodes the bytes where they name this encoding themselves.
///
/// Between shift-out and shift-in stand the pairs of EUC-KR without their upper bits. A line begins shifted in.
pub(super) fn decoded(bytes: &[u8]) -> Option<Decoded<'static>> {
    // Outside mail there may be a mark of another kind before it, but the first escape is this one.
    let escape = bytes.iter().position(|&byte| byte == 0x1b)?;
    if !bytes[escape..].starts_with(DESIGNATION) || !bytes.contains(&SHIFT_OUT) || !bytes.is_ascii() {
        return None;
    }
    let mut is_shifted = false;
    let mut plain = Vec::with_capacity(bytes.len());
    for &byte in bytes[..escape].iter().chain(&bytes[escape + DESIGNATION.len()..]) {
        match byte {
            SHIFT_OUT => is_shifted = true,
            SHIFT_IN => is_shifted = false,
            b'\n' | b'\r' => {
                is_shifted = false;
                plain.push(byte);
            }
            0x21..=0x7e if is_shifted => plain.push(byte | 0x80),
            _ => plain.push(byte),
        }
    }
    let (text, malformed) = EUC_KR.decode_without_bom_handling(&plain);
    let text = Cow::Owned(text.into_owned());
    // The designation is a declaration inside the file.
    Some(Decoded { text, encoding: "ISO-2022-KR", basis: Basis::Declared, malformed })
}
