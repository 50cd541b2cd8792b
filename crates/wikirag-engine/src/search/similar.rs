//! Passages that say the same: one page in three editions, a note and the article that it was copied from.
//!
//! Two passages are near-duplicates where the sets of their word sequences are mostly the same (Broder, *On the resemblance and
//! containment of documents*, 1997) and what makes a statement another one ([`is_fact`]) is the same throughout: numbers,
//! versions, dates and negations. Passages that differ in those contradict each other, and are no copies.

use std::collections::HashMap;

use wikirag_text::{Analyser, Form};

use crate::disagree::is_fact;

/// Words of a sequence. One changed word changes this many sequences.
const WIDTH: usize = 4;

/// Near-duplicates share this part of all their sequences (Jaccard).
///
/// Measured on pairs of passages with equal facts. Of editions of a book (the Rust book, 2,443 passages) 311 pairs share 0.5 or
/// more, all of them the same section; 288 of those share 0.8 or more. In registries of templates that name another product
/// each (30,385 passages of skills) 1,100 pairs of different templates lie between 0.6 and 0.8, where the name is all that
/// differs: those say something else.
const LEAST_SIMILARITY: f64 = 0.8;

/// Passages that say the same.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Group {
    /// Best first. The first is the one that is shown.
    pub(super) members: Vec<Member>,
}

/// One of them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Member {
    /// Its place in what was given.
    pub(super) place: usize,
    /// Which part of all word sequences it shares with the first, from 0 to 1; of the first: 1.
    pub(super) similarity: f64,
}

impl Group {
    /// The passage at `place` alone.
    pub(super) fn of_one(place: usize) -> Self {
        Self { members: vec![Member { place, similarity: 1.0 }] }
    }
}

/// Groups passages, which come best first: each joins the group whose first it resembles most, the better one of equals, or
/// begins one. Every place is in one group; groups come in the order of their firsts.
///
/// Near-linear in the text: two sets of which 0.8 is shared share one of the smallest fifth of each (the prefix filter of Bayardo,
/// Ma and Srikant, *Scaling up all pairs similarity search*, 2007), so only those are looked up, and only firsts that have one of
/// them and equal facts are compared.
pub(super) fn group(passages: &[&str]) -> Vec<Group> {
    let analyser = Analyser::new(None);
    let mut groups: Vec<Group> = Vec::with_capacity(passages.len());
    let mut firsts: Vec<Sketch> = Vec::new();
    let mut holders: HashMap<u64, Vec<usize>> = HashMap::new();
    for (place, passage) in passages.iter().enumerate() {
        let sketch = Sketch::of(&analyser, passage);
        let mut met: Vec<usize> =
            sketch.prefix().filter_map(|sequence| holders.get(&sequence)).flatten().copied().collect();
        met.sort_unstable();
        met.dedup();
        let similar = met.into_iter().map(|group| (group, firsts[group].similarity(&sketch)));
        let nearest = similar
            .filter(|(_, similarity)| *similarity >= LEAST_SIMILARITY)
            .max_by(|(one, a), (other, b)| a.total_cmp(b).then(other.cmp(one)));
        if let Some((group, similarity)) = nearest {
            groups[group].members.push(Member { place, similarity });
        } else {
            for sequence in sketch.prefix() {
                holders.entry(sequence).or_default().push(groups.len());
            }
            firsts.push(sketch);
            groups.push(Group::of_one(place));
        }
    }
    groups
}

/// What is compared of a passage.
struct Sketch {
    /// Hashes of its word sequences, sorted, each once. None for a passage without words, which resembles nothing.
    sequences: Vec<u64>,
    /// Hash of its facts, in their order.
    facts: u64,
}

impl Sketch {
    fn of(analyser: &Analyser, passage: &str) -> Self {
        let mut words = Vec::new();
        let mut facts = 0;
        analyser.tokens(passage, |token| {
            // The parts of an identifier say what the whole says.
            if token.form.repeats() || token.form == Form::Whole {
                return;
            }
            let word = token.text.bytes().fold(0, |hash, byte| mix(hash, byte.into()));
            if is_fact(&token.text) {
                facts = mix(facts, word);
            }
            words.push(word);
        });
        let width = WIDTH.min(words.len()).max(1);
        let sequences = words.windows(width).map(|sequence| sequence.iter().copied().fold(0, mix));
        let mut sequences: Vec<u64> = sequences.collect();
        sequences.sort_unstable();
        sequences.dedup();
        Self { sequences, facts }
    }

    /// The sequences of which a near-duplicate shares one.
    fn prefix(&self) -> impl Iterator<Item = u64> {
        // Never less than `n - ceil(0.8 n) + 1`, whatever is lost in rounding.
        let length = self.sequences.len().div_ceil(5) + 1;
        self.sequences.iter().take(length).copied()
    }

    /// Which part of all sequences is shared, from 0 to 1; 0 where the facts differ.
    fn similarity(&self, other: &Self) -> f64 {
        if self.facts != other.facts {
            return 0.0;
        }
        let (mut shared, mut rest) = (0, other.sequences.as_slice());
        for sequence in &self.sequences {
            rest = &rest[rest.iter().take_while(|one| *one < sequence).count()..];
            shared += usize::from(rest.first() == Some(sequence));
        }
        jaccard(shared, self.sequences.len(), other.sequences.len())
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of words, far below 2^52")]
fn jaccard(shared: usize, one: usize, other: usize) -> f64 {
    shared as f64 / (one + other - shared) as f64
}

/// A step of a hash of 64 bits. Who writes texts that collide makes copies of them, and may as well copy them.
fn mix(hash: u64, value: u64) -> u64 {
    let mixed = (hash ^ value).wrapping_add(0x9e37_79b9_7f4a_7c15).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed ^ (mixed >> 29)
}

#[cfg(test)]
#[path = "similar_tests.rs"]
mod tests;
