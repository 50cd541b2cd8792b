//! Another program, run to its end under limits.

use std::fs::File;
use std::io::{self, Read as _, Seek as _};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use wikirag_core::{Context, Error, ErrorKind, Result};

/// How long a program that was asked to end may take before it is ended.
const GRACE: Duration = Duration::from_secs(2);

/// Time between two looks at a program: short at first, since most end at once.
const PAUSES: [Duration; 2] = [Duration::from_millis(2), Duration::from_millis(50)];

/// What of stderr is kept for a message, in characters.
const SAID: usize = 500;

/// The largest stderr that is looked at, in bytes.
const MAX_STDERR: u64 = 1 << 20;

/// A program to be run.
pub(crate) struct Job<'a> {
    /// What for, as errors say.
    pub(crate) operation: &'static str,
    /// The program with its arguments. Its streams are set here.
    pub(crate) command: Command,
    /// What to do where the program is not there.
    pub(crate) install: &'static str,
    /// The largest stdout, in bytes.
    pub(crate) max_output: u64,
    /// Called between looks at the program; an error ends it.
    pub(crate) watch: &'a mut dyn FnMut() -> Result<()>,
}

/// How a program ended.
pub(crate) struct Ended {
    pub(crate) status: ExitStatus,
    pub(crate) stdout: Vec<u8>,
    /// The end of what it wrote to stderr, in one line and without control characters.
    pub(crate) said: String,
}

/// Runs a program to its end. Nothing is written to its stdin.
///
/// Its output goes to files, not pipes: a program that was ended may leave children behind that hold its pipes open, and
/// nobody could tell when to stop reading.
///
/// # Errors
/// [`ErrorKind::NotFound`] where there is no such program; [`ErrorKind::Cancelled`] and [`ErrorKind::TimedOut`] as the
/// context says; [`ErrorKind::Invalid`] where it writes more than it may; what `watch` says. In all but the first case it
/// was ended.
pub(crate) fn run(job: Job<'_>, context: &Context) -> Result<Ended> {
    let Job { operation, mut command, install, max_output, watch } = job;
    let program = command.get_program().to_string_lossy().into_owned();
    let failed =
        |error: io::Error| Error::new(ErrorKind::Io, operation, format!("`{program}` cannot be run")).caused_by(error);
    let (mut stdout, mut stderr) = (tempfile::tempfile().map_err(failed)?, tempfile::tempfile().map_err(failed)?);
    command
        .stdin(Stdio::null())
        .stdout(stdout.try_clone().map_err(failed)?)
        .stderr(stderr.try_clone().map_err(failed)?);
    let child = command.spawn().map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => {
            Error::new(ErrorKind::NotFound, operation, format!("there is no program `{program}`"))
                .with("program", &program)
                .help(install)
        }
        _ => failed(error),
    })?;
    let mut running = Running(child);
    let started = Instant::now();
    let status = loop {
        if let Some(status) = running.0.try_wait().map_err(failed)? {
            break status;
        }
        context.check(operation)?;
        if size(&stdout) > max_output || size(&stderr) > MAX_STDERR {
            let message = format!("`{program}` writes more than {max_output} bytes");
            return Err(Error::new(ErrorKind::Invalid, operation, message));
        }
        watch()?;
        std::thread::sleep(PAUSES[usize::from(started.elapsed() > GRACE / 10)]);
    };
    if size(&stdout) > max_output {
        let message = format!("`{program}` writes more than {max_output} bytes");
        return Err(Error::new(ErrorKind::Invalid, operation, message));
    }
    Ok(Ended {
        status,
        stdout: content(&mut stdout, max_output).map_err(failed)?,
        said: said(&content(&mut stderr, MAX_STDERR).map_err(failed)?),
    })
}

/// Ends the program when it is dropped before it ended, on whatever way out.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        if matches!(self.0.try_wait(), Ok(Some(_))) {
            return;
        }
        ask_to_end(&self.0);
        let asked = Instant::now();
        while asked.elapsed() < GRACE && matches!(self.0.try_wait(), Ok(None)) {
            std::thread::sleep(PAUSES[0]);
        }
        // Where it has ended by now there is nothing left to do.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Lets git end its own children and remove its temporary files.
#[cfg(unix)]
fn ask_to_end(child: &Child) {
    use rustix::process::{Pid, Signal, kill_process};
    // The number is still that of the child, since nobody waited for it successfully.
    let _ = kill_process(Pid::from_child(child), Signal::TERM);
}

#[cfg(not(unix))]
fn ask_to_end(_: &Child) {}

fn size(file: &File) -> u64 {
    // What cannot be measured is read up to its limit all the same.
    file.metadata().map_or(0, |metadata| metadata.len())
}

fn content(file: &mut File, at_most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.rewind()?;
    file.take(at_most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The last lines of stderr, as many as fit, as one.
fn said(stderr: &[u8]) -> String {
    let text = String::from_utf8_lossy(stderr);
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let mut kept = 0;
    let fits = |line: &&&str| {
        kept += line.chars().count() + 2;
        kept <= SAID
    };
    let first = lines.len() - lines.iter().rev().take_while(fits).count().max(1).min(lines.len());
    let joined = lines[first..].join("; ");
    joined.chars().take(SAID).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(script: &str, max_output: u64, context: &Context) -> Result<Ended> {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        run(Job { operation: "try", command, install: "", max_output, watch: &mut || Ok(()) }, context)
    }

    #[test]
    fn output_and_the_end_of_stderr_are_kept() {
        let ended =
            shell("echo out; echo one >&2; echo; printf 'two\\033[31m\\n' >&2; exit 3", 100, &Context::new()).unwrap();
        assert_eq!((ended.status.code(), ended.stdout.as_slice()), (Some(3), b"out\n\n".as_slice()));
        assert_eq!(ended.said, "one; two\u{fffd}[31m");
        let long = format!("{}\nlast\n", "x".repeat(2 * SAID));
        assert_eq!(said(long.as_bytes()), "last");
        assert_eq!(said("y".repeat(2 * SAID).as_bytes()).len(), SAID);
        assert_eq!(said(b" \n"), "");
    }

    #[test]
    fn a_program_that_goes_on_for_ever_is_ended() {
        let late = Context::new().with_time_limit(Duration::from_millis(30));
        assert_eq!(shell("sleep 600", 100, &late).err().unwrap().kind(), ErrorKind::TimedOut);
        let error = shell("while :; do echo yes; done", 10_000, &Context::new()).err().unwrap();
        assert_eq!(error.kind(), ErrorKind::Invalid);
        // A child that holds the streams open is not waited for.
        let ended = shell("sleep 600 & echo $!", 100, &Context::new()).unwrap();
        let child = String::from_utf8(ended.stdout).unwrap();
        assert!(Command::new("kill").arg(child.trim()).status().unwrap().success());
    }

    #[test]
    fn a_program_that_is_not_there_is_told_with_its_remedy() {
        let command = Command::new("wikirag-no-such-program");
        let job = Job { operation: "try", command, install: "install it", max_output: 1, watch: &mut || Ok(()) };
        let error = run(job, &Context::new()).err().unwrap();
        assert_eq!((error.kind(), error.remedy()), (ErrorKind::NotFound, Some("install it")));
    }

    #[test]
    fn whoever_watches_may_end_it() {
        let mut command = Command::new("sh");
        command.args(["-c", "trap '' TERM; while :; do sleep 0.01; done"]);
        let mut watch = || Err(Error::new(ErrorKind::Refused, "try", "too much"));
        let job = Job { operation: "try", command, install: "", max_output: 1, watch: &mut watch };
        assert_eq!(run(job, &Context::new()).err().unwrap().kind(), ErrorKind::Refused);
    }
}
