//! How often a caller may ask.

use std::sync::Mutex;
use std::time::{Duration, Instant};

/// A bucket of requests that fills evenly: `rate` of them fit in, and as many come back in a minute.
#[derive(Debug)]
pub struct Bucket {
    rate: u32,
    state: Mutex<State>,
}

#[derive(Debug, Clone, Copy)]
struct State {
    /// Requests that are left.
    left: f64,
    /// When that was so.
    at: Instant,
}

impl Bucket {
    /// A full bucket of `rate` requests a minute, at least 1.
    #[must_use]
    pub fn new(rate: u32, now: Instant) -> Self {
        let rate = rate.max(1);
        Self { rate, state: Mutex::new(State { left: f64::from(rate), at: now }) }
    }

    /// Takes one request out.
    ///
    /// # Errors
    /// How long it takes until there is one, where there is none.
    pub fn take(&self, now: Instant) -> Result<(), Duration> {
        // Whoever panicked while it held the lock left numbers that are as good as any.
        let mut state = self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let a_second = f64::from(self.rate) / 60.0;
        let passed = now.saturating_duration_since(state.at).as_secs_f64();
        let left = (state.left + passed * a_second).min(f64::from(self.rate));
        *state = State { left, at: state.at.max(now) };
        if left >= 1.0 {
            state.left -= 1.0;
            return Ok(());
        }
        Err(Duration::from_secs_f64((1.0 - left) / a_second))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_minute_gives_what_a_minute_may_take() {
        let start = Instant::now();
        let bucket = Bucket::new(3, start);
        for _ in 0..3 {
            assert_eq!(bucket.take(start), Ok(()));
        }
        assert_eq!(bucket.take(start), Err(Duration::from_secs(20)));
        assert!(bucket.take(start + Duration::from_secs(19)).is_err());
        assert_eq!(bucket.take(start + Duration::from_secs(21)), Ok(()));
        assert!(bucket.take(start + Duration::from_secs(21)).is_err());
        let later = start + Duration::from_secs(3_600);
        assert_eq!((0..10).filter(|_| bucket.take(later).is_ok()).count(), 3);
    }

    proptest! {
        #[test]
        fn never_more_than_the_bucket_and_what_came_back(rate in 1_u32..100, gaps in prop::collection::vec(0_u64..5_000, 1..200)) {
            let start = Instant::now();
            let bucket = Bucket::new(rate, start);
            let (mut now, mut taken) = (start, 0_u32);
            for gap in gaps {
                now += Duration::from_millis(gap);
                match bucket.take(now) {
                    Ok(()) => taken += 1,
                    Err(wait) => prop_assert!(wait <= Duration::from_secs_f64(60.0 / f64::from(rate) + 0.001)),
                }
            }
            let passed = (now - start).as_secs_f64();
            prop_assert!(f64::from(taken) <= f64::from(rate) * (1.0 + passed / 60.0) + 0.001);
        }
    }
}
