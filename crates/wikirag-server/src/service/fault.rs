//! What is told of an error.

use schemars::JsonSchema;
use serde::Serialize;
use wikirag_core::{Error, ErrorKind};

use super::places;

/// An error as a caller may see it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Fault {
    /// Stable: the code of its [`ErrorKind`].
    pub code: String,
    /// What is wrong.
    pub message: String,
    /// What mends it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remedy: Option<String>,
    /// What it is; not told by itself.
    #[serde(skip)]
    pub kind: ErrorKind,
}

impl Fault {
    /// Without the places of this machine, and without what nobody but the operator can mend: that goes to the log.
    #[must_use]
    pub fn of(error: &Error) -> Self {
        let kind = error.kind();
        // As if it were not there.
        let kind = if kind == ErrorKind::Refused { ErrorKind::NotFound } else { kind };
        let (message, remedy) = match kind {
            ErrorKind::Usage
            | ErrorKind::NotFound
            | ErrorKind::Invalid
            | ErrorKind::Cancelled
            | ErrorKind::TimedOut => {
                let told = |text: &str| places::without(text).into_owned();
                (told(error.message()), error.remedy().map(told))
            }
            _ => ("this cannot be answered at the moment".to_owned(), None),
        };
        Self { code: kind.code().to_owned(), message, remedy, kind }
    }
}
