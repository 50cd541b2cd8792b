//! One call of an embedder: its batches, on threads of their own.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;

use wikirag_core::{Context, Error, ErrorKind, Result, Role};
use wikirag_remote::{Call, POLL, unavailable};

use crate::OPERATION;
use crate::service::Service;

/// A call with its texts.
struct Work {
    service: Arc<Service>,
    call: Call,
    role: Role,
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
        call: Call::new(OPERATION, context.clone()),
        role,
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
            .map_err(|error| unavailable(OPERATION, "no thread for a request").caused_by(error).temporary())?;
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
            let vectors = self.service.embed_batch(&self.call, self.role, &texts);
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
        self.0.end();
    }
}
