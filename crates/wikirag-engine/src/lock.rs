//! One writer for each wiki; readers take no lock.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::Path;

use wikirag_core::{Error, ErrorKind, Result};

/// The right to write to one folder of the program's own: an index, or the folder of all taps. Given back on drop, and by the operating system when the process ends
/// in whatever way, so a kill never leaves a wiki locked.
#[derive(Debug)]
pub struct WriteLock {
    // Held for its lock only.
    _file: File,
}

/// Holds the lock, and the pid of the holder as text.
const LOCK_FILE: &str = "lock";

impl WriteLock {
    /// Takes the lock of `folder`, which must exist.
    ///
    /// # Errors
    /// [`ErrorKind::Busy`] with the pid of the holder; [`ErrorKind::Io`] where the file of the lock cannot be written.
    pub fn acquire(folder: &Path) -> Result<Self> {
        let path = folder.join(LOCK_FILE);
        let failed = |error: std::io::Error| {
            Error::new(ErrorKind::Io, "lock wiki", error.to_string()).with("path", path.display())
        };
        let mut file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut holder = String::new();
                // Where the holder cannot be read the message does without it.
                let _ = file.read_to_string(&mut holder);
                let holder = match holder.trim() {
                    "" => "another process".to_owned(),
                    pid => format!("process {pid}"),
                };
                return Err(Error::new(
                    ErrorKind::Busy,
                    "lock wiki",
                    format!("locked by {holder}, which is writing to it"),
                )
                .with("path", path.display())
                .help("wait until it ends, or stop it"));
            }
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        // The pid is for people; the lock itself is what counts.
        file.set_len(0)
            .and_then(|()| file.rewind())
            .and_then(|()| write!(file, "{}", std::process::id()))
            .map_err(failed)?;
        Ok(Self { _file: file })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_writer_is_told_who_holds_the_lock() {
        let dir = tempfile::tempdir().unwrap();
        let first = WriteLock::acquire(dir.path()).unwrap();
        let error = WriteLock::acquire(dir.path()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Busy);
        assert!(error.message().contains(&std::process::id().to_string()), "{error}");
        drop(first);
        assert!(WriteLock::acquire(dir.path()).is_ok());
    }
}
