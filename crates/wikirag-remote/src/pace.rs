//! When the next request may be sent, and how many at a time.

use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use wikirag_core::Result;

use crate::call::{Call, POLL};

/// Longer than this nobody waits: the build ends and tells, and the next one goes on.
const LONGEST_WAIT: Duration = Duration::from_secs(300);
/// No pause of our own is longer.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// The pause before sending again after the failure number `failures` (from 0). It doubles, and a random half keeps many
/// clients that failed together from coming back together.
pub(crate) fn pause(first: Duration, failures: u32) -> Duration {
    let whole = first.saturating_mul(1 << failures.min(16)).min(LONGEST_PAUSE);
    whole.mul_f64(0.5 + fastrand::f64() / 2.0)
}

/// Whether `call` can wait for so long.
pub(crate) fn affordable(wait: Duration, call: &Call) -> bool {
    wait <= LONGEST_WAIT && call.time_left().is_none_or(|left| wait < left)
}

/// What all requests to one service share.
pub(crate) struct Pace {
    /// Nothing is sent before.
    not_before: Mutex<Option<Instant>>,
    /// Requests that may be begun now.
    free: Mutex<usize>,
    freed: Condvar,
}

impl Pace {
    /// `parallel` requests at a time.
    pub(crate) fn new(parallel: usize) -> Self {
        Self { not_before: Mutex::new(None), free: Mutex::new(parallel), freed: Condvar::new() }
    }

    /// Sends nothing for so long.
    pub(crate) fn hold(&self, wait: Duration) {
        let then = Instant::now().checked_add(wait);
        let mut not_before = self.not_before.lock().unwrap_or_else(PoisonError::into_inner);
        *not_before = (*not_before).max(then);
    }

    /// How long nothing may be sent.
    pub(crate) fn held(&self) -> Duration {
        let not_before = *self.not_before.lock().unwrap_or_else(PoisonError::into_inner);
        not_before.map_or(Duration::ZERO, |then| then.saturating_duration_since(Instant::now()))
    }

    /// Waits until one more request may be under way.
    ///
    /// # Errors
    /// Those of [`Call::check`].
    pub(crate) fn slot(&self, call: &Call) -> Result<Slot<'_>> {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            call.check()?;
            if let Some(fewer) = free.checked_sub(1) {
                *free = fewer;
                return Ok(Slot(self));
            }
            free = self.freed.wait_timeout(free, POLL).unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

/// A request under way.
pub(crate) struct Slot<'a>(&'a Pace);

impl Drop for Slot<'_> {
    fn drop(&mut self) {
        *self.0.free.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.0.freed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use wikirag_core::{Context, ErrorKind};

    use super::*;

    #[test]
    fn pauses_grow_and_stay_within_bounds() {
        let first = Duration::from_millis(500);
        for failures in 0..40 {
            let whole = first.saturating_mul(1 << failures.min(16)).min(LONGEST_PAUSE);
            assert!((whole / 2..=whole).contains(&pause(first, failures)), "{failures}");
        }
        assert_eq!(pause(Duration::ZERO, 3), Duration::ZERO);
    }

    #[test]
    fn a_longer_hold_wins() {
        let pace = Pace::new(1);
        assert_eq!(pace.held(), Duration::ZERO);
        pace.hold(Duration::from_secs(3_600));
        pace.hold(Duration::from_secs(1));
        assert!(pace.held() > Duration::from_secs(1_800));
    }

    #[test]
    fn slots_come_back_and_waiting_for_one_can_be_stopped() {
        let context = Context::new();
        let call = Call::new("talk", context.clone());
        let pace = Pace::new(1);
        let slot = pace.slot(&call).unwrap();
        drop(slot);
        let _slot = pace.slot(&call).unwrap();
        context.cancel.cancel();
        assert_eq!(pace.slot(&call).err().unwrap().kind(), ErrorKind::Cancelled);
    }

    #[test]
    fn nobody_waits_beyond_the_deadline() {
        let call = Call::new("talk", Context::new().with_time_limit(Duration::from_secs(60)));
        assert!(affordable(Duration::from_secs(1), &call) && !affordable(Duration::from_secs(61), &call));
        let call = Call::new("talk", Context::new());
        assert!(affordable(LONGEST_WAIT, &call) && !affordable(LONGEST_WAIT * 2, &call));
    }
}
