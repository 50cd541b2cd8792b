//! A small service that speaks OpenAI's protocol of chat completions on the other end of a real connection, in one piece or as a
//! stream of events. It says what it is told to, and complains about each request that is not as the protocol wants it.

#![expect(clippy::unwrap_used, reason = "a fake fails like the test it serves")]

use std::collections::VecDeque;
use std::io::{BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;

use serde_json::{Value, json};

use super::http::{Request, send};

/// The model that must be asked for.
pub const MODEL: &str = "small-talker";

/// What becomes of one request. Where nothing is said, it is answered with nothing.
#[derive(Debug, Clone)]
pub enum Reply {
    /// This is said.
    Say(String),
    /// As much of it as `max_tokens` words, with `length` as the reason to end.
    Cut(String),
    /// This status, with this message.
    Refuse(u16, &'static str),
    /// The half of it, and then the connection is closed.
    BreakOff(String),
    /// Nothing, until the client gives up.
    Hang,
}

#[derive(Debug, Default)]
struct State {
    script: VecDeque<Reply>,
    seen: Vec<Value>,
    complaints: Vec<String>,
}

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

/// The service. It ends with the process; dropped after a complaint, it fails the test.
#[derive(Debug)]
pub struct ChatService {
    address: SocketAddr,
    shared: Arc<Shared>,
}

impl ChatService {
    /// One that gives these replies, in order.
    ///
    /// # Panics
    /// Where there is no port to listen on.
    #[must_use]
    pub fn new(replies: impl IntoIterator<Item = Reply>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let shared = Arc::new(Shared::default());
        shared.state.lock().unwrap().script.extend(replies);
        let serving = Arc::clone(&shared);
        thread::spawn(move || {
            for stream in listener.incoming() {
                let shared = Arc::clone(&serving);
                thread::spawn(move || shared.serve(&stream.unwrap()));
            }
        });
        Self { address, shared }
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The bodies of the requests that came and were as they must be.
    #[must_use]
    pub fn seen(&self) -> Vec<Value> {
        self.shared.state.lock().unwrap().seen.clone()
    }

    /// Waits until so many requests have come.
    pub fn wait_for(&self, requests: usize) {
        let state = self.shared.state.lock().unwrap();
        drop(self.shared.changed.wait_while(state, |state| state.seen.len() < requests).unwrap());
    }
}

impl Drop for ChatService {
    fn drop(&mut self) {
        if !thread::panicking() {
            let complaints = &self.shared.state.lock().unwrap().complaints;
            assert!(complaints.is_empty(), "requests were not as the protocol wants them: {complaints:?}");
        }
    }
}

impl Shared {
    /// Serves one connection until it is closed.
    fn serve(&self, stream: &TcpStream) {
        let mut reader = BufReader::new(stream);
        while let Some(request) = Request::read(&mut reader) {
            let (reply, checked) = {
                let mut state = self.state.lock().unwrap();
                let checked = check(&request);
                match &checked {
                    Ok(body) => state.seen.push(body.clone()),
                    Err(complaint) => state.complaints.push(complaint.clone()),
                }
                self.changed.notify_all();
                (state.script.pop_front().unwrap_or_else(|| Reply::Say(String::new())), checked)
            };
            let open = match checked {
                Ok(body) => reply.send(stream, &body),
                Err(complaint) => send(stream, 400, &[], &json!({"error": {"message": complaint}}).to_string()),
            };
            if !open {
                return;
            }
        }
    }
}

impl Reply {
    /// Whether the connection stays open.
    fn send(self, mut stream: &TcpStream, body: &Value) -> bool {
        let streams = body["stream"] == true;
        match self {
            Self::Say(text) => say(stream, &text, "stop", streams, false),
            Self::Cut(text) => {
                let most = body["max_tokens"].as_u64().unwrap_or(u64::MAX) as usize;
                let beginning: String = text.split_inclusive(' ').take(most).collect();
                say(stream, &beginning, "length", streams, false)
            }
            Self::Refuse(status, message) => {
                send(stream, status, &[], &json!({"error": {"message": message}}).to_string())
            }
            Self::BreakOff(text) => say(stream, &text, "stop", streams, true),
            Self::Hang => {
                let _ = stream.read(&mut [0]);
                false
            }
        }
    }
}

/// Says `text`, or the half of it. Tokens are words here, and those of the question are not counted.
fn say(mut stream: &TcpStream, text: &str, reason: &str, streams: bool, breaks_off: bool) -> bool {
    let usage = json!({"prompt_tokens": 0, "completion_tokens": text.split_inclusive(' ').count()});
    let whole = if streams {
        let event = |delta: Value, reason: Value| {
            let choice = json!({"index": 0, "delta": delta, "finish_reason": reason});
            format!("data: {}\n\n", json!({"object": "chat.completion.chunk", "model": MODEL, "choices": [choice]}))
        };
        let mut events = event(json!({"role": "assistant", "content": ""}), Value::Null);
        text.split_inclusive(' ').for_each(|word| events.push_str(&event(json!({"content": word}), Value::Null)));
        events.push_str(&event(json!({}), json!(reason)));
        events.push_str(&format!("data: {}\n\ndata: [DONE]\n\n", json!({"choices": [], "usage": usage})));
        events
    } else {
        let message = json!({"role": "assistant", "content": text});
        let choice = json!({"index": 0, "message": message, "finish_reason": reason});
        json!({"object": "chat.completion", "model": MODEL, "choices": [choice], "usage": usage}).to_string()
    };
    let kind = if streams { "text/event-stream" } else { "application/json" };
    let head = format!("HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\ncontent-length: {}\r\n\r\n", whole.len());
    let sent = if breaks_off { &whole[..whole.floor_char_boundary(whole.len() / 2)] } else { &*whole };
    stream.write_all(format!("{head}{sent}").as_bytes()).is_ok() && !breaks_off
}

/// The body of a request that is as it must be.
fn check(request: &Request) -> Result<Value, String> {
    let must = |fine: bool, what: &str| if fine { Ok(()) } else { Err(format!("{what} ({})", request.line)) };
    must(request.line == "POST /v1/chat/completions HTTP/1.1", "wrong request line")?;
    must(request.header("host").is_some_and(|host| host.starts_with("127.0.0.1:")), "wrong host")?;
    must(request.header("content-type") == Some("application/json"), "wrong content type")?;
    let body: Value = serde_json::from_slice(&request.body).map_err(|error| error.to_string())?;
    must(body["model"] == MODEL, "wrong model")?;
    must(body["max_tokens"].as_u64().is_some_and(|most| most > 0), "no `max_tokens`")?;
    must(body["stream"].is_null() || body["stream"].is_boolean(), "wrong `stream`")?;
    let messages = body["messages"].as_array().filter(|messages| !messages.is_empty()).ok_or("no messages")?;
    for message in messages {
        let role = message["role"].as_str().unwrap_or_default();
        must(["system", "user", "assistant"].contains(&role), "a message of nobody")?;
        must(message["content"].as_str().is_some_and(|text| !text.trim().is_empty()), "a message without words")?;
    }
    must(messages.last().is_some_and(|last| last["role"] == "user"), "the last word is not the user's")?;
    Ok(body)
}
