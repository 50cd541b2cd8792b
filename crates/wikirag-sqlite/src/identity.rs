//! How chunks are named and how stored text is recognised.

use wikirag_core::ChunkId;

/// The first half of a blake3 hash: 128 bits, enough to see damage and to tell texts of one document apart.
pub(crate) type TextHash = [u8; 16];

/// Names a text that something is kept for which a model made of it: half a blake3 hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TextKey(pub(crate) TextHash);

impl TextKey {
    /// The key of `text`.
    #[must_use]
    pub fn of(text: &str) -> Self {
        Self(text_hash(text.as_bytes()))
    }
}

/// Half a blake3 hash of a row.
pub(crate) type Checksum = [u8; 16];

/// The checksum of a row. The length of each part is part of it, so that no byte can move from one to the next.
pub(crate) fn checksum(parts: &[&[u8]]) -> Checksum {
    let mut hasher = blake3::Hasher::new();
    for part in parts {
        hasher.update(&(part.len() as u64).to_le_bytes()).update(part);
    }
    let mut short = Checksum::default();
    hasher.finalize_xof().fill(&mut short);
    short
}

/// What is added to the count on a collision. No document has as many equal passages, so it cannot meet a count.
const COLLISION_STEP: u64 = 1 << 32;

/// The hash that a text is kept with.
pub(crate) fn text_hash(text: &[u8]) -> TextHash {
    let mut short = TextHash::default();
    let hash = blake3::hash(text);
    for (to, from) in short.iter_mut().zip(hash.as_bytes()) {
        *to = *from;
    }
    short
}

/// The ids that a chunk may have, best first: all but the first are for the case that another chunk has it.
///
/// `count` is the number of chunks with the same text before it in the same document.
pub(crate) fn candidate_ids(path: &str, text: &str, count: u64) -> impl Iterator<Item = ChunkId> {
    let mut prefix = blake3::Hasher::new();
    prefix.update(path.as_bytes()).update(&[0]).update(text.as_bytes()).update(&[0]);
    (0u64..).map(move |collisions| {
        let number = count.wrapping_add(COLLISION_STEP.wrapping_mul(collisions));
        let mut first = [0; 8];
        prefix.clone().update(&number.to_le_bytes()).finalize_xof().fill(&mut first);
        ChunkId(u64::from_be_bytes(first) >> 1)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rule as it is written down, in one straight line.
    fn by_the_rule(path: &str, text: &str, n: u64) -> ChunkId {
        let bytes = [path.as_bytes(), &[0], text.as_bytes(), &[0], &n.to_le_bytes()].concat();
        let hash = blake3::hash(&bytes);
        ChunkId(u64::from_be_bytes(hash.as_bytes()[..8].try_into().unwrap()) >> 1)
    }

    #[test]
    fn ids_follow_the_rule() {
        let ids: Vec<_> = candidate_ids("a/ä.md", "text", 3).take(3).collect();
        let expected = [3, 3 + (1 << 32), 3 + (2 << 32)].map(|n| by_the_rule("a/ä.md", "text", n));
        assert_eq!(ids, expected);
        assert!(ids.iter().all(|id| id.0 < 1 << 63));
    }

    #[test]
    fn path_text_and_count_each_matter() {
        let first = |path, text, n| candidate_ids(path, text, n).next().unwrap();
        let ids =
            [first("a", "b", 0), first("a", "b", 1), first("a", "c", 0), first("b", "b", 0), first("a\0b", "", 0)];
        let mut unique = ids.to_vec();
        unique.sort_unstable();
        unique.dedup();
        assert_eq!(unique.len(), ids.len());
    }
}
