//! From the scores of a list to a scale that all lists share.

use serde::Deserialize;

/// What a hit counts at least: it was found, and what is multiplied later (by rerankers) must be above 0.
pub(crate) const LEAST: f64 = 1e-6;

/// How the scores of a list are brought to a common scale. None of them sees more of a layer than the hits
/// of its list, and each lets a hit count a millionth at least.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Normalise {
    /// The last hit counts 0 and the first 1, the others in proportion; where all scores are equal, each counts 1. Known as relative
    /// score fusion.
    MinMax,
    /// The score as a share of the largest; where none is above 0, each counts 1. For scores that have a natural
    /// zero, as those of BM25 and cosines: it does not depend on how deep the list is.
    #[default]
    Max,
    /// `mean - 3 standard deviations` counts 0 and `mean + 3 standard deviations` counts 1, the others in proportion; where
    /// all scores are equal, each counts 0.5. M. Mazzeschi: *Distribution-Based Score Fusion (DBSF), a new approach to Vector Search
    /// Ranking*, 2023.
    Distribution,
}

impl Normalise {
    /// The normalised scores, in the same order: finite and at least [`LEAST`], for any finite scores.
    pub(crate) fn apply(self, scores: &[f64]) -> Vec<f64> {
        // In units of the largest, so that neither differences nor their squares overflow. None of the scales knows units.
        let unit = scores.iter().fold(0.0, |unit: f64, score| unit.max(score.abs()));
        let unit = if unit > 0.0 { unit } else { 1.0 };
        let scores: Vec<f64> = scores.iter().map(|score| score / unit).collect();
        let (low, high, constant) = match self {
            Self::MinMax => {
                let low = scores.iter().copied().fold(f64::INFINITY, f64::min);
                (low, scores.iter().copied().fold(f64::NEG_INFINITY, f64::max), 1.0)
            }
            Self::Max => (0.0, scores.iter().copied().fold(0.0, f64::max), 1.0),
            Self::Distribution => {
                let count = scores.len() as f64;
                let mean = scores.iter().sum::<f64>() / count;
                let variance = scores.iter().map(|score| (score - mean).powi(2)).sum::<f64>() / count;
                (mean - 3.0 * variance.sqrt(), mean + 3.0 * variance.sqrt(), 0.5)
            }
        };
        let share = |score: &f64| if high > low { ((score - low) / (high - low)).max(LEAST) } else { constant };
        scores.iter().map(share).collect()
    }
}
