//! Things that are costly to make and can serve one caller at a time.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use wikirag_core::Result;

/// Who is served first. Within one rank it is first come, first served, so that no caller waits for ever.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rank {
    /// Somebody waits for an answer.
    Question,
    /// One of many.
    Bulk,
}

/// Up to `limit` things, each made when it is first needed.
pub(crate) struct Pool<T> {
    limit: usize,
    state: Mutex<State<T>>,
    changed: Condvar,
}

struct State<T> {
    idle: Vec<T>,
    /// How many there are, idle, in use or about to be made.
    made: usize,
    questions: VecDeque<u64>,
    bulk: VecDeque<u64>,
    next_ticket: u64,
}

impl<T> Pool<T> {
    pub(crate) fn new(limit: usize) -> Self {
        let queues = (VecDeque::new(), VecDeque::new());
        let state = State { idle: Vec::new(), made: 0, questions: queues.0, bulk: queues.1, next_ticket: 0 };
        Self { limit: limit.max(1), state: Mutex::new(state), changed: Condvar::new() }
    }

    pub(crate) fn limit(&self) -> usize {
        self.limit
    }

    /// How many there are.
    pub(crate) fn made(&self) -> usize {
        self.lock().made
    }

    /// Does `work` with one of the things, made by `make` where none is idle and there may be more. Blocks until it is
    /// this caller's turn. A thing with which `work` panics is dropped:
    /// nobody knows its state.
    ///
    /// # Errors
    /// Those of `make` and `work`.
    pub(crate) fn with<R>(
        &self,
        rank: Rank,
        make: impl FnOnce() -> Result<T>,
        work: impl FnOnce(&mut T) -> Result<R>,
    ) -> Result<R> {
        let place = Place { pool: self };
        let mut thing = match self.wait(rank) {
            Some(idle) => idle,
            None => make()?,
        };
        let result = work(&mut thing);
        std::mem::forget(place);
        self.lock().idle.push(thing);
        self.changed.notify_all();
        result
    }

    /// An idle thing, or `None` where one is to be made.
    fn wait(&self, rank: Rank) -> Option<T> {
        let mut state = self.lock();
        let ticket = state.next_ticket;
        state.next_ticket += 1;
        state.queue(rank).push_back(ticket);
        while state.turn() != Some(ticket) || (state.idle.is_empty() && state.made == self.limit) {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.queue(rank).pop_front();
        let idle = state.idle.pop();
        if idle.is_none() {
            state.made += 1;
        }
        drop(state);
        // There may be a thing for the next one as well.
        self.changed.notify_all();
        idle
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        // Nothing panics while it is held.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> State<T> {
    fn queue(&mut self, rank: Rank) -> &mut VecDeque<u64> {
        match rank {
            Rank::Question => &mut self.questions,
            Rank::Bulk => &mut self.bulk,
        }
    }

    /// Whose turn it is.
    fn turn(&self) -> Option<u64> {
        self.questions.front().or(self.bulk.front()).copied()
    }
}

/// The place of a thing in the count, given back where making it fails or using it panics.
struct Place<'a, T> {
    pool: &'a Pool<T>,
}

impl<T> Drop for Place<'_, T> {
    fn drop(&mut self) {
        self.pool.lock().made -= 1;
        self.pool.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::{Arc, mpsc};
    use std::thread;

    use wikirag_core::{Error, ErrorKind};

    use super::*;

    fn number(made: &AtomicUsize) -> Result<usize> {
        Ok(made.fetch_add(1, Ordering::SeqCst))
    }

    #[test]
    fn one_caller_makes_one_thing() {
        let (pool, made) = (Pool::new(8), AtomicUsize::new(0));
        for _ in 0..5 {
            assert_eq!(pool.with(Rank::Bulk, || number(&made), |thing| Ok(*thing)).unwrap(), 0);
        }
        assert_eq!((pool.made(), made.into_inner()), (1, 1));
    }

    #[test]
    fn there_are_never_more_than_the_limit() {
        let (pool, made, at_once) = (Pool::new(3), AtomicUsize::new(0), AtomicUsize::new(0));
        thread::scope(|scope| {
            for thread in 0..8 {
                let (pool, made, at_once) = (&pool, &made, &at_once);
                scope.spawn(move || {
                    for round in 0..200 {
                        let rank = if (thread + round) % 3 == 0 { Rank::Question } else { Rank::Bulk };
                        let work = |_: &mut usize| {
                            assert!(at_once.fetch_add(1, Ordering::SeqCst) < 3);
                            thread::yield_now();
                            at_once.fetch_sub(1, Ordering::SeqCst);
                            Ok(())
                        };
                        pool.with(rank, || number(made), work).unwrap();
                    }
                });
            }
        });
        assert!(made.into_inner() <= 3);
    }

    #[test]
    fn questions_are_served_before_the_bulk_and_each_in_order() {
        let pool = Arc::new(Pool::new(1));
        let (served, order) = mpsc::channel();
        let make = || Ok(());
        thread::scope(|scope| {
            pool.with(Rank::Bulk, make, |()| {
                for (number, rank) in [Rank::Bulk, Rank::Question, Rank::Bulk, Rank::Question].into_iter().enumerate() {
                    let (waiter, served) = (Arc::clone(&pool), served.clone());
                    scope.spawn(move || {
                        waiter.with(rank, make, |()| {
                            served.send(number).unwrap();
                            Ok(())
                        })
                    });
                    // Each stands in its queue before the next one comes.
                    while pool.lock().next_ticket < number as u64 + 2 {
                        thread::yield_now();
                    }
                }
                Ok(())
            })
        })
        .unwrap();
        drop(served);
        assert_eq!(order.into_iter().collect::<Vec<_>>(), [1, 3, 0, 2]);
    }

    #[test]
    fn what_fails_takes_no_place() {
        let pool: Pool<u8> = Pool::new(1);
        let fail = || Err(Error::new(ErrorKind::Unavailable, "make", "no"));
        assert!(pool.with(Rank::Bulk, fail, |_| Ok(())).is_err());
        assert!(pool.with(Rank::Bulk, || Ok(1), |_| -> Result<()> { fail().map(drop) }).is_err());
        assert_eq!(pool.made(), 1, "work that fails keeps the thing");
        let panics = || pool.with(Rank::Bulk, || Ok(2), |_| -> Result<()> { panic!("broken") });
        assert!(catch_unwind(AssertUnwindSafe(panics)).is_err());
        assert_eq!(pool.made(), 0);
        assert_eq!(pool.with(Rank::Question, || Ok(3), |thing| Ok(*thing)).unwrap(), 3);
    }
}
