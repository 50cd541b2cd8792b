//! The ONNX Runtime library: which version, and its file on each platform.

use std::path::Path;

use serde::Deserialize;
use wikirag_core::{Error, ErrorKind, Result};

use crate::{FileSpec, form};

/// The name under which the library is listed and got, beside the models.
pub const RUNTIME_NAME: &str = "onnxruntime";

/// The library that runs the models.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RuntimeRecipe {
    /// Its version; also the name of its folder.
    pub version: String,
    /// SPDX expression of its licence.
    pub licence: String,
    /// One file for each platform it is known for.
    pub libraries: Vec<Library>,
}

/// The library of one platform.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Library {
    /// As in [`std::env::consts::OS`].
    pub os: String,
    /// As in [`std::env::consts::ARCH`].
    pub arch: String,
    /// The file. Its name is the plain one of the platform, whatever it is called where it comes from.
    pub file: FileSpec,
}

impl RuntimeRecipe {
    /// The one that is built into this program.
    ///
    /// # Errors
    /// [`ErrorKind::Internal`] where the built-in data is off, which a test of this crate rules out.
    pub fn built_in() -> Result<Self> {
        let text = include_str!("../recipes/runtime/onnxruntime.toml");
        Self::parse(text, Path::new("onnxruntime.toml"))
            .map_err(|error| Error::new(ErrorKind::Internal, OPERATION, error.to_string()))
    }

    fn parse(text: &str, path: &Path) -> Result<Self> {
        let recipe: Self = form::from_toml(text, OPERATION, path)?;
        if !form::is_name(&recipe.version) {
            return Err(Error::new(ErrorKind::Invalid, OPERATION, "`version` must be one").with("path", path.display()));
        }
        for library in &recipe.libraries {
            library.file.validate().map_err(|(key, message)| {
                let place = format!("{}-{}", library.os, library.arch);
                Error::new(ErrorKind::Invalid, OPERATION, format!("`{key}` {message}"))
                    .with("library", place)
                    .with("path", path.display())
            })?;
        }
        Ok(recipe)
    }

    /// The file for the platform that this program was built for.
    #[must_use]
    pub fn library(&self) -> Option<&FileSpec> {
        let here = |library: &&Library| library.os == std::env::consts::OS && library.arch == std::env::consts::ARCH;
        // A program for musl loads no library that was linked with the C library of GNU.
        let loads = !cfg!(target_env = "musl");
        self.libraries.iter().filter(|_| loads).find(here).map(|library| &library.file)
    }
}

const OPERATION: &str = "read runtime recipe";

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_built_in_one_names_each_platform_once() {
        let recipe = RuntimeRecipe::built_in().unwrap();
        let platforms: BTreeSet<_> = recipe.libraries.iter().map(|one| (&one.os, &one.arch)).collect();
        assert_eq!(platforms.len(), recipe.libraries.len());
        for library in &recipe.libraries {
            assert_eq!(library.file.name, libloading_name(&library.os), "{}", library.os);
            assert!(!library.file.sources.is_empty(), "{} {}", library.os, library.arch);
        }
    }

    fn libloading_name(os: &str) -> &'static str {
        match os {
            "macos" => "libonnxruntime.dylib",
            "windows" => "onnxruntime.dll",
            _ => "libonnxruntime.so",
        }
    }
}
