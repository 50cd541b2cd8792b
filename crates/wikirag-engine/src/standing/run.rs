//! What a run over many wikis leaves behind when it is interrupted: which of them are done.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use wikirag_core::{Error, ErrorKind, Result};

use super::Targets;
use crate::lock::WriteLock;
use crate::manifest::text_file;

const OPERATION: &str = "refresh";

/// The folder below the data folder, and the file in it.
const FOLDER: &str = "refresh";
const FILE: &str = "run.json";

/// Raised when the file means something else than before.
const VERSION: u32 = 1;

/// A run that began longer ago is not gone on with: of the wikis that it did, nobody knows any more how they stand. Less than a day,
/// so that a run of last night does not shorten that of this night.
const GOES_ON_FOR: SignedDuration = SignedDuration::from_hours(12);

/// The file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Record {
    version: u32,
    /// What was asked for, see [`what`].
    what: String,
    /// RFC 3339, UTC.
    began: String,
    /// The index folders of the wikis that are done, as text: a path that is none makes its wiki be built once more.
    done: BTreeSet<String>,
}

/// The one run over many wikis that there is at a time, for one data folder.
#[derive(Debug)]
pub(super) struct Run {
    folder: PathBuf,
    record: Mutex<Record>,
    began: Timestamp,
    is_resumed: bool,
    _lock: WriteLock,
}

impl Run {
    /// Begins a run, or goes on with one that was interrupted: of the same targets, not too long ago, and unless `restart` is set.
    ///
    /// # Errors
    /// [`ErrorKind::Busy`] with the pid of the other process while there is another run; [`ErrorKind::Io`] where the data folder
    /// cannot be written to.
    pub(super) fn begin(data_dir: &Path, targets: &Targets, full: bool, restart: bool) -> Result<Self> {
        let folder = data_dir.join(FOLDER);
        fs::create_dir_all(&folder).map_err(|error| failed(&folder, &error))?;
        let lock = WriteLock::acquire(&folder).map_err(|error| {
            if error.kind() != ErrorKind::Busy {
                return error;
            }
            Error::new(ErrorKind::Busy, OPERATION, "another refresh is running").caused_by(error)
        })?;
        let (what, now) = (what(targets, full), Timestamp::now());
        let known = if restart { None } else { read(&folder.join(FILE)) };
        let known = known.filter(|(known, began)| known.what == what && goes_on(*began, now));
        let is_resumed = known.is_some();
        let (record, began) = known
            .unwrap_or_else(|| (Record { version: VERSION, what, began: now.to_string(), done: BTreeSet::new() }, now));
        Ok(Self { folder, record: Mutex::new(record), began, is_resumed, _lock: lock })
    }

    /// When the run began that is gone on with.
    pub(super) fn resumed_from(&self) -> Option<Timestamp> {
        self.is_resumed.then_some(self.began)
    }

    /// Whether the wiki with this index was done before the run was interrupted.
    pub(super) fn is_done(&self, index_dir: &Path) -> bool {
        let record = self.record.lock().unwrap_or_else(PoisonError::into_inner);
        index_dir.to_str().is_some_and(|index_dir| record.done.contains(index_dir))
    }

    /// Writes down that the wiki with this index is done.
    ///
    /// # Errors
    /// [`ErrorKind::Io`]
    pub(super) fn add(&self, index_dir: &Path) -> Result<()> {
        let Some(index_dir) = index_dir.to_str() else { return Ok(()) };
        let path = self.folder.join(FILE);
        let mut record = self.record.lock().unwrap_or_else(PoisonError::into_inner);
        record.done.insert(index_dir.to_owned());
        let text = serde_json::to_string(&*record)
            .map_err(|error| Error::new(ErrorKind::Internal, OPERATION, error.to_string()))?;
        text_file::write(&path, &text).map_err(|error| failed(&path, &error))
    }

    /// Ends the run: the next one begins anew.
    ///
    /// # Errors
    /// [`ErrorKind::Io`]
    pub(super) fn finish(&self) -> Result<()> {
        let path = self.folder.join(FILE);
        match fs::remove_file(&path) {
            Err(error) if !text_file::is_absent(&error) => Err(failed(&path, &error)),
            _ => Ok(()),
        }
    }
}

fn failed(path: &Path, error: &std::io::Error) -> Error {
    Error::new(ErrorKind::Io, OPERATION, error.to_string())
        .with("path", path.display())
        .help("set `data_dir` in wikirag.toml to a folder that can be written to")
}

/// A file that is missing, of another version or broken is no run that could be gone on with.
fn read(path: &Path) -> Option<(Record, Timestamp)> {
    let record: Record = serde_json::from_slice(&fs::read(path).ok()?).ok()?;
    let began = record.began.parse().ok()?;
    (record.version == VERSION).then_some((record, began))
}

/// A clock that was set back makes no run young.
fn goes_on(began: Timestamp, now: Timestamp) -> bool {
    (SignedDuration::ZERO..GOES_ON_FOR).contains(&now.duration_since(began))
}

/// What was asked for, as a hash: the same for the same targets in any order.
fn what(targets: &Targets, full: bool) -> String {
    let mut references: Vec<&str> = targets.references.iter().map(String::as_str).collect();
    references.sort_unstable();
    references.dedup();
    let base = targets.base.as_os_str().as_encoded_bytes();
    let parts = references.iter().map(|reference| reference.as_bytes()).chain([base]);
    let mut hasher = blake3::Hasher::new();
    hasher.update(&[u8::from(full), u8::from(targets.all)]);
    for part in parts {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    hasher.finalize().to_hex().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn targets(references: &[&str]) -> Targets {
        let references = references.iter().map(|&reference| reference.to_owned()).collect();
        Targets { references, all: false, base: "/base".into() }
    }

    #[test]
    fn an_interrupted_run_goes_on_and_a_finished_one_does_not() {
        let dir = tempfile::tempdir().unwrap();
        let begin = |references: &[&str], full, restart| Run::begin(dir.path(), &targets(references), full, restart);
        let done = Path::new("/a/.index");
        let run = begin(&["a", "b"], false, false).unwrap();
        assert!(run.resumed_from().is_none() && !run.is_done(done));
        run.add(done).unwrap();
        drop(run);

        let run = begin(&["b", "a", "b"], false, false).unwrap();
        assert!(run.resumed_from().is_some() && run.is_done(done) && !run.is_done(Path::new("/b/.index")));
        drop(run);
        for (references, full, restart) in
            [(vec!["a"], false, false), (vec!["a", "b"], true, false), (vec!["a", "b"], false, true)]
        {
            assert_eq!(begin(&references, full, restart).unwrap().resumed_from(), None);
        }
        begin(&["a", "b"], false, false).unwrap().finish().unwrap();
        assert_eq!(begin(&["a", "b"], false, false).unwrap().resumed_from(), None);
    }

    #[test]
    fn there_is_one_run_at_a_time() {
        let dir = tempfile::tempdir().unwrap();
        let first = Run::begin(dir.path(), &targets(&["a"]), false, false).unwrap();
        let error = Run::begin(dir.path(), &targets(&["b"]), false, false).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Busy);
        assert!(error.to_string().contains(&std::process::id().to_string()), "{error}");
        first.finish().unwrap();
        drop(first);
        assert!(Run::begin(dir.path(), &targets(&["b"]), false, false).is_ok());
    }

    #[test]
    fn an_old_run_is_not_gone_on_with() {
        let began: Timestamp = "2026-01-01T03:00:00Z".parse().unwrap();
        let after = |hours| goes_on(began, began + SignedDuration::from_hours(hours));
        assert!(after(0) && after(11));
        assert!(!after(12) && !after(24) && !after(-1));
    }

    #[test]
    fn a_broken_record_begins_a_new_run() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(FOLDER).join(FILE);
        let run = Run::begin(dir.path(), &targets(&["a"]), false, false).unwrap();
        run.add(Path::new("/a")).unwrap();
        drop(run);
        let whole = fs::read_to_string(&path).unwrap();
        let other = whole.replace("\"version\":1", "\"version\":2");
        for broken in ["", "{}", "\0", &whole[..whole.len() / 2], other.as_str()] {
            fs::write(&path, broken).unwrap();
            let run = Run::begin(dir.path(), &targets(&["a"]), false, false).unwrap();
            assert!(run.resumed_from().is_none() && !run.is_done(Path::new("/a")), "{broken}");
        }
    }
}
