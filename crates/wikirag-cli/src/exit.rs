//! Exit codes: one table for the whole program.

use std::process::ExitCode;

use wikirag::ErrorKind;

/// How the program ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExitStatus {
    /// 0: all was done.
    Fine,
    /// 1: it failed.
    Failure,
    /// 2: it was called wrongly.
    Usage,
    /// 4: done in part, as the ledger says; or a wiki is less healthy than `lint --fail-under` asks.
    Partial,
    /// 5: an index is missing, damaged, or of another version or model.
    Index,
    /// 6: the composition does not allow it.
    Refused,
    /// 130: stopped on request.
    Cancelled,
}

impl ExitStatus {
    /// The number.
    #[must_use]
    pub const fn code(self) -> u8 {
        match self {
            Self::Fine => 0,
            Self::Failure => 1,
            Self::Usage => 2,
            Self::Partial => 4,
            Self::Index => 5,
            Self::Refused => 6,
            Self::Cancelled => 130,
        }
    }

    /// What an error of this kind makes of the program.
    #[must_use]
    pub const fn of(kind: ErrorKind) -> Self {
        match kind {
            ErrorKind::Usage => Self::Usage,
            ErrorKind::IndexMissing | ErrorKind::StaleIndex | ErrorKind::Damaged | ErrorKind::Unavailable => {
                Self::Index
            }
            ErrorKind::Refused => Self::Refused,
            ErrorKind::Partial => Self::Partial,
            ErrorKind::Cancelled => Self::Cancelled,
            _ => Self::Failure,
        }
    }
}

impl From<ExitStatus> for ExitCode {
    fn from(status: ExitStatus) -> Self {
        Self::from(status.code())
    }
}
