//! Where taps are put together and taken apart, so that each is there as a whole or not at all.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use wikirag_core::{Error, ErrorKind, Result};
use wikirag_engine::WriteLock;

/// Where clones are made and taps are taken apart, and the lock of all taps. No tap is called so.
const HALF: &str = ".half";

/// Where taps are put together and taken apart, on the disk on which they lie.
pub(crate) struct Place {
    half: PathBuf,
    _lock: WriteLock,
}

impl Place {
    /// Takes the right to change the taps in `taps`. What an interrupted process left half done is removed.
    ///
    /// # Errors
    /// [`ErrorKind::Busy`] while another process has it; [`ErrorKind::Io`].
    pub(crate) fn lock(taps: &Path) -> Result<Self> {
        let half = taps.join(HALF);
        fs::create_dir_all(&half).map_err(|error| io("change taps", "the folder cannot be made", &half, error))?;
        let lock = WriteLock::acquire(&half)?;
        for entry in fs::read_dir(&half).into_iter().flatten().flatten() {
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                // It takes room and does no harm; the next one tries again.
                let _ = fs::remove_dir_all(entry.path());
            }
        }
        Ok(Self { half, _lock: lock })
    }

    /// A folder that is removed when it is dropped.
    pub(crate) fn half(&self) -> Result<TempDir> {
        tempfile::tempdir_in(&self.half)
            .map_err(|error| io("change taps", "no folder can be made here", &self.half, error))
    }

    /// Puts a folder in its place, as a whole. What is there without a `tap.yaml` is nobody's.
    pub(crate) fn put(&self, half: TempDir, home: &Path) -> Result<()> {
        if home.exists() {
            self.discard(home)?;
        }
        move_folder(half.path(), home)?;
        // It is not there any more.
        let _ = half.keep();
        Ok(())
    }

    /// Removes a folder: first as a whole from its place, then what is in it.
    pub(crate) fn discard(&self, home: &Path) -> Result<()> {
        let half = self.half()?;
        move_folder(home, &half.path().join("old"))?;
        half.close().map_err(|error| io("remove tap", "its files cannot be removed", home, error))
    }
}

pub(crate) fn move_folder(from: &Path, to: &Path) -> Result<()> {
    fs::rename(from, to).map_err(|error| io("move folder", "it cannot be moved", from, error))
}

pub(crate) fn io(operation: &'static str, message: &'static str, path: &Path, error: std::io::Error) -> Error {
    Error::new(ErrorKind::Io, operation, message).with("path", path.display()).caused_by(error)
}
