//! Whether one system is better than another, or the questions merely fell that way.
//!
//! What is reported is the mean over the sets of the mean of each set, so that a large set counts no more than a small one. The test and the
//! interval are of that figure: signs are flipped, and questions drawn, inside each set.
//!
//! * p: Fisher's randomisation test, two-sided. M. D. Smucker, J. Allan and B. Carterette: *A Comparison of Statistical
//!   Significance Tests for Information Retrieval Evaluation*, CIKM 2007.
//! * interval: the percentile bootstrap, stratified by set. B. Efron and R. J. Tibshirani: *An Introduction to the
//!   Bootstrap*, 1993, chapter 13.

use fastrand::Rng;
use serde::Serialize;

/// Random flips of the test and samples of the bootstrap. With so many the standard error of a p of .05 is .002.
const DRAWS: u32 = 10_000;

/// A run on the same outcomes gives the same figures.
const SEED: u64 = 1;

/// Sums that differ by rounding alone count as equal; differences of measures are far larger.
const ROUNDING: f64 = 1e-12;

/// A system against its baseline, over the same questions.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Significance {
    /// Mean over the sets of the mean difference; above 0 the system is better.
    pub difference: f64,
    /// Lower end of the 95 % confidence interval of the difference.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// How likely a difference at least so large, in either direction, is where the two systems are equally good. In 0..=1,
    /// and of this comparison alone: nothing is corrected for how many were made.
    pub p: f64,
}

impl Significance {
    /// Tests the differences (system minus baseline) of the questions of each set. Sets without questions do not count;
    /// without any question there is no difference, and p is 1.
    #[must_use]
    pub fn of(differences: &[Vec<f64>]) -> Self {
        let terms = terms(differences);
        let (low, high) = interval(&terms);
        Self { difference: terms.iter().flatten().sum(), low, high, p: p_value(&terms) }
    }
}

/// What each question adds to the mean over the sets of the means.
fn terms(differences: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let sets: Vec<&Vec<f64>> = differences.iter().filter(|set| !set.is_empty()).collect();
    let share = |set: &[f64]| (set.len() * sets.len()) as f64;
    sets.iter().map(|set| set.iter().map(|difference| difference / share(set)).collect()).collect()
}

/// Share of the ways to flip signs that give a sum at least as far from 0 as the one observed: all ways where they are fewer
/// than [`DRAWS`], else random ones, to which the observed one is added.
fn p_value(terms: &[Vec<f64>]) -> f64 {
    // Zeros have no sign to flip.
    let terms: Vec<f64> = terms.iter().flatten().copied().filter(|term| *term != 0.0).collect();
    let observed = terms.iter().sum::<f64>().abs();
    let is_as_far = |flipped: f64| flipped.abs() >= observed - ROUNDING;
    let ways = u32::try_from(terms.len()).ok().and_then(|count| 1_u32.checked_shl(count));
    if let Some(ways) = ways.filter(|ways| *ways <= DRAWS) {
        let far = (0..ways).filter(|way| is_as_far(flip(&terms, || u64::from(*way)))).count();
        return far as f64 / f64::from(ways);
    }
    let mut rng = Rng::with_seed(SEED);
    let far = (0..DRAWS).filter(|_| is_as_far(flip(&terms, || rng.u64(..)))).count();
    (far + 1) as f64 / f64::from(DRAWS + 1)
}

/// The sum, each term with the sign that a bit says; `bits` gives the next 64 of them.
fn flip(terms: &[f64], mut bits: impl FnMut() -> u64) -> f64 {
    let mut sum = 0.0;
    for terms in terms.chunks(64) {
        let mut signs = bits();
        for term in terms {
            sum += if signs & 1 == 0 { *term } else { -term };
            signs >>= 1;
        }
    }
    sum
}

/// Between which values 95 % of the sums lie when the questions of each set are drawn anew, with replacement.
fn interval(terms: &[Vec<f64>]) -> (f64, f64) {
    let mut rng = Rng::with_seed(SEED);
    let mut draw = |set: &Vec<f64>| (0..set.len()).map(|_| set[rng.usize(..set.len())]).sum::<f64>();
    let mut sums: Vec<f64> = (0..DRAWS).map(|_| terms.iter().map(&mut draw).sum()).collect();
    sums.sort_unstable_by(f64::total_cmp);
    let tail = sums.len() / 40;
    (sums[tail], sums[sums.len() - 1 - tail])
}

#[cfg(test)]
mod tests {
    use fastrand::Rng;
    use proptest::prelude::{Strategy, prop, prop_assert, prop_assert_eq, proptest};
    use proptest::test_runner::Config;

    use super::*;

    fn close(a: f64, b: f64) {
        assert!((a - b).abs() < 1e-9, "{a} is not {b}");
    }

    #[test]
    fn by_hand_all_signs_of_few_questions() {
        // Sums of +-1 +-2 +-3: 6, 4, 2, 0, 0, -2, -4, -6. As far as 6 are two of eight.
        let all = Significance::of(&[vec![0.1, 0.2, 0.3]]);
        close(all.difference, 0.2);
        close(all.p, 2.0 / 8.0);
        // As far as 4 (= 3 + 2 - 1) are four, as far as 0 all; the zero changes nothing.
        close(Significance::of(&[vec![-0.1, 0.2, 0.3, 0.0]]).p, 4.0 / 8.0);
        close(Significance::of(&[vec![0.1, 0.2, -0.3]]).p, 1.0);
    }

    #[test]
    fn by_hand_each_set_counts_alike() {
        // Terms: .4/4, .4/4 and .6/2; sums as far as |.1 + .1 + .3| = .5 are two of eight.
        let sets = [vec![0.4, 0.4], vec![], vec![0.6]];
        close(Significance::of(&sets).difference, (0.4 + 0.6) / 2.0);
        close(Significance::of(&sets).p, 0.25);
        // -.1 - .1 + .3 = .1: no way of flipping comes nearer to 0.
        close(Significance::of(&[vec![-0.4, -0.4], vec![0.6]]).p, 1.0);
    }

    #[test]
    fn nothing_and_no_difference() {
        for sets in [vec![], vec![vec![]], vec![vec![0.0; 40], vec![0.0]]] {
            assert_eq!(Significance::of(&sets), Significance { difference: 0.0, low: 0.0, high: 0.0, p: 1.0 });
        }
    }

    #[test]
    fn a_difference_of_every_question_is_as_sure_as_the_draws_allow() {
        let found = Significance::of(&[vec![0.1; 100]]);
        close(found.p, 1.0 / 10_001.0);
        close(found.low, 0.1);
        close(found.high, 0.1);
    }

    #[test]
    fn the_interval_of_many_questions_is_that_of_the_normal_distribution() {
        // Half 0, half 1: the mean is .5, its standard error .5 / sqrt(400) = .025.
        let differences: Vec<f64> = (0..400).map(|index| f64::from(index % 2)).collect();
        let found = Significance::of(&[differences]);
        assert!((found.low - (0.5 - 1.96 * 0.025)).abs() < 0.004, "{found:?}");
        assert!((found.high - (0.5 + 1.96 * 0.025)).abs() < 0.004, "{found:?}");
    }

    #[test]
    fn random_flips_come_near_to_all_of_them() {
        // Fourteen terms are drawn, thirteen counted: a fourteenth that is next to nothing must hardly matter.
        let mut rng = Rng::with_seed(7);
        let thirteen: Vec<f64> = (0..13).map(|_| rng.f64() - 0.3).collect();
        let fourteen: Vec<f64> = thirteen.iter().copied().chain([1e-9]).collect();
        let (all, drawn) = (p_value(&[thirteen]), p_value(&[fourteen]));
        assert!((all - drawn).abs() < 0.02, "{all} {drawn}");
    }

    #[test]
    fn of_equal_systems_one_in_twenty_is_below_five_percent() {
        let mut rng = Rng::with_seed(3);
        let null = |_| p_value(&terms(&[(0..20).map(|_| rng.f64() - rng.f64()).collect()]));
        let ps: Vec<f64> = (0..200).map(null).collect();
        let below = |limit: f64| ps.iter().filter(|p| **p < limit).count();
        // Binomial(200, .05) and (200, .5), each within three standard deviations.
        assert!((1..=19).contains(&below(0.05)), "{}", below(0.05));
        assert!((79..=121).contains(&below(0.5)), "{}", below(0.5));
    }

    fn sets() -> impl Strategy<Value = Vec<Vec<f64>>> {
        prop::collection::vec(prop::collection::vec(-1.0..1.0_f64, 0..12), 0..4)
    }

    proptest! {
        #![proptest_config(Config::with_cases(16))]

        #[test]
        fn the_two_systems_may_change_places(sets in sets()) {
            let found = Significance::of(&sets);
            let turned: Vec<Vec<f64>> = sets.iter().map(|set| set.iter().map(|value| -value).collect()).collect();
            let turned = Significance::of(&turned);
            prop_assert_eq!(found.p, turned.p);
            prop_assert!((found.difference + turned.difference).abs() < 1e-12);
            prop_assert!((found.low + turned.high).abs() < 1e-12 && (found.high + turned.low).abs() < 1e-12);
        }

        #[test]
        fn figures_are_in_their_ranges(sets in sets()) {
            let found = Significance::of(&sets);
            prop_assert!(found.p > 0.0 && found.p <= 1.0);
            prop_assert!(found.low <= found.high);
            prop_assert_eq!(found, Significance::of(&sets));
        }
    }
}
