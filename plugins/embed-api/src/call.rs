//! One call of an embedder: its batches, on threads of their own.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use wikirag_core::{Context, Error, ErrorKind, Result, Role};

use crate::OPERATION;
use crate::failure::unavailable;
use crate::service::Service;

/// How often somebody who waits looks whether to stop.
pub(crate) const POLL: Duration = Duration::from_millis(20);

/// What all requests of a call share.
pub(crate) struct Call {
    /// What the texts are.
    pub(crate) role: Role,
    context: Context,
    /// The call has its answer, and what is still under way serves nobody.
    over: AtomicBool,
}

impl Call {
    pub(crate) fn new(context: Context, role: Role) -> Self {
        Self { role, context, over: AtomicBool::new(false) }
    }

    /// To be called before anything that takes long.
    ///
    /// # Errors
    /// Those of [`Context::check`], and [`ErrorKind::Cancelled`] where the call is over.
    pub(crate) fn check(&self) -> Result<()> {
        if self.over.load(Ordering::Relaxed) {
            return Err(Error::new(ErrorKind::Cancelled, OPERATION, "the call is over"));
        }
        self.context.check(OPERATION)
    }

    /// The time until the deadline, where there is one.
    pub(crate) fn time_left(&self) -> Option<Duration> {
        self.context.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// Waits.
    ///
    /// # Errors
    /// Those of [`Call::check`], soon after they are there.
    pub(crate) fn sleep(&self, wait: Duration) -> Result<()> {
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

/// A call with its texts.
struct Work {
    service: Arc<Service>,
    call: Call,
    texts: Vec<String>,
    batches: Vec<Range<usize>>,
    next: AtomicUsize,
}

/// The number of a batch, and its vectors.
type Done = (usize, Result<Vec<Vec<f32>>>);

/// The vectors of `texts`, none of which is longer than the model takes. The first batch that fails ends the call.
///
/// A request cannot be broken off. It has a thread of its own, which is left behind when the caller has to stop, and which
/// ends with its request.
///
/// # Errors
/// Those of the requests, and those of [`Context::check`].
pub(crate) fn run(service: &Arc<Service>, texts: Vec<String>, role: Role, context: &Context) -> Result<Vec<Vec<f32>>> {
    let size = service.settings().batch;
    let batches: Vec<_> = (0..texts.len()).step_by(size).map(|start| start..texts.len().min(start + size)).collect();
    let mut rows = vec![Vec::new(); texts.len()];
    let work = Arc::new(Work {
        service: Arc::clone(service),
        call: Call::new(context.clone(), role),
        texts,
        batches,
        next: AtomicUsize::new(0),
    });
    let over = Over(&work.call);
    let (sender, done) = mpsc::channel();
    for _ in 0..work.batches.len().min(service.settings().parallel) {
        let (work, sender) = (Arc::clone(&work), sender.clone());
        thread::Builder::new()
            .name("embed-api".to_owned())
            .spawn(move || work.run(&sender))
            .map_err(|error| unavailable("no thread for a request").caused_by(error).temporary())?;
    }
    drop(sender);
    let mut missing = work.batches.len();
    while missing > 0 {
        match done.recv_timeout(POLL) {
            Ok((batch, vectors)) => {
                for (row, vector) in rows[work.batches[batch].clone()].iter_mut().zip(vectors?) {
                    *row = vector;
                }
                missing -= 1;
            }
            Err(RecvTimeoutError::Timeout) => work.call.check()?,
            Err(RecvTimeoutError::Disconnected) => {
                return Err(Error::new(ErrorKind::Internal, OPERATION, "a thread ended before its request"));
            }
        }
    }
    drop(over);
    Ok(rows)
}

impl Work {
    fn run(&self, sender: &Sender<Done>) {
        loop {
            let batch = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(range) = self.batches.get(batch) else { return };
            let texts: Vec<&str> = self.texts[range.clone()].iter().map(String::as_str).collect();
            let vectors = self.service.embed_batch(&self.call, &texts);
            let failed = vectors.is_err();
            if sender.send((batch, vectors)).is_err() || failed {
                return;
            }
        }
    }
}

/// Ends a call however it is left.
struct Over<'a>(&'a Call);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.over.store(true, Ordering::Relaxed);
    }
}
