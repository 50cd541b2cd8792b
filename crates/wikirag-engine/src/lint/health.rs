//! How well a wiki stands, in one number.

use serde::Serialize;

/// What one check says of a wiki.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CheckTally {
    /// Code of the check.
    pub check: &'static str,
    /// What it found.
    pub findings: usize,
    /// Pages that are at fault by it.
    pub pages: usize,
    /// Points of 100 that it takes where all pages are at fault, 0 to 100.
    pub weight: f64,
    /// What it takes of the score that the other checks leave, 0 to 1.
    pub takes: f64,
}

/// What a check of this weight takes where `faulty` of `pages` are at fault: a part of the score from 0 to 1.
///
/// `weight / 100 x sqrt(faulty / pages)`. The root makes the first fault count most: one page of a hundred takes a tenth of the weight, and
/// each further one takes less, but something.
pub(super) fn takes(weight: f64, faulty: usize, pages: usize) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "counts of pages, far below 2^52")]
    let share = faulty as f64 / pages.max(1) as f64;
    weight / 100.0 * share.min(1.0).sqrt()
}

/// The score of a wiki from 0 to 100, of what its checks take: each takes its part of what the others leave, so the order does
/// not matter, nothing has to be cut off at 0, and one check more at fault always counts.
#[must_use]
pub(super) fn score(tallies: &[CheckTally]) -> f64 {
    100.0 * tallies.iter().map(|tally| 1.0 - tally.takes).product::<f64>()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn tally(weight: f64, faulty: usize, pages: usize) -> CheckTally {
        CheckTally { check: "x", findings: faulty, pages: faulty, weight, takes: takes(weight, faulty, pages) }
    }

    #[test]
    fn scores() {
        assert_eq!(score(&[]), 100.0);
        assert_eq!(score(&[tally(60.0, 0, 10), tally(0.0, 10, 10)]), 100.0);
        assert_eq!(score(&[tally(50.0, 100, 100), tally(20.0, 100, 100)]), 40.0);
        assert_eq!(score(&[tally(100.0, 3, 3)]), 0.0);
        assert_eq!(score(&[tally(30.0, 0, 0)]), 100.0);
        assert!(score(&[tally(30.0, 1, 10)]) < score(&[tally(30.0, 1, 10_000)]));
    }

    proptest! {
        #[test]
        fn each_page_more_takes_more(weights in prop::collection::vec(0.5_f64..99.0, 1..12), pages in 1_usize..100_000, at in any::<prop::sample::Index>(), share in 0.0_f64..1.0) {
            let check = at.index(weights.len());
            let faulty = ((pages as f64 * share) as usize).min(pages - 1);
            let of = |more: usize| {
                let tallies = weights.iter().enumerate().map(|(index, weight)| tally(*weight, faulty + if index == check { more } else { 0 }, pages));
                score(&tallies.collect::<Vec<_>>())
            };
            prop_assert!(of(1) < of(0) && of(1) >= 0.0 && of(0) <= 100.0);
        }
    }
}
