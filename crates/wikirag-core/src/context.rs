//! What travels with each call: the wish to stop, the deadline and the way to report progress.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::{Completion, Error, ErrorKind, Result};

/// A flag that one side sets and the other side looks at. Cloning shares it.
#[derive(Debug, Clone, Default)]
pub struct CancelFlag(Arc<AtomicBool>);

impl CancelFlag {
    /// Asks every holder to stop at its next safe place.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether somebody asked to stop.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Counts the tokens that language models read and wrote for a call. Cloning shares it.
#[derive(Debug, Clone, Default)]
pub struct TokenMeter(Arc<(AtomicU64, AtomicU64)>);

impl TokenMeter {
    /// Adds what one completion cost, as far as the model tells it.
    pub fn add(&self, completion: &Completion) {
        self.0.0.fetch_add(completion.tokens_in.unwrap_or(0), Ordering::Relaxed);
        self.0.1.fetch_add(completion.tokens_out.unwrap_or(0), Ordering::Relaxed);
    }

    /// Tokens read and tokens written so far.
    #[must_use]
    pub fn spent(&self) -> (u64, u64) {
        (self.0.0.load(Ordering::Relaxed), self.0.1.load(Ordering::Relaxed))
    }
}

/// One report of progress.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step<'a> {
    /// What is being done: `scan`, `read`, or the name of a layer.
    pub stage: &'a str,
    /// Units done so far.
    pub done: u64,
    /// Units in all, where known.
    pub total: Option<u64>,
}

/// Where progress goes. Called often and from several threads: implementations must be quick.
pub trait Progress: Send + Sync {
    /// Takes one report.
    fn report(&self, step: Step<'_>);
}

/// A [`Progress`] that nobody looks at.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoProgress;

impl Progress for NoProgress {
    fn report(&self, _: Step<'_>) {}
}

/// Travels with each call; cheap to clone.
#[derive(Clone)]
pub struct Context {
    /// Whether the caller asked to stop.
    pub cancel: CancelFlag,
    /// When the answer is of no use any more.
    pub deadline: Option<Instant>,
    /// Where progress is reported.
    pub progress: Arc<dyn Progress>,
    /// Where whoever asks a language model on the way to an answer says what that cost.
    pub tokens: TokenMeter,
}

impl Context {
    /// A context that is never cancelled, has no deadline and reports to nobody.
    #[must_use]
    pub fn new() -> Self {
        Self {
            cancel: CancelFlag::default(),
            deadline: None,
            progress: Arc::new(NoProgress),
            tokens: TokenMeter::default(),
        }
    }

    /// The same context with a deadline `limit` from now. An earlier deadline stays.
    #[must_use]
    pub fn with_time_limit(mut self, limit: Duration) -> Self {
        let deadline = Instant::now() + limit;
        self.deadline = Some(self.deadline.map_or(deadline, |known| known.min(deadline)));
        self
    }

    /// The same context reporting to `progress`.
    #[must_use]
    pub fn with_progress(mut self, progress: Arc<dyn Progress>) -> Self {
        self.progress = progress;
        self
    }

    /// The same context with a meter of its own, for what a part of the work costs.
    #[must_use]
    pub fn metered(mut self) -> Self {
        self.tokens = TokenMeter::default();
        self
    }

    /// To be called at every safe place of a long piece of work.
    ///
    /// # Errors
    /// [`ErrorKind::Cancelled`] or [`ErrorKind::TimedOut`].
    pub fn check(&self, operation: &'static str) -> Result<()> {
        if self.cancel.is_cancelled() {
            return Err(Error::new(ErrorKind::Cancelled, operation, "stopped on request"));
        }
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Err(Error::new(ErrorKind::TimedOut, operation, "the deadline passed"));
        }
        Ok(())
    }
}

impl Default for Context {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context")
            .field("cancel", &self.cancel)
            .field("deadline", &self.deadline)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cancel_and_deadline_are_told_apart() {
        let context = Context::new();
        assert!(context.check("work").is_ok());
        let late = context.clone().with_time_limit(Duration::ZERO);
        assert_eq!(late.check("work").unwrap_err().kind(), ErrorKind::TimedOut);
        context.cancel.cancel();
        assert_eq!(late.check("work").unwrap_err().kind(), ErrorKind::Cancelled);
    }
}
