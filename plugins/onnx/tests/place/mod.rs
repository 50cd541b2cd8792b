//! A data folder for a test, and an embedder over it.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::Value;
use tempfile::TempDir;
use wikirag_core::{Context, Embedder, Error, Host, PluginSetup, Readiness, Reason, Registry, Result, Role, Section};
use wikirag_testkit::block_on;

/// A data folder. Its recipe `tiny` is about a model that holds `model` and a tokenizer that holds `tokenizer`.
pub(crate) struct Place {
    folder: TempDir,
}

const RECIPE: &str = r#"
name = "tiny"
summary = "Files of a few bytes"
kind = "embedder"
licence = "MIT"
dimensions = 3
max_tokens = 16
pooling = "mean"
normalise = true

[model]
name = "model.onnx"
bytes = 5
sha256 = "9372c470eeadd5ecd9c3c74c2b3cb633f8e2f2fad799250a0f70d652b6b825e4"

[tokenizer]
name = "tokenizer.json"
bytes = 9
sha256 = "5f97e3774c51edd1d63706c2ec3826c564a067794770cdab0f8c4797971cacf9"
"#;

impl Place {
    /// With the recipe and without its files.
    pub(crate) fn new() -> Self {
        let place = Self { folder: tempfile::tempdir().unwrap() };
        place.write("recipes/tiny.toml", RECIPE.as_bytes());
        place
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        path
    }

    /// The embedder that these settings make in a program with this command for probes.
    pub(crate) fn make(&self, settings: Value, prober: Option<PathBuf>) -> Result<Box<dyn Embedder>> {
        let registry = Registry::from_plugins([wikirag_onnx::PLUGIN]).unwrap();
        let mut host = Host::new(registry).with_data_dir(self.path()).with_threads(2);
        if let Some(prober) = prober {
            host = host.with_prober(vec![prober]);
        }
        let setup = PluginSetup { settings: Section::new("test settings", settings), host: Arc::new(host) };
        setup.host.registry().embedder("onnx", &setup)
    }
}

/// The program `prober` of this package's examples, which is built together with the tests.
pub(crate) fn prober() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let prober =
        test.ancestors().nth(2).unwrap().join("examples/prober").with_extension(std::env::consts::EXE_EXTENSION);
    assert!(prober.exists(), "{} is missing: build the examples of the package as well", prober.display());
    prober
}

pub(crate) fn embed(embedder: &dyn Embedder) -> Result<Vec<f32>> {
    let vectors = block_on(embedder.embed(&["a river of copper"], Role::Query, &Context::new()))?;
    Ok(vectors.rows().next().unwrap().to_vec())
}

/// The one reason why the embedder cannot serve, as it is known without trying.
#[track_caller]
pub(crate) fn known_reason(embedder: &dyn Embedder) -> Reason {
    match embedder.readiness() {
        Readiness::Unavailable(reasons) if reasons.len() == 1 => reasons[0].clone(),
        other => panic!("{other:?}"),
    }
}

/// The error of a call. It names the reason, and the embedder knows it from then on.
#[track_caller]
pub(crate) fn failing(embedder: &dyn Embedder, code: &str) -> Error {
    let error = embed(embedder).unwrap_err();
    assert_eq!(error.context("reason"), Some(code), "{error}");
    assert_eq!(error.kind(), wikirag_core::ErrorKind::Unavailable);
    let reason = known_reason(embedder);
    assert_eq!((reason.code.as_ref(), reason.sentence.as_str()), (code, error.message()));
    assert_eq!(Some(reason.remedy.as_str()), error.remedy());
    error
}
