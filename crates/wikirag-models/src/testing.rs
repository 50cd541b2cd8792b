//! What the tests of this crate share: a data folder, and the recipe of a model that is none.

use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use tempfile::TempDir;

use crate::verified::hex;
use crate::{Recipe, Store};

pub(crate) const MODEL: &[u8] = b"the bytes of a model";
pub(crate) const TOKENIZER: &[u8] = b"{}";

/// A folder with an empty data folder and an empty folder of the program in it.
pub(crate) struct Place(TempDir);

impl Place {
    pub(crate) fn new() -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        fs::create_dir(place.path("program")).unwrap();
        place
    }

    pub(crate) fn path(&self, below: &str) -> PathBuf {
        self.0.path().join(below)
    }

    /// Writes a file and makes the folders it lies in.
    pub(crate) fn write(&self, below: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(below);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        path
    }

    /// The store in `data`, of a program in `program`, without a library of the user's.
    pub(crate) fn store(&self) -> Store {
        Store::of(&self.path("data"), Some(self.path("program")), None)
    }

    /// The files below a folder, hidden ones too, by name.
    pub(crate) fn files(&self, below: &str) -> Vec<String> {
        fn walk(root: &Path, folder: &Path, names: &mut Vec<String>) {
            for entry in fs::read_dir(folder).into_iter().flatten() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    walk(root, &path, names);
                } else {
                    names.push(path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/"));
                }
            }
        }
        let mut names = Vec::new();
        walk(&self.path(below), &self.path(below), &mut names);
        names.sort();
        names
    }
}

pub(crate) fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// The text of a recipe `tiny` for [`MODEL`] and [`TOKENIZER`], with these sources for the model, as TOML.
pub(crate) fn recipe_text(sources: &str) -> String {
    let (model, tokenizer) = (sha256(MODEL), sha256(TOKENIZER));
    format!(
        r#"name = "tiny"
summary = "A model that is none"
kind = "embedder"
licence = "MIT"
languages = ["eng", "deu"]
dimensions = 8
max_tokens = 16
pooling = "mean"
normalise = true
query_prefix = "query: "

[model]
name = "model.onnx"
bytes = {}
sha256 = "{model}"
sources = [{sources}]

[tokenizer]
name = "tokenizer.json"
bytes = {}
sha256 = "{tokenizer}"
"#,
        MODEL.len(),
        TOKENIZER.len()
    )
}

pub(crate) fn recipe(sources: &str) -> Recipe {
    Recipe::parse(&recipe_text(sources), Path::new("tiny.toml")).unwrap()
}
