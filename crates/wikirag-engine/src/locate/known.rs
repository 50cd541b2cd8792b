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
    /// Where its documents lie, if elsewhere, without links.
    source: Option<PathBuf>,
    stated: Option<Sensitivity>,
    broken: bool,
}

impl Known {
    fn new(folder: PathBuf) -> Self {
        let own_name = || Some(folder_name(&folder).into_owned());
        let file = WikiFile::read(&folder);
        let broken = file.is_err();
        let (declared, source, stated) = match &file {
            Ok(Some(file)) => {
                (file.name().map_or_else(own_name, Some), file.source().map(canonical), file.sensitivity())
            }
            Ok(None) => (own_name(), None, None),
            Err(_) => (None, None, None),
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
    /// Where its manifest is broken, so that nobody knows whose documents it speaks of.
    pub(super) fn level_over(&self, documents: &Path) -> Result<Option<Sensitivity>> {
        if self.broken {
            return WikiFile::read(&self.folder).map(|_| None);
        }
        Ok(self.stated.filter(|_| self.source.as_ref().is_some_and(|source| documents.starts_with(source))))
    }
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
