//! What must lie on the disk before anything is loaded.

use std::path::PathBuf;

use wikirag_core::{Error, ErrorKind, Reason};
use wikirag_models::{Recipe, Store};

use crate::library_file;
use crate::settings::Probe;

/// Where the files of one model and the library are looked for.
pub(crate) struct Installation {
    store: Store,
    recipe: Recipe,
    /// The library that the settings name.
    runtime: Option<PathBuf>,
    examines: bool,
}

/// The files, all there and whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Files {
    pub(crate) library: PathBuf,
    pub(crate) model: PathBuf,
    pub(crate) tokenizer: PathBuf,
}

impl Installation {
    pub(crate) fn new(store: Store, recipe: Recipe, runtime: Option<PathBuf>, probe: Probe) -> Self {
        Self { store, recipe, runtime, examines: probe != Probe::Off }
    }

    pub(crate) fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    /// The files. Each was read once to compare its hash; after that it costs a look at their lengths and time stamps.
    ///
    /// # Errors
    /// The reason why they cannot be used.
    pub(crate) fn files(&self) -> Result<Files, Reason> {
        let Recipe { model, tokenizer, .. } = &self.recipe;
        self.store.check_recipe(&self.recipe).map_err(|error| match error.kind() {
            ErrorKind::NotFound => reason("model-missing", &error),
            _ => reason("model-damaged", &error),
        })?;
        Ok(Files {
            library: self.library()?,
            model: self.store.model_file(&self.recipe, model),
            tokenizer: self.store.model_file(&self.recipe, tokenizer),
        })
    }

    fn library(&self) -> Result<PathBuf, Reason> {
        let path = match &self.runtime {
            Some(path) if path.is_file() => path.clone(),
            Some(path) => {
                let sentence = format!("there is no ONNX Runtime library at {}", path.display());
                return Err(Reason::new("runtime-missing", sentence, "mend the setting `runtime` of `onnx`"));
            }
            None => self.store.runtime().map_err(|error| match error.kind() {
                ErrorKind::NotFound => reason("runtime-missing", &error),
                _ => reason("runtime-unusable", &error),
            })?,
        };
        if self.examines {
            library_file::examine(&path).map_err(|fault| runtime_unusable(&path, &fault, ANOTHER_LIBRARY))?;
        }
        Ok(path)
    }
}

/// What mends a library that is of no use.
pub(crate) const ANOTHER_LIBRARY: &str = "run `wikirag model pull onnxruntime`, or name another library as `runtime`";

/// The reason where a library is there and cannot be used.
pub(crate) fn runtime_unusable(path: &std::path::Path, fault: &str, remedy: &str) -> Reason {
    let sentence = format!("the ONNX Runtime library {} cannot be used: {fault}", path.display());
    Reason::new("runtime-unusable", sentence, remedy)
}

/// An error of the store as a reason.
fn reason(code: &'static str, error: &Error) -> Reason {
    let remedy = error.remedy().unwrap_or("run `wikirag model list` to see how the models stand");
    let what = error.context("model").or(error.context("library")).unwrap_or("ONNX Runtime");
    let place = error.context("path").map_or_else(String::new, |path| format!(" ({path})"));
    Reason::new(code, format!("{what}: {}{place}", error.message()), remedy)
}
