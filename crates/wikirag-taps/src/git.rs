//! The program `git`, run so that nothing of a repository is run.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use wikirag_core::{Context, Error, ErrorKind, Result, Step};

use crate::Limits;
use crate::process::{self, Ended, Job};
use crate::source::Source;

pub(crate) const OPERATION: &str = "run git";

const INSTALL: &str = "install git and put it on PATH";

/// What a few lines of git's output take at most, in bytes.
const SHORT: u64 = 1 << 20;

/// How often the size of a clone is looked at while git works on it.
const MEASURED_EACH: Duration = Duration::from_millis(250);

/// What holds whatever the settings of the user or of the clone say: `-c` wins over both.
const SETTINGS: [&str; 22] = [
    // Nothing is run.
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "filter.lfs.smudge=",
    "filter.lfs.process=",
    "filter.lfs.required=false",
    "submodule.recurse=false",
    "fetch.recurseSubmodules=false",
    // Links are written as the text that they are; names that mean `.git` somewhere are refused everywhere.
    "core.symlinks=false",
    "core.protectHFS=true",
    "core.protectNTFS=true",
    // What is written out is what `WRITTEN` says, and its state is looked at, not remembered.
    "core.sparseCheckout=true",
    "core.sparseCheckoutCone=false",
    "core.splitIndex=false",
    "core.untrackedCache=false",
    "core.bare=false",
    // What `git_head` of the engine reads.
    "init.defaultRefFormat=files",
    // Commits that were replaced are not kept, and nobody tidies up after the program has ended.
    "core.logAllRefUpdates=false",
    "gc.pruneExpire=now",
    "gc.autoDetach=false",
    "maintenance.autoDetach=false",
    "gc.writeCommitGraph=false",
    "fetch.writeCommitGraph=false",
];

/// Wins over the `.gitattributes` of the repository: files are written byte for byte, and no program that the user has set up
/// as a filter is run on them.
const ATTRIBUTES: &str = "* -text -filter -ident -working-tree-encoding\n";

/// What of a commit is written out: all but manifests of wikis. What a stranger wrote into one does not decide how a tap is
/// searched, what of it, and by whom.
const WRITTEN: &str = "/*\n!.wiki.yaml\n";

/// Variables of git that say how to reach a repository, which is the user's to say. All others are taken away: they could
/// lead git to another repository, or make it write elsewhere.
const KEPT: [&str; 10] = [
    "GIT_ASKPASS",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_NOSYSTEM",
    "GIT_CONFIG_SYSTEM",
    "GIT_EXEC_PATH",
    "GIT_PROXY_COMMAND",
    "GIT_SSH",
    "GIT_SSH_COMMAND",
    "GIT_SSH_VARIANT",
    "GIT_CONFIG_COUNT",
];
const KEPT_BEGINNINGS: [&str; 4] = ["GIT_HTTP_", "GIT_SSL_", "GIT_CONFIG_KEY_", "GIT_CONFIG_VALUE_"];

/// Git for one clone.
pub(crate) struct Git<'a> {
    /// The folder of the clone. It may not exist yet.
    pub(crate) clone: &'a Path,
    pub(crate) source: &'a Source,
    pub(crate) limits: Limits,
    pub(crate) context: &'a Context,
}

impl Git<'_> {
    /// Makes an empty repository for objects of this kind (`sha1` or `sha256`).
    pub(crate) fn init(&self, objects: &str) -> Result<()> {
        let mut command = self.command();
        command.args(["init", "--quiet", "--template=", &format!("--object-format={objects}")]);
        self.run(command, SHORT)?;
        let info = self.clone.join(".git/info");
        fs::create_dir_all(&info)
            .and_then(|()| fs::write(info.join("attributes"), ATTRIBUTES))
            .and_then(|()| fs::write(info.join("sparse-checkout"), WRITTEN))
            .map_err(|error| {
                Error::new(ErrorKind::Io, "make clone", "its settings cannot be written")
                    .with("path", info.display())
                    .caused_by(error)
            })
    }

    /// Runs git with these arguments; stdout, which is at most a mebibyte.
    pub(crate) fn ask<S: AsRef<OsStr>>(&self, args: &[S]) -> Result<Vec<u8>> {
        self.ask_for(args, SHORT)
    }

    /// The same for a longer stdout.
    pub(crate) fn ask_for<S: AsRef<OsStr>>(&self, args: &[S], max_output: u64) -> Result<Vec<u8>> {
        let mut command = self.command();
        command.args(args);
        self.run(command, max_output)
    }

    fn command(&self) -> Command {
        let mut command = Command::new("git");
        for (name, _) in std::env::vars_os() {
            if name.to_str().is_some_and(|name| name.starts_with("GIT_") && !is_kept(name)) {
                command.env_remove(name);
            }
        }
        // A list of what may be used wins over every `protocol.*` of the settings.
        let protocols = if self.source.is_local() { "file" } else { "https:http:ssh:git" };
        command.env("GIT_ALLOW_PROTOCOL", protocols).env("GIT_TERMINAL_PROMPT", "0").env("GIT_LFS_SKIP_SMUDGE", "1");
        // Both are named, so that git never takes a repository around the clone for it.
        command.arg("--git-dir").arg(self.clone.join(".git")).arg("--work-tree").arg(self.clone);
        SETTINGS.iter().for_each(|setting| {
            command.args(["-c", setting]);
        });
        command
    }

    fn run(&self, command: Command, max_output: u64) -> Result<Vec<u8>> {
        let mut measured = Instant::now();
        let mut watch = || {
            if measured.elapsed() < MEASURED_EACH {
                return Ok(());
            }
            measured = Instant::now();
            let bytes = folder_bytes(&self.clone.join(".git"));
            self.context.progress.report(Step { stage: "fetch", done: bytes, total: None });
            self.limits.check_bytes(bytes)
        };
        let job = Job { operation: OPERATION, command, install: INSTALL, max_output, watch: &mut watch };
        let Ended { status, stdout, said } = process::run(job, self.context)?;
        if status.success() {
            return Ok(stdout);
        }
        let said = if said.is_empty() { status.to_string() } else { said };
        Err(Error::new(ErrorKind::Io, OPERATION, said))
    }
}

fn is_kept(name: &str) -> bool {
    KEPT.contains(&name) || KEPT_BEGINNINGS.iter().any(|beginning| name.starts_with(beginning))
}

/// The bytes of all files below a folder. What cannot be looked at, or goes while it is looked at, counts nothing. Links are not
/// followed.
pub(crate) fn folder_bytes(folder: &Path) -> u64 {
    let mut bytes = 0_u64;
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            match entry.metadata() {
                Ok(metadata) if metadata.is_dir() => folders.push(entry.path()),
                Ok(metadata) => bytes = bytes.saturating_add(metadata.len()),
                Err(_) => {}
            }
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_that_lead_git_elsewhere_are_taken_away() {
        for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_CONFIG_PARAMETERS"] {
            assert!(!is_kept(name), "{name}");
        }
        for name in ["GIT_TEMPLATE_DIR", "GIT_EXTERNAL_DIFF", "GIT_TRACE", "GIT_ALLOW_PROTOCOL", "GIT_CONFIG"] {
            assert!(!is_kept(name), "{name}");
        }
        assert!(is_kept("GIT_SSH_COMMAND") && is_kept("GIT_HTTP_USER_AGENT") && is_kept("GIT_CONFIG_KEY_0"));
    }
}
