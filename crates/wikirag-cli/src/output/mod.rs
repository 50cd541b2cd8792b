//! How things are printed.

mod answer;
pub(crate) mod eval;
pub(crate) mod extraction;
pub(crate) mod graph;
mod people;

use serde::Serialize;
use wikirag::{Error, ErrorKind, Result};

pub(crate) use answer::{marked, print as answer};
pub(crate) use people::{clean, count, lines, plain, table};

/// What a program reads, with the version of its envelope: raised when a field changes its meaning.
#[derive(Serialize)]
pub(crate) struct Versioned<T> {
    version: u32,
    #[serde(flatten)]
    content: T,
}

impl<T> Versioned<T> {
    pub(crate) const fn first(content: T) -> Self {
        Self { version: 1, content }
    }
}

/// JSON with a line end, indented.
pub(crate) fn json_text<T: Serialize>(value: &T) -> Result<String> {
    let text = serde_json::to_string_pretty(value).map_err(|error| not_json(&error))?;
    Ok(text + "\n")
}

/// JSON in one line.
pub(crate) fn json_line<T: Serialize>(value: &T) -> Result<String> {
    let text = serde_json::to_string(value).map_err(|error| not_json(&error))?;
    Ok(text + "\n")
}

fn not_json(error: &serde_json::Error) -> Error {
    Error::new(ErrorKind::Internal, "write JSON", error.to_string())
}
