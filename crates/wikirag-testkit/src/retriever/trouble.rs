//! What a layer does when it is stopped, not ready, or asked while it writes.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use wikirag_core::{ChangeFeed, ChunkId, Context, ErrorKind, Query, Readiness, Result, Retriever};

use super::{Subject, answers, ask, ids, probes, shortened, sync};
use crate::check::{Broken, Outcome, ensure};
use crate::fakes::corpus;
use crate::{MemoryFeed, block_on, temp_layer};

const COUNT: u64 = 40;

/// Without an index a layer is unavailable and says why and what to do; with one it is ready.
///
/// # Errors
/// Where the promise is broken.
pub fn readiness_follows_the_index(subject: &Subject) -> Outcome {
    let layer = temp_layer()?;
    let retriever = subject.open(&layer)?;
    let before = retriever.readiness();
    ensure!(!before.is_usable(), "there is no index, and the layer is {before:?}");
    ensure!(!before.reasons().is_empty(), "the layer does not say why it is unavailable");
    for reason in before.reasons() {
        let parts = [reason.code.as_ref(), &reason.sentence, &reason.remedy];
        ensure!(parts.iter().all(|part| !part.trim().is_empty()), "a part of a reason is empty: {reason:?}");
    }
    sync(&*retriever, &Arc::new(MemoryFeed::of("a", corpus(41, COUNT))))?;
    let after = retriever.readiness();
    ensure!(after == Readiness::Ready, "there is an index, and the layer is {after:?}");
    let reopened = subject.open(&layer)?.readiness();
    ensure!(reopened == Readiness::Ready, "there is an index, and the layer, opened again, is {reopened:?}");
    Ok(())
}

/// Contexts that say stop, with the kind of error that must come of them.
fn stopped() -> [(Context, ErrorKind); 2] {
    let cancelled = Context::new();
    cancelled.cancel.cancel();
    [(cancelled, ErrorKind::Cancelled), (Context::new().with_time_limit(Duration::ZERO), ErrorKind::TimedOut)]
}

fn must_be<T>(what: &str, result: Result<T>, expected: ErrorKind) -> Outcome {
    let kind = result.err().map(|error| error.kind());
    ensure!(
        kind == Some(expected),
        "{what} must end with the error {}, it ended with {:?}",
        expected.code(),
        kind.map(ErrorKind::code)
    );
    Ok(())
}

/// A search that was cancelled, or whose deadline passed, says so.
///
/// # Errors
/// Where the promise is broken.
pub fn a_stopped_search_says_so(subject: &Subject) -> Outcome {
    let index = subject.fresh(&corpus(42, COUNT))?;
    for (context, kind) in stopped() {
        must_be("a stopped search", block_on(index.retriever.search(&Query::new("river", 5), &context)), kind)?;
    }
    Ok(())
}

/// A sync that was stopped before it began or in the middle says so, and the next one ends like a fresh index.
///
/// # Errors
/// Where the promise is broken.
pub fn a_stopped_sync_says_so_and_can_go_on(subject: &Subject) -> Outcome {
    let context = Context::new();
    let cancel = context.cancel.clone();
    let feed = MemoryFeed::of("a", corpus(43, COUNT)).in_batches_of(4).with_hook(move |served| {
        if served == 2 {
            cancel.cancel();
        }
    });
    let feed = Arc::new(feed);
    let layer = temp_layer()?;
    let retriever = subject.open(&layer)?;
    let follow = |context: &Context| {
        let feed: Arc<dyn ChangeFeed> = Arc::<MemoryFeed>::clone(&feed);
        block_on(retriever.sync(feed, context))
    };
    for (context, kind) in stopped() {
        must_be("a sync that was stopped before it began", follow(&context), kind)?;
    }
    must_be("a sync that was stopped in its third batch of ten", follow(&context), ErrorKind::Cancelled)?;
    sync(&*retriever, &feed)?;
    subject.compare_with_fresh(&*retriever, &feed)
}

/// How long the feed waits for searches to be answered while a sync runs. Only a layer that holds searches back
/// until its sync is over makes it wait that long.
const PATIENCE: Duration = Duration::from_secs(30);

/// What the searching threads saw.
#[derive(Default)]
struct Watch {
    /// Searches that came back.
    answered: AtomicU64,
    /// Set when the sync is over, or a search failed.
    over: AtomicBool,
    /// Set when the feed should wait for searches before each batch.
    waits: AtomicBool,
    /// Set when it waited in vain.
    stalled: AtomicBool,
    seen: Mutex<Vec<(usize, Vec<ChunkId>)>>,
    fault: Mutex<Option<Broken>>,
}

impl Watch {
    /// Waits until some searches came back, so that searches run between any two batches.
    fn let_searches_pass(&self) {
        let (goal, start) = (self.answered.load(Ordering::SeqCst) + 4 * THREADS, Instant::now());
        while self.waits.load(Ordering::SeqCst)
            && !self.over.load(Ordering::SeqCst)
            && self.answered.load(Ordering::SeqCst) < goal
        {
            if start.elapsed() > PATIENCE {
                self.stalled.store(true, Ordering::SeqCst);
                return;
            }
            thread::sleep(Duration::from_millis(1));
        }
    }

    fn search_on(&self, retriever: &dyn Retriever, questions: &[String]) {
        for (index, question) in questions.iter().enumerate().cycle() {
            if self.over.load(Ordering::SeqCst) {
                return;
            }
            match ask(retriever, question, 20) {
                Ok(list) => {
                    let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
                    let entry = (index, ids(&list));
                    if !seen.contains(&entry) {
                        seen.push(entry);
                    }
                }
                Err(error) => {
                    let fault = Broken::from(error).at("a search during sync");
                    self.fault.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(fault);
                    self.over.store(true, Ordering::SeqCst);
                }
            }
            self.answered.fetch_add(1, Ordering::SeqCst);
        }
    }
}

const THREADS: u64 = 4;

/// Ends the searching threads when the sync is over, also where it panics: the scope waits for them.
struct Over<'a>(&'a AtomicBool);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

/// Searches go on while a sync runs, on the same layer and on another one of the same folder, and each sees the state
/// after one of the batches: not half a batch, no error, and they do not wait for the end of the sync.
///
/// # Errors
/// Where the promise is broken.
pub fn searches_go_on_during_sync(subject: &Subject) -> Outcome {
    const PART: usize = 10;
    let records = corpus(44, COUNT);
    let questions: Vec<String> = probes(&records).into_iter().take(8).collect();
    let states: Vec<_> = (PART..=records.len())
        .step_by(PART)
        .map(|end| answers(&*subject.fresh(&records[..end])?.retriever, &questions))
        .collect::<Outcome<_>>()?;

    let watch = Arc::new(Watch::default());
    let hook = Arc::clone(&watch);
    let feed = MemoryFeed::of("a", records[..PART].iter().cloned()).in_batches_of(PART);
    let feed = Arc::new(feed.with_hook(move |_| hook.let_searches_pass()));
    let index = subject.index(&feed)?;
    let other = subject.open(&index.layer)?;
    records[PART..].iter().for_each(|record| feed.put(record.clone()));
    watch.waits.store(true, Ordering::SeqCst);
    let synced = thread::scope(|scope| {
        for thread in 0..THREADS {
            let (watch, questions) = (&watch, &questions);
            let retriever = if thread % 2 == 0 { &index.retriever } else { &other };
            scope.spawn(move || watch.search_on(&**retriever, questions));
        }
        let _over = Over(&watch.over);
        sync(&*index.retriever, &feed)
    });
    if let Some(fault) = watch.fault.lock().unwrap_or_else(PoisonError::into_inner).take() {
        return Err(fault);
    }
    synced?;
    ensure!(!watch.stalled.load(Ordering::SeqCst), "searches wait while a sync runs");
    for (index, found) in watch.seen.lock().unwrap_or_else(PoisonError::into_inner).iter() {
        ensure!(
            states.iter().any(|state| state[*index] == *found),
            "a search during sync saw a state that never was: the question {:?} was answered with {found:?}",
            shortened(&questions[*index])
        );
    }
    Ok(())
}
