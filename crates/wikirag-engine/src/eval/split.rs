//! Halves of the questions of a set: settings are chosen on one and reported on the other.

use std::str::FromStr;

use serde::Serialize;
use wikirag_core::{Error, ErrorKind, Result};

/// Which questions are asked, by their place among the judged questions of their set in the order of the file, counted from 1.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Split {
    /// The first, third, fifth, ...
    Odd,
    /// The second, fourth, sixth, ...
    Even,
    /// Every question.
    #[default]
    All,
}

impl Split {
    /// As it is written.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Odd => "odd",
            Self::Even => "even",
            Self::All => "all",
        }
    }

    /// The questions among `all` of a set.
    pub fn of<T>(self, all: &[T]) -> impl Iterator<Item = &T> {
        let (first, step) = match self {
            Self::Odd => (0, 2),
            Self::Even => (1, 2),
            Self::All => (0, 1),
        };
        all.iter().skip(first).step_by(step)
    }
}

impl FromStr for Split {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        [Self::Odd, Self::Even, Self::All].into_iter().find(|split| split.name() == text).ok_or_else(|| {
            Error::new(ErrorKind::Usage, "read split", format!("the split {text:?} is none of odd, even, all"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_from_one() {
        let of = |split: Split| split.of(&[1, 2, 3, 4, 5]).copied().collect::<Vec<_>>();
        assert_eq!((of(Split::Odd), of(Split::Even), of(Split::All)), (vec![1, 3, 5], vec![2, 4], vec![1, 2, 3, 4, 5]));
        assert_eq!(Split::Even.of(&[1]).count(), 0);
    }

    #[test]
    fn names_are_read() {
        assert_eq!("even".parse::<Split>().unwrap(), Split::Even);
        assert_eq!("Even".parse::<Split>().unwrap_err().kind(), ErrorKind::Usage);
    }
}
