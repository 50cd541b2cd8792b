//! The folder of the index, also for those who may only read it.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tantivy::directory::error::{DeleteError, LockError, OpenDirectoryError, OpenReadError, OpenWriteError};
use tantivy::directory::{
    Directory, DirectoryLock, FileHandle, Lock, META_LOCK, MmapDirectory, WatchCallback, WatchHandle, WritePtr,
};

/// [`MmapDirectory`], save for two things:
///
/// * whoever may not write to the folder reads without the lock that keeps a writer from sweeping up meanwhile. What
///   such a sweep takes away fails to open, and is tried again with the next commit;
/// * the files that name the segments get the access rights that the others have. tantivy's own way leaves them to the
///   user who built the index.
#[derive(Debug, Clone)]
pub(crate) struct IndexDirectory {
    inner: MmapDirectory,
    path: PathBuf,
}

impl IndexDirectory {
    /// The folder at `path`, which must be there.
    pub(crate) fn open(path: &Path) -> Result<Self, OpenDirectoryError> {
        Ok(Self { inner: MmapDirectory::open(path)?, path: path.to_owned() })
    }
}

fn may_not_write(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem)
}

impl Directory for IndexDirectory {
    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        self.inner.get_file_handle(path)
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        self.inner.delete(path)
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        self.inner.exists(path)
    }

    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        self.inner.open_write(path)
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        self.inner.atomic_read(path)
    }

    fn atomic_write(&self, path: &Path, data: &[u8]) -> io::Result<()> {
        let target = self.path.join(path);
        let draft = target.with_extension("draft");
        let mut file = File::create(&draft)?;
        file.write_all(data)?;
        file.sync_data()?;
        drop(file);
        fs::rename(&draft, &target)
    }

    fn sync_directory(&self) -> io::Result<()> {
        self.inner.sync_directory()
    }

    fn acquire_lock(&self, lock: &Lock) -> Result<DirectoryLock, LockError> {
        match self.inner.acquire_lock(lock) {
            Err(LockError::IoError(error)) if lock.filepath == META_LOCK.filepath && may_not_write(&error) => {
                Ok(DirectoryLock::from(Box::new(())))
            }
            taken => taken,
        }
    }

    fn watch(&self, callback: WatchCallback) -> tantivy::Result<WatchHandle> {
        self.inner.watch(callback)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_at_once_replaces_what_was_there() {
        let folder = tempfile::tempdir().unwrap();
        let directory = IndexDirectory::open(folder.path()).unwrap();
        let name = Path::new("meta.json");
        directory.atomic_write(name, b"one").unwrap();
        directory.atomic_write(name, b"two").unwrap();
        assert_eq!(directory.atomic_read(name).unwrap(), b"two");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
