//! Many pieces of work on a few threads.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use wikirag_core::Result;

/// What `work` makes of each of the places `0..count`, in their order. They are taken up in the order of `order`, which holds
/// each of them once, by `workers` threads, this one among them. The first error ends all of them.
///
/// # Errors
/// Those of `work`.
pub(crate) fn spread<T: Send>(
    order: &[usize],
    workers: usize,
    work: impl Fn(usize) -> Result<T> + Sync,
) -> Result<Vec<T>> {
    let (next, failed) = (AtomicUsize::new(0), AtomicBool::new(false));
    let take_up = || -> Result<Vec<(usize, T)>> {
        let mut done = Vec::new();
        while let Some(place) = order.get(next.fetch_add(1, Ordering::Relaxed)).copied() {
            if failed.load(Ordering::Relaxed) {
                break;
            }
            let result = work(place).inspect_err(|_| failed.store(true, Ordering::Relaxed));
            done.push((place, result?));
        }
        Ok(done)
    };
    let mut done = thread::scope(|scope| {
        let others: Vec<_> = (1..workers).map(|_| scope.spawn(take_up)).collect();
        let mut done = take_up()?;
        for other in others {
            done.extend(other.join().unwrap_or_else(|panic| resume_unwind(panic))?);
        }
        Ok::<_, wikirag_core::Error>(done)
    })?;
    done.sort_unstable_by_key(|(place, _)| *place);
    Ok(done.into_iter().map(|(_, result)| result).collect())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::{Barrier, Mutex};

    use wikirag_core::{Error, ErrorKind};

    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_places() {
        for workers in [0, 1, 3, 20] {
            for count in [0, 1, 2, 50] {
                let order: Vec<_> = (0..count).rev().collect();
                let results = spread(&order, workers, |place| Ok(place * 10)).unwrap();
                assert_eq!(results, (0..count).map(|place| place * 10).collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn as_many_threads_work_at_once() {
        let (all, threads) = (Barrier::new(3), Mutex::new(BTreeSet::new()));
        spread(&[0, 1, 2], 3, |_| {
            threads.lock().unwrap().insert(format!("{:?}", thread::current().id()));
            // Each waits for the two others: one thread would wait for ever.
            all.wait();
            Ok(())
        })
        .unwrap();
        assert_eq!(threads.into_inner().unwrap().len(), 3);
    }

    #[test]
    fn the_first_error_ends_all() {
        let order: Vec<_> = (0..10_000).collect();
        for workers in [1, 4] {
            let tried = AtomicUsize::new(0);
            let error = spread(&order, workers, |place| {
                tried.fetch_add(1, Ordering::Relaxed);
                if place == 5 {
                    return Err(Error::new(ErrorKind::Cancelled, "work", "no"));
                }
                thread::yield_now();
                Ok(())
            });
            assert_eq!(error.unwrap_err().kind(), ErrorKind::Cancelled);
            assert!(tried.into_inner() < order.len());
        }
    }
}
