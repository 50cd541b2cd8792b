//! A small service that speaks OpenAI's protocol of chat completions, or Anthropic's of messages, on the other end of a real
//! connection, in one piece or as a stream of events. It says what it is told to, and complains about each request that is not
//! as the protocol wants it.

#![expect(clippy::unwrap_used, reason = "a fake fails like the test it serves")]

mod check;
mod reply;

use std::collections::VecDeque;
use std::io::BufReader;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread;

use serde_json::Value;

use super::http::Request;

pub use reply::{Reply, Rest};

/// The model that must be asked for.
pub const MODEL: &str = "small-talker";

/// What the service knows about its clients.
#[derive(Debug, Clone, Default)]
pub struct Rules {
    /// Whether it speaks Anthropic's protocol.
    pub anthropic: bool,
    /// The key that must be sent, if any.
    pub key: Option<String>,
    /// A header that must be sent beside those of the protocol, with its name in small letters.
    pub header: Option<(&'static str, &'static str)>,
    /// What is replied where no reply is told: to the body of the request. Without it nothing is said.
    pub writer: Option<fn(&Value) -> Reply>,
}

#[derive(Debug, Default)]
struct State {
    script: VecDeque<Reply>,
    seen: Vec<Value>,
    connections: usize,
    given_up: usize,
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
pub struct ChatService {
    address: SocketAddr,
    shared: Arc<Shared>,
}

impl ChatService {
    /// One that speaks OpenAI's protocol, takes any key, and gives these replies, in order.
    #[must_use]
    pub fn new(replies: impl IntoIterator<Item = Reply>) -> Self {
        Self::with(Rules::default(), replies)
    }

    /// One that speaks Anthropic's protocol.
    #[must_use]
    pub fn anthropic(replies: impl IntoIterator<Item = Reply>) -> Self {
        Self::with(Rules { anthropic: true, ..Rules::default() }, replies)
    }

    /// One with these rules.
    ///
    /// # Panics
    /// Where there is no port to listen on.
    #[must_use]
    pub fn with(rules: Rules, replies: impl IntoIterator<Item = Reply>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let state = State { script: replies.into_iter().collect(), ..State::default() };
        let shared = Arc::new(Shared { rules, state: Mutex::new(state), changed: Condvar::new() });
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

    /// The bodies of the requests that came and were as they must be.
    #[must_use]
    pub fn seen(&self) -> Vec<Value> {
        self.shared.state().seen.clone()
    }

    /// How many these are.
    #[must_use]
    pub fn requests(&self) -> usize {
        self.shared.state().seen.len()
    }

    /// Connections that were opened to it.
    #[must_use]
    pub fn connections(&self) -> usize {
        self.shared.state().connections
    }

    /// Waits until so many requests have come.
    pub fn wait_for(&self, requests: usize) {
        drop(self.shared.changed.wait_while(self.shared.state(), |state| state.seen.len() < requests).unwrap());
    }

    /// Waits until so many connections were closed by the client while its answer was under way.
    pub fn wait_for_given_up(&self, connections: usize) {
        drop(self.shared.changed.wait_while(self.shared.state(), |state| state.given_up < connections).unwrap());
    }
}

impl Drop for ChatService {
    fn drop(&mut self) {
        if !thread::panicking() {
            let complaints = &self.shared.state().complaints;
            assert!(complaints.is_empty(), "requests were not as the protocol wants them: {complaints:?}");
        }
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    /// Serves one connection until it is closed.
    fn serve(&self, stream: &TcpStream) {
        self.state().connections += 1;
        let mut reader = BufReader::new(stream);
        while let Some(request) = Request::read(&mut reader) {
            let checked = self.rules.check(&request);
            let told = {
                let mut state = self.state();
                match &checked {
                    Ok(body) => state.seen.push(body.clone()),
                    Err(complaint) => state.complaints.push(complaint.clone()),
                }
                self.changed.notify_all();
                state.script.pop_front()
            };
            let open = match checked {
                Ok(body) => {
                    let writes = || self.rules.writer.map_or_else(|| Reply::Say(String::new()), |write| write(&body));
                    told.unwrap_or_else(writes).send(stream, &body, &self.rules, || {
                        self.state().given_up += 1;
                        self.changed.notify_all();
                    })
                }
                Err(complaint) => reply::refuse(stream, 400, &complaint),
            };
            if !open {
                return;
            }
        }
    }
}
