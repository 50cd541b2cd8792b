//! The form of small files beside an index, which spare opening it: a head, a body, and a checksum over both.

use serde::Serialize;
use serde::de::DeserializeOwned;

/// The bytes of such a file: `magic`, the length of the head (4 bytes, little endian), `head` as JSON, `body`, and the CRC-32 of all
/// that (4 bytes, little endian). Whoever changes the form of head or body takes another `magic`.
///
/// # Errors
/// Where the head is none that JSON can tell, or is larger than 4 GiB.
pub fn pack_summary(magic: &[u8; 8], head: &impl Serialize, body: &[u8]) -> crate::Result<Vec<u8>> {
    let failed = |what: String| crate::Error::new(crate::ErrorKind::Internal, "write summary", what);
    let head = serde_json::to_vec(head).map_err(|error| failed(error.to_string()))?;
    let length = u32::try_from(head.len()).map_err(|error| failed(error.to_string()))?;
    let mut bytes = magic.to_vec();
    bytes.extend_from_slice(&length.to_le_bytes());
    bytes.extend_from_slice(&head);
    bytes.extend_from_slice(body);
    let sum = crc32fast::hash(&bytes);
    bytes.extend_from_slice(&sum.to_le_bytes());
    Ok(bytes)
}

/// Head and body of a file that [`pack_summary`] made with this `magic`; `None` where the bytes are not what was written, or of
/// another form.
pub fn unpack_summary<'a, T: DeserializeOwned>(magic: &[u8; 8], bytes: &'a [u8]) -> Option<(T, &'a [u8])> {
    let (all, sum) = bytes.split_last_chunk::<4>()?;
    if *sum != crc32fast::hash(all).to_le_bytes() {
        return None;
    }
    let (length, rest) = all.strip_prefix(magic)?.split_first_chunk::<4>()?;
    let (head, body) = rest.split_at_checked(usize::try_from(u32::from_le_bytes(*length)).ok()?)?;
    Some((serde_json::from_slice(head).ok()?, body))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAGIC: &[u8; 8] = b"magic--1";

    #[test]
    fn what_was_packed_comes_back() {
        for body in [&b""[..], b"body", &[0; 1000]] {
            let bytes = pack_summary(MAGIC, &("head", 7), body).unwrap();
            assert_eq!(unpack_summary::<(String, u32)>(MAGIC, &bytes), Some((("head".to_owned(), 7), body)));
            assert_eq!(unpack_summary::<(String, u32)>(b"magic--2", &bytes), None);
            assert_eq!(unpack_summary::<u32>(MAGIC, &bytes), None);
        }
    }

    #[test]
    fn no_changed_byte_and_no_cut_is_taken() {
        let bytes = pack_summary(MAGIC, &1, b"some body").unwrap();
        for at in 0..bytes.len() {
            let mut broken = bytes.clone();
            broken[at] ^= 1;
            assert_eq!(unpack_summary::<u32>(MAGIC, &broken), None, "{at}");
            assert_eq!(unpack_summary::<u32>(MAGIC, &bytes[..at]), None, "{at}");
        }
    }
}
