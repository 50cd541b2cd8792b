//! Getting files: from a folder, or from the sources of a recipe.

mod folder;
mod sink;
#[cfg(feature = "pull")]
mod sources;

use std::path::{Path, PathBuf};

use wikirag_core::{Context, Error, ErrorKind, Result};

use crate::{FileSpec, RUNTIME_NAME, Recipe, RuntimeRecipe, Store};
use sink::Sink;

/// Where [`Store::pull`] takes files from.
#[derive(Debug, Clone, Copy)]
pub enum Origin<'a> {
    /// From the sources that the recipe names, the first that has the right file.
    Sources,
    /// From this folder and nowhere else. It may hold the files themselves, or be laid out as a data folder.
    Folder(&'a Path),
}

/// A file that was got.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pulled {
    /// Where it lies now.
    pub path: PathBuf,
    /// Where it came from, in words.
    pub source: String,
}

/// What is tried for a file, and what became of it.
type Attempt<T> = std::result::Result<T, String>;

const OPERATION: &str = "pull model";

impl Store {
    /// Gets the files of a recipe that are missing or damaged. Each is checked while it is written under another name
    /// beside its place, and takes its place whole; whoever reads meanwhile sees the old file or the new one.
    ///
    /// Nothing is returned for a file that was there and right.
    ///
    /// # Errors
    /// [`ErrorKind::Io`] where no source gave the file, with what became of each, or where the data folder cannot be
    /// written to; [`ErrorKind::NotFound`] and [`ErrorKind::Damaged`] for a folder without the file or with another one;
    /// and whatever the context says.
    pub fn pull(&self, recipe: &Recipe, origin: Origin<'_>, context: &Context) -> Result<Vec<Pulled>> {
        let mut fetcher = Fetcher::new(self, origin, context);
        let mut pulled = Vec::new();
        for file in recipe.files() {
            if self.check(&self.model_file(recipe, file), file).is_ok() {
                continue;
            }
            let target = self.model_dir(&recipe.name).join(&file.name);
            let wanted = Wanted { file, target, places: folder::places_of_model(recipe, file) };
            pulled.push(fetcher.get(&wanted).map_err(|error| {
                let help = format!("`wikirag model pull {} --from FOLDER` takes the files from a folder", recipe.name);
                error.with("model", &recipe.name).help(help)
            })?);
        }
        Ok(pulled)
    }

    /// Gets the ONNX Runtime library of this platform, unless a right one is there. `None`: there was.
    ///
    /// # Errors
    /// As [`Store::pull`], [`ErrorKind::NotFound`] on a platform that has none, and those of [`Store::runtime`] where
    /// `ORT_DYLIB_PATH` names what is no library.
    pub fn pull_runtime(&self, origin: Origin<'_>, context: &Context) -> Result<Option<Pulled>> {
        match self.runtime() {
            Ok(_) => return Ok(None),
            // A library of ours would not be used.
            Err(error) if self.is_library_named() => return Err(error),
            Err(_) => {}
        }
        let recipe = RuntimeRecipe::built_in()?;
        let file = self.runtime_spec(&recipe)?;
        let target = self.runtime_dir(&recipe).join(&file.name);
        let wanted = Wanted { file, target, places: folder::places_of_library(&recipe, file) };
        let pulled = Fetcher::new(self, origin, context).get(&wanted).map_err(|error| {
            let help = format!("`wikirag model pull {RUNTIME_NAME} --from FOLDER` takes the library from a folder");
            error.with("library", format!("{RUNTIME_NAME} {}", recipe.version)).help(help)
        })?;
        Ok(Some(pulled))
    }

    /// Removes what was pulled under the name of a recipe, or the library under [`RUNTIME_NAME`]. Whether there was any.
    ///
    /// # Errors
    /// [`ErrorKind::NotFound`] for a name that is neither a recipe nor a folder of the store, [`ErrorKind::Io`] where the
    /// folder cannot be removed.
    pub fn remove(&self, name: &str) -> Result<bool> {
        let folder = if name == RUNTIME_NAME {
            self.runtime_dir(&RuntimeRecipe::built_in()?)
        } else {
            // A model whose recipe is gone or broken can still be removed.
            let is_folder = crate::form::is_name(name) && self.model_dir(name).is_dir();
            if !is_folder {
                self.recipe(name)?;
            }
            self.model_dir(name)
        };
        match std::fs::remove_dir_all(&folder) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(false),
            Err(error) => {
                Err(Error::new(ErrorKind::Io, "remove model", error.to_string()).with("path", folder.display()))
            }
        }
    }
}

/// A file that is to be got.
struct Wanted<'a> {
    file: &'a FileSpec,
    target: PathBuf,
    /// Paths below a folder at which it may lie there, the most telling first.
    places: Vec<PathBuf>,
}

/// Gets files; keeps what several of them come in.
struct Fetcher<'a> {
    origin: Origin<'a>,
    context: &'a Context,
    #[cfg(feature = "pull")]
    archives: sources::Archives<'a>,
}

impl<'a> Fetcher<'a> {
    fn new(store: &'a Store, origin: Origin<'a>, context: &'a Context) -> Self {
        #[cfg(not(feature = "pull"))]
        let _ = store;
        Self {
            origin,
            context,
            #[cfg(feature = "pull")]
            archives: sources::Archives::new(store.data_dir(), context),
        }
    }

    fn get(&mut self, wanted: &Wanted<'_>) -> Result<Pulled> {
        match self.origin {
            Origin::Folder(folder) => folder::get(folder, wanted, self.context),
            Origin::Sources => self.try_sources(wanted),
        }
    }

    fn try_sources(&mut self, wanted: &Wanted<'_>) -> Result<Pulled> {
        if let Some(command) = wanted.file.build_command() {
            let message = format!("`{}` is made by `{command}`, not downloaded", wanted.file.name);
            return Err(Error::new(ErrorKind::NotFound, OPERATION, message));
        }
        let mut failures = Vec::new();
        for source in &wanted.file.sources {
            let mut sink = Sink::new(wanted, self.context)?;
            let outcome = self.attempt(source, wanted.file, &mut sink);
            // A full disk or a wish to stop would meet every other source as well.
            sink.take_failure()?;
            match outcome.and_then(|()| sink.verify()) {
                Ok(()) => {
                    sink.place()?;
                    return Ok(Pulled { path: wanted.target.clone(), source: source.describe() });
                }
                Err(failure) => failures.push(format!("{}: {failure}", source.describe())),
            }
            self.context.check(OPERATION)?;
        }
        let reasons = if failures.is_empty() { "the recipe names none".to_owned() } else { failures.join("; ") };
        let message = format!("no source gave `{}`: {reasons}", wanted.file.name);
        Err(Error::new(ErrorKind::Io, OPERATION, message).temporary())
    }

    #[cfg(feature = "pull")]
    fn attempt(&mut self, source: &crate::SourceSpec, file: &FileSpec, sink: &mut Sink<'_>) -> Attempt<()> {
        self.archives.attempt(source, file, sink)
    }

    #[cfg(not(feature = "pull"))]
    fn attempt(&mut self, _: &crate::SourceSpec, _: &FileSpec, _: &mut Sink<'_>) -> Attempt<()> {
        Err("this program was built without downloading".into())
    }
}

#[cfg(test)]
mod tests;
