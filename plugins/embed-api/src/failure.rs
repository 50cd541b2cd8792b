//! Why a request had no vectors for answer, by what can be done.

use std::time::Duration;

use wikirag_core::{Error, ErrorKind};

use crate::OPERATION;

/// A failed request.
#[derive(Debug)]
pub(crate) enum Failure {
    /// It was too large: halves of it may do.
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
    pub(crate) fn into_error(self) -> Error {
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

/// The service cannot be had.
pub(crate) fn unavailable(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Unavailable, OPERATION, message.into())
}
