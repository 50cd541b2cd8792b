//! The folders in which wikis are looked up by name.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use wikirag_core::{Error, ErrorKind, Result, Sensitivity};

use super::{OPERATION, canonical};
use crate::manifest::text_file::is_absent;
use crate::manifest::wiki::{self, WikiFile};

/// A folder that may be meant by a name.
#[derive(Debug)]
pub(super) struct Known {
    pub(super) folder: PathBuf,
    /// The name in its manifest; that of the folder where there is none; nothing where the manifest is broken.
    pub(super) declared: Option<String>,
    /// Where its documents lie, if elsewhere, without links. Known of some broken manifests too.
    source: Option<PathBuf>,
    stated: Option<Sensitivity>,
    broken: bool,
}

impl Known {
    fn new(folder: PathBuf) -> Self {
        let own_name = || Some(folder_name(&folder).into_owned());
        let (declared, source, stated, broken) = match WikiFile::read(&folder) {
            Ok(Some(file)) => {
                let declared = file.name().map_or_else(own_name, Some);
                // A relative path is a mistake, and nobody can tell relative to what.
                let (source, broken) = match file.source() {
                    Some(source) if !source.is_absolute() => (None, true),
                    source => (source.map(canonical), false),
                };
                (declared, source, file.sensitivity(), broken)
            }
            Ok(None) => (own_name(), None, None, false),
            Err(_) => (None, WikiFile::source_of_broken(&folder).map(|source| canonical(&source)), None, true),
        };
        Self { folder, declared, source, stated, broken }
    }

    pub(super) fn is_called(&self, name: &str) -> bool {
        self.declared.as_deref() == Some(name)
    }

    pub(super) fn folder_name(&self) -> Cow<'_, str> {
        folder_name(&self.folder)
    }

    /// What this wiki says of `documents`, if they are its own or a part of them.
    ///
    /// # Errors
    /// Where its manifest is broken and may speak of these documents.
    pub(super) fn level_over(&self, documents: &Path) -> Result<Option<Sensitivity>> {
        match &self.source {
            Some(source) if !documents.starts_with(source) => Ok(None),
            Some(_) if self.broken => {
                // Read anew for the error; whoever mended it in between is heard.
                WikiFile::read(&self.folder).map(|file| file.and_then(|file| file.sensitivity()))
            }
            Some(_) => Ok(self.stated),
            None if self.broken => Err(unknown_source()),
            None => Ok(None),
        }
    }

    /// Where its documents lie below `root`, relative to it, if they lie below it and are not all of it. `root` is
    /// without links.
    pub(super) fn place_below(&self, root: &Path) -> Option<PathBuf> {
        let place = self.source.as_ref()?.strip_prefix(root).ok()?;
        (place != Path::new("")).then(|| place.to_owned())
    }
}

/// The error for every wiki while one of those made by name may be the same or a part of it. Whoever asked did not ask for
/// that one, so neither its path nor what stands in it is told.
fn unknown_source() -> Error {
    Error::new(ErrorKind::Invalid, OPERATION, "a manifest of the wikis made by name is broken").help(
        "nobody can tell whose documents it speaks of; mend it, or take it out of `wikis` in the folder `data_dir`",
    )
}

/// The wikis made by name: the folders directly below `folder` that have a manifest.
pub(super) fn registered(folder: &Path) -> Result<Vec<Known>> {
    let all = below(folder)?;
    Ok(all.into_iter().filter(|known| known.folder.join(wiki::FILE_NAME).exists()).collect())
}

/// The folders directly below `folder` in the order of their names, without hidden ones. None where `folder` does not
/// exist.
pub(super) fn below(folder: &Path) -> Result<Vec<Known>> {
    let failed = |error: std::io::Error| {
        Error::new(ErrorKind::Io, OPERATION, "the folder cannot be listed")
            .with("path", folder.display())
            .caused_by(error)
    };
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if is_absent(&error) => return Ok(Vec::new()),
        Err(error) => return Err(failed(error)),
    };
    let mut folders = Vec::new();
    for entry in entries {
        let path = entry.map_err(failed)?.path();
        if !folder_name(&path).starts_with('.') && path.is_dir() {
            folders.push(path);
        }
    }
    folders.sort_unstable();
    Ok(folders.into_iter().map(Known::new).collect())
}

fn folder_name(folder: &Path) -> Cow<'_, str> {
    folder.file_name().unwrap_or_default().to_string_lossy()
}
