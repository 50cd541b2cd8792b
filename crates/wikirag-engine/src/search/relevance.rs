//! How relevant hits are by what their layers say, and what a more or less trusted hit is worth among fused scores.
//!
//! Reciprocal rank fusion gives rank 2 1.6 % less than rank 1, whether the second hit says the same as the first or shares one
//! word with the question. Factors of trust on those scores would decide everything or nothing: 1.1 carries a hit over six
//! others. So factors multiply the relevance, and the fused scores are what hits of that relevance got.

use super::Searched;
use super::fuse::Fused;

/// Nothing that was found is without any relevance.
const LEAST: f64 = 1e-6;

/// What the layers say of a hit, above 0 and at most 1: the mean over the layers of its wiki, by their weights, of its score in
/// relation to the best of that layer and wiki; times the weight of the wiki in relation to `best_weight`, the largest.
///
/// A layer that did not find it counts as 0, as in the fused sum. Scores not above 0 have no ratio: of such a layer the hit
/// counts as found and no more.
pub(super) fn evidence(hit: &Fused, wiki: &Searched, best_weight: f64) -> f64 {
    let all: f64 = wiki.lists.iter().map(|found| found.weight).sum();
    let said = hit.inner.contributions.iter().filter_map(|part| {
        let found = wiki.lists.get(part.list)?;
        let best = found.list.hits.first()?.score.get();
        Some(found.weight * if best > 0.0 { part.score.get() / best } else { 1.0 })
    });
    let share = said.sum::<f64>() / all * (wiki.weight / best_weight);
    // Weights of 0 give no number.
    if share.is_finite() { share.clamp(LEAST, 1.0) } else { LEAST }
}

/// Which fused score goes with which relevance, best first: neither ever rises.
#[derive(Debug)]
pub(super) struct Curve(Vec<Point>);

/// A hit.
#[derive(Debug, Clone, Copy)]
struct Point {
    relevance: f64,
    score: f64,
}

impl Curve {
    /// The curve through hits, best first, given by their evidence and their scores. What stands higher counts as at least as
    /// relevant.
    pub(super) fn new(evidence: &[f64], scores: impl IntoIterator<Item = f64>) -> Self {
        let relevance = never_rising(evidence).into_iter();
        Self(relevance.zip(scores).map(|(relevance, score)| Point { relevance, score }).collect())
    }

    /// The relevance of the hit at this place; 0 where there is none.
    pub(super) fn relevance(&self, place: usize) -> f64 {
        self.0.get(place).map_or(0.0, |point| point.relevance)
    }

    /// The score of a hit whose relevance is multiplied by `trust`: the one that stands there on the curve, between two hits in
    /// proportion, beyond its ends in proportion to the last one. Never lower for a trust above 1 and never higher for one below;
    /// with a trust of 1 it is the score that the hit has, so that a hit of which nothing is said keeps it to the last bit.
    pub(super) fn score(&self, score: f64, relevance: f64, trust: f64) -> f64 {
        let wanted = relevance * trust;
        // Of hits that are equally relevant, the more trusted one stands with the first and the less trusted with the last.
        let below = match trust {
            _ if trust > 1.0 => self.0.partition_point(|point| point.relevance > wanted),
            _ if trust < 1.0 => self.0.partition_point(|point| point.relevance >= wanted),
            _ => return score,
        };
        let above = below.checked_sub(1).and_then(|place| self.0.get(place));
        match (above, self.0.get(below)) {
            (Some(above), Some(below)) => {
                let share = (wanted - below.relevance) / (above.relevance - below.relevance);
                below.score + share * (above.score - below.score)
            }
            (Some(end), None) | (None, Some(end)) => end.score * (wanted / end.relevance),
            (None, None) => score,
        }
    }
}

/// The closest values to these, in squares, that never rise: what stands higher in an order is at least as relevant. Where
/// the values never rise they stay as they are.
///
/// The pool-adjacent-violators algorithm; Barlow, Bartholomew, Bremner and Brunk, *Statistical Inference under Order
/// Restrictions*, 1972.
fn never_rising(values: &[f64]) -> Vec<f64> {
    // Each block is its mean and how many values it stands for.
    let mut blocks: Vec<(f64, usize)> = Vec::with_capacity(values.len());
    for value in values {
        let (mut mean, mut count) = (*value, 1);
        while let Some((above, more)) = blocks.pop_if(|(above, _)| *above < mean) {
            mean = weighted_mean(mean, count, above, more);
            count += more;
        }
        blocks.push((mean, count));
    }
    blocks.into_iter().flat_map(|(mean, count)| std::iter::repeat_n(mean, count)).collect()
}

#[expect(clippy::cast_precision_loss, reason = "counts of hits, far below 2^52")]
fn weighted_mean(one: f64, of_one: usize, other: f64, of_other: usize) -> f64 {
    (one * of_one as f64 + other * of_other as f64) / (of_one + of_other) as f64
}

/// Scores of a model on a scale above 0 and up to 1: divided by the best where all are above 0, else by their place between the
/// worst and the best.
pub(super) fn on_unit_scale(scores: &[f64]) -> Vec<f64> {
    let best = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let worst = scores.iter().copied().fold(f64::INFINITY, f64::min);
    let zero = if worst > 0.0 { 0.0 } else { worst };
    let range = best - zero;
    // Halved, since the range of two finite numbers may be none.
    let place = |score: &f64| if range > 0.0 { (score / 2.0 - zero / 2.0) / (best / 2.0 - zero / 2.0) } else { 1.0 };
    scores.iter().map(|score| place(score).max(LEAST)).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn violators_are_pooled() {
        assert_eq!(never_rising(&[1.0, 0.5, 0.75, 0.25, 0.25]), [1.0, 0.625, 0.625, 0.25, 0.25]);
        assert_eq!(never_rising(&[0.0, 0.5, 1.0]), [0.5, 0.5, 0.5]);
        assert!(never_rising(&[]).is_empty());
    }

    #[test]
    fn scores_of_models_come_between_0_and_1() {
        assert_eq!(on_unit_scale(&[4.0, 2.0, 1.0]), [1.0, 0.5, 0.25]);
        assert_eq!(on_unit_scale(&[3.0, -1.0, 1.0]), [1.0, LEAST, 0.5]);
        assert_eq!(on_unit_scale(&[-2.0, -2.0]), [1.0, 1.0]);
        assert_eq!(on_unit_scale(&[f64::MAX, f64::MIN]), [1.0, LEAST]);
        assert!(on_unit_scale(&[]).is_empty());
    }

    #[test]
    fn trust_moves_a_hit_along_the_curve() {
        let curve = Curve::new(&[1.0, 0.8, 0.8, 0.4], [10.0, 9.0, 8.0, 7.0]);
        assert_eq!(curve.score(8.0, 0.8, 1.0), 8.0);
        assert_eq!(curve.score(10.0, 1.0, 0.8), 8.0);
        assert_eq!(curve.score(7.0, 0.4, 2.0), 9.0);
        assert!((curve.score(8.0, 0.8, 1.125) - 9.5).abs() < 1e-12);
        assert!((curve.score(10.0, 1.0, 1.2) - 12.0).abs() < 1e-12);
        assert!((curve.score(7.0, 0.4, 0.5) - 3.5).abs() < 1e-12);
        assert_eq!(Curve::new(&[], []).score(3.0, 0.0, 0.5), 3.0);
        assert_eq!((curve.relevance(3), curve.relevance(4)), (0.4, 0.0));
    }

    proptest! {
        #[test]
        fn more_trust_is_never_worth_less(
            mut evidence in prop::collection::vec(LEAST..1.0f64, 1..40),
            place in any::<prop::sample::Index>(),
            one in 0.1..10.0f64,
            other in 0.1..10.0f64,
        ) {
            let scores: Vec<f64> = (0..evidence.len()).map(|rank| 1.0 / (61.0 + rank as f64)).collect();
            let place = place.index(evidence.len());
            let curve = Curve::new(&evidence, scores.iter().copied());
            let at = |trust: f64| curve.score(scores[place], curve.relevance(place), trust);
            prop_assert!(at(one.min(other)) <= at(one.max(other)) + 1e-12);
            prop_assert!(at(one) > 0.0 && at(one).is_finite());
            prop_assert_eq!(at(1.0), scores[place]);
            // Bounded trust does not reach what is clearly more relevant.
            evidence.sort_by(|a, b| b.total_cmp(a));
            let curve = Curve::new(&evidence, scores.iter().copied());
            let better = curve.score(scores[0], curve.relevance(0), 1.0);
            let worse = curve.score(scores[place], curve.relevance(place), 1.2);
            prop_assert!(curve.relevance(place) * 1.2 >= curve.relevance(0) || worse < better);
        }

        #[test]
        fn values_never_rise_and_keep_their_sum(values in prop::collection::vec(0.0..1.0f64, 0..60)) {
            let pooled = never_rising(&values);
            prop_assert_eq!(pooled.len(), values.len());
            prop_assert!(pooled.windows(2).all(|pair| pair[0] >= pair[1]));
            prop_assert!((pooled.iter().sum::<f64>() - values.iter().sum::<f64>()).abs() < 1e-9);
            prop_assert_eq!(&never_rising(&pooled), &pooled);
            let mut sorted = values;
            sorted.sort_by(|a, b| b.total_cmp(a));
            prop_assert_eq!(never_rising(&sorted), sorted);
        }
    }
}
