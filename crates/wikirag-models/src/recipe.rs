//! A recipe: what is to be known of a model before it is loaded.

use std::path::Path;

use serde::Deserialize;
use wikirag_core::{Error, ErrorKind, Result};

use crate::{FileSpec, form};

/// What a model is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Turns a text into a vector.
    Embedder,
    /// Gives a question and a passage one score together.
    Reranker,
}

impl Kind {
    /// The kind as a word.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Embedder => "embedder",
            Self::Reranker => "reranker",
        }
    }
}

/// How the vectors of tokens become the vector of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Pooling {
    /// The model gives one row a text; nothing is left to do.
    None,
    /// The mean of the vectors of all tokens that the mask lets through.
    Mean,
    /// The vector of the first token.
    Cls,
    /// The vector of the last token that the mask lets through.
    Last,
}

impl Pooling {
    /// The way as a word.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Mean => "mean",
            Self::Cls => "cls",
            Self::Last => "last",
        }
    }
}

/// A model as its data file describes it. Nothing here is tied to one model: a new one is a new file.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// Lower case, digits, `-`, `_` and `.`; also the name of its folder.
    pub name: String,
    /// One line for people.
    pub summary: String,
    /// What it is for.
    pub kind: Kind,
    /// SPDX expression of the model's own licence.
    pub licence: String,
    /// Languages it was trained for, ISO 639-3. Empty: any.
    #[serde(default)]
    pub languages: Vec<String>,
    /// Width of its vectors; 0 for a reranker.
    #[serde(default)]
    pub dimensions: usize,
    /// The longest text it was trained to see, in tokens of its own, special ones included.
    pub max_tokens: usize,
    /// How the vectors of tokens become one.
    pub pooling: Pooling,
    /// Whether the vector must still be brought to unit length.
    #[serde(default)]
    pub normalise: bool,
    /// The cosine that a question and passages reach which have nothing to do with each other, -1 to 1. `None`: not known.
    #[serde(default)]
    pub noise: Option<f64>,
    /// Put before a question.
    #[serde(default)]
    pub query_prefix: String,
    /// Put before a passage.
    #[serde(default)]
    pub passage_prefix: String,
    /// Name of the output tensor to read. `None`: the only one.
    #[serde(default)]
    pub output: Option<String>,
    /// The ONNX file.
    pub model: FileSpec,
    /// The `tokenizer.json` of the `tokenizers` library.
    pub tokenizer: FileSpec,
}

/// Above these a recipe holds a slip of the pen, not a model.
const MAX_DIMENSIONS: usize = 1 << 16;
const MAX_TOKENS: usize = 1 << 20;
/// A token of text between the two special ones that most tokenizers add.
const MIN_TOKENS: usize = 3;

/// The library is listed and got like a model, and the file lies beside the folders of the models.
const RESERVED: [&str; 2] = [crate::RUNTIME_NAME, "verified.json"];

impl Recipe {
    /// Reads the text of a recipe. `path` is its file, for messages.
    ///
    /// # Errors
    /// [`ErrorKind::Invalid`] with the file and the key: no TOML, a key that is missing, unknown or of another type, or a
    /// value that cannot be.
    pub fn parse(text: &str, path: &Path) -> Result<Self> {
        let recipe: Self = form::from_toml(text, OPERATION, path)?;
        recipe.validate().map_err(|error| error.with("path", path.display()))?;
        Ok(recipe)
    }

    /// Its files: the model, then the tokenizer.
    #[must_use]
    pub fn files(&self) -> [&FileSpec; 2] {
        [&self.model, &self.tokenizer]
    }

    /// Bytes of all its files.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.files().iter().map(|file| file.bytes).sum()
    }

    /// What to do for its files, as a remedy.
    pub(crate) fn how_to_get(&self) -> String {
        let name = &self.name;
        match self.files().into_iter().find_map(FileSpec::build_command) {
            Some(command) => format!("build it with `{command}`, then `wikirag model pull {name} --from FOLDER`"),
            None => format!("run `wikirag model pull {name}`"),
        }
    }

    fn validate(&self) -> Result<()> {
        if !form::is_name(&self.name) {
            return Err(invalid(
                "name",
                "must be lower-case letters, digits, `-`, `_` and `.`, a letter or digit first",
            ));
        }
        if RESERVED.contains(&self.name.as_str()) {
            return Err(invalid("name", "is taken by something that is no model"));
        }
        for (key, text) in [("summary", &self.summary), ("licence", &self.licence)] {
            if text.trim().is_empty() || text.chars().any(char::is_control) {
                return Err(invalid(key, "must be one line of text"));
            }
        }
        if let Some(language) = self.languages.iter().find(|language| !form::is_language(language)) {
            return Err(invalid("languages", &format!("`{}` is no code of ISO 639-3", language.escape_debug())));
        }
        match self.kind {
            Kind::Embedder if !(1..=MAX_DIMENSIONS).contains(&self.dimensions) => {
                return Err(invalid("dimensions", &format!("must be 1 to {MAX_DIMENSIONS} for an embedder")));
            }
            Kind::Reranker if self.dimensions != 0 => {
                return Err(invalid("dimensions", "must be left out for a reranker"));
            }
            Kind::Reranker if self.pooling != Pooling::None => {
                return Err(invalid("pooling", "must be `none` for a reranker"));
            }
            _ => {}
        }
        if !(MIN_TOKENS..=MAX_TOKENS).contains(&self.max_tokens) {
            return Err(invalid("max_tokens", &format!("must be {MIN_TOKENS} to {MAX_TOKENS}")));
        }
        if self.noise.is_some_and(|noise| !(-1.0..=1.0).contains(&noise)) {
            return Err(invalid("noise", "is a cosine, from -1 to 1"));
        }
        if self.output.as_ref().is_some_and(String::is_empty) {
            return Err(invalid("output", "must not be empty; leave it out where the model has one output"));
        }
        for (table, file) in [("model", &self.model), ("tokenizer", &self.tokenizer)] {
            file.validate().map_err(|(key, message)| invalid(&format!("{table}.{key}"), &message))?;
        }
        if self.model.name.eq_ignore_ascii_case(&self.tokenizer.name) {
            return Err(invalid("tokenizer.name", "is that of the model as well"));
        }
        Ok(())
    }
}

const OPERATION: &str = "read recipe";

fn invalid(key: &str, message: &str) -> Error {
    Error::new(ErrorKind::Invalid, OPERATION, format!("`{key}` {message}"))
}

#[cfg(test)]
#[path = "recipe_tests.rs"]
mod tests;
