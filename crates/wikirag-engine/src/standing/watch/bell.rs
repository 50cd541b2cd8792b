//! When a folder that changed is looked at: not at the first change of many, and not only after the last.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use super::WatchOptions;

/// What a bell rings for that is no wiki: a manifest changed, so wikis may have come, gone or become others.
pub(super) const MANIFESTS: u64 = 0;

/// Which wikis changed and wait to be looked at. Holds two moments for each wiki, however many changes there are.
#[derive(Debug)]
pub(super) struct Bell {
    options: WatchOptions,
    /// By the number of the wiki, or [`MANIFESTS`].
    changes: Mutex<BTreeMap<u64, Burst>>,
    rung: Condvar,
}

/// Changes of one folder that follow each other.
#[derive(Debug, Clone, Copy)]
struct Burst {
    first: Instant,
    last: Instant,
}

impl Burst {
    fn due(self, options: WatchOptions) -> Instant {
        (self.last + options.quiet).min(self.first + options.at_most)
    }
}

impl Bell {
    pub(super) fn new(options: WatchOptions) -> Self {
        Self { options, changes: Mutex::default(), rung: Condvar::new() }
    }

    /// The folder of a wiki changed.
    pub(super) fn ring(&self, wiki: u64, now: Instant) {
        let mut changes = self.changes();
        match changes.get_mut(&wiki) {
            // Whoever waits finds a later moment when it wakes: it need not be woken for each of a thousand changes.
            Some(burst) => burst.last = now,
            None => {
                changes.insert(wiki, Burst { first: now, last: now });
                self.rung.notify_all();
            }
        }
    }

    /// Whether it is time to look at the wiki. What changes from now on is another change.
    pub(super) fn take(&self, wiki: u64, now: Instant) -> bool {
        let mut changes = self.changes();
        let is_due = changes.get(&wiki).is_some_and(|burst| burst.due(self.options) <= now);
        if is_due {
            changes.remove(&wiki);
        }
        is_due
    }

    /// Forgets the changes of a wiki that is about to be looked at anyway.
    pub(super) fn clear(&self, wiki: u64) {
        self.changes().remove(&wiki);
    }

    /// Waits until something is due, but no longer than until `end`. Says whether something is.
    pub(super) fn wait(&self, end: Instant) -> bool {
        let mut changes = self.changes();
        loop {
            let (now, due) = (Instant::now(), changes.values().map(|burst| burst.due(self.options)).min());
            let is_due = due.is_some_and(|due| due <= now);
            if is_due || end <= now {
                return is_due;
            }
            let left = due.map_or(end, |due| due.min(end)).saturating_duration_since(now);
            changes = self.rung.wait_timeout(changes, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn changes(&self) -> MutexGuard<'_, BTreeMap<u64, Burst>> {
        self.changes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    const OPTIONS: WatchOptions =
        WatchOptions { quiet: Duration::from_millis(300), at_most: Duration::from_millis(2000) };

    #[test]
    fn changes_are_looked_at_once_it_is_quiet() {
        let (bell, start) = (Bell::new(OPTIONS), Instant::now());
        let at = |ms| start + Duration::from_millis(ms);
        assert!(!bell.take(1, at(5000)), "nothing changed");
        bell.ring(1, at(0));
        bell.ring(1, at(200));
        bell.ring(2, at(100));
        assert!(!bell.take(1, at(499)) && bell.take(2, at(400)));
        assert!(bell.take(1, at(500)) && !bell.take(1, at(9000)), "each is taken once");
    }

    #[test]
    fn without_quiet_they_are_looked_at_all_the_same() {
        let (bell, start) = (Bell::new(OPTIONS), Instant::now());
        let at = |ms| start + Duration::from_millis(ms);
        for ms in (0..=1990).step_by(10) {
            bell.ring(1, at(ms));
            assert!(!bell.take(1, at(ms)));
        }
        assert!(bell.take(1, at(2000)));
        bell.ring(1, at(2001));
        assert!(!bell.take(1, at(2300)) && bell.take(1, at(2301)), "what comes after is a change of its own");
    }

    #[test]
    fn who_waits_is_woken() {
        let bell = Bell::new(OPTIONS);
        let (start, long) = (Instant::now(), Instant::now() + Duration::from_secs(3600));
        assert!(!bell.wait(start));
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| bell.wait(long));
            bell.ring(7, Instant::now());
            assert!(waiting.join().unwrap());
        });
        assert!(bell.take(7, Instant::now()));
        bell.ring(7, start);
        bell.clear(7);
        assert!(!bell.take(7, long));
    }
}
