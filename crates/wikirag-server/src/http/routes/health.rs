//! For those who watch the server.

use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use axum::{Extension, Json};
use schemars::JsonSchema;
use serde::Serialize;

use crate::http::desk::Shared;
use crate::service::Caller;

/// That the server answers.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Health {
    /// Always `ok`: a server that is not does not answer.
    pub(crate) status: &'static str,
    /// Of the program.
    pub(crate) version: &'static str,
}

pub(crate) async fn health() -> Json<Health> {
    Json(Health { status: "ok", version: env!("CARGO_PKG_VERSION") })
}

pub(crate) async fn metrics(State(desk): State<Shared>, _: Extension<Caller>) -> impl IntoResponse {
    ([(CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], desk.metrics.text())
}
