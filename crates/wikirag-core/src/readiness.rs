//! Whether a layer can serve, and if not, why and what to do.

use std::borrow::Cow;

use serde::Serialize;

/// Why a layer serves less than it could.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Reason {
    /// Stable, for programs: `index-missing`, `behind`, `foreign-catalog`.
    pub code: Cow<'static, str>,
    /// One sentence for people.
    pub sentence: String,
    /// What mends it: a command or a setting.
    pub remedy: String,
}

impl Reason {
    /// A reason from its three parts.
    #[must_use]
    pub fn new(code: &'static str, sentence: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { code: Cow::Borrowed(code), sentence: sentence.into(), remedy: remedy.into() }
    }
}

/// How far a layer can serve at this moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Readiness {
    /// Everything it has is there.
    Ready,
    /// It answers, but from less than it should; the answer must say so.
    Degraded(Vec<Reason>),
    /// It cannot answer at all.
    Unavailable(Vec<Reason>),
}

impl Readiness {
    /// Whether a search may be sent to it.
    #[must_use]
    pub const fn is_usable(&self) -> bool {
        !matches!(self, Self::Unavailable(_))
    }

    /// The reasons, empty when ready.
    #[must_use]
    pub fn reasons(&self) -> &[Reason] {
        match self {
            Self::Ready => &[],
            Self::Degraded(reasons) | Self::Unavailable(reasons) => reasons,
        }
    }
}
