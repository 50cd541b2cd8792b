//! `POST /v1/query`

use axum::extract::State;
use axum::{Extension, Json};
use wikirag_engine::Answer;

use crate::http::desk::Shared;
use crate::http::failure::Failure;
use crate::http::journal::Id;
use crate::http::read::Body;
use crate::service::{Caller, QueryRequest};

pub(crate) async fn query(
    State(desk): State<Shared>,
    Extension(caller): Extension<Caller>,
    Extension(id): Extension<Id>,
    Body(request): Body<QueryRequest>,
) -> Result<Json<Answer>, Failure> {
    desk.hear(id, &caller, &request.scope(), &request.question).await?;
    let answer =
        desk.work(move |service, context| async move { service.query(&caller, &request, &context).await }).await?;
    desk.saw(&answer.degraded);
    Ok(Json(answer))
}
