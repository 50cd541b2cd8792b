//! Plugin `tokenizer`: counts tokens with the tokenizer of a model, read from a `tokenizer.json` of the `tokenizers` library.
//!
//! Most open models publish that file. Special tokens that a model puts around a text are not counted, and a text is never cut.
//!
//! Settings: `file`, the path of that file.

use std::path::PathBuf;

use serde::Deserialize;
use tokenizers::Tokenizer;
use wikirag_core::{Capability, Error, ErrorKind, Plugin, PluginSetup, Result, TokenCounter, submit};

/// The descriptor of this plugin.
pub const PLUGIN: Plugin = Plugin {
    name: "tokenizer",
    version: env!("CARGO_PKG_VERSION"),
    summary: "counts tokens with the tokenizer of a model",
    // It is read from wherever it says.
    personal: &["file"],
    provides: &[Capability::TokenCounter { make }],
};
submit!(PLUGIN);

const OPERATION: &str = "count tokens";

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Settings {
    file: PathBuf,
}

fn make(setup: &PluginSetup) -> Result<Box<dyn TokenCounter>> {
    let Settings { file } = setup.settings.parse()?;
    let bad = |error: tokenizers::Error| {
        Error::new(ErrorKind::Invalid, OPERATION, "the file is no tokenizer")
            .with("path", file.display())
            .help("give the `tokenizer.json` that the model is published with")
            .caused_by(error)
    };
    // The library tells a missing file in the words of its parser.
    let bytes = std::fs::read(&file).map_err(|error| {
        let kind = if error.kind() == std::io::ErrorKind::NotFound { ErrorKind::NotFound } else { ErrorKind::Io };
        Error::new(kind, OPERATION, "the tokenizer cannot be read").with("path", file.display()).caused_by(error)
    })?;
    let mut tokenizer = Tokenizer::from_bytes(&bytes).map_err(bad)?;
    // Both are set in files of models that were tried in batches. Cut or padded, every long or short text would count the same.
    tokenizer.with_truncation(None).map_err(bad)?;
    tokenizer.with_padding(None);
    Ok(Box::new(FromFile { name: format!("tokenizer {}", file.display()), tokenizer }))
}

struct FromFile {
    name: String,
    tokenizer: Tokenizer,
}

impl TokenCounter for FromFile {
    fn name(&self) -> &str {
        &self.name
    }

    fn count(&self, text: &str) -> Result<usize> {
        let encoding = self.tokenizer.encode_fast(text, false).map_err(|error| {
            Error::new(ErrorKind::Internal, OPERATION, "the tokenizer fails")
                .with("counter", &self.name)
                .caused_by(error)
        })?;
        Ok(encoding.get_ids().len())
    }
}
