//! The file of a log: JSON lines, appended under a lock, and moved aside when it is full.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use wikirag_core::{Error, ErrorKind, Result};

use crate::locate::Composition;
use crate::manifest::rag;

/// The log of a wiki that is asked on its own, in its index folder; of a composition, behind its name and a dot.
const FILE: &str = "queries.jsonl";

/// How long a question waits for its turn to be logged. A line takes far less than a millisecond, moving a full log aside some ten.
const PATIENCE: Duration = Duration::from_secs(1);

const PAUSE: Duration = Duration::from_millis(2);

/// The log of one composition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Store {
    path: PathBuf,
}

impl Store {
    /// The log of a composition: `food.queries.jsonl` beside `food.rag.yaml`, `queries.jsonl` in the index folder of a wiki that is
    /// asked on its own. `None` for several wikis that no file composes.
    pub(super) fn of(composition: &Composition) -> Option<Self> {
        match (&composition.path, composition.wikis.as_slice()) {
            (Some(path), _) => Some(Self { path: path.with_file_name(format!("{}.{FILE}", rag::default_name(path))) }),
            (None, [wiki]) => Some(Self { path: wiki.located.index_dir.join(FILE) }),
            (None, _) => None,
        }
    }

    /// The log at a path.
    pub(super) fn at(path: &Path) -> Self {
        Self { path: path.to_owned() }
    }

    /// Where a full log is moved to.
    fn full(&self) -> PathBuf {
        self.beside(".1")
    }

    fn beside(&self, ending: &str) -> PathBuf {
        let mut name = OsString::from(&self.path);
        name.push(ending);
        PathBuf::from(name)
    }

    /// Adds a line, which holds no line end. A log that has no room for it within `max_bytes` is moved aside first.
    ///
    /// # Errors
    /// [`ErrorKind::Io`], and [`ErrorKind::Busy`] where others hold the lock for long.
    pub(super) fn append(&self, line: &str, max_bytes: u64) -> Result<()> {
        self.check_kind()?;
        let mut options = OpenOptions::new();
        // Not in append mode, which on some systems cannot empty a file; the lock makes the end a safe place.
        options.create(true).read(true).write(true).truncate(false);
        private(&mut options);
        let mut file = options.open(&self.path).map_err(|error| self.fault(&error))?;
        self.lock(&file, File::try_lock)?;
        self.add(&mut file, line, max_bytes).map_err(|error| self.fault(&error))
    }

    fn add(&self, file: &mut File, line: &str, max_bytes: u64) -> io::Result<()> {
        let length = file.metadata()?.len();
        let mut bytes = Vec::with_capacity(line.len() + 2);
        if length > 0 && length.saturating_add(line.len() as u64 + 1) > max_bytes {
            // Copied and emptied rather than renamed: whoever waits for the lock of this file goes on with this file. A kill in between
            // leaves the lines in both, which readers notice, and the next line tries again.
            let unfinished = self.beside(".1.part");
            let mut copy = OpenOptions::new();
            private(copy.create(true).write(true).truncate(true));
            io::copy(file, &mut copy.open(&unfinished)?)?;
            fs::rename(&unfinished, self.full())?;
            file.set_len(0)?;
        } else if length > 0 && !ends_line(file)? {
            // Somebody was killed at a line: what follows must not become part of it.
            bytes.push(b'\n');
        }
        bytes.extend_from_slice(line.as_bytes());
        bytes.push(b'\n');
        file.seek(SeekFrom::End(0))?;
        file.write_all(&bytes)
    }

    /// All lines, those that were moved aside first; nothing where there is no log.
    ///
    /// # Errors
    /// As [`Store::append`].
    pub(super) fn lines(&self) -> Result<Vec<Vec<u8>>> {
        let Some(mut now) = self.open()? else { return Ok(Vec::new()) };
        self.lock(&now, File::try_lock_shared)?;
        let (mut earlier, mut later) = (Vec::new(), Vec::new());
        now.read_to_end(&mut later).map_err(|error| self.fault(&error))?;
        match fs::read(self.full()) {
            Ok(bytes) => earlier = bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(self.fault(&error)),
        }
        drop(now);
        if !later.is_empty() && later.starts_with(&earlier) {
            earlier.clear();
        }
        let lines = [earlier, later].into_iter().flat_map(|bytes| {
            bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).map(<[u8]>::to_vec).collect::<Vec<_>>()
        });
        Ok(lines.collect())
    }

    fn open(&self) -> Result<Option<File>> {
        self.check_kind()?;
        match File::open(&self.path) {
            Ok(file) => Ok(Some(file)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(self.fault(&error)),
        }
    }

    /// A composition may come from a stranger, and beside it a link to a file of ours, or a pipe that nobody reads.
    fn check_kind(&self) -> Result<()> {
        match fs::symlink_metadata(&self.path) {
            Ok(metadata) if !metadata.is_file() => {
                let error = Error::new(ErrorKind::Io, OPERATION, "it is no plain file");
                Err(error.with("path", self.path.display()).help("move it elsewhere"))
            }
            _ => Ok(()),
        }
    }

    fn lock(&self, file: &File, lock: fn(&File) -> std::result::Result<(), TryLockError>) -> Result<()> {
        let started = Instant::now();
        loop {
            match lock(file) {
                Ok(()) => return Ok(()),
                Err(TryLockError::WouldBlock) if started.elapsed() < PATIENCE => thread::sleep(PAUSE),
                Err(TryLockError::WouldBlock) => {
                    let error = Error::new(ErrorKind::Busy, OPERATION, "another process holds it");
                    return Err(error.with("path", self.path.display()));
                }
                Err(TryLockError::Error(error)) => return Err(self.fault(&error)),
            }
        }
    }

    fn fault(&self, error: &io::Error) -> Error {
        let kind = if error.kind() == io::ErrorKind::NotFound { ErrorKind::NotFound } else { ErrorKind::Io };
        Error::new(kind, OPERATION, error.to_string()).with("path", self.path.display())
    }
}

const OPERATION: &str = "open log of questions";

/// A new file is for its owner alone, where the system knows that.
fn private(options: &mut OpenOptions) {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    #[cfg(not(unix))]
    let _ = options;
}

/// Whether the last byte ends a line.
fn ends_line(file: &mut File) -> io::Result<bool> {
    let mut last = [0];
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut last)?;
    Ok(last == [b'\n'])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn store(dir: &tempfile::TempDir) -> Store {
        Store::at(&dir.path().join(FILE))
    }

    fn texts(store: &Store) -> Vec<String> {
        store.lines().unwrap().into_iter().map(|line| String::from_utf8(line).unwrap()).collect()
    }

    #[test]
    fn a_full_log_is_moved_aside_and_the_one_before_goes() {
        let dir = tempfile::tempdir().unwrap();
        let store = store(&dir);
        assert!(texts(&store).is_empty());
        for number in 0..7 {
            store.append(&format!("line {number}"), 14).unwrap();
            assert!(fs::metadata(&store.path).unwrap().len() <= 14);
        }
        assert_eq!(texts(&store), ["line 4", "line 5", "line 6"]);
        assert_eq!(fs::read_to_string(store.full()).unwrap(), "line 4\nline 5\n");
        // A line longer than a log is a log of its own.
        store.append("a line that is too long", 14).unwrap();
        store.append("short", 14).unwrap();
        assert_eq!(texts(&store), ["a line that is too long", "short"]);
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 2);
    }

    #[test]
    fn a_move_that_was_cut_short_shows_no_line_twice() {
        let dir = tempfile::tempdir().unwrap();
        let store = store(&dir);
        store.append("one", 100).unwrap();
        fs::copy(&store.path, store.full()).unwrap();
        assert_eq!(texts(&store), ["one"]);
        store.append("two", 7).unwrap();
        assert_eq!(texts(&store), ["one", "two"]);
    }

    #[test]
    fn a_line_is_never_glued_to_a_torn_one() {
        let dir = tempfile::tempdir().unwrap();
        let store = store(&dir);
        fs::write(&store.path, "whole\nto").unwrap();
        store.append("next", 1_000).unwrap();
        assert_eq!(texts(&store), ["whole", "to", "next"]);
    }

    #[test]
    fn who_holds_the_lock_for_long_is_not_waited_for() {
        let dir = tempfile::tempdir().unwrap();
        let store = store(&dir);
        store.append("one", 1_000).unwrap();
        let held = File::open(&store.path).unwrap();
        held.lock().unwrap();
        assert_eq!(store.append("two", 1_000).unwrap_err().kind(), ErrorKind::Busy);
        assert_eq!(store.lines().unwrap_err().kind(), ErrorKind::Busy);
        drop(held);
        assert_eq!(texts(&store), ["one"]);
    }

    /// A lock belongs to an open file, so several handles stand to each other as processes do.
    #[test]
    fn writers_at_once_lose_and_mix_nothing() {
        const WRITERS: usize = 4;
        const LINES: usize = 200;
        let dir = tempfile::tempdir().unwrap();
        let store = store(&dir);
        // Room for somewhat more than half of the lines, so that the log is moved aside once.
        let max_bytes = (WRITERS * LINES * 6) as u64;
        thread::scope(|scope| {
            for writer in 0..WRITERS {
                let store = store.clone();
                scope.spawn(move || {
                    for line in 0..LINES {
                        store.append(&format!("{writer}:{line:04}:-"), max_bytes).unwrap();
                    }
                });
            }
        });
        let mut lines = texts(&store);
        assert!(store.full().exists());
        for writer in 0..WRITERS {
            let own: Vec<&String> = lines.iter().filter(|line| line.starts_with(&format!("{writer}:"))).collect();
            assert!(own.is_sorted() && own.len() == LINES, "{writer}: {}", own.len());
        }
        lines.dedup();
        assert_eq!(lines.len(), WRITERS * LINES);
    }

    #[cfg(unix)]
    #[test]
    fn it_is_its_owners_and_never_follows_a_link() {
        use std::os::unix::fs::{PermissionsExt, symlink};

        let dir = tempfile::tempdir().unwrap();
        let store = store(&dir);
        store.append("mine", 5).unwrap();
        store.append("mine", 5).unwrap();
        for file in [&store.path, &store.full()] {
            assert_eq!(fs::metadata(file).unwrap().permissions().mode() & 0o777, 0o600, "{file:?}");
        }
        let precious = dir.path().join("precious");
        fs::write(&precious, "mine\n").unwrap();
        let linked = Store::at(&dir.path().join("linked.jsonl"));
        symlink(&precious, &linked.path).unwrap();
        assert!(linked.append("theirs", 1_000).is_err() && linked.lines().is_err());
        assert_eq!(fs::read_to_string(&precious).unwrap(), "mine\n");
    }
}
