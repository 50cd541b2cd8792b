//! How a request fails, as an answer.

use std::time::Duration;

use axum::Json;
use axum::http::header::{RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use schemars::JsonSchema;
use serde::Serialize;
use wikirag_core::{Error, ErrorKind};

use crate::service::Fault;

/// The one shape of all errors.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ErrorBody {
    /// What went wrong.
    pub(crate) error: Fault,
}

/// Why a request got no answer.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) status: StatusCode,
    pub(crate) fault: Fault,
    /// When it may be tried again.
    retry: Option<Duration>,
}

impl Failure {
    pub(crate) fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Self {
        let fault = Fault { code: code.to_owned(), message: message.into(), remedy: None, kind: ErrorKind::Usage };
        Self { status, fault, retry: None }
    }

    pub(crate) fn help(mut self, remedy: impl Into<String>) -> Self {
        self.fault.remedy = Some(remedy.into());
        self
    }

    pub(crate) fn retry_in(mut self, wait: Duration) -> Self {
        self.retry = Some(wait);
        self
    }

    /// More is asked than can be answered.
    pub(crate) fn crowded() -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "crowded", "too many requests wait for an answer")
            .help("ask again later")
            .retry_in(Duration::from_secs(1))
    }

    /// It took too long.
    pub(crate) fn too_slow() -> Self {
        Self::new(StatusCode::GATEWAY_TIMEOUT, ErrorKind::TimedOut.code(), "this took too long and was given up")
    }
}

/// The status of an error; what nobody but the operator can mend is a fault of the server.
fn status_of(kind: ErrorKind) -> StatusCode {
    match kind {
        ErrorKind::Usage => StatusCode::BAD_REQUEST,
        // A refused wiki must not be told from one that is not there.
        ErrorKind::NotFound | ErrorKind::Refused => StatusCode::NOT_FOUND,
        ErrorKind::Invalid => StatusCode::UNPROCESSABLE_ENTITY,
        ErrorKind::TimedOut => StatusCode::GATEWAY_TIMEOUT,
        ErrorKind::IndexMissing
        | ErrorKind::StaleIndex
        | ErrorKind::Busy
        | ErrorKind::Unavailable
        | ErrorKind::Cancelled => StatusCode::SERVICE_UNAVAILABLE,
        _ => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

impl From<Error> for Failure {
    /// What the caller is not told goes to the log.
    fn from(error: Error) -> Self {
        let (kind, fault) = (error.kind(), Fault::of(&error));
        let status = status_of(kind);
        if status.is_server_error() {
            tracing::error!(code = kind.code(), error = error.statement(), remedy = error.remedy(), "failed");
        }
        let retry = (status == StatusCode::SERVICE_UNAVAILABLE).then_some(Duration::from_secs(5));
        Self { status, fault, retry }
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let mut response = (self.status, Json(ErrorBody { error: self.fault })).into_response();
        if let Some(wait) = self.retry {
            // Whole seconds, and never less than it takes.
            let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
            response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(seconds));
        }
        if self.status == StatusCode::UNAUTHORIZED {
            response.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response
    }
}
