//! Which sentences are worth comparing.

use std::collections::HashMap;

use super::align::{MIN_WORDS, WORDS_PER_EXTRA};
use super::statement::Said;

/// Sentences looked up under one word. A word that more sentences share as one of their rarest is that of a template.
const MAX_BUCKET: usize = 64;

/// Calls `sink` with each pair of sentences that may share nearly all of their words, the earlier first, each pair once.
///
/// Prefix filtering (Chaudhuri, Ganti and Kaushik, "A Primitive Operator for Similarity Joins in Data Cleaning", ICDE 2006):
/// two sets that share all but k of their words share one of their k + 1 rarest. So each sentence is looked up under a few
/// words, and few others are there. `allowed` tells which passages may be compared.
pub(super) fn pairs(
    statements: &[Said<'_>],
    allowed: impl Fn(usize, usize) -> bool,
    mut sink: impl FnMut(usize, usize),
) {
    let words = || statements.iter().map(|said| &*said.statement.distinct);
    let mut frequency = HashMap::<u64, u32>::new();
    for word in words().flatten() {
        *frequency.entry(*word).or_default() += 1;
    }
    let mut buckets = HashMap::<u64, Vec<usize>>::new();
    // The last sentence that each was offered to.
    let mut offered = vec![usize::MAX; statements.len()];
    for (at, own) in words().enumerate() {
        if own.len() < MIN_WORDS {
            continue;
        }
        let mut rarest_first = own.to_vec();
        rarest_first.sort_by_key(|word| (frequency.get(word).copied().unwrap_or(0), *word));
        let may_lack = own.len() / (WORDS_PER_EXTRA - 1) + 1;
        for word in rarest_first.iter().take(may_lack + 1) {
            let bucket = buckets.entry(*word).or_default();
            for &earlier in bucket.iter() {
                let is_new = std::mem::replace(&mut offered[earlier], at) != at;
                let others = &*statements[earlier].statement.distinct;
                if is_new
                    && allowed(statements[earlier].passage, statements[at].passage)
                    && shared(own, others) + may_lack >= own.len().max(others.len())
                {
                    sink(earlier, at);
                }
            }
            if bucket.len() < MAX_BUCKET {
                bucket.push(at);
            }
        }
    }
}

/// How many words two lists share; both ascend.
fn shared(one: &[u64], other: &[u64]) -> usize {
    let (mut i, mut j, mut count) = (0, 0, 0);
    while let (Some(left), Some(right)) = (one.get(i), other.get(j)) {
        count += usize::from(left == right);
        (i, j) = (i + usize::from(left <= right), j + usize::from(right <= left));
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_words_are_counted() {
        assert_eq!(shared(&[1, 3, 5], &[0, 1, 2, 5, 9]), 2);
        assert_eq!(shared(&[], &[1]), 0);
    }
}
