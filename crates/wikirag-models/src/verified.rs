//! Whether a file holds what it must, without reading it each time.

use std::collections::BTreeMap;
use std::fs::{File, Metadata};
use std::io::{ErrorKind as IoKind, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use wikirag_core::{Error, ErrorKind, Result};

use crate::FileSpec;
use crate::temporary::temporary_file;

/// The file in which it is remembered what was found right.
#[derive(Debug)]
pub(crate) struct Verified {
    path: PathBuf,
    /// Keeps threads of this process from losing each other's entries. Processes may lose them: it costs a hash.
    writing: Mutex<()>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct Memory {
    version: u32,
    files: BTreeMap<String, Entry>,
}

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Entry {
    bytes: u64,
    /// What the system says of the last change; see [`stamp`].
    stamp: String,
    sha256: String,
}

const VERSION: u32 = 1;
const OPERATION: &str = "check file";
/// A file that was touched this short a time ago may be written again within one tick of the clock of its file system.
const TOO_YOUNG: Duration = Duration::from_secs(2);

impl Verified {
    pub(crate) fn new(path: PathBuf) -> Self {
        Self { path, writing: Mutex::new(()) }
    }

    /// See [`crate::Store::check`].
    pub(crate) fn check(&self, path: &Path, spec: &FileSpec) -> Result<()> {
        let metadata = std::fs::metadata(path).map_err(|error| io_error(path, &error))?;
        let fault = |message: String| Error::new(ErrorKind::Damaged, OPERATION, message).with("path", path.display());
        if !metadata.is_file() {
            return Err(fault("it is no file".into()));
        }
        if metadata.len() != spec.bytes {
            return Err(fault(format!("it has {} bytes and must have {}", metadata.len(), spec.bytes)));
        }
        let entry = Entry { bytes: spec.bytes, stamp: stamp(&metadata), sha256: spec.sha256.clone() };
        // Two checks may use two spellings of one path; each then has an entry of its own.
        let key = std::path::absolute(path).ok().and_then(|path| path.to_str().map(ToOwned::to_owned));
        if key.as_ref().is_some_and(|key| self.read().files.get(key) == Some(&entry)) {
            return Ok(());
        }
        let found = sha256_of(path)?;
        if found != spec.sha256 {
            return Err(fault(format!("its SHA-256 is {found} and must be {}", spec.sha256)));
        }
        let untouched = std::fs::metadata(path).is_ok_and(|now| stamp(&now) == entry.stamp);
        if let Some(key) = key.filter(|_| untouched && is_settled(&metadata)) {
            self.remember(key, entry);
        }
        Ok(())
    }

    /// Whatever cannot be read or understood is an empty memory.
    fn read(&self) -> Memory {
        let memory = std::fs::read(&self.path).ok().and_then(|text| serde_json::from_slice::<Memory>(&text).ok());
        memory.filter(|memory| memory.version == VERSION).unwrap_or_default()
    }

    /// Keeps one more entry. A folder that cannot be written to costs a hash at the next start, so that is no error.
    fn remember(&self, key: String, entry: Entry) {
        let _writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let mut memory = self.read();
        memory.version = VERSION;
        memory.files.retain(|path, _| Path::new(path).exists());
        memory.files.insert(key, entry);
        let _ = self.write(&memory);
    }

    fn write(&self, memory: &Memory) -> std::io::Result<()> {
        let folder = self.path.parent().unwrap_or(Path::new("."));
        std::fs::create_dir_all(folder)?;
        let mut file = temporary_file(folder)?;
        file.write_all(&serde_json::to_vec_pretty(memory)?)?;
        file.persist(&self.path)?;
        Ok(())
    }
}

/// The SHA-256 of a file, in hexadecimal digits.
pub(crate) fn sha256_of(path: &Path) -> Result<String> {
    let mut file = File::open(path).map_err(|error| io_error(path, &error))?;
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 1 << 18];
    loop {
        match file.read(&mut buffer) {
            Ok(0) => return Ok(hex(&hasher.finalize())),
            Ok(count) => hasher.update(&buffer[..count]),
            Err(error) if error.kind() == IoKind::Interrupted => {}
            Err(error) => return Err(io_error(path, &error)),
        }
    }
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn io_error(path: &Path, error: &std::io::Error) -> Error {
    let (kind, message) = match error.kind() {
        IoKind::NotFound | IoKind::NotADirectory => (ErrorKind::NotFound, "the file is missing".to_owned()),
        _ => (ErrorKind::Io, error.to_string()),
    };
    Error::new(kind, OPERATION, message).with("path", path.display())
}

/// What changes whenever the file does: the time of the last write, and on Unix the time of the inode's change and its
/// number, which no program sets back.
fn stamp(metadata: &Metadata) -> String {
    let modified = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    let modified = modified.map_or(0, |time| time.as_nanos());
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        format!("{modified}-{}.{:09}-{}", metadata.ctime(), metadata.ctime_nsec(), metadata.ino())
    }
    #[cfg(not(unix))]
    modified.to_string()
}

/// Whether the file was left alone long enough for its stamp to tell the next change.
fn is_settled(metadata: &Metadata) -> bool {
    #[cfg(unix)]
    let changed = {
        use std::os::unix::fs::MetadataExt;
        u64::try_from(metadata.ctime()).ok().map(|seconds| UNIX_EPOCH + Duration::from_secs(seconds))
    };
    #[cfg(not(unix))]
    let changed = metadata.modified().ok();
    changed.is_some_and(|time| SystemTime::now().duration_since(time).is_ok_and(|age| age >= TOO_YOUNG))
}

#[cfg(test)]
#[path = "verified_tests.rs"]
mod tests;
