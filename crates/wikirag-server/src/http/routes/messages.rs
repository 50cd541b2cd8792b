//! The protocol of Anthropic, in which each composition is a model: `POST /v1/messages`.

use std::convert::Infallible;

use axum::extract::{Request, State};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use futures_util::{StreamExt as _, stream};
use serde_json::{Value, json};
use wikirag_engine::Asked;

use super::chat::{Conversation, beside, words};
use crate::http::desk::Shared;
use crate::http::failure::Failure;
use crate::http::journal::Id;
use crate::http::writer::Told;
use crate::service::Caller;

pub(crate) async fn messages(
    State(desk): State<Shared>,
    Extension(caller): Extension<Caller>,
    Extension(id): Extension<Id>,
    request: Request,
) -> Result<Response, Failure> {
    let Conversation { model, is_streamed, writing } = Conversation::begin(&desk, caller, id, request).await?;
    let head = Head { id: format!("msg_{}", id.0), model };
    if !is_streamed {
        let asked = writing.whole().await?;
        let mut whole = head.message(&usage(&asked));
        whole["content"] = json!([{"type": "text", "text": words(&asked)}]);
        whole["stop_reason"] = "end_turn".into();
        whole["wikirag"] = beside(&asked);
        return Ok(Json(whole).into_response());
    }
    let mut pieces = 0_usize;
    let events = writing.events().flat_map(move |told| {
        stream::iter(match told {
            Told::Context(_) => head.begin(),
            Told::Piece(text) => {
                pieces += 1;
                vec![delta(&text)]
            }
            Told::Done(asked) => {
                // Without a model nothing came yet.
                let rest = (pieces == 0).then(|| delta(&words(&asked)));
                rest.into_iter().chain(end(&asked)).collect()
            }
            Told::Failed(failure) => {
                let error = json!({"type": "api_error", "message": failure.fault.message});
                vec![json!({"type": "error", "error": error})]
            }
        })
    });
    let events = events.map(|data| {
        let name = data["type"].as_str().unwrap_or_default().to_owned();
        Ok::<_, Infallible>(Event::default().event(name).data(data.to_string()))
    });
    Ok(Sse::new(events).keep_alive(KeepAlive::default()).into_response())
}

/// What an answer begins with.
struct Head {
    id: String,
    model: String,
}

impl Head {
    fn message(&self, usage: &Value) -> Value {
        json!({
            "id": self.id, "type": "message", "role": "assistant", "model": self.model, "content": [],
            "stop_reason": null, "stop_sequence": null, "usage": usage,
        })
    }

    fn begin(&self) -> Vec<Value> {
        let nothing = json!({"input_tokens": 0, "output_tokens": 0});
        let block = json!({"type": "text", "text": ""});
        vec![
            json!({"type": "message_start", "message": self.message(&nothing)}),
            json!({"type": "content_block_start", "index": 0, "content_block": block}),
        ]
    }
}

fn delta(text: &str) -> Value {
    json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text}})
}

fn end(asked: &Asked) -> [Value; 3] {
    let delta = json!({"stop_reason": "end_turn", "stop_sequence": null});
    [
        json!({"type": "content_block_stop", "index": 0}),
        json!({"type": "message_delta", "delta": delta, "usage": usage(asked), "wikirag": beside(asked)}),
        json!({"type": "message_stop"}),
    ]
}

fn usage(asked: &Asked) -> Value {
    json!({"input_tokens": asked.tokens_in.unwrap_or(0), "output_tokens": asked.tokens_out.unwrap_or(0)})
}
