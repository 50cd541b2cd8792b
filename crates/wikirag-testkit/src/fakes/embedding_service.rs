//! A small embedding service on the other end of a real connection. It stands for those that cost money: it answers as the
//! protocols of OpenAI and Voyage say, by hashed bags of words, or as it is told to, and complains about each request that is not
//! exactly as the protocol wants it.

#![expect(clippy::unwrap_used, reason = "a fake fails like the test it serves")]

use std::collections::{BTreeSet, VecDeque};
use std::io::{BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;

use serde_json::{Value, json};

use super::http::{Request, send};

/// Width of the vectors.
pub const DIMENSIONS: usize = 256;
/// The model that must be asked for.
pub const MODEL: &str = "bag-of-words";

/// What the service knows about its clients.
#[derive(Debug, Clone)]
pub struct Rules {
    /// Whether it speaks Voyage's protocol.
    pub voyage: bool,
    /// The width that must be asked for, if any.
    pub width: Option<usize>,
    /// The key that must be sent, if any.
    pub key: Option<String>,
    /// Texts a request.
    pub max_batch: usize,
    /// Words a text.
    pub max_words: usize,
}

/// What becomes of one request. Where nothing is said it is answered.
#[derive(Debug, Clone)]
pub enum Play {
    /// It is answered.
    Answer,
    /// Answered when so many requests have come in all.
    AnswerAfter(usize),
    /// Answered with this change.
    Change(fn(&mut Value)),
    /// This body with status 200.
    Body(String),
    /// This status with these headers and this body.
    Refuse(u16, Vec<(&'static str, String)>, &'static str),
    /// An answer that breaks off.
    HalfBody,
    /// The connection is closed.
    Close,
    /// Nothing, until the client gives up.
    Hang,
}

/// A request as it came.
#[derive(Debug, Clone)]
pub struct Seen {
    /// The texts.
    pub input: Vec<String>,
    /// `query` or `document`, in Voyage's protocol.
    pub input_type: Option<String>,
}

#[derive(Debug, Default)]
struct State {
    script: VecDeque<Play>,
    seen: Vec<Seen>,
    connections: usize,
    under_way: usize,
    most_under_way: usize,
    complaints: Vec<String>,
}

#[derive(Debug)]
struct Shared {
    rules: Rules,
    state: Mutex<State>,
    changed: Condvar,
}

/// The service. It ends with the process; dropped after a complaint, it fails the test.
#[derive(Debug)]
pub struct EmbeddingService {
    address: SocketAddr,
    shared: Arc<Shared>,
}

impl Default for EmbeddingService {
    fn default() -> Self {
        Self::new()
    }
}

impl EmbeddingService {
    /// One that speaks OpenAI's protocol.
    #[must_use]
    pub fn new() -> Self {
        Self::with(|_| ())
    }

    /// One that speaks Voyage's protocol.
    #[must_use]
    pub fn voyage() -> Self {
        Self::with(|rules| rules.voyage = true)
    }

    /// With other rules than: OpenAI's protocol, no key, 2048 texts, texts of any length.
    ///
    /// # Panics
    /// Where there is no port to listen on.
    pub fn with(change: impl FnOnce(&mut Rules)) -> Self {
        let mut rules = Rules { voyage: false, width: None, key: None, max_batch: 2_048, max_words: usize::MAX };
        change(&mut rules);
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let shared = Arc::new(Shared { rules, state: Mutex::default(), changed: Condvar::new() });
        let serving = Arc::clone(&shared);
        thread::spawn(move || {
            for stream in listener.incoming() {
                let shared = Arc::clone(&serving);
                thread::spawn(move || shared.serve(&stream.unwrap()));
            }
        });
        Self { address, shared }
    }

    /// The same, with what becomes of its next requests.
    #[must_use]
    pub fn plays(self, plays: impl IntoIterator<Item = Play>) -> Self {
        self.shared.state.lock().unwrap().script.extend(plays);
        self
    }

    /// Its base address.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// The rules that it keeps.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.shared.rules
    }

    /// The requests that came and were as they must be.
    #[must_use]
    pub fn seen(&self) -> Vec<Seen> {
        self.shared.state.lock().unwrap().seen.clone()
    }

    /// How many these are.
    #[must_use]
    pub fn requests(&self) -> usize {
        self.seen().len()
    }

    /// Connections that were opened to it.
    #[must_use]
    pub fn connections(&self) -> usize {
        self.shared.state.lock().unwrap().connections
    }

    /// The most requests that were there at one moment.
    #[must_use]
    pub fn most_under_way(&self) -> usize {
        self.shared.state.lock().unwrap().most_under_way
    }

    /// Waits until so many requests have come.
    pub fn wait_for(&self, requests: usize) {
        self.shared.wait_for(requests);
    }
}

impl Drop for EmbeddingService {
    fn drop(&mut self) {
        if !thread::panicking() {
            let complaints = &self.shared.state.lock().unwrap().complaints;
            assert!(complaints.is_empty(), "requests were not as the protocol wants them: {complaints:?}");
        }
    }
}

impl Shared {
    fn wait_for(&self, requests: usize) {
        let state = self.state.lock().unwrap();
        drop(self.changed.wait_while(state, |state| state.seen.len() < requests).unwrap());
    }

    /// Serves one connection until it is closed.
    fn serve(&self, stream: &TcpStream) {
        self.state.lock().unwrap().connections += 1;
        let mut reader = BufReader::new(stream);
        while let Some(request) = Request::read(&mut reader) {
            let (play, checked) = {
                let mut state = self.state.lock().unwrap();
                state.under_way += 1;
                state.most_under_way = state.most_under_way.max(state.under_way);
                let checked = self.rules.check(&request);
                match &checked {
                    Ok(seen) => state.seen.push(seen.clone()),
                    Err(complaint) => state.complaints.push(complaint.clone()),
                }
                self.changed.notify_all();
                (state.script.pop_front().unwrap_or(Play::Answer), checked)
            };
            let open = match checked {
                Ok(seen) => self.play(stream, play, &seen.input),
                Err(complaint) => send(stream, 400, &[], &complaint),
            };
            self.state.lock().unwrap().under_way -= 1;
            if !open {
                return;
            }
        }
    }

    /// Whether the connection stays open.
    fn play(&self, mut stream: &TcpStream, play: Play, input: &[String]) -> bool {
        if input.len() > self.rules.max_batch {
            return send(stream, 413, &[], &json!({"error": "batch size > maximum allowed batch size"}).to_string());
        }
        if input.iter().any(|text| text.split_whitespace().count() > self.rules.max_words) {
            let message = "This model's maximum context length is exceeded";
            return send(stream, 400, &[], &json!({"error": {"message": message}}).to_string());
        }
        let mut answer = answer(input);
        match play {
            Play::Answer => send(stream, 200, &[], &answer.to_string()),
            Play::AnswerAfter(requests) => {
                self.wait_for(requests);
                send(stream, 200, &[], &answer.to_string())
            }
            Play::Change(change) => {
                change(&mut answer);
                send(stream, 200, &[], &answer.to_string())
            }
            Play::Body(body) => send(stream, 200, &[], &body),
            Play::Refuse(status, headers, body) => send(stream, status, &headers, body),
            Play::HalfBody => {
                let body = answer.to_string();
                let _ = write!(
                    stream,
                    "HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{}",
                    body.len(),
                    &body[..body.len() / 2]
                );
                false
            }
            Play::Close => false,
            Play::Hang => {
                let _ = stream.read(&mut [0]);
                false
            }
        }
    }
}

impl Rules {
    /// What was sent, where all of it is as it must be.
    fn check(&self, request: &Request) -> Result<Seen, String> {
        let must = |fine: bool, what: &str| if fine { Ok(()) } else { Err(format!("{what} ({})", request.line)) };
        must(request.line == "POST /v1/embeddings HTTP/1.1", "wrong request line")?;
        must(request.header("host").is_some_and(|host| host.starts_with("127.0.0.1:")), "wrong host")?;
        must(request.header("content-type") == Some("application/json"), "wrong content type")?;
        must(request.header("content-length").is_some(), "no content length")?;
        let authorization = self.key.as_ref().map(|key| format!("Bearer {key}"));
        must(request.header("authorization") == authorization.as_deref(), "wrong authorization")?;

        let body: Value = serde_json::from_slice(&request.body).map_err(|error| error.to_string())?;
        let fields: BTreeSet<&str> = body.as_object().ok_or("no object")?.keys().map(String::as_str).collect();
        let mut expected = BTreeSet::from(["model", "input"]);
        if self.voyage {
            expected.extend(["input_type", "truncation"]);
            must(body["truncation"] == false, "texts may be cut")?;
            must(body["input_type"] == "query" || body["input_type"] == "document", "wrong input type")?;
        }
        if let Some(width) = self.width {
            let name = if self.voyage { "output_dimension" } else { "dimensions" };
            expected.insert(name);
            must(body[name] == width, "wrong width")?;
        }
        must(fields == expected, &format!("the fields are {fields:?}, not {expected:?}"))?;
        must(body["model"] == MODEL, "wrong model")?;
        let input: Option<Vec<String>> = serde_json::from_value(body["input"].clone()).ok();
        let input = input.filter(|input| !input.is_empty() && input.iter().all(|text| !text.trim().is_empty()));
        let input = input.ok_or("an empty input, or one with an empty text")?;
        Ok(Seen { input, input_type: body["input_type"].as_str().map(str::to_owned) })
    }
}

fn answer(input: &[String]) -> Value {
    let item =
        |(index, text): (usize, &String)| json!({"object": "embedding", "index": index, "embedding": vector(text)});
    let data: Vec<_> = input.iter().enumerate().map(item).collect();
    json!({"object": "list", "data": data, "model": MODEL, "usage": {"prompt_tokens": 1, "total_tokens": 1}})
}

/// How often each word occurs, at a place that its hash says. Long words count more, as they say more.
fn vector(text: &str) -> Vec<f32> {
    let mut vector = vec![0.0; DIMENSIONS];
    let lower = text.to_lowercase();
    let mut words: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    if words.is_empty() {
        words.push(&lower);
    }
    for word in words {
        let hash = word
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
        vector[(hash ^ hash >> 32) as usize % DIMENSIONS] += word.len().pow(2) as f32;
    }
    vector
}

/// What the service says about `text`, of unit length.
#[must_use]
pub fn unit_vector(text: &str) -> Vec<f32> {
    let mut vector = vector(text);
    let length = vector.iter().map(|value| value * value).sum::<f32>().sqrt();
    vector.iter_mut().for_each(|value| *value /= length);
    vector
}
