//! Trust levels of wikis and compositions.

use std::fmt;

use serde::{Deserialize, Serialize};

/// How sensitive a wiki is, and how much a composition may see. Ordered: public is the lowest.
///
/// A wiki is readable where its sensitivity is not above the clearance of the reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Sensitivity {
    /// For everybody.
    Public,
    /// For the team: the default of a wiki and of a composition.
    #[default]
    Internal,
    /// For those who were told.
    Confidential,
    /// For the few.
    Restricted,
}

impl Sensitivity {
    /// All levels, lowest first.
    pub const ALL: [Self; 4] = [Self::Public, Self::Internal, Self::Confidential, Self::Restricted];

    /// Whether a reader with `clearance` may read something of this sensitivity. The one rule of access.
    #[must_use]
    pub fn is_readable_at(self, clearance: Self) -> bool {
        self <= clearance
    }

    /// The word used in manifests.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Public => "public",
            Self::Internal => "internal",
            Self::Confidential => "confidential",
            Self::Restricted => "restricted",
        }
    }
}

impl fmt::Display for Sensitivity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reader_sees_its_level_and_below() {
        for (i, sensitivity) in Sensitivity::ALL.into_iter().enumerate() {
            for (j, clearance) in Sensitivity::ALL.into_iter().enumerate() {
                assert_eq!(sensitivity.is_readable_at(clearance), i <= j);
            }
        }
    }
}
