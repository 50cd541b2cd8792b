//! `POST /v1/context`, `/v1/ask`

use std::convert::Infallible;

use axum::extract::State;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::{Extension, Json};
use futures_util::{Stream, StreamExt as _};
use serde_json::{Value, json};
use wikirag_engine::Packed;

use crate::http::desk::Shared;
use crate::http::failure::{ErrorBody, Failure};
use crate::http::journal::Id;
use crate::http::read::Body;
use crate::http::writer::{Told, Writing};
use crate::service::{AskRequest, Caller, ContextRequest};

pub(crate) async fn context(
    State(desk): State<Shared>,
    Extension(caller): Extension<Caller>,
    Extension(id): Extension<Id>,
    Body(request): Body<ContextRequest>,
) -> Result<Json<Packed>, Failure> {
    desk.hear(id, &caller, &request.scope(), &request.question).await?;
    let packed =
        desk.work(move |service, context| async move { service.context(&caller, &request, &context).await }).await?;
    desk.saw(&packed.degraded);
    Ok(Json(packed))
}

/// The events `context` (what will be read), `piece` (more of the answer), and at the end `done` or `error`.
pub(crate) async fn ask(
    State(desk): State<Shared>,
    Extension(caller): Extension<Caller>,
    Extension(id): Extension<Id>,
    Body(request): Body<AskRequest>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Failure> {
    desk.hear(id, &caller, &request.scope(), &request.question).await?;
    let writing = Writing::begin(&desk, caller, request).await?;
    Ok(Sse::new(writing.events().map(|told| Ok(event(told)))).keep_alive(KeepAlive::default()))
}

fn event(told: Told) -> Event {
    let (name, data) = match told {
        Told::Context(packed) => ("context", packed),
        Told::Piece(text) => ("piece", json!({"text": text})),
        Told::Done(asked) => {
            let mut data = json!(asked);
            // It was told at the beginning.
            data.as_object_mut().map(|fields| fields.remove("context"));
            ("done", data)
        }
        Told::Failed(failure) => ("error", json!(ErrorBody { error: failure.fault })),
    };
    let text: Value = data;
    // A value has no line end outside of its texts, and there they are escaped.
    Event::default().event(name).data(text.to_string())
}
