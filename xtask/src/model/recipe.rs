//! What the recipes of `wikirag-models` say of the files that are made here.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::files::sha256;
use crate::tool::Result;

/// A file that is wanted.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct FileRecipe {
    /// Its path below the data folder.
    pub(crate) path: PathBuf,
    pub(crate) bytes: u64,
    pub(crate) sha256: String,
    /// The wheel it is in. `None`: it is built.
    pub(crate) package: Option<Package>,
}

/// The wheel that a file is in.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) version: String,
    pub(crate) member: String,
    pub(crate) python: Option<String>,
    pub(crate) platform: Option<String>,
}

/// What makes a data folder complete.
#[derive(Debug)]
pub(crate) struct Files {
    pub(crate) model: FileRecipe,
    pub(crate) tokenizer: FileRecipe,
    pub(crate) library: FileRecipe,
}

impl FileRecipe {
    /// Whether the file is there and right.
    pub(crate) fn fits(&self, path: &Path) -> bool {
        fs::metadata(path).is_ok_and(|metadata| metadata.len() == self.bytes)
            && sha256(path).is_ok_and(|found| found == self.sha256)
    }
}

/// The files of the model `name`, and of the library for this platform.
pub(crate) fn files(recipes: &Path, name: &str) -> Result<Files> {
    let recipe: ModelRecipe = read(&recipes.join(format!("{name}.toml")))?;
    let runtime: RuntimeRecipe = read(&recipes.join("runtime/onnxruntime.toml"))?;
    let (os, arch) = (std::env::consts::OS, std::env::consts::ARCH);
    let mut libraries = runtime.libraries.into_iter();
    let library = libraries
        .find(|library| library.os == os && library.arch == arch)
        .ok_or_else(|| format!("there is no ONNX Runtime library for {os} {arch} in the recipe"))?;
    let models = Path::new("models").join(name);
    Ok(Files {
        model: recipe.model.below(&models),
        tokenizer: recipe.tokenizer.below(&models),
        library: library.file.below(&Path::new("runtime").join(runtime.version)),
    })
}

/// The licences of the model `name` and of the library, a line each.
pub(crate) fn terms(recipes: &Path, name: &str) -> Result<String> {
    let model: Terms = read(&recipes.join(format!("{name}.toml")))?;
    let library: Terms = read(&recipes.join("runtime/onnxruntime.toml"))?;
    Ok(format!("{name} (the model): {}\nonnxruntime (the library): {}\n", model.licence, library.licence))
}

fn read<T: serde::de::DeserializeOwned>(path: &Path) -> Result<T> {
    let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    toml::from_str(&text).map_err(|error| format!("{}: {error}", path.display()).into())
}

#[derive(Deserialize)]
struct Terms {
    licence: String,
}

#[derive(Deserialize)]
struct ModelRecipe {
    model: FileSpec,
    tokenizer: FileSpec,
}

#[derive(Deserialize)]
struct RuntimeRecipe {
    version: String,
    libraries: Vec<Library>,
}

#[derive(Deserialize)]
struct Library {
    os: String,
    arch: String,
    file: FileSpec,
}

#[derive(Deserialize)]
struct FileSpec {
    name: String,
    bytes: u64,
    sha256: String,
    sources: Vec<Source>,
}

/// Of the sources only the packages matter here.
#[derive(Deserialize)]
struct Source {
    package: Option<Package>,
}

impl FileSpec {
    fn below(self, folder: &Path) -> FileRecipe {
        FileRecipe {
            path: folder.join(self.name),
            bytes: self.bytes,
            sha256: self.sha256,
            package: self.sources.into_iter().find_map(|source| source.package),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tool::root;

    #[test]
    fn the_recipes_of_the_project_are_understood() {
        let files = files(&root().join("crates/wikirag-models/recipes"), super::super::MODEL).unwrap();
        assert_eq!(files.model.package, None);
        assert_eq!(files.model.path, Path::new("models/all-minilm-l6-v2/model.onnx"));
        assert!(files.tokenizer.package.is_some_and(|package| package.member.ends_with("/tokenizer.json")));
        assert!(files.library.path.starts_with("runtime"));
        assert!(files.library.package.is_some_and(|package| package.platform.is_some()));
    }

    #[test]
    fn a_file_fits_by_length_and_hash() {
        let path = std::env::temp_dir().join(format!("wikirag-xtask-model-{}", std::process::id()));
        let sha256 = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad".to_owned();
        let file = FileRecipe { path: PathBuf::new(), bytes: 3, sha256, package: None };
        for (content, expected) in [("abc", true), ("abd", false), ("ab", false), ("", false)] {
            fs::write(&path, content).unwrap();
            assert_eq!(file.fits(&path), expected, "{content}");
        }
        fs::remove_file(&path).unwrap();
        assert!(!file.fits(&path));
    }
}
