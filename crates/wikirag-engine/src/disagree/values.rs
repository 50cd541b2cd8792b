//! Values that sentences state, and when two of them are the same.

use super::Kind;

/// A value as it is compared, whatever way it was written.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    Number(Number),
    Date(Date),
    /// Minutes after midnight.
    Time(u16),
    Version(Version),
}

/// How two values stand to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Likeness {
    /// The same, as far as both are told.
    Same,
    /// Of one sort, and different.
    Differs,
    /// Of two sorts: one says nothing about the other.
    Unlike,
}

impl Value {
    pub(super) const fn kind(&self) -> Kind {
        match self {
            Self::Number(_) => Kind::Number,
            Self::Date(_) | Self::Time(_) => Kind::Date,
            Self::Version(_) => Kind::Version,
        }
    }

    pub(super) fn compare(&self, other: &Self) -> Likeness {
        let same = match (self, other) {
            (Self::Number(one), Self::Number(other)) if one.dimension == other.dimension => one.is_same(other),
            (Self::Date(one), Self::Date(other)) => match one.is_same(other) {
                Some(same) => same,
                None => return Likeness::Unlike,
            },
            (Self::Time(one), Self::Time(other)) => one == other,
            (Self::Version(one), Self::Version(other)) => one.is_same(other),
            _ => return Likeness::Unlike,
        };
        if same { Likeness::Same } else { Likeness::Differs }
    }
}

/// What a number counts or measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dimension {
    /// Nothing that is known: the word after it is a word of the sentence.
    None,
    Bytes,
    Seconds,
    Metres,
    Grams,
    Percent,
    Times,
    Money(char),
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Number {
    /// In the base unit of the dimension.
    pub(super) value: f64,
    /// Half of the last digit that was written, in the same unit: how far the number may have been rounded.
    pub(super) rounding: f64,
    /// Base units in the unit that was written.
    pub(super) unit: f64,
    pub(super) dimension: Dimension,
}

impl Number {
    pub(super) const fn whole(value: f64) -> Self {
        Self { value, rounding: 0.5, unit: 1.0, dimension: Dimension::None }
    }

    fn is_same(&self, other: &Self) -> bool {
        let apart = (self.value - other.value).abs();
        let most = self.value.abs().max(other.value.abs());
        // Units of storage are taken for powers of 1000 and of 1024 alike; 1024^4 is a tenth above 1000^4.
        let loose = self.dimension == Dimension::Bytes && self.unit != other.unit;
        // 3.14159 is 3.14 in fewer digits, but 9 is not 8.5 in fewer.
        let rounded = if self.rounding == other.rounding { 0.0 } else { self.rounding.max(other.rounding) };
        apart <= most * if loose { 0.1 } else { 1e-9 } || apart <= rounded * (1.0 + 1e-9)
    }
}

/// A day, a month or a year. Parts that are not told are `None`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Date {
    pub(super) year: Option<u16>,
    pub(super) month: Option<u8>,
    pub(super) day: Option<u8>,
    /// Whether day and month may stand in the other order: `02/03/2024`.
    pub(super) either_order: bool,
}

impl Date {
    /// `None` where no part is told by both.
    fn is_same(&self, other: &Self) -> Option<bool> {
        let straight = self.agrees(other)?;
        let swapped = Self { month: self.day, day: self.month, ..*self };
        let may_swap = self.either_order || other.either_order;
        Some(straight || (may_swap && swapped.agrees(other) == Some(true)))
    }

    fn agrees(&self, other: &Self) -> Option<bool> {
        let year = self.year.zip(other.year).map(|(one, other)| one == other);
        let month = self.month.zip(other.month).map(|(one, other)| one == other);
        let day = self.day.zip(other.day).map(|(one, other)| one == other);
        [year, month, day].into_iter().flatten().reduce(|all, one| all && one)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Version {
    /// At least one.
    pub(super) parts: Vec<u64>,
    /// `rc1`, `beta.2`; empty for a release.
    pub(super) suffix: String,
}

impl Version {
    /// `3.8` and `3.8.1` are the same as far as both are told.
    fn is_same(&self, other: &Self) -> bool {
        self.suffix == other.suffix && self.parts.iter().zip(&other.parts).all(|(one, other)| one == other)
    }
}
