//! The largest memory of a process.

use std::io;
use std::process::Command;
use std::thread;
use std::time::Duration;

/// Runs the command and returns the largest resident memory it ever had, in bytes; `None` where the system does not tell.
///
/// Linux keeps the peak itself (`VmHWM`); it is read until the process has ended, so only growth in the very last
/// milliseconds is missed.
pub(crate) fn peak(mut command: Command) -> io::Result<Option<u64>> {
    let mut child = command.spawn()?;
    let path = format!("/proc/{}/status", child.id());
    let mut peak = None;
    loop {
        if let Some(bytes) = std::fs::read_to_string(&path).ok().as_deref().and_then(high_water) {
            peak = peak.max(Some(bytes));
        }
        if let Some(status) = child.try_wait()? {
            let failed = || io::Error::other(format!("the command ended with {status}"));
            return if status.success() || status.code() == Some(4) { Ok(peak) } else { Err(failed()) };
        }
        thread::sleep(Duration::from_millis(2));
    }
}

/// The largest resident memory that this process ever had, in bytes.
pub(crate) fn own_peak() -> Option<u64> {
    high_water(&std::fs::read_to_string("/proc/self/status").ok()?)
}

fn high_water(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes * 1024)
}
