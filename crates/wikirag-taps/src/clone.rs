//! A clone: made, and brought to where its remote stands.

use std::fs;
use std::path::Path;

use wikirag_core::{Context, Error, ErrorKind, Result};
use wikirag_engine::{Commit, git_head};

use crate::Limits;
use crate::contents::{Contents, Listing};
use crate::git::Git;
use crate::source::Source;

/// What a remote says of the branch that is followed.
struct Remote {
    commit: Commit,
    /// The branch; `None` where the remote has a commit checked out and no branch.
    branch: Option<String>,
}

/// Where a clone stands.
#[derive(Debug)]
pub(crate) struct Stand {
    pub(crate) commit: Commit,
    pub(crate) branch: Option<String>,
    /// `None` where it stood there before.
    pub(crate) contents: Option<Contents>,
}

/// What to clone.
#[derive(Clone, Copy)]
pub(crate) struct Origin<'a> {
    pub(crate) source: &'a Source,
    /// The branch that somebody asked for; `None`: the one that the remote has checked out, whichever that is.
    pub(crate) branch: Option<&'a str>,
}

impl Origin<'_> {
    fn git<'a>(&'a self, clone: &'a Path, limits: Limits, context: &'a Context) -> Git<'a> {
        Git { clone, source: self.source, limits, context }
    }

    /// Makes a clone in `folder`, which does not exist yet and may be left half made.
    ///
    /// # Errors
    /// [`ErrorKind::NotFound`] where there is no git, or nothing to clone; [`ErrorKind::Invalid`] where it is larger than
    /// allowed; [`ErrorKind::TimedOut`] and [`ErrorKind::Cancelled`]; [`ErrorKind::Io`] with what git said.
    pub(crate) fn make(&self, folder: &Path, limits: Limits, context: &Context) -> Result<Stand> {
        let git = self.git(folder, limits, context);
        let remote = self.look(&git)?;
        fs::create_dir_all(folder).map_err(|error| {
            Error::new(ErrorKind::Io, "make clone", "its folder cannot be made")
                .with("path", folder.display())
                .caused_by(error)
        })?;
        git.init(if remote.commit.as_str().len() == 64 { "sha256" } else { "sha1" })?;
        self.fetch(&git, remote)
    }

    /// Brings the clone in `folder` to where its remote stands. What was changed or added in it is lost. Whatever became of the
    /// history of the remote, only its last commit is asked for.
    ///
    /// # Errors
    /// As for [`Self::make`]. The clone is as it was where the remote could not be asked; otherwise it may be in between.
    pub(crate) fn update(&self, folder: &Path, limits: Limits, context: &Context) -> Result<Stand, Failure> {
        let git = self.git(folder, limits, context);
        let remote = self.look(&git).map_err(Failure::Remote)?;
        remove_locks(&folder.join(".git"));
        let stand = match git_head(folder) {
            Some(commit) if commit == remote.commit => {
                write_out(&git, &commit).map(|()| Stand { commit, branch: remote.branch, contents: None })
            }
            Some(_) => self.fetch(&git, remote),
            None => {
                Err(Error::new(ErrorKind::Damaged, "update clone", "it has no commit").with("path", folder.display()))
            }
        };
        stand.map_err(Failure::Clone)
    }

    /// Asks the remote where it stands, which costs one round and fetches nothing.
    fn look(&self, git: &Git<'_>) -> Result<Remote> {
        let wanted = self.branch.map_or_else(|| "HEAD".to_owned(), |branch| format!("refs/heads/{branch}"));
        let url = self.source.to_string();
        let answer = git.ask(&["ls-remote", "--symref", "--", &url, &wanted]).map_err(|error| match error.kind() {
            ErrorKind::Io => error.with("source", &url).help("is it still there, and may you read it?").temporary(),
            _ => error,
        })?;
        let (commit, target) = read_answer(&String::from_utf8_lossy(&answer), &wanted);
        let Some(commit) = commit else {
            let message = match self.branch {
                Some(branch) => format!("the repository has no branch `{branch}`"),
                None => "the repository holds no commit, or its HEAD leads to a branch that is not there".to_owned(),
            };
            return Err(Error::new(ErrorKind::NotFound, "look at repository", message)
                .with("source", &url)
                .help("name a branch that is there with `--branch`"));
        };
        let branch = self.branch.map(str::to_owned);
        Ok(Remote { commit, branch: branch.or_else(|| target?.strip_prefix("refs/heads/").map(str::to_owned)) })
    }

    fn fetch(&self, git: &Git<'_>, remote: Remote) -> Result<Stand> {
        let wanted = self.branch.map_or_else(|| "HEAD".to_owned(), |branch| format!("refs/heads/{branch}"));
        let url = self.source.to_string();
        let flags = ["fetch", "--quiet", "--force", "--depth=1", "--no-tags", "--no-recurse-submodules", "--"];
        git.ask(&[&flags[..], &[&url, &wanted]].concat())?;
        // The remote may have moved since it was asked: what was fetched counts.
        let fetched = git.ask(&["rev-parse", "--verify", "--quiet", "FETCH_HEAD^{commit}"])?;
        let commit = str::from_utf8(&fetched)
            .ok()
            .and_then(|text| Commit::new(text.trim()))
            .ok_or_else(|| Error::new(ErrorKind::Io, "fetch commit", "git fetched no commit").with("source", &url))?;
        let listing = Listing::of(git, &commit)?;
        let mut contents = listing.count(&git.limits)?;
        write_out(git, &commit)?;
        contents.lfs_pointers = listing.pointers(git.clone);
        Ok(Stand { commit, branch: remote.branch, contents: Some(contents) })
    }
}

/// Why a clone was not brought up to date.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The remote could not be asked; the clone was not touched.
    Remote(Error),
    /// Something went wrong with the clone itself, or on the way to it.
    Clone(Error),
}

/// Makes the folder hold the files of a commit and no others. The commit of the clone moves when they are written.
fn write_out(git: &Git<'_>, commit: &Commit) -> Result<()> {
    git.ask(&["checkout", "--quiet", "--force", "--detach", commit.as_str(), "--"])?;
    git.ask(&["clean", "--quiet", "-ffdx"]).map(|_| ())
}

/// Removes what a git that was killed left behind. Only called by who holds the lock of all taps, and nobody else writes to a
/// clone.
fn remove_locks(git_folder: &Path) {
    for lock in
        ["index.lock", "HEAD.lock", "shallow.lock", "config.lock", "packed-refs.lock", "FETCH_HEAD.lock", "gc.pid"]
    {
        // Mostly there is none; where it cannot be removed git says so.
        let _ = fs::remove_file(git_folder.join(lock));
    }
}

/// The commit of `wanted` and where it leads, out of lines of `COMMIT<tab>NAME` and `ref: TARGET<tab>NAME`. Git lists also other
/// names that end like it.
fn read_answer(answer: &str, wanted: &str) -> (Option<Commit>, Option<String>) {
    let (mut commit, mut target) = (None, None);
    for (value, name) in answer.lines().filter_map(|line| line.split_once('\t')) {
        if name != wanted {
            continue;
        }
        match value.strip_prefix("ref: ") {
            Some(leads_to) => target = Some(leads_to.to_owned()),
            None => commit = Commit::new(value),
        }
    }
    (commit, target)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_answer_of_a_remote_is_read_by_the_whole_name() {
        let (a, b) = ("a".repeat(40), "b".repeat(40));
        let answer = format!("ref: refs/heads/main\tHEAD\n{a}\tHEAD\n{b}\trefs/remotes/x/HEAD\n");
        let (commit, target) = read_answer(&answer, "HEAD");
        assert_eq!((commit.unwrap().as_str(), target.as_deref()), (a.as_str(), Some("refs/heads/main")));
        assert_eq!(read_answer(&format!("{b}\trefs/x/refs/heads/main\n"), "refs/heads/main"), (None, None));
        assert_eq!(read_answer("", "HEAD"), (None, None));
    }

    proptest! {
        #[test]
        fn any_answer_is_survived(answer in any::<String>()) {
            let _ = read_answer(&answer, "HEAD");
        }
    }
}
