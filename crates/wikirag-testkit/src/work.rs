//! Whether the time of a piece of work grows in step with its input.
//!
//! No test here looks at a clock on the wall, and none has a limit in seconds: two figures of the same run are
//! compared, both the least of several, both in processor time of one thread, so neither the machine nor its other
//! work decides. The bound is wide: it tells linear from quadratic and nothing finer.

use std::time::Duration;

use crate::check::{Broken, Outcome};

/// How much larger the second input is.
const GROWTH: usize = 8;
/// How much more time it may take: quadratic work takes 64 times as much.
const ALLOWED: u32 = 40;
/// Each input is worked on this often; the least time counts.
const RUNS: usize = 3;
/// Size of the first input, in bytes.
const SIZE: usize = 32 << 10;
/// Work shorter than this is taken for this long: below it fixed costs and the clock's own steps weigh in.
const SHORTEST: Duration = Duration::from_micros(100);

/// Processor time that this thread has used.
#[cfg(unix)]
fn thread_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or_default())
}

/// Where the system tells no processor time to safe code, the least of several runs has to do.
#[cfg(not(unix))]
fn thread_time() -> Duration {
    static START: std::sync::LazyLock<std::time::Instant> = std::sync::LazyLock::new(std::time::Instant::now);
    START.elapsed()
}

/// Processor time of one run. Dropping the result is not part of it.
fn time_of<T>(work: impl Fn() -> T) -> Duration {
    let start = thread_time();
    let result = work();
    let time = thread_time().saturating_sub(start);
    drop(result);
    time
}

/// Fails where `work` on an input of about eight times the size takes more than 40 times as long. `prepare` makes the
/// input from a text of the given size; only `work` is measured.
pub(crate) fn grows_in_step<I, T>(
    shape: &str,
    text: impl Fn(usize) -> String,
    prepare: impl Fn(String) -> Outcome<I>,
    work: impl Fn(&I) -> T,
) -> Outcome {
    let (small, large) = (prepare(text(SIZE))?, prepare(text(SIZE * GROWTH))?);
    let short = (0..RUNS).map(|_| time_of(|| work(&small))).min().unwrap_or_default().max(SHORTEST);
    let mut long = Duration::MAX;
    // The least of several runs, of which those after a good one could only be better.
    for _ in 0..RUNS {
        long = long.min(time_of(|| work(&large)));
        if long <= short * ALLOWED {
            return Ok(());
        }
    }
    Err(Broken::new(format!(
        "{shape}: {SIZE} bytes take {short:?} and {GROWTH} times as many {long:?}; this is not linear"
    )))
}

#[cfg(test)]
mod tests {
    use std::hint::black_box;

    use super::*;

    fn judge(work: impl Fn(&String) -> usize) -> Outcome {
        grows_in_step("letters", |size| "x".repeat(size), Ok, work)
    }

    /// Looks at every byte, in step with the length.
    fn look_through(text: &[u8]) -> usize {
        usize::from(black_box(text).contains(&b'y'))
    }

    #[test]
    fn linear_and_quadratic_work_are_told_apart() {
        assert_eq!(judge(|text| look_through(text.as_bytes())), Ok(()));
        let quadratic =
            |text: &String| (0..text.len()).step_by(64).map(|end| look_through(&text.as_bytes()[..end])).sum();
        assert!(judge(quadratic).is_err());
    }
}
