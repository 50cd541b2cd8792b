//! One call of a plugin, from its caller's wish to its end.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use wikirag_core::{Context, Error, ErrorKind, Result};

use crate::client::Client;

/// How often somebody who waits looks whether to stop.
pub const POLL: Duration = Duration::from_millis(20);

/// What all requests of a call share.
pub struct Call {
    operation: &'static str,
    context: Context,
    /// The call has its answer, and what is still under way serves nobody.
    over: AtomicBool,
    own: Option<Client>,
}

impl Call {
    /// A call that does `operation`, over the connections that all calls share.
    #[must_use]
    pub fn new(operation: &'static str, context: Context) -> Self {
        Self { operation, context, over: AtomicBool::new(false), own: None }
    }

    /// One with connections of its own.
    pub(crate) fn apart(operation: &'static str, context: Context, own: Client) -> Self {
        Self { own: Some(own), ..Self::new(operation, context) }
    }

    /// The way to the service that is this call's alone.
    pub(crate) fn own(&self) -> Option<&Client> {
        self.own.as_ref()
    }

    /// What is done.
    #[must_use]
    pub fn operation(&self) -> &'static str {
        self.operation
    }

    /// To be called before anything that takes long.
    ///
    /// # Errors
    /// Those of [`Context::check`], and [`ErrorKind::Cancelled`] where the call is over.
    pub fn check(&self) -> Result<()> {
        if self.over.load(Ordering::Relaxed) {
            return Err(Error::new(ErrorKind::Cancelled, self.operation, "the call is over"));
        }
        self.context.check(self.operation)
    }

    /// Ends the call: what is under way for it stops when it next looks. A connection of its own is closed at once, so that
    /// nobody waits for it and the service sees that its answer is no longer wanted.
    pub fn end(&self) {
        self.over.store(true, Ordering::Relaxed);
        if let Some(own) = &self.own {
            own.close();
        }
    }

    /// The time until the deadline, where there is one.
    #[must_use]
    pub fn time_left(&self) -> Option<Duration> {
        self.context.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// Waits.
    ///
    /// # Errors
    /// Those of [`Call::check`], soon after they are there.
    pub fn sleep(&self, wait: Duration) -> Result<()> {
        let until = Instant::now() + wait;
        loop {
            self.check()?;
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(());
            }
            thread::sleep(left.min(POLL));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_that_is_over_stops() {
        let call = Call::new("talk", Context::new());
        assert!(call.check().is_ok() && call.sleep(Duration::ZERO).is_ok() && call.time_left().is_none());
        call.end();
        assert_eq!(call.sleep(Duration::from_secs(3_600)).unwrap_err().kind(), ErrorKind::Cancelled);
    }
}
