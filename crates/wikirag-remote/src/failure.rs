//! Why a request had no answer, by what can be done.

use std::time::Duration;

use wikirag_core::{Error, ErrorKind};

/// A failed request.
#[derive(Debug)]
pub enum Failure {
    /// It was too large: less may do.
    TooLarge(Error),
    /// The same request may do later.
    Passing {
        /// What is told when it never does.
        error: Error,
        /// How long the service asks to be left alone.
        wait: Option<Duration>,
    },
    /// Nothing can be done here.
    Lasting(Error),
}

impl Failure {
    /// What is told to the caller.
    #[must_use]
    pub fn into_error(self) -> Error {
        match self {
            Self::TooLarge(error) | Self::Lasting(error) => error,
            Self::Passing { error, .. } => error.temporary(),
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Lasting(error)
    }
}

/// That a service cannot be had, while `operation` was to be done.
#[must_use]
pub fn unavailable(operation: &'static str, message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Unavailable, operation, message.into())
}
