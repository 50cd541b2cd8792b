//! From evidence to a probability.

use super::evidence::Evidence;

/// Below this strength an answer is weak.
pub(super) const WEAK: f64 = 0.35;

/// What the evidence counts, in log odds: a logistic function, fitted on the questions that `docs/support.md` tells of.
const BASE: f64 = -4.14;
const TOGETHER: f64 = 1.43;
const INFORMATION: f64 = 1.61;
const ABOUT: f64 = 2.83;
const LEAD: f64 = 1.52;
const BREVITY: f64 = -0.95;

/// Models whose cosines are known: a part of the name of the scale, the cosine that says nothing, and what each more counts. What the
/// cosines of another model mean is not known, so they say nothing.
const MODELS: [(&str, f64, f64); 1] = [("; all-minilm-l6-v2; ", 0.47, 4.0)];

/// A cosine that is no nearer than nothing at all: a layer may leave such passages out.
const FAR: f64 = 0.3;

/// What the best cosine on `scale` says, in log odds; `None` where that is not known. Of a layer that found nothing it is 0.
pub(super) fn nearness(scale: &str, cosine: f64) -> Option<f64> {
    let (_, middle, slope) = MODELS.iter().find(|(model, ..)| scale.contains(model) && cosine.is_finite())?;
    Some(slope * (cosine.clamp(FAR, 1.0) - middle))
}

/// The probability that the passages hold the answer, 0 to 1. `near`: what vectors say, where there are some, in log odds.
pub(super) fn strength(evidence: &Evidence, near: Option<f64>) -> f64 {
    if evidence.coverage <= 0.0 && near.is_none() {
        return 0.0;
    }
    let odds = BASE
        + TOGETHER * evidence.together
        + INFORMATION * evidence.information.ln_1p()
        + ABOUT * evidence.about
        + LEAD * evidence.lead
        + BREVITY * evidence.brevity
        + near.unwrap_or(0.0);
    1.0 / (1.0 + (-odds).exp())
}
