//! Work on many files by several threads, within bounds of time and memory.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use wikirag_core::{Error, ErrorKind, Result};

/// Results that wait to be taken. The threads stop when the taker is behind.
const WAITING: usize = 32;

/// How often it is looked whether a thread is late.
const TICK: Duration = Duration::from_millis(200);

/// Stack of a thread. Parsers of strangers may recurse; it is not touched, hence not paid for, until they do.
const STACK: usize = 64 << 20;

/// How much may be spent.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    /// Threads, at least one.
    pub(super) threads: usize,
    /// Bytes of files that are worked on or wait to be taken. A larger file is worked on alone.
    pub(super) bytes: u64,
    /// Time for one file. After it the file is given up, and the thread is left to itself: nothing can end a thread from
    /// outside, and another takes its place.
    pub(super) time: Duration,
}

/// Calls `work` with the number of each item, whose sizes in bytes are given, and `take` with each result as it comes; for an
/// item that took too long with what `late` makes of it.
///
/// # Errors
/// The first error of `take`, after the threads have ended that are not late.
pub(super) fn each<T: Send + 'static>(
    sizes: Vec<u64>,
    bounds: Bounds,
    work: impl Fn(usize) -> T + Send + Sync + 'static,
    late: impl Fn(usize) -> T,
    mut take: impl FnMut(usize, T) -> Result<()>,
) -> Result<()> {
    let count = sizes.len();
    let (sender, receiver) = sync_channel(WAITING);
    let shared = Arc::new(Shared {
        sizes,
        next: AtomicUsize::new(0),
        room: Mutex::new(Room { used: 0, bytes: bounds.bytes }),
        freed: Condvar::new(),
        stopped: AtomicBool::new(false),
    });
    let mut crew = Crew { shared, work: Arc::new(work), sender, workers: Vec::new() };
    for _ in 0..bounds.threads.clamp(1, count.max(1)) {
        crew.hire()?;
    }
    let done = crew.run(&receiver, count, bounds.time, late, &mut take);
    crew.shared.stopped.store(true, Ordering::Relaxed);
    crew.shared.freed.notify_all();
    // Whoever waits to hand over a result learns that nobody takes it.
    drop(receiver);
    for worker in crew.workers.into_iter().filter(|worker| !worker.is_given_up) {
        // A thread that panicked left its item undone, which `run` has told.
        let _ = worker.thread.join();
    }
    done
}

struct Shared {
    sizes: Vec<u64>,
    next: AtomicUsize,
    room: Mutex<Room>,
    freed: Condvar,
    stopped: AtomicBool,
}

struct Room {
    used: u64,
    bytes: u64,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Plain values, right after each statement.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shared {
    /// Waits until there is room for `bytes`; `false` where the work was stopped meanwhile.
    fn enter(&self, bytes: u64) -> bool {
        let is_full = |room: &mut Room| {
            room.used > 0 && room.used.saturating_add(bytes) > room.bytes && !self.stopped.load(Ordering::Relaxed)
        };
        let room = self.freed.wait_while(lock(&self.room), is_full);
        room.unwrap_or_else(PoisonError::into_inner).used += bytes;
        !self.stopped.load(Ordering::Relaxed)
    }

    fn leave(&self, bytes: u64) {
        lock(&self.room).used -= bytes;
        self.freed.notify_all();
    }
}

/// What a thread works on, and since when. Whoever takes it out speaks for the item: the thread when it is done, or the
/// one who gives it up.
type Desk = Mutex<Option<(usize, Instant)>>;

struct Worker {
    desk: Arc<Desk>,
    thread: JoinHandle<()>,
    is_given_up: bool,
}

struct Crew<T> {
    shared: Arc<Shared>,
    work: Arc<dyn Fn(usize) -> T + Send + Sync>,
    sender: SyncSender<(usize, T)>,
    workers: Vec<Worker>,
}

impl<T: Send + 'static> Crew<T> {
    fn hire(&mut self) -> Result<()> {
        let (shared, work, sender) = (Arc::clone(&self.shared), Arc::clone(&self.work), self.sender.clone());
        let desk = Arc::new(Desk::default());
        let own = Arc::clone(&desk);
        let labour = move || {
            loop {
                let index = shared.next.fetch_add(1, Ordering::Relaxed);
                let Some(size) = shared.sizes.get(index) else { return };
                if !shared.enter(*size) {
                    return;
                }
                *lock(&own) = Some((index, Instant::now()));
                let result = work(index);
                // Given up meanwhile, or nobody takes results any more.
                if lock(&own).take().is_none() || sender.send((index, result)).is_err() {
                    return;
                }
            }
        };
        let thread =
            thread::Builder::new().name("read".to_owned()).stack_size(STACK).spawn(labour).map_err(|error| {
                Error::new(ErrorKind::Io, "start thread", error.to_string())
                    .help("set `build.threads` to a lower number")
            })?;
        self.workers.push(Worker { desk, thread, is_given_up: false });
        Ok(())
    }

    fn run(
        &mut self,
        receiver: &Receiver<(usize, T)>,
        count: usize,
        time: Duration,
        late: impl Fn(usize) -> T,
        take: &mut impl FnMut(usize, T) -> Result<()>,
    ) -> Result<()> {
        let mut done = 0;
        let mut looked = Instant::now();
        while done < count {
            let mut results: Vec<(usize, T)> = receiver.recv_timeout(TICK).into_iter().collect();
            if looked.elapsed() >= TICK {
                looked = Instant::now();
                for index in self.give_up(time) {
                    results.push((index, late(index)));
                    self.hire()?;
                }
                if results.is_empty() && self.workers.iter().all(|worker| worker.thread.is_finished()) {
                    // One may have come between the wait and the look at the threads.
                    results.push(receiver.try_recv().map_err(|_| {
                        let message = format!("the threads ended after {done} of {count} files");
                        Error::new(ErrorKind::Internal, "read files", message).help("this is a bug; please report it")
                    })?);
                }
            }
            for (index, result) in results {
                take(index, result)?;
                self.shared.leave(self.shared.sizes[index]);
                done += 1;
            }
        }
        Ok(())
    }

    /// The items that take longer than `time`.
    fn give_up(&mut self, time: Duration) -> Vec<usize> {
        let mut late = Vec::new();
        for worker in &mut self.workers {
            let mut desk = lock(&worker.desk);
            if desk.is_some_and(|(_, since)| since.elapsed() > time)
                && let Some((index, _)) = desk.take()
            {
                late.push(index);
                worker.is_given_up = true;
            }
        }
        late
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOUNDS: Bounds = Bounds { threads: 3, bytes: 100, time: Duration::from_secs(600) };

    #[test]
    fn each_item_once() {
        let mut seen = vec![0; 1000];
        let take = |index: usize, result: usize| {
            assert_eq!(result, index * 2);
            seen[index] += 1;
            Ok(())
        };
        each(vec![1; 1000], BOUNDS, |index| index * 2, |_| 0, take).unwrap();
        assert!(seen.iter().all(|count| *count == 1));
        each(Vec::new(), BOUNDS, |index| index, |_| 0, |_, _| unreachable!()).unwrap();
    }

    #[test]
    fn no_more_bytes_at_once_than_allowed() {
        let working = Arc::new(AtomicUsize::new(0));
        let in_work = Arc::clone(&working);
        let work = move |_| {
            let now = in_work.fetch_add(1, Ordering::SeqCst) + 1;
            thread::sleep(Duration::from_millis(1));
            in_work.fetch_sub(1, Ordering::SeqCst);
            now
        };
        let mut most = 0;
        let take = |_: usize, now: usize| {
            most = most.max(now);
            Ok(())
        };
        // Two of 60 do not fit into 100, and what is too large for all of it comes alone.
        let sizes = [[60_u64; 20].as_slice(), &[500; 3]].concat();
        each(sizes, BOUNDS, work, |_| 0, take).unwrap();
        assert_eq!(most, 1);
    }

    #[test]
    fn what_takes_too_long_is_given_up_and_the_rest_is_done() {
        let bounds = Bounds { threads: 1, time: Duration::from_millis(50), ..BOUNDS };
        let work = |index| {
            if index == 1 {
                thread::park_timeout(Duration::from_secs(3600));
            }
            "done"
        };
        let mut results = vec![""; 4];
        each(
            vec![1; 4],
            bounds,
            work,
            |_| "late",
            |index, result| {
                results[index] = result;
                Ok(())
            },
        )
        .unwrap();
        assert_eq!(results, ["done", "late", "done", "done"]);
    }

    #[test]
    fn an_error_ends_it() {
        let failed = each(
            vec![1; 1000],
            BOUNDS,
            |index| index,
            |_| 0,
            |_, _| Err(Error::new(ErrorKind::Cancelled, "test", "enough")),
        );
        assert_eq!(failed.unwrap_err().kind(), ErrorKind::Cancelled);
    }

    #[test]
    fn a_thread_that_panics_is_told() {
        let work = |index| assert_ne!(index, 2, "a panic for the test");
        let failed = each(vec![1; 3], Bounds { threads: 1, ..BOUNDS }, work, |_| (), |_, ()| Ok(()));
        assert_eq!(failed.unwrap_err().kind(), ErrorKind::Internal);
    }
}
