//! Numbers for words, the same in every process, so that what was worked out of a passage can be kept and compared.

/// 64 bits of a word: two of a million words share them once in 37 million times. Who writes texts that collide makes copies of
/// them, and may as well copy them.
pub(crate) fn word_hash(word: &str) -> u64 {
    let mut hash = word.len() as u64;
    for chunk in word.as_bytes().chunks(8) {
        let mut bytes = [0; 8];
        bytes[..chunk.len()].copy_from_slice(chunk);
        hash = mix(hash, u64::from_le_bytes(bytes));
    }
    hash
}

/// A step of a hash of 64 bits.
pub(crate) const fn mix(hash: u64, value: u64) -> u64 {
    let mixed = (hash ^ value).wrapping_add(0x9e37_79b9_7f4a_7c15).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed ^ (mixed >> 29)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn words_differ_by_every_byte_and_by_length() {
        let words = ["", "\0", "\0\0", "basil", "basil\0", "lisab", "12345678", "123456789", "1234567812345678"];
        let hashes: HashSet<u64> = words.iter().map(|word| word_hash(word)).collect();
        assert_eq!(hashes.len(), words.len());
    }

    #[test]
    fn many_words_keep_apart() {
        let hashes: HashSet<u64> = (0..200_000_u32).map(|number| word_hash(&number.to_string())).collect();
        assert_eq!(hashes.len(), 200_000);
    }
}
