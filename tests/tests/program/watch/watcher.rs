//! `wikirag watch` as somebody sees it who reads its lines.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use wikirag_tests::World;

/// Longer than anything here takes, also on a busy machine.
const PATIENCE: Duration = Duration::from_secs(90);

/// A program that watches.
pub(super) struct Watcher {
    child: Child,
    lines: Receiver<Value>,
}

impl Watcher {
    pub(super) fn start(world: &World, targets: &[&str]) -> Self {
        Self::start_with(world, &[], targets)
    }

    pub(super) fn start_with(world: &World, flags: &[&str], targets: &[&str]) -> Self {
        let mut command = world.command(&[flags, &["watch", "--json"], targets].concat());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let (line, lines) = channel();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        thread::spawn(move || {
            for text in stdout.lines().map_while(Result::ok) {
                if line.send(serde_json::from_str(&text).unwrap()).is_err() {
                    return;
                }
            }
        });
        Self { child, lines }
    }

    /// The next line of this event; others are passed over.
    #[track_caller]
    pub(super) fn next(&self, event: &str) -> Value {
        let end = Instant::now() + PATIENCE;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            let line = self.lines.recv_timeout(left).unwrap_or_else(|error| panic!("no line `{event}`: {error}"));
            if line["event"] == event {
                return line;
            }
        }
    }

    /// Ends it as a system does, and gives the lines that nobody asked for.
    #[track_caller]
    pub(super) fn stop(self) -> Vec<Value> {
        self.stop_by("TERM")
    }

    #[track_caller]
    pub(super) fn stop_by(mut self, signal: &str) -> Vec<Value> {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args([&format!("-{signal}"), &pid]).status().unwrap().success());
        let mut said = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        let status = self.child.wait().unwrap();
        assert!(status.success() && said.contains("stopped") && !said.contains("panicked"), "{status}: {said}");
        self.lines.iter().collect()
    }
}

/// A test that fails leaves no program behind.
impl Drop for Watcher {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Looks until it holds.
#[track_caller]
pub(super) fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let end = Instant::now() + PATIENCE;
    while !holds() {
        assert!(Instant::now() < end, "it never came that {what}");
        thread::sleep(Duration::from_millis(100));
    }
}
