//! One service: when something is sent to it, and how often.

use std::time::Duration;

use wikirag_core::{Context, Error, Reason};

use crate::address::Address;
use crate::call::{Call, POLL};
use crate::client::{Answer, Client, Request, Scheme};
use crate::failure::{Failure, unavailable};
use crate::key::{Key, KeySource};
use crate::limits;
use crate::pace::{Pace, affordable, pause};
use crate::refusal::Private;

/// How often something is tried again, and after how long.
#[derive(Debug, Clone, Copy)]
pub struct Pauses {
    /// How often at most.
    pub retries: u32,
    /// The first pause. It doubles each time, up to 30 seconds.
    pub first: Duration,
}

/// One configured service.
pub struct Remote {
    client: Client,
    key: Option<KeySource>,
    pace: Pace,
    pauses: Pauses,
}

impl Remote {
    /// The service at `address`, asked in order to do `operation`, with up to `parallel` requests at a time. Nothing is sent.
    #[must_use]
    pub fn new(
        operation: &'static str,
        address: Address,
        scheme: Scheme,
        key: Option<KeySource>,
        parallel: usize,
        pauses: Pauses,
    ) -> Self {
        Self { client: Client::new(operation, address, scheme), key, pace: Pace::new(parallel), pauses }
    }

    /// Where requests go.
    #[must_use]
    pub fn endpoint(&self) -> &str {
        self.client.address().endpoint()
    }

    /// The key, where one is configured.
    ///
    /// # Errors
    /// Why there is none.
    pub fn key(&self) -> Result<Option<Key>, Reason> {
        self.key.as_ref().map(KeySource::key).transpose()
    }

    /// [`Remote::key`], for a call that needs it.
    ///
    /// # Errors
    /// Why there is none, and what mends that.
    pub fn key_to_send(&self) -> Result<Option<Key>, Error> {
        self.key().map_err(|reason| unavailable(self.client.operation(), reason.sentence).help(reason.remedy))
    }

    /// A call with connections of its own, which are closed when it ends. One over those that all calls share is
    /// [`Call::new`].
    #[must_use]
    pub fn call_apart(&self, context: Context) -> Call {
        Call::apart(self.client.operation(), context, self.client.apart())
    }

    /// Sends `request` and has `read` take what it wants out of the answer. What may pass is tried again, after a pause that
    /// grows or as long as the service asks for, unless the caller's deadline comes before.
    ///
    /// # Errors
    /// The failure that nothing could be done about, or the last one. Where the call is to stop, that is the failure.
    pub fn exchange<T>(
        &self,
        call: &Call,
        request: &Request<'_>,
        mut read: impl FnMut(Answer<'_>) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let mut failures = 0;
        loop {
            self.wait_while_held(call)?;
            let failure = match self.send(call, request, &mut read) {
                Ok(read) => return Ok(read),
                Err(failure) => failure,
            };
            // Where the caller has to stop, that is the reason, whatever else there is.
            call.check()?;
            let Failure::Passing { error, wait } = failure else { return Err(failure) };
            if let Some(wait) = wait {
                self.pace.hold(wait);
            }
            let own = pause(self.pauses.first, failures);
            if failures == self.pauses.retries || !affordable(own.max(wait.unwrap_or_default()), call) {
                let error = error.with("attempts", failures + 1);
                return Err(Failure::Passing { error, wait });
            }
            failures += 1;
            call.sleep(own)?;
        }
    }

    /// One request.
    fn send<T>(
        &self,
        call: &Call,
        request: &Request<'_>,
        read: &mut impl FnMut(Answer<'_>) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let key = self.key_to_send()?;
        let _slot = self.pace.slot(call)?;
        let mut request = *request;
        let whole = request.patience.whole.into_iter().chain(call.time_left()).min();
        // No time at all would be a second to ureq.
        request.patience.whole = whole.map(|limit| limit.max(Duration::from_millis(1)));
        let private = Private { key: key.as_ref(), texts: request.texts };
        let answer = call.own().unwrap_or(&self.client).post(&request, private)?;
        if let Some(wait) = limits::drained(answer.headers()) {
            self.pace.hold(wait);
        }
        read(answer)
    }

    /// Waits as long as the service asked for.
    fn wait_while_held(&self, call: &Call) -> Result<(), Failure> {
        loop {
            call.check()?;
            let held = self.pace.held();
            if held.is_zero() {
                return Ok(());
            }
            if !affordable(held, call) {
                let message = format!("the service asks to wait {:.0} s", held.as_secs_f64().ceil());
                return Err(Failure::Passing { error: unavailable(call.operation(), message), wait: None });
            }
            call.sleep(held.min(POLL))?;
        }
    }
}
