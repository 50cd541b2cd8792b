//! From passages to entries.

use std::collections::HashMap;

use wikirag_core::WikiName;

use crate::search::SearchResult;

/// How much the further passages of an entry count, as a part of the best score of the answer: an entry scores the soft maximum
/// `T * ln(sum(exp(score / T)))` of its passages. At 0 it is the best passage alone, and the larger it is the nearer it comes to a sum.
///
/// Chosen among 0, .05, .1, .15 and .2 on the odd questions of a judged set of skills: .002 better there than the best passage alone,
/// and no different on the even ones; from .2 on it is worse. See `docs/skills.md`.
const TEMPERATURE: f64 = 0.1;

/// An entry that passages were found of.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Folded {
    pub(super) wiki: WikiName,
    pub(super) path: String,
    /// As [`SearchResult::role`]: the kind of the entry.
    pub(super) role: String,
    pub(super) score: f64,
    /// Bytes of its best passage in the text of the entry, where that passage is known.
    pub(super) best: Option<[usize; 2]>,
    /// Why a language model put its best passage where it stands.
    pub(super) reason: Option<String>,
}

/// Folds passages, which come best first, into entries, the best first and those of equal scores by wiki and path.
pub(super) fn entries(results: &[SearchResult]) -> Vec<Folded> {
    // A language model looks at passages one by one and deals them scores that say no more than their order.
    let is_judged = results.iter().any(|result| result.reason.is_some());
    let top = results.iter().map(|result| result.score).fold(0.0, f64::max);
    let mut places: HashMap<(WikiName, String), usize> = HashMap::new();
    let mut found: Vec<(Folded, Vec<f64>)> = Vec::new();
    let mut add = |folded: Folded| {
        let place = *places.entry((folded.wiki.clone(), folded.path.clone())).or_insert(found.len());
        match found.get_mut(place) {
            Some((_, scores)) => scores.push(folded.score),
            None => {
                let scores = vec![folded.score];
                found.push((folded, scores));
            }
        }
    };
    for result in results {
        add(Folded {
            wiki: result.wiki.clone(),
            path: result.path.clone(),
            role: result.role.clone(),
            score: result.score,
            best: Some(result.bytes),
            reason: result.reason.clone(),
        });
        for same in &result.same {
            add(Folded {
                wiki: same.wiki.clone(),
                path: same.path.clone(),
                role: same.role.clone(),
                score: same.score,
                best: None,
                reason: None,
            });
        }
    }
    let temperature = if is_judged { 0.0 } else { TEMPERATURE * top };
    let folded = found.into_iter().map(|(entry, scores)| Folded { score: soft_maximum(&scores, temperature), ..entry });
    let mut entries: Vec<Folded> = folded.collect();
    entries.sort_by(|a, b| {
        b.score.total_cmp(&a.score).then_with(|| (a.wiki.as_str(), &a.path).cmp(&(b.wiki.as_str(), &b.path)))
    });
    entries
}

/// See [`TEMPERATURE`]. The largest score is taken out of the sum, so that no exponential is large.
fn soft_maximum(scores: &[f64], temperature: f64) -> f64 {
    let largest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if temperature <= 0.0 || !largest.is_finite() {
        return largest;
    }
    let sum: f64 = scores.iter().map(|score| ((score - largest) / temperature).exp()).sum();
    largest + temperature * sum.ln()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn more_passages_count_a_little() {
        let one = soft_maximum(&[1.0], 0.1);
        let two = soft_maximum(&[1.0, 1.0], 0.1);
        let far = soft_maximum(&[1.0, 0.2], 0.1);
        assert!((one - 1.0).abs() < 1e-12 && two > far && far > one && two < 1.1, "{one} {two} {far}");
        assert!((soft_maximum(&[0.5, 0.7], 0.0) - 0.7).abs() < 1e-12);
    }

    proptest! {
        #[test]
        fn the_soft_maximum_lies_between_best_and_sum(scores in prop::collection::vec(0.0..1.0_f64, 1..20), t in 0.001..1.0_f64) {
            let largest = scores.iter().copied().fold(0.0, f64::max);
            let soft = soft_maximum(&scores, t);
            #[expect(clippy::cast_precision_loss, reason = "a few scores")]
            let most = largest + t * (scores.len() as f64).ln();
            prop_assert!(soft >= largest && soft <= most + 1e-9);
        }
    }
}
