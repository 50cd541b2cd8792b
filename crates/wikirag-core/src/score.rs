//! A finite score with a total order.

use std::cmp::Ordering;
use std::fmt;

use serde::{Serialize, Serializer};

use crate::{Error, ErrorKind, Result};

/// How well something matches: finite, higher is better, comparable only within the list it came in.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Score(f64);

impl Score {
    /// Takes a score.
    ///
    /// # Errors
    /// [`ErrorKind::Internal`] where `value` is NaN or infinite: a list with such a score has no order.
    pub fn new(value: f64) -> Result<Self> {
        if value.is_finite() {
            // -0.0 and 0.0 are equal and must not be told apart by `total_cmp`.
            Ok(Self(value + 0.0))
        } else {
            Err(Error::new(ErrorKind::Internal, "score hit", format!("the score {value} is not finite")))
        }
    }

    /// The number.
    #[must_use]
    pub const fn get(self) -> f64 {
        self.0
    }
}

impl Eq for Score {}

impl PartialOrd for Score {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Score {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Serialize for Score {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_finite_scores() {
        assert!(Score::new(f64::NAN).is_err());
        assert!(Score::new(f64::INFINITY).is_err());
        assert_eq!(Score::new(-0.0).unwrap().cmp(&Score::new(0.0).unwrap()), Ordering::Equal);
        assert!(Score::new(2.0).unwrap() > Score::new(1.0).unwrap());
    }
}
