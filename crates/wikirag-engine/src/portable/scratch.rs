//! A folder that is gone when its work is done or has failed.

use std::fs;
use std::path::{Path, PathBuf};

use wikirag_core::{Error, ErrorKind, Result};

/// See the module. A kill leaves it: hidden, so that no scan looks into it, and good for nothing.
#[derive(Debug)]
pub(super) struct Scratch(PathBuf);

impl Scratch {
    /// An empty folder beside `place`, so that what is made in it can be moved there at once.
    pub(super) fn beside(place: &Path) -> Result<Self> {
        let failed = |error: std::io::Error| {
            Error::new(ErrorKind::Io, "make folder", error.to_string()).with("path", place.display())
        };
        let name = place.file_name().unwrap_or_default().to_string_lossy();
        let prefix = format!(".{}.wikirag-", name.trim_start_matches('.'));
        let folder = place.parent().unwrap_or(Path::new(""));
        fs::create_dir_all(folder).map_err(failed)?;
        let scratch = folder.join(format!("{prefix}{}", std::process::id()));
        if scratch.exists() {
            fs::remove_dir_all(&scratch).map_err(failed)?;
        }
        fs::create_dir(&scratch).map_err(failed)?;
        Ok(Self(scratch))
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What cannot be removed takes space and does no harm.
        let _ = fs::remove_dir_all(&self.0);
    }
}
