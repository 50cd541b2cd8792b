//! Timers of the system that start a refresh: every night what changed, and on Sunday at 04:00 everything anew.
//!
//! Only text is made here, for people to read and to put where it belongs. Nothing is installed, and nothing is run.

mod cron;
mod launchd;
mod systemd;

use std::path::{Path, PathBuf};

use serde::Serialize;
use wikirag_core::{Error, ErrorKind, Result};

const OPERATION: &str = "print schedule";

/// What starts programs at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scheduler {
    /// Timers and services of a user, systemd 244 and later.
    Systemd,
    /// Lines of a crontab.
    Cron,
    /// Agents of a user, macOS.
    Launchd,
}

/// What is started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// The program, absolute.
    pub program: PathBuf,
    /// The folder in which it is started, absolute: relative paths and the settings of a project are those of this folder.
    pub folder: PathBuf,
    /// What is given to it every night. On Sunday `--full` is put behind that.
    pub arguments: Vec<String>,
}

/// A file for the scheduler.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Unit {
    /// Where it belongs; `~` is the home folder. Of cron, which is edited by a program, its command.
    pub place: &'static str,
    /// What stands in it.
    pub text: String,
}

/// A moment that comes again and again, in local time.
#[derive(Debug, Clone, Copy)]
struct Job {
    /// What people call it.
    title: &'static str,
    hour: u8,
    /// Whether it is on Sundays only and makes everything anew.
    is_full: bool,
}

const NIGHTLY: Job = Job { title: "Refresh wikis: what changed", hour: 3, is_full: false };
const WEEKLY: Job = Job { title: "Refresh wikis: everything anew", hour: 4, is_full: true };

impl Plan {
    /// The files that make `scheduler` do it.
    ///
    /// # Errors
    /// [`ErrorKind::Invalid`] for what no file of a scheduler can hold: a path that is no UTF-8 or not absolute, and control characters.
    pub fn units(&self, scheduler: Scheduler) -> Result<Vec<Unit>> {
        let command = Command::of(self)?;
        Ok(match scheduler {
            Scheduler::Systemd => systemd::units(&command),
            Scheduler::Cron => vec![cron::unit(&command)],
            Scheduler::Launchd => launchd::units(&command),
        })
    }
}

/// A plan whose words can be written into the file of any scheduler, once they are quoted.
struct Command<'a> {
    folder: &'a str,
    /// The program and what is given to it.
    words: Vec<&'a str>,
}

impl<'a> Command<'a> {
    fn of(plan: &'a Plan) -> Result<Self> {
        let program = absolute("program", &plan.program)?;
        let folder = absolute("folder", &plan.folder)?;
        let words: Vec<&str> = std::iter::once(program).chain(plan.arguments.iter().map(String::as_str)).collect();
        let odd = words.iter().chain([&folder]).find(|word| word.chars().any(char::is_control));
        match odd {
            None => Ok(Self { folder, words }),
            Some(word) => {
                let message = format!("{word:?} holds a line end or another control character");
                Err(Error::new(ErrorKind::Invalid, OPERATION, message).help("rename it"))
            }
        }
    }

    /// The words of one of the jobs.
    fn words_of(&self, job: Job) -> impl Iterator<Item = &'a str> + '_ {
        self.words.iter().copied().chain(job.is_full.then_some("--full"))
    }
}

fn absolute<'a>(what: &'static str, path: &'a Path) -> Result<&'a str> {
    let invalid = |message| Error::new(ErrorKind::Invalid, OPERATION, message).with(what, path.display());
    if !path.is_absolute() {
        return Err(invalid("the path is not absolute"));
    }
    path.to_str().ok_or_else(|| invalid("the path is no UTF-8 text").help("rename it"))
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn plan(folder: &str, program: &str, arguments: &[&str]) -> Plan {
        let arguments = arguments.iter().map(|&argument| argument.to_owned()).collect();
        Plan { program: program.into(), folder: folder.into(), arguments }
    }

    /// Words with all that is special to some scheduler or shell.
    pub(super) const ODD: [&str; 12] = [
        "plain",
        "with space",
        " leads",
        "ends ",
        "50%",
        "%h$HOME${X}",
        "a'b\"c`d`",
        "back\\slash\\",
        "<&>",
        "# ;|*?[~]",
        "naïve 日本",
        "",
    ];

    #[test]
    fn what_no_file_can_hold_is_refused() {
        let all = [Scheduler::Systemd, Scheduler::Cron, Scheduler::Launchd];
        let bad = [
            plan("/x\n* * * * * true", "/bin/w", &[]),
            plan("/x", "/bin/w\u{0}", &[]),
            plan("/x", "/bin/w", &["refresh", "a\r\nb"]),
            plan("/x", "bin/w", &[]),
            plan("x", "/bin/w", &[]),
        ];
        for (plan, scheduler) in bad.iter().flat_map(|plan| all.map(|scheduler| (plan, scheduler))) {
            assert_eq!(plan.units(scheduler).unwrap_err().kind(), ErrorKind::Invalid, "{plan:?}");
        }
        #[cfg(unix)]
        {
            use std::os::unix::ffi::OsStrExt;
            let folder = std::ffi::OsStr::from_bytes(b"/\xff").into();
            let plan = Plan { folder, ..plan("", "/bin/w", &[]) };
            assert!(plan.units(Scheduler::Cron).is_err());
        }
    }
}
