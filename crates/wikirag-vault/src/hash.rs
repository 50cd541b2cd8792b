//! Hashes of words and paths.

/// The state before the first byte of FNV-1a in 64 bits.
pub(crate) const START: u64 = 0xcbf2_9ce4_8422_2325;

/// FNV-1a over `bytes`, from `state` on: fast for the few bytes of a word, and the same in every release, so what it
/// gives may be kept on disk.
pub(crate) fn feed(state: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(state, |state, byte| (state ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3))
}

/// Spreads a state over all bits (the finaliser of SplitMix64), since FNV-1a leaves the high bits of short words alike.
pub(crate) const fn spread(state: u64) -> u64 {
    let state = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let state = (state ^ (state >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    state ^ (state >> 31)
}
