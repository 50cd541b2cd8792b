//! Clients of chats, by the protocols of OpenAI and Anthropic and by our own. The model behind is a service that says what it is told to.

use serde_json::{Value, json};
use wikirag_testkit::fakes::chat_service::{ChatService, MODEL, Reply};

use super::Server;
use super::server::Reply as Answer;
use crate::garden;

const ANSWER: &str = "Sow basil in May, when nights stay warm [[herbs/basil]].";

/// What comes of a request to a server whose model answers once.
fn answer(path: &str, body: &Value) -> Answer {
    let service = ChatService::new([Reply::Say(ANSWER.to_owned())]);
    let world = garden();
    world.write_user_settings(&format!("[plugins.llm-api]\nurl = \"{}\"\nmodel = \"{MODEL}\"\n", service.url()));
    let server = Server::start(&world, &["garden"]);
    let reply = server.post(path, body);
    assert_eq!(reply.status, 200, "{reply:?}");
    assert_eq!(service.requests(), 1);
    reply
}

/// The data of the events of a stream.
fn events(reply: &Answer) -> Vec<Value> {
    assert_eq!(reply.header("content-type"), Some("text/event-stream"), "{reply:?}");
    let data = reply.body.lines().filter_map(|line| line.strip_prefix("data: "));
    data.filter(|data| *data != "[DONE]").map(|data| serde_json::from_str(data).unwrap()).collect()
}

fn asked(model: &str, stream: bool) -> Value {
    let messages = json!([{"role": "user", "content": "when to sow basil"}]);
    json!({"model": model, "messages": messages, "stream": stream, "max_tokens": 64, "temperature": 0.5})
}

#[test]
fn by_the_protocol_of_openai() {
    let whole = answer("/v1/chat/completions", &asked("garden", false)).json();
    assert_eq!(whole["choices"][0]["message"], json!({"role": "assistant", "content": ANSWER}));
    assert_eq!(whole["wikirag"]["sources"][0]["path"], "herbs/basil.md");
    let reply = answer("/v1/chat/completions", &asked("garden", true));
    let text: String =
        events(&reply).iter().filter_map(|event| event["choices"][0]["delta"]["content"].as_str()).collect();
    assert_eq!(text, ANSWER);
    assert!(reply.body.contains("data: [DONE]"), "{reply:?}");
}

#[test]
fn by_the_protocol_of_anthropic() {
    let whole = answer("/v1/messages", &asked("garden", false)).json();
    assert_eq!(whole["content"], json!([{"type": "text", "text": ANSWER}]));
    assert_eq!((whole["type"].as_str(), whole["stop_reason"].as_str()), (Some("message"), Some("end_turn")));
    let reply = answer("/v1/messages", &asked("garden", true));
    let events = events(&reply);
    let kinds: Vec<&str> = events.iter().filter_map(|event| event["type"].as_str()).collect();
    assert_eq!(kinds[..2], ["message_start", "content_block_start"]);
    assert_eq!(kinds[kinds.len() - 3..], ["content_block_stop", "message_delta", "message_stop"]);
    let text: String = events.iter().filter_map(|event| event["delta"]["text"].as_str()).collect();
    assert_eq!(text, ANSWER);
    assert!(reply.body.contains("event: message_start"), "{reply:?}");
}

#[test]
fn by_our_own() {
    let events = events(&answer("/v1/ask", &json!({"question": "when to sow basil"})));
    let text: String = events.iter().filter_map(|event| event["text"].as_str()).collect();
    let done = events.last().unwrap();
    assert_eq!((text.as_str(), done["answer"].as_str()), (ANSWER, Some(ANSWER)));
    assert_eq!((&done["invented"], done["sources"][0]["cite"].as_str()), (&json!(0), Some("[[herbs/basil]]")));
    let chat = answer("/chat", &json!({"message": "when to sow basil"})).json();
    assert_eq!((chat["answer"].as_str(), chat["sources"][0]["path"].as_str()), (Some(ANSWER), Some("herbs/basil.md")));
}

#[test]
fn gaps_are_told_to_those_who_may_see_all() {
    let world = garden();
    let server = Server::start(&world, &["garden"]);
    assert_eq!(server.get("/v1/gaps").error(404), "not-found");
    let _ = server.post("/v1/ask", &json!({"question": "how to graft apple trees"}));
    let gaps = server.get("/v1/gaps").expect(200);
    assert_eq!(gaps["topics"][0]["questions"][0]["question"], "how to graft apple trees", "{gaps}");
}
