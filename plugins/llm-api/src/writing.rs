//! One answer, on the thread of its request.

use std::sync::Arc;
use std::thread;

use wikirag_core::{Ended, Error, ErrorKind, Prompt, Result};
use wikirag_remote::{Answer, Call, Failure, Patience, Private, Request, broken_off, unavailable};

use crate::events::{Events, LONGEST, TooLong};
use crate::generator::Service;
use crate::inbox::{Inbox, Sender, inbox};
use crate::protocol::{Account, Step, Trouble};
use crate::{OPERATION, Settings};

/// Bytes of events a token may take at most: services repeat much of what they say with each one.
const PER_TOKEN: u64 = 16 << 10;
/// Bytes of events beside those.
const BESIDE: u64 = 4 << 20;

/// Begins to write. What is written comes out of the inbox; `call` ends the request.
///
/// # Errors
/// Where there is no thread for it.
pub(crate) fn begin(service: &Arc<Service>, call: &Arc<Call>, prompt: &Prompt) -> Result<Inbox> {
    let (sender, inbox) = inbox(service.settings().between());
    let (service, call, prompt) = (Arc::clone(service), Arc::clone(call), prompt.clone());
    thread::Builder::new()
        .name("llm-api".to_owned())
        .spawn(move || sender.done(write(&service, &call, &prompt, &sender)))
        .map_err(|error| unavailable(OPERATION, "no thread for a request").caused_by(error).temporary())?;
    Ok(inbox)
}

/// One answer, begun anew while that may help and nothing of it was handed on.
fn write(service: &Service, call: &Call, prompt: &Prompt, sender: &Sender) -> Result<Account> {
    let settings = service.settings();
    let headers = settings.protocol.headers(settings);
    let texts: Vec<&str> = prompt.messages.iter().map(|message| message.text.as_str()).collect();
    // The whole is the limit of the call: see `generate`.
    let patience = Patience { connect: Some(settings.connect()), silence: Some(settings.first()), whole: None };
    let request = Request {
        body: &settings.protocol.request(settings, prompt),
        accept: "text/event-stream, application/json",
        headers: &headers,
        texts: &texts,
        patience,
    };
    let longest = BESIDE.saturating_add(PER_TOKEN.saturating_mul(prompt.max_tokens as u64));
    let mut has_begun = false;
    let written = service.remote().exchange(call, &request, |answer| {
        let mut reading = Reading { settings, sender, account: Account::default(), has_begun: &mut has_begun };
        let read =
            if answer.is_event_stream() { reading.events(answer, longest) } else { reading.whole(answer, longest) };
        let account = reading.account;
        match read {
            Ok(()) => Ok(account),
            // Of what was handed on nothing can be taken back.
            Err(failure) if has_begun => Err(Failure::Lasting(failure.into_error())),
            Err(failure) => Err(failure),
        }
    });
    written.map_err(|failure| match failure {
        Failure::TooLarge(error) => Error::new(ErrorKind::Invalid, OPERATION, error.message().to_owned())
            .help("ask with less context, or a model that takes more"),
        failure => failure.into_error(),
    })
}

/// An answer as it is read.
struct Reading<'a> {
    settings: &'a Settings,
    sender: &'a Sender,
    account: Account,
    /// Whether any of the text was handed on.
    has_begun: &'a mut bool,
}

impl Reading<'_> {
    /// Reads a stream of events to its end.
    fn events(&mut self, answer: Answer<'_>, longest: u64) -> Result<(), Failure> {
        let private = answer.private;
        let mut lines = answer.lines(LONGEST, longest);
        let (mut events, mut line) = (Events::default(), Vec::new());
        loop {
            match lines.read(&mut line) {
                Ok(true) => self.sender.alive(),
                // The model had ended: the answer is whole, whatever becomes of the connection.
                Ok(false) | Err(_) if self.account.ended.is_some() => return Ok(()),
                Ok(false) => {
                    let error = unavailable(OPERATION, "the answer broke off: the stream ended before the model did");
                    return Err(Failure::Passing { error, wait: None });
                }
                Err(failure) => return Err(failure),
            }
            let event = events.line(&line).map_err(|TooLong| {
                let message = format!("an event of the answer is longer than the {LONGEST} bytes that it can have");
                unavailable(OPERATION, message)
            })?;
            if let Some(data) = event
                && self.take(&data, private)? == Next::Over
            {
                self.account.ended.get_or_insert(Ended::Unclear);
                return Ok(());
            }
        }
    }

    /// Reads an answer that came in one piece, from a service that does not stream.
    fn whole(&mut self, answer: Answer<'_>, longest: u64) -> Result<(), Failure> {
        let private = answer.private;
        let body = answer.whole(longest)?;
        self.take(&body, private)?;
        self.account.ended.get_or_insert(Ended::Unclear);
        Ok(())
    }

    /// Takes one event.
    fn take(&mut self, data: &[u8], private: Private<'_>) -> Result<Next, Failure> {
        let step = self.settings.protocol.read(data, &mut self.account).map_err(|trouble| match trouble {
            Trouble::Error(status) => broken_off(OPERATION, status, data, private),
            Trouble::Unreadable => Failure::Lasting(
                unavailable(OPERATION, "the answer is none of this protocol")
                    .with("answer", private.said(data))
                    .help("look at `url` and `protocol`"),
            ),
        });
        match step? {
            Step::Over => Ok(Next::Over),
            Step::Thinking => {
                self.sender.writes();
                Ok(Next::More)
            }
            Step::Text(text) if text.is_empty() => Ok(Next::More),
            Step::Text(text) => {
                *self.has_begun = true;
                // Where nobody takes it the call is over.
                Ok(if self.sender.piece(text) { Next::More } else { Next::Over })
            }
        }
    }
}

/// Whether more of an answer is read.
#[derive(PartialEq)]
enum Next {
    More,
    Over,
}
