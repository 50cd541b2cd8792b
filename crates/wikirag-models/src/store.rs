//! Where the files of models lie, and how they stand.

use std::ffi::OsString;
use std::io::ErrorKind as IoKind;
use std::path::{Path, PathBuf};

use wikirag_core::{Error, ErrorKind, Result};

use crate::verified::Verified;
use crate::{FileSpec, RUNTIME_NAME, Recipe, RuntimeRecipe, catalogue};

/// The variable with the path of the ONNX Runtime library, as all programs over that library have it.
const LIBRARY_VARIABLE: &str = "ORT_DYLIB_PATH";

/// The models and the runtime of one data folder. Making one reads nothing; a folder that is not there is an empty one.
#[derive(Debug)]
pub struct Store {
    data: PathBuf,
    /// The folder of the program, where an archive carries models.
    program: Option<PathBuf>,
    /// The library that the user names instead of ours.
    library: Option<OsString>,
    verified: Verified,
}

/// How the files of a recipe stand.
#[derive(Debug)]
pub enum State {
    /// All there, and each holds what it must.
    Ready,
    /// At least one is not there, and none is damaged.
    Missing,
    /// One is there and does not hold what it must; the error says which and why.
    Damaged(Error),
}

impl Store {
    /// The store in the data folder `data`.
    #[must_use]
    pub fn new(data: &Path) -> Self {
        let program = std::env::current_exe().and_then(std::fs::canonicalize).ok();
        let program = program.and_then(|program| program.parent().map(Path::to_owned));
        Self::of(data, program, std::env::var_os(LIBRARY_VARIABLE).filter(|value| !value.is_empty()))
    }

    pub(crate) fn of(data: &Path, program: Option<PathBuf>, library: Option<OsString>) -> Self {
        let verified = Verified::new(data.join("models").join("verified.json"));
        Self { data: data.to_owned(), program, library, verified }
    }

    /// The data folder.
    #[must_use]
    pub fn data_dir(&self) -> &Path {
        &self.data
    }

    /// Every recipe, built in and in `<data>/recipes`, by name.
    ///
    /// # Errors
    /// [`ErrorKind::Invalid`] names the file and the key that is off; [`ErrorKind::Io`] what cannot be read.
    pub fn recipes(&self) -> Result<Vec<Recipe>> {
        catalogue::all(&self.recipe_dir())
    }

    /// The recipe `name`. A broken file of another name does no harm.
    ///
    /// # Errors
    /// As [`Store::recipes`], and [`ErrorKind::NotFound`] with the names that there are.
    pub fn recipe(&self, name: &str) -> Result<Recipe> {
        catalogue::one(&self.recipe_dir(), name)
    }

    /// The recipe to use where none is named: of the defaults the first whose files are there, else the first of which some
    /// are (it was whole once, and what was embedded is of it), else the first that can be downloaded.
    ///
    /// # Errors
    /// As [`Store::recipe`].
    pub fn default_recipe(&self) -> Result<Recipe> {
        let (mut defaults, mut partly) = (Vec::new(), None);
        for name in catalogue::DEFAULTS {
            let recipe = self.recipe(name)?;
            let has = |file: &&FileSpec| self.model_file(&recipe, file).is_file();
            if recipe.files().iter().all(has) {
                return Ok(recipe);
            }
            if recipe.files().iter().any(has) {
                partly.get_or_insert_with(|| recipe.clone());
            }
            defaults.push(recipe);
        }
        if let Some(recipe) = partly {
            return Ok(recipe);
        }
        let to_be_had = |recipe: &Recipe| recipe.files().iter().all(|file| file.build_command().is_none());
        let at = defaults.iter().position(to_be_had).unwrap_or_default();
        if at < defaults.len() {
            return Ok(defaults.swap_remove(at));
        }
        Err(Error::new(ErrorKind::NotFound, "find model", "this program knows no default").help("name a model"))
    }

    /// Where a file of a recipe lies, or would lie: in the data folder, else beside the program if it is there, else in the
    /// data folder again.
    #[must_use]
    pub fn model_file(&self, recipe: &Recipe, file: &FileSpec) -> PathBuf {
        let own = self.model_dir(&recipe.name).join(&file.name);
        let carried = self.program.as_ref().map(|dir| dir.join("models").join(&recipe.name).join(&file.name));
        first_there(own, carried)
    }

    /// Checks that the file at `path` is the one that `spec` describes. What was found right is remembered with length and
    /// time stamp, so that the next check of an untouched file costs a look at these.
    ///
    /// # Errors
    /// [`ErrorKind::NotFound`] where there is none, [`ErrorKind::Damaged`] where it is another, [`ErrorKind::Io`] where it
    /// cannot be read.
    pub fn check(&self, path: &Path, spec: &FileSpec) -> Result<()> {
        self.verified.check(path, spec).map_err(|error| error.help("`wikirag model list` tells which model it is of"))
    }

    /// Checks all files of a recipe.
    ///
    /// # Errors
    /// As [`Store::check`], with the model and the command that mends it.
    pub fn check_recipe(&self, recipe: &Recipe) -> Result<()> {
        recipe.files().into_iter().try_for_each(|file| {
            self.verified
                .check(&self.model_file(recipe, file), file)
                .map_err(|error| error.with("model", &recipe.name).help(recipe.how_to_get()))
        })
    }

    /// How the files of a recipe stand.
    #[must_use]
    pub fn state(&self, recipe: &Recipe) -> State {
        State::of(self.check_recipe(recipe))
    }

    /// The ONNX Runtime library to load: the one that `ORT_DYLIB_PATH` names, else that of the data folder, else the one
    /// beside the program. Ours are checked as [`Store::check`] does; the user's own is taken at its word.
    ///
    /// # Errors
    /// [`ErrorKind::NotFound`] where there is none, [`ErrorKind::Damaged`] where ours is another file, and
    /// [`ErrorKind::Invalid`] where the variable holds no absolute path.
    pub fn runtime(&self) -> Result<PathBuf> {
        if let Some(library) = &self.library {
            return named_library(Path::new(library));
        }
        let recipe = RuntimeRecipe::built_in()?;
        let file = self.runtime_spec(&recipe)?;
        let path = self.runtime_file(&recipe, file);
        self.verified.check(&path, file).map(|()| path).map_err(|error| {
            let help = format!("run `wikirag model pull {RUNTIME_NAME}`, or set {LIBRARY_VARIABLE} to the path of one");
            error.with("library", format!("{RUNTIME_NAME} {}", recipe.version)).help(help)
        })
    }

    /// How the library stands.
    #[must_use]
    pub fn runtime_state(&self) -> State {
        State::of(self.runtime().map(drop))
    }

    /// Where our library lies, or would lie, as with [`Store::model_file`].
    #[must_use]
    pub fn runtime_file(&self, recipe: &RuntimeRecipe, file: &FileSpec) -> PathBuf {
        let carried = self.program.as_ref().map(|dir| dir.join("lib").join(&file.name));
        first_there(self.runtime_dir(recipe).join(&file.name), carried)
    }

    /// The library of this platform.
    pub(crate) fn runtime_spec<'a>(&self, recipe: &'a RuntimeRecipe) -> Result<&'a FileSpec> {
        recipe.library().ok_or_else(|| {
            let message = "there is no ONNX Runtime library for this platform in the recipe";
            let help = format!("set {LIBRARY_VARIABLE} to the path of one");
            Error::new(ErrorKind::NotFound, OPERATION, message).with("platform", platform()).help(help)
        })
    }

    /// Whether the user names a library instead of ours.
    pub(crate) fn is_library_named(&self) -> bool {
        self.library.is_some()
    }

    pub(crate) fn model_dir(&self, name: &str) -> PathBuf {
        self.data.join("models").join(name)
    }

    pub(crate) fn runtime_dir(&self, recipe: &RuntimeRecipe) -> PathBuf {
        self.data.join("runtime").join(&recipe.version)
    }

    fn recipe_dir(&self) -> PathBuf {
        self.data.join("recipes")
    }
}

impl State {
    /// The state as a word.
    #[must_use]
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Ready => "ready",
            Self::Missing => "missing",
            Self::Damaged(_) => "damaged",
        }
    }

    fn of(check: Result<()>) -> Self {
        match check {
            Ok(()) => Self::Ready,
            Err(error) if error.kind() == ErrorKind::NotFound => Self::Missing,
            Err(error) => Self::Damaged(error),
        }
    }
}

const OPERATION: &str = "find ONNX Runtime";

fn named_library(path: &Path) -> Result<PathBuf> {
    let error = |kind, message: &str| {
        Error::new(kind, OPERATION, format!("{LIBRARY_VARIABLE} {message}")).with("path", path.display())
    };
    if !path.is_absolute() {
        return Err(error(ErrorKind::Invalid, "holds no absolute path").help("write it from the root on, or unset it"));
    }
    match std::fs::metadata(path) {
        Ok(metadata) if metadata.is_file() => Ok(path.to_owned()),
        Ok(_) => Err(error(ErrorKind::Invalid, "names something that is no file").help("name the library itself")),
        Err(cause) if cause.kind() == IoKind::NotFound => {
            Err(error(ErrorKind::NotFound, "names a file that does not exist").help("mend it, or unset it"))
        }
        Err(cause) => Err(error(ErrorKind::Io, "names a file that cannot be read").caused_by(cause)),
    }
}

/// `own`, unless only `carried` exists.
fn first_there(own: PathBuf, carried: Option<PathBuf>) -> PathBuf {
    match carried {
        Some(carried) if !own.exists() && carried.exists() => carried,
        _ => own,
    }
}

fn platform() -> String {
    format!("{} {}", std::env::consts::OS, std::env::consts::ARCH)
}

#[cfg(test)]
#[path = "store_tests.rs"]
mod tests;
