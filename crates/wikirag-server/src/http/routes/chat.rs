//! Clients of chats: `POST /chat`, and the protocol of OpenAI, in which each composition is a model.
//!
//! These two take fields that they do not know, since clients of other servers send many.

use std::time::{SystemTime, UNIX_EPOCH};

use axum::extract::{Request, State};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use futures_util::{StreamExt as _, stream};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use wikirag_core::{Error, ErrorKind, Result};
use wikirag_engine::{Asked, SourcePart};

use crate::http::desk::Shared;
use crate::http::failure::{ErrorBody, Failure};
use crate::http::journal::Id;
use crate::http::read;
use crate::http::writer::{Told, Writing};
use crate::service::{AskRequest, Caller};

/// The compositions of which the caller sees anything.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Models {
    /// Always `list`.
    pub(crate) object: &'static str,
    /// In the order in which they are served.
    pub(crate) data: Vec<Model>,
}

/// A composition.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Model {
    /// Its name.
    pub(crate) id: String,
    /// Always `model`.
    pub(crate) object: &'static str,
    /// When it was made, which nobody knows: 0.
    pub(crate) created: u64,
    /// Who made it.
    pub(crate) owned_by: &'static str,
}

/// What `/chat` takes.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct ChatRequest {
    /// The question.
    #[serde(alias = "question")]
    #[schemars(regex(pattern = "\\S"))]
    pub(crate) message: String,
    /// Name of the composition; may be left out where the caller sees one only.
    #[serde(default)]
    pub(crate) rag: Option<String>,
}

/// What `/chat` gives.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ChatAnswer {
    /// The answer; without a language model, the passages that one would read.
    pub(crate) answer: String,
    /// What it cites.
    pub(crate) sources: Vec<SourcePart>,
}

/// What the protocols of OpenAI and Anthropic send alike, as far as it means something here.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct ConversationRequest {
    /// Name of a composition.
    pub(crate) model: String,
    /// The last one of the user is the question.
    #[schemars(extend("contains" = {
        "properties": {"role": {"const": "user"}, "content": {"type": "string", "pattern": "\\S"}},
        "required": ["role", "content"],
    }))]
    pub(crate) messages: Vec<ChatMessage>,
    /// Whether the answer comes in pieces.
    #[serde(default)]
    pub(crate) stream: Option<bool>,
}

/// One message.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct ChatMessage {
    /// Who says it.
    pub(crate) role: String,
    /// A text, or parts of which each has its text.
    #[serde(default)]
    pub(crate) content: Value,
}

impl ChatMessage {
    fn text(&self) -> String {
        match &self.content {
            Value::String(text) => text.clone(),
            Value::Array(parts) => parts.iter().filter_map(|part| part["text"].as_str()).collect::<Vec<_>>().join("\n"),
            _ => String::new(),
        }
    }
}

pub(crate) async fn models(
    State(desk): State<Shared>,
    Extension(caller): Extension<Caller>,
) -> Result<Json<Models>, Failure> {
    let names = desk.work(move |service, _| async move { service.rags(&caller).await }).await?;
    let model = |id| Model { id, object: "model", created: 0, owned_by: "wikirag" };
    Ok(Json(Models { object: "list", data: names.into_iter().map(model).collect() }))
}

pub(crate) async fn chat(
    State(desk): State<Shared>,
    Extension(caller): Extension<Caller>,
    Extension(id): Extension<Id>,
    request: Request,
) -> Result<Json<ChatAnswer>, Failure> {
    let ChatRequest { message, rag } = tolerant(read::json(request, &desk).await?)?;
    let request = AskRequest { question: message, rag, ..AskRequest::default() };
    desk.hear(id, &caller, &request.scope(), &request.question).await?;
    let asked = Writing::begin(&desk, caller, request).await?.whole().await?;
    Ok(Json(ChatAnswer { answer: words(&asked), sources: asked.sources }))
}

/// A conversation whose last question is being answered.
pub(super) struct Conversation {
    /// As the client calls it: the name of a composition.
    pub(super) model: String,
    pub(super) is_streamed: bool,
    pub(super) writing: Writing,
}

impl Conversation {
    pub(super) async fn begin(desk: &Shared, caller: Caller, id: Id, request: Request) -> Result<Self, Failure> {
        let ConversationRequest { model, messages, stream } = tolerant(read::json(request, desk).await?)?;
        let question = question_of(&messages)?;
        let request = AskRequest { question, rag: Some(model.clone()), ..AskRequest::default() };
        desk.hear(id, &caller, &request.scope(), &request.question).await?;
        let writing = Writing::begin(desk, caller, request).await?;
        Ok(Self { model, is_streamed: stream == Some(true), writing })
    }
}

pub(crate) async fn completions(
    State(desk): State<Shared>,
    Extension(caller): Extension<Caller>,
    Extension(id): Extension<Id>,
    request: Request,
) -> Result<Response, Failure> {
    let Conversation { model, is_streamed, writing } = Conversation::begin(&desk, caller, id, request).await?;
    let head = Head { id: format!("chatcmpl-{}", id.0), created: now(), model };
    if !is_streamed {
        return Ok(Json(head.whole(&writing.whole().await?)).into_response());
    }
    let mut pieces = 0_usize;
    let events = writing.events().flat_map(move |told| {
        stream::iter(match told {
            Told::Context(_) => vec![head.chunk(&json!({"role": "assistant", "content": ""}))],
            Told::Piece(text) => {
                pieces += 1;
                vec![head.chunk(&json!({"content": text}))]
            }
            Told::Done(asked) => {
                // Without a model nothing came yet.
                let rest = (pieces == 0).then(|| head.chunk(&json!({"content": words(&asked)})));
                rest.into_iter().chain([head.last(&asked), "[DONE]".to_owned()]).collect()
            }
            Told::Failed(failure) => vec![json!(ErrorBody { error: failure.fault }).to_string()],
        })
    });
    let events = events.map(|data| Ok::<_, std::convert::Infallible>(Event::default().data(data)));
    Ok(Sse::new(events).keep_alive(KeepAlive::default()).into_response())
}

/// The text of the last message of the user.
pub(super) fn question_of(messages: &[ChatMessage]) -> Result<String> {
    let last = messages.iter().rev().find(|message| message.role == "user").map(ChatMessage::text);
    last.filter(|text| !text.trim().is_empty()).ok_or_else(|| {
        Error::new(ErrorKind::Usage, "read request", "no message of the role `user` holds a text")
            .help("the last one is the question")
    })
}

/// What every part of an answer begins with.
struct Head {
    id: String,
    created: u64,
    model: String,
}

impl Head {
    fn whole(&self, asked: &Asked) -> Value {
        json!({
            "id": self.id, "object": "chat.completion", "created": self.created, "model": self.model,
            "choices": [{
                "index": 0, "message": {"role": "assistant", "content": words(asked)}, "finish_reason": "stop",
            }],
            "usage": usage(asked),
            "wikirag": beside(asked),
        })
    }

    fn chunk(&self, delta: &Value) -> String {
        self.part(&json!({"index": 0, "delta": delta, "finish_reason": null})).to_string()
    }

    fn last(&self, asked: &Asked) -> String {
        let mut part = self.part(&json!({"index": 0, "delta": {}, "finish_reason": "stop"}));
        part["usage"] = usage(asked);
        part["wikirag"] = beside(asked);
        part.to_string()
    }

    fn part(&self, choice: &Value) -> Value {
        json!({
            "id": self.id, "object": "chat.completion.chunk", "created": self.created, "model": self.model,
            "choices": [choice],
        })
    }
}

fn usage(asked: &Asked) -> Value {
    let (read, written) = (asked.tokens_in.unwrap_or(0), asked.tokens_out.unwrap_or(0));
    json!({"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written})
}

/// What clients of other servers do not look at.
pub(super) fn beside(asked: &Asked) -> Value {
    let Asked { found, sources, invented, degraded, hints, .. } = asked;
    json!({"found": found, "sources": sources, "invented": invented, "degraded": degraded, "hints": hints})
}

/// The answer in words.
pub(super) fn words(asked: &Asked) -> String {
    match &asked.answer {
        Some(answer) => answer.clone(),
        None => {
            let block = |block: &wikirag_engine::PackedBlock| format!("{}\n\n{}", block.citation, block.text);
            let passages: Vec<String> = asked.context.blocks.iter().map(block).collect();
            format!(
                "No language model has written an answer. These passages are about it:\n\n{}",
                passages.join("\n\n")
            )
        }
    }
}

/// A request with whatever else it holds.
pub(super) fn tolerant<T: serde::de::DeserializeOwned>(value: Value) -> Result<T> {
    serde_json::from_value(value).map_err(|error| {
        let text: String = error.to_string().chars().take(200).collect();
        Error::new(ErrorKind::Usage, "read request", text)
    })
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}
