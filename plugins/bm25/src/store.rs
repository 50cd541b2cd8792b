//! The index on disk: where it lies, what its commits carry, how it is opened.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tantivy::{Index, IndexSettings};
use wikirag_core::{CatalogId, Error, ErrorKind, FeedPosition, Result};

use crate::damage::{damaged, io_error, stale, translate};
use crate::directory::IndexDirectory;
use crate::schema::{FIELDS, VERSION, register};

/// What each commit carries: how far the index has followed which catalog.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Payload {
    pub(crate) catalog: CatalogId,
    pub(crate) position: FeedPosition,
}

/// The folder of one layer. An index lies in a folder named after the version of its form, so one of another form is
/// never opened by mistake and can be built beside.
#[derive(Debug, Clone)]
pub(crate) struct Store {
    root: PathBuf,
    dir: PathBuf,
}

impl Store {
    pub(crate) fn new(root: PathBuf) -> Self {
        let dir = root.join(format!("v{VERSION}"));
        Self { root, dir }
    }

    /// The folder of the index.
    pub(crate) fn dir(&self) -> &Path {
        &self.dir
    }

    /// The file with the counts of words, see `summary.rs`.
    pub(crate) fn summary(&self) -> PathBuf {
        self.root.join("words")
    }

    /// The bytes of the file that names the segments of the last commit, or `None` where there is no index. It is
    /// replaced as a whole by each commit and each merge, so equal bytes mean that nothing has changed. A few
    /// kilobytes at most: cheaper to read than to trust time stamps of a few milliseconds' grain.
    pub(crate) fn meta(&self) -> Result<Option<Vec<u8>>> {
        let path = self.dir.join("meta.json");
        match fs::read(&path) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(io_error("open index", error, &path)),
        }
    }

    /// Opens the index, which must be there.
    pub(crate) fn open(&self) -> Result<Index> {
        let opened = IndexDirectory::open(&self.dir).map_err(Into::into).and_then(Index::open);
        let index = opened.map_err(|error| translate("open index", error, &self.dir))?;
        if index.schema() != FIELDS.schema {
            let message = "the index has other fields than this program writes";
            return Err(stale("open index", message).with("path", self.dir.display()));
        }
        register(&index);
        Ok(index)
    }

    /// Makes an empty index; what is left of one that never came to be is swept away.
    pub(crate) fn create(&self) -> Result<Index> {
        let failed = |error| io_error("create index", error, &self.dir);
        if self.dir.exists() {
            fs::remove_dir_all(&self.dir).map_err(failed)?;
        }
        fs::create_dir_all(&self.dir).map_err(failed)?;
        let directory = IndexDirectory::open(&self.dir).map_err(Into::into);
        let created =
            directory.and_then(|directory| Index::create(directory, FIELDS.schema.clone(), IndexSettings::default()));
        let index = created.map_err(|error| translate("create index", error, &self.dir))?;
        register(&index);
        Ok(index)
    }

    /// What the last commit carries. `None` where there is no index, or one that nothing was ever committed to.
    pub(crate) fn payload(&self) -> Result<Option<Payload>> {
        match self.meta()? {
            None => self.nothing_here(),
            Some(meta) => payload_of(&meta, &self.dir),
        }
    }

    /// `Ok(None)`, or an error where an index of another version lies here.
    fn nothing_here<T>(&self) -> Result<Option<T>> {
        match self.others().first() {
            None => Ok(None),
            Some(other) => {
                let message = "the index was made by another version of wikirag";
                Err(stale("open index", message).with("path", other.display()))
            }
        }
    }

    /// The error of a search where there is no index.
    pub(crate) fn missing(&self) -> Error {
        let missing = || {
            Error::new(ErrorKind::IndexMissing, "open index", "there is no index yet")
                .with("path", self.dir.display())
                .help("run `wikirag build`")
        };
        self.nothing_here::<()>().err().unwrap_or_else(missing)
    }

    /// Folders with indexes of other versions.
    fn others(&self) -> Vec<PathBuf> {
        let Ok(entries) = fs::read_dir(&self.root) else { return Vec::new() };
        let is_version = |name: &str| name.strip_prefix('v').is_some_and(|number| number.parse::<u32>().is_ok());
        let paths = entries.filter_map(|entry| entry.ok().map(|entry| entry.path()));
        let named = |path: &PathBuf| path.file_name().and_then(|name| name.to_str()).is_some_and(is_version);
        paths.filter(|path| *path != self.dir && named(path)).collect()
    }

    /// Removes indexes of other versions, after one of this version has been built beside them. One that cannot be
    /// removed takes space and does no harm.
    pub(crate) fn remove_others(&self) {
        for other in self.others() {
            let _ = fs::remove_dir_all(other);
        }
    }
}

/// What the commit carries whose segments `meta` names, see [`Store::meta`]. The rest of it is not looked at: a question asks
/// for this before anything is opened.
pub(crate) fn payload_of(meta: &[u8], dir: &Path) -> Result<Option<Payload>> {
    #[derive(Deserialize)]
    struct Commit {
        payload: Option<String>,
    }
    let read = |error: serde_json::Error| {
        damaged("open index", format!("the last commit does not say where it stands: {error}"))
            .with("path", dir.join("meta.json").display())
    };
    let commit: Commit = serde_json::from_slice(meta).map_err(read)?;
    commit.payload.map(|payload| serde_json::from_str(&payload).map_err(read)).transpose()
}
