//! Files out of the web and out of packages.

mod archive;
mod package;
mod web;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use wikirag_core::{Context, Step};

use super::{Attempt, Sink};
use crate::{FileSpec, SourceSpec};

/// Downloads; and keeps the archives that came until it is dropped, since one may hold several files of a recipe.
pub(super) struct Archives<'a> {
    /// The archives go below it rather than into the system's folder for temporary files, which may be small or memory.
    data: &'a Path,
    context: &'a Context,
    kept: BTreeMap<String, (TempDir, PathBuf)>,
}

impl<'a> Archives<'a> {
    pub(super) fn new(data: &'a Path, context: &'a Context) -> Self {
        Self { data, context, kept: BTreeMap::new() }
    }

    /// Writes the file that `source` has into `sink`.
    pub(super) fn attempt(&mut self, source: &SourceSpec, file: &FileSpec, sink: &mut Sink<'_>) -> Attempt<()> {
        match source {
            SourceSpec::Https { url, member: None } => web::download(url, file.bytes, sink),
            SourceSpec::Https { url, member: Some(member) } => {
                let path = self.archive(url.clone(), url, |context, folder| web::archive(url, folder, context))?;
                archive::extract(&path, member, sink)
            }
            SourceSpec::Package { name, version, member, python, platform } => {
                let asked = package::Asked { name, version, python: python.as_deref(), platform: platform.as_deref() };
                let key = format!("{asked:?}");
                let path = self.archive(key, name, |context, folder| package::download(&asked, folder, context))?;
                archive::extract(&path, member, sink)
            }
            SourceSpec::Built { command } => Err(format!("it is made by `{command}`, not downloaded")),
        }
    }

    /// The archive `key`: one that came before, or what `get` puts into the folder it is given.
    fn archive(
        &mut self,
        key: String,
        stage: &str,
        get: impl FnOnce(&Context, &Path) -> Attempt<PathBuf>,
    ) -> Attempt<PathBuf> {
        if let Some((_, path)) = self.kept.get(&key) {
            return Ok(path.clone());
        }
        self.context.progress.report(Step { stage, done: 0, total: None });
        let folder = tempfile::Builder::new()
            .prefix(".pull-")
            .tempdir_in(self.data)
            .map_err(|error| format!("no temporary folder in {}: {error}", self.data.display()))?;
        let path = get(self.context, folder.path())?;
        self.kept.insert(key, (folder, path.clone()));
        Ok(path)
    }
}
