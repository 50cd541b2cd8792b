//! The plugin against a service on the other end of a real connection.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod answers;
mod ends;
mod stopping;
mod trouble;

use std::sync::LazyLock;

use serde_json::Value;
use wikirag_core::{Completion, Context, Generator, Message, Prompt, Result, Speaker};
use wikirag_testkit::fakes::chat_service::{ChatService, MODEL, Reply, Rules};
use wikirag_testkit::make::setup;
use wikirag_testkit::{block_on, json};

/// What is asked, of a length that would be seen in an error.
const QUESTION: &str = "Where did Professor Plum hide the lead pipe before dinner?";

/// A service that counts, as far as it may.
fn counts(body: &Value) -> Reply {
    let numbers = "one two three four five six seven eight nine ten ";
    match body["max_tokens"].as_u64() {
        Some(0..=10) => Reply::Cut(numbers.to_owned()),
        _ => Reply::Say(numbers.to_owned()),
    }
}

wikirag_testkit::generator_suite!(openai, || {
    static SERVICE: LazyLock<ChatService> =
        LazyLock::new(|| ChatService::with(Rules { writer: Some(counts), ..Rules::default() }, []));
    try_generator(&SERVICE, json!({}))
});

wikirag_testkit::generator_suite!(anthropic, || {
    static SERVICE: LazyLock<ChatService> =
        LazyLock::new(|| ChatService::with(Rules { writer: Some(counts), anthropic: true, ..Rules::default() }, []));
    try_generator(&SERVICE, json!({}))
});

/// A generator for the service, with these settings beside those that must be set.
fn try_generator(service: &ChatService, settings: Value) -> Result<Box<dyn Generator>> {
    // Nothing here is about how long pauses are. Two cores may be busy with other tests, so limits are wide.
    let mut all = json!({"url": service.url(), "model": MODEL, "pause_seconds": 0.001});
    if service.rules().anthropic {
        all["protocol"] = json!("anthropic");
    }
    for (key, value) in settings.as_object().unwrap() {
        all[key] = value.clone();
    }
    let setup = setup([wikirag_llm_api::PLUGIN], all)?;
    setup.host.registry().generator("llm-api", &setup)
}

fn generator(service: &ChatService, settings: Value) -> Box<dyn Generator> {
    try_generator(service, settings).unwrap()
}

fn prompt() -> Prompt {
    Prompt { messages: vec![Message { speaker: Speaker::User, text: QUESTION.to_owned() }], max_tokens: 64 }
}

/// What comes of the question, and the pieces that were handed on. No error repeats the question.
fn ask(generator: &dyn Generator) -> (Result<Completion>, Vec<String>) {
    let mut pieces = Vec::new();
    let written = block_on(generator.generate(&prompt(), &mut |piece| pieces.push(piece.to_owned()), &Context::new()));
    if let Err(error) = &written {
        let told = format!("{error} {error:?}");
        assert!(!told.contains("Plum hide the lead"), "{told}");
    }
    (written, pieces)
}

/// What is written.
fn answer(service: &ChatService, settings: Value) -> Completion {
    ask(&*generator(service, settings)).0.unwrap()
}

/// An event of OpenAI's protocol that says `text`.
fn says(text: &str) -> String {
    format!("data: {}\n\n", json!({"choices": [{"index": 0, "delta": {"content": text}, "finish_reason": null}]}))
}

/// An event that says why the answer ends.
fn ends(reason: &str) -> String {
    format!("data: {}\n\n", json!({"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]}))
}

const DONE: &str = "data: [DONE]\n\n";
