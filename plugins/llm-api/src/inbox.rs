//! What a request under way hands over to the call that waits for it.

use std::iter;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use wikirag_core::{Error, ErrorKind, Result};
use wikirag_remote::{Call, POLL};

use crate::OPERATION;
use crate::protocol::Account;

/// Pieces that may lie here. A caller that is slow to take them slows the service down.
const MOST: usize = 256;
/// How long a request may take to end once its connection is closed.
const END: Duration = Duration::from_secs(1);

enum Message {
    Piece(String),
    Done(Result<Account>),
}

/// When the service was last heard, once it writes.
type Heard = Arc<Mutex<Option<Instant>>>;

/// The end at which pieces go in.
pub(crate) struct Sender {
    messages: SyncSender<Message>,
    heard: Heard,
}

/// The end at which they come out.
pub(crate) struct Inbox {
    messages: Receiver<Message>,
    heard: Heard,
    /// How long the service may be silent once it writes.
    between: Duration,
}

/// What came.
pub(crate) struct Came {
    /// Pieces, in order.
    pub(crate) pieces: Vec<String>,
    /// How it ended after them, once it did.
    pub(crate) end: Option<Result<Account>>,
}

pub(crate) fn inbox(between: Duration) -> (Sender, Inbox) {
    let (sender, receiver) = mpsc::sync_channel(MOST);
    let heard = Heard::default();
    (Sender { messages: sender, heard: Arc::clone(&heard) }, Inbox { messages: receiver, heard, between })
}

impl Sender {
    /// Hands a piece over. Whether anybody takes it.
    pub(crate) fn piece(&self, piece: String) -> bool {
        self.writes();
        let taken = self.messages.send(Message::Piece(piece)).is_ok();
        // Waiting for the caller to take it is no silence of the service.
        self.alive();
        taken
    }

    /// The service works on its answer.
    pub(crate) fn writes(&self) {
        *self.heard.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    }

    /// The service says something, which may be nothing but that it is there. Before it writes that does not count: it may
    /// say so and never begin.
    pub(crate) fn alive(&self) {
        if let Some(heard) = &mut *self.heard.lock().unwrap_or_else(PoisonError::into_inner) {
            *heard = Instant::now();
        }
    }

    /// Hands over how it ended.
    pub(crate) fn done(&self, end: Result<Account>) {
        // Where nobody waits any more, nobody wants to know.
        let _ = self.messages.send(Message::Done(end));
    }
}

impl Inbox {
    /// Waits until something comes, and takes all that is there.
    ///
    /// # Errors
    /// Those of [`Call::check`]; and where the service is silent for too long, which ends the call.
    pub(crate) fn wait(&self, call: &Call) -> Result<Came> {
        let first = loop {
            call.check()?;
            match self.messages.recv_timeout(POLL) {
                Ok(message) => break message,
                Err(RecvTimeoutError::Timeout) if self.is_late() => return self.late(call),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(lost()),
            }
        };
        let mut came = Came { pieces: Vec::new(), end: None };
        for message in iter::once(first).chain(self.messages.try_iter()) {
            match message {
                Message::Piece(piece) => came.pieces.push(piece),
                Message::Done(end) => came.end = Some(end),
            }
        }
        Ok(came)
    }

    fn is_late(&self) -> bool {
        let heard = *self.heard.lock().unwrap_or_else(PoisonError::into_inner);
        heard.is_some_and(|heard| heard.elapsed() > self.between)
    }

    /// Closes the connection. An answer that had come to its end, and whose service did not hang up, is one all the same.
    fn late(&self, call: &Call) -> Result<Came> {
        call.end();
        if let Ok(Message::Done(Ok(account))) = self.messages.recv_timeout(END) {
            return Ok(Came { pieces: Vec::new(), end: Some(Ok(account)) });
        }
        let message = format!("the service stopped writing and said nothing for {:.1} s", self.between.as_secs_f64());
        Err(Error::new(ErrorKind::TimedOut, OPERATION, message))
    }
}

fn lost() -> Error {
    Error::new(ErrorKind::Internal, OPERATION, "a thread ended before its request")
}
