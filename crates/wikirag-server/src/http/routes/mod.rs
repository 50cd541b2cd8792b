//! The routes, by what they are about.

mod chat;
mod health;
mod messages;
mod pages;
mod query;
mod writing;

use std::sync::Arc;

use axum::routing::{get, post};
use axum::{Json, Router};
use serde_json::Value;
use wikirag_engine::questions::Gaps;
use wikirag_engine::vault::{Backlinks, PageGraph};
use wikirag_engine::{Answer, Fetched, Packed};

use super::api::{Api, Operation};
use super::desk::Shared;
use crate::mcp::{self, Callers, Server, ToolSet};
use crate::page;
use crate::service::{AskRequest, ContextRequest, DocumentRequest, GapsRequest, QueryRequest};

/// What everybody may ask, since it tells nothing of any wiki, and what only a caller may.
pub(super) struct Routes {
    pub(super) open: Router<Shared>,
    pub(super) closed: Router<Shared>,
}

/// All routes.
pub(super) fn all(desk: &Shared, tools: ToolSet) -> Routes {
    let api = Api::new()
        .json::<Answer>(
            Operation::post::<QueryRequest>("/v1/query", "The passages that answer a question, best first"),
            post(query::query),
        )
        .json::<Packed>(
            Operation::post::<ContextRequest>(
                "/v1/context",
                "The passages that a language model should read, within a budget of tokens",
            ),
            post(writing::context),
        )
        .events(
            Operation::post::<AskRequest>("/v1/ask", "An answer with citations, as a stream of events"),
            &["context", "piece", "done", "error"],
            post(writing::ask),
        )
        .json::<pages::Wikis>(
            Operation::get("/v1/wikis", "The wikis that may be read").asked::<pages::WikisAsked>(),
            get(pages::wikis),
        )
        .json::<Fetched>(
            Operation::get("/v1/documents", "A document or a passage by the id of a result or a citation")
                .asked::<DocumentRequest>(),
            get(pages::by_id),
        )
        .json::<Fetched>(
            Operation::get("/v1/documents/{wiki}/{*path}", "A document, or some lines or pages of it")
                .asked::<pages::PartAsked>(),
            get(pages::document),
        )
        .json::<PageGraph>(
            Operation::get("/v1/graph/{wiki}/{*path}", "The pages around a page").asked::<pages::GraphAsked>(),
            get(pages::graph),
        )
        .json::<Backlinks>(
            Operation::get("/v1/links/{wiki}/{*path}", "The links to a page").asked::<pages::LinksAsked>(),
            get(pages::links),
        )
        .json::<Gaps>(
            Operation::get("/v1/gaps", "Topics that were asked for and are missing").asked::<GapsRequest>(),
            get(pages::gaps),
        )
        .json::<chat::Models>(
            Operation::get("/v1/models", "The compositions, as the models of chat clients"),
            get(chat::models),
        )
        .json::<chat::ChatAnswer>(
            Operation::tolerant::<chat::ChatRequest>("/chat", "An answer with its sources"),
            post(chat::chat),
        )
        .json::<serde_json::Map<String, Value>>(
            Operation::tolerant::<chat::ConversationRequest>(
                "/v1/chat/completions",
                "An answer by the protocol of OpenAI",
            ),
            post(chat::completions),
        )
        .json::<serde_json::Map<String, Value>>(
            Operation::tolerant::<chat::ConversationRequest>("/v1/messages", "An answer by the protocol of Anthropic"),
            post(messages::messages),
        )
        .text(Operation::get("/metrics", "Figures in the text format of Prometheus"), get(health::metrics));
    let (closed, mut document) = api.finish();
    let health = Operation::get("/health", "Whether the server answers").open();
    let (open, of_open) = Api::new().json::<health::Health>(health, get(health::health)).finish();
    merge(&mut document, of_open);
    let document = Arc::new(document);
    let describe = move || std::future::ready(Json(Arc::clone(&document)));
    let server = Server::new(desk.service.clone(), tools, Callers::OfRequest);
    Routes {
        open: open.route("/openapi.json", get(describe)).merge(page::routes()),
        closed: closed.nest_service("/mcp", mcp::routes(server)),
    }
}

/// Puts what is told of further routes beside the others.
fn merge(document: &mut Value, other: Value) {
    match (document, other) {
        (Value::Object(known), Value::Object(other)) => {
            for (name, value) in other {
                merge(known.entry(name).or_insert(Value::Null), value);
            }
        }
        (document @ Value::Null, other) => *document = other,
        _ => {}
    }
}
