//! The form of names, hashes and addresses in recipes, and the reading of TOML.

use std::path::Path;

use serde::de::DeserializeOwned;
use wikirag_core::{Error, ErrorKind, Result};

/// Names become folders, so they hold nothing that any file system takes amiss.
pub(crate) fn is_name(text: &str) -> bool {
    is_file_name(text) && !text.chars().any(|c| c.is_ascii_uppercase())
}

/// A file name that is one on every system, and no hidden one.
pub(crate) fn is_file_name(text: &str) -> bool {
    text.len() <= 128
        && text.starts_with(|c: char| c.is_ascii_alphanumeric())
        && !text.ends_with('.')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c))
}

pub(crate) fn is_sha256(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

pub(crate) fn is_language(text: &str) -> bool {
    text.len() == 3 && text.bytes().all(|byte| byte.is_ascii_lowercase())
}

pub(crate) fn is_address(text: &str) -> bool {
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    rest.is_some_and(|rest| {
        !rest.is_empty() && !rest.starts_with('/') && rest.chars().all(|c| c.is_ascii_graphic() && !"\"<>`".contains(c))
    })
}

/// Names, versions and tags as package indexes have them: nothing that a command line could take for a flag.
pub(crate) fn is_package_word(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphanumeric())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || "-_.+!".contains(c))
}

/// Reads TOML; where it does not fit, says so in one line with file and line number.
pub(crate) fn from_toml<T: DeserializeOwned>(text: &str, operation: &'static str, path: &Path) -> Result<T> {
    toml::from_str(text).map_err(|error| {
        let message = error.message().split_whitespace().collect::<Vec<_>>().join(" ");
        let line = error.span().map_or(1, |span| 1 + text[..span.start.min(text.len())].matches('\n').count());
        Error::new(ErrorKind::Invalid, operation, message).with("path", path.display()).with("line", line)
    })
}
