//! What the service replies.

use std::io::{Read, Write};
use std::net::TcpStream;

use serde_json::{Value, json};

use super::super::http::send;
use super::check::limit;
use super::{MODEL, Rules};

/// What becomes of one request. Where nothing is told, it is answered with nothing.
#[derive(Debug, Clone)]
pub enum Reply {
    /// This is said.
    Say(String),
    /// As much of it as `max_tokens` words, with that as the reason to end.
    Cut(String),
    /// This status, with this message.
    Refuse(u16, &'static str),
    /// This status with these headers and this body.
    RefuseWith(u16, Vec<(&'static str, String)>, String),
    /// The status 200 with a body of this kind: neither the protocol's nor a stream, perhaps.
    Body(&'static str, String),
    /// This, letter by letter, as a stream of events.
    Stream {
        /// The stream.
        bytes: Vec<u8>,
        /// So many bytes are sent at a time.
        cut: usize,
        /// What comes then.
        rest: Rest,
    },
    /// The half of it, and then the connection is closed.
    BreakOff(String),
    /// The connection is closed.
    Close,
    /// Nothing, until the client gives up.
    Hang,
}

/// What comes after a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rest {
    /// Its end.
    End,
    /// The connection is closed, without an end.
    Vanish,
    /// Nothing, until the client gives up.
    Hang,
}

impl Reply {
    /// A stream that is sent as a whole and ends.
    #[must_use]
    pub fn stream(text: &str) -> Self {
        Self::Stream { bytes: text.as_bytes().to_vec(), cut: usize::MAX, rest: Rest::End }
    }

    /// Whether the connection stays open. `given_up` is called when the client closes it.
    pub(super) fn send(self, mut stream: &TcpStream, body: &Value, rules: &Rules, given_up: impl FnOnce()) -> bool {
        let hang = |mut stream: &TcpStream| {
            let _ = stream.read(&mut [0]);
            given_up();
            false
        };
        match self {
            Self::Say(text) => say(stream, &text, false, body, rules, false),
            Self::Cut(text) => {
                let most = limit(body).unwrap_or(u64::MAX) as usize;
                let beginning: String = text.split_inclusive(' ').take(most).collect();
                say(stream, &beginning, true, body, rules, false)
            }
            Self::Refuse(status, message) => refuse(stream, status, message),
            Self::RefuseWith(status, headers, body) => send(stream, status, &headers, &body),
            Self::Body(kind, body) => {
                let head = format!("HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\ncontent-length: {}\r\n\r\n", body.len());
                stream.write_all(format!("{head}{body}").as_bytes()).is_ok()
            }
            Self::Stream { bytes, cut, rest } => {
                let begun = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream; charset=utf-8\r\n\
                              transfer-encoding: chunked\r\n\r\n";
                let _ = stream.set_nodelay(true);
                let mut sent = stream.write_all(begun).is_ok();
                for part in bytes.chunks(cut) {
                    let chunk = [format!("{:x}\r\n", part.len()).as_bytes(), part, b"\r\n"].concat();
                    sent = sent && stream.write_all(&chunk).is_ok();
                }
                match rest {
                    Rest::End => sent && stream.write_all(b"0\r\n\r\n").is_ok(),
                    Rest::Vanish => false,
                    Rest::Hang => hang(stream),
                }
            }
            Self::BreakOff(text) => say(stream, &text, false, body, rules, true),
            Self::Close => false,
            Self::Hang => hang(stream),
        }
    }
}

/// An error, in words that fit either protocol.
pub(super) fn refuse(stream: &TcpStream, status: u16, message: &str) -> bool {
    send(stream, status, &[], &json!({"type": "error", "error": {"message": message}}).to_string())
}

/// Says `text`, or the half of it. Tokens are words here, and those of the question are not counted.
fn say(mut stream: &TcpStream, text: &str, is_cut: bool, body: &Value, rules: &Rules, breaks_off: bool) -> bool {
    let streams = body["stream"] == true;
    let whole = match (rules.anthropic, streams) {
        (false, false) => openai_whole(text, is_cut).to_string(),
        (false, true) => openai_stream(text, is_cut, body["stream_options"]["include_usage"] == true),
        (true, false) => anthropic_whole(text, is_cut).to_string(),
        (true, true) => anthropic_stream(text, is_cut),
    };
    let kind = if streams { "text/event-stream" } else { "application/json" };
    let head = format!("HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\ncontent-length: {}\r\n\r\n", whole.len());
    let sent = if breaks_off { &whole[..whole.floor_char_boundary(whole.len() / 2)] } else { &*whole };
    stream.write_all(format!("{head}{sent}").as_bytes()).is_ok() && !breaks_off
}

fn words(text: &str) -> usize {
    text.split_inclusive(' ').count()
}

fn openai_whole(text: &str, is_cut: bool) -> Value {
    let message = json!({"role": "assistant", "content": text});
    let choice = json!({"index": 0, "message": message, "finish_reason": if is_cut { "length" } else { "stop" }});
    let usage = json!({"prompt_tokens": 0, "completion_tokens": words(text)});
    json!({"object": "chat.completion", "model": MODEL, "choices": [choice], "usage": usage})
}

fn openai_stream(text: &str, is_cut: bool, with_usage: bool) -> String {
    let event = |delta: Value, reason: Value| {
        let choice = json!({"index": 0, "delta": delta, "finish_reason": reason});
        format!("data: {}\n\n", json!({"object": "chat.completion.chunk", "model": MODEL, "choices": [choice]}))
    };
    let mut events = event(json!({"role": "assistant", "content": ""}), Value::Null);
    text.split_inclusive(' ').for_each(|word| events.push_str(&event(json!({"content": word}), Value::Null)));
    events.push_str(&event(json!({}), json!(if is_cut { "length" } else { "stop" })));
    if with_usage {
        let usage = json!({"prompt_tokens": 0, "completion_tokens": words(text)});
        events.push_str(&format!("data: {}\n\n", json!({"choices": [], "usage": usage})));
    }
    events + "data: [DONE]\n\n"
}

fn anthropic_whole(text: &str, is_cut: bool) -> Value {
    let content = json!([{"type": "text", "text": text}]);
    let usage = json!({"input_tokens": 0, "output_tokens": words(text)});
    let reason = if is_cut { "max_tokens" } else { "end_turn" };
    json!({"type": "message", "role": "assistant", "model": MODEL, "content": content, "stop_reason": reason, "usage": usage})
}

fn anthropic_stream(text: &str, is_cut: bool) -> String {
    let event = |data: Value| format!("event: {}\ndata: {data}\n\n", data["type"].as_str().unwrap_or_default());
    let start = json!({"type": "message", "content": [], "usage": {"input_tokens": 0, "output_tokens": 1}});
    let mut events = event(json!({"type": "message_start", "message": start}));
    let block = json!({"type": "text", "text": ""});
    events.push_str(&event(json!({"type": "content_block_start", "index": 0, "content_block": block})));
    events.push_str(&event(json!({"type": "ping"})));
    for word in text.split_inclusive(' ') {
        let delta = json!({"type": "text_delta", "text": word});
        events.push_str(&event(json!({"type": "content_block_delta", "index": 0, "delta": delta})));
    }
    events.push_str(&event(json!({"type": "content_block_stop", "index": 0})));
    let reason = json!({"stop_reason": if is_cut { "max_tokens" } else { "end_turn" }});
    let usage = json!({"output_tokens": words(text)});
    events.push_str(&event(json!({"type": "message_delta", "delta": reason, "usage": usage})));
    events + &event(json!({"type": "message_stop"}))
}
