//! What is asked of taps, and what became of it.

use serde::Serialize;
use wikirag_core::{Error, ErrorKind, Result, WikiName};
use wikirag_engine::Commit;

use crate::Contents;
use crate::source::{Source, is_branch, tap_name};

/// A tap to be added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewTap {
    /// Its name, which is that of its wiki too.
    pub name: WikiName,
    /// Where its documents come from.
    pub source: Source,
    /// The branch to follow; `None`: the one that the remote has checked out, whichever that is.
    pub branch: Option<String>,
    /// Words to sort its wiki by.
    pub tags: Vec<String>,
}

impl NewTap {
    /// A tap of `source`, named `name` or after its source.
    ///
    /// # Errors
    /// [`ErrorKind::Invalid`] where there is no such name or branch, or the branch of a folder is asked for.
    pub fn new(source: Source, name: Option<&str>, branch: Option<&str>) -> Result<Self> {
        let invalid =
            |message: &'static str| Error::new(ErrorKind::Invalid, "add tap", message).with("source", &source);
        let name = name.map_or_else(|| source.default_name(), tap_name)?;
        if branch.is_some_and(|branch| !is_branch(branch)) {
            return Err(invalid("that is no name of a branch"));
        }
        if branch.is_some() && !source.is_cloned() {
            return Err(invalid("a folder is used as it lies and has no branch to follow")
                .help("leave `--branch` out, or give an address or a bare repository"));
        }
        Ok(Self { name, source, branch: branch.map(str::to_owned), tags: Vec::new() })
    }
}

/// A tap that was added, or was there.
#[derive(Debug, Clone, Serialize)]
pub struct Added {
    /// Its name.
    pub name: String,
    /// Whether it was there before, of the same source and branch. Then nothing was done.
    pub was_there: bool,
    /// The branch it follows, where one is known.
    pub branch: Option<String>,
    /// The commit it stands at, where it is one of git.
    pub commit: Option<Commit>,
    /// What the commit holds; `None` for a folder and for what was there.
    pub contents: Option<Contents>,
    /// The folder of its documents.
    pub documents: String,
}

/// How a tap stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum TapState {
    /// As it was when its remote was asked last; a folder is there.
    Ready,
    /// Its last update failed. It is as it was before.
    Stale,
    /// Its clone or its folder is not there.
    Missing,
    /// What the program remembers of it cannot be understood.
    Broken,
}

impl TapState {
    /// The word used in output.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ready => "ready",
            Self::Stale => "stale",
            Self::Missing => "missing",
            Self::Broken => "broken",
        }
    }
}

/// A line of the list of taps.
#[derive(Debug, Clone, Serialize)]
pub struct TapStatus {
    /// Its name.
    pub name: String,
    /// Where it comes from: an address or a path. `None` where that is not known any more.
    pub source: Option<String>,
    /// Whether git makes a clone of it; a folder is used where it lies.
    pub is_cloned: bool,
    /// The branch it follows, where one is known.
    pub branch: Option<String>,
    /// The commit it stands at, where it is one of git.
    pub commit: Option<Commit>,
    /// How it stands.
    pub state: TapState,
    /// Why it is not ready.
    pub reason: Option<String>,
    /// When it was brought up to date, RFC 3339 in UTC; `None` for a folder.
    pub updated: Option<String>,
}

/// What became of a tap that was to be updated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum UpdateState {
    /// It stands at another commit now, or its clone was made anew.
    Updated,
    /// Its remote stands where it stood.
    Unchanged,
    /// It is a folder, which changes by itself.
    InPlace,
    /// It is as it was, for a reason.
    Failed,
}

/// The outcome for one tap.
#[derive(Debug, Clone, Serialize)]
pub struct Updated {
    /// Its name.
    pub name: String,
    /// What became of it.
    pub state: UpdateState,
    /// The commit it stood at.
    pub from: Option<Commit>,
    /// The commit it stands at.
    pub commit: Option<Commit>,
    /// What the commit holds, where it is another.
    pub contents: Option<Contents>,
    /// Why it failed.
    pub reason: Option<String>,
}

/// What was removed.
#[derive(Debug, Clone, Serialize)]
pub struct Removed {
    /// The name of the tap.
    pub name: String,
    /// Whether there was a wiki of it.
    pub wiki: bool,
    /// The folder that is used in place and was left as it is.
    pub kept: Option<String>,
}
