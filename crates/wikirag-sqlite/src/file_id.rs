//! Which file lies at a path.

use std::fs;
use std::path::Path;
use std::time::SystemTime;

/// Tells a file from one that was put in its place later.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileId {
    inode: u64,
    created: Option<SystemTime>,
}

impl FileId {
    /// Of the file at `path`, if one is there.
    #[must_use]
    pub fn of(path: &Path) -> Option<Self> {
        let metadata = fs::metadata(path).ok()?;
        #[cfg(unix)]
        let inode = std::os::unix::fs::MetadataExt::ino(&metadata);
        #[cfg(not(unix))]
        let inode = 0;
        Some(Self { inode, created: metadata.created().ok() })
    }
}
