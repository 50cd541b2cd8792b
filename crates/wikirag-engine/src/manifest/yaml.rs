//! YAML text as a typed manifest, with bounds on what the text may cost and errors that name the line; and words as YAML.

use std::fmt::Write as _;
use std::path::Path;

use serde::de::DeserializeOwned;
use serde_saphyr::{Error as YamlError, Options};
use wikirag_core::{Error, ErrorKind, Result};

use crate::settings::suggest;

/// Reads `text`, which came from `path`. An empty text is an empty map. The type denies unknown fields.
///
/// # Errors
/// [`ErrorKind::Invalid`] naming path and line.
pub fn parse<T: DeserializeOwned>(text: &str, path: &Path, operation: &'static str) -> Result<T> {
    serde_saphyr::from_str_with_options(text, options()).map_err(|error| {
        let (message, help) = explain(error.without_snippet());
        let mut explained = Error::new(ErrorKind::Invalid, operation, message).with("path", path.display());
        if let Some(location) = error.location().filter(|location| location.line() > 0) {
            explained = explained.with("line", location.line());
        }
        match help {
            Some(help) => explained.help(help),
            None => explained,
        }
    })
}

/// Far above what any person writes, and far below what would be felt. The text itself is at most 1 MiB.
fn options() -> Options {
    serde_saphyr::options! {
        with_snippet: false,
        budget: serde_saphyr::budget! {
            max_events: 200_000,
            max_nodes: 100_000,
            max_depth: 64,
            max_documents: 1,
            max_aliases: 1_000,
            max_anchors: 1_000,
            max_merge_keys: 100,
        },
        alias_limits: serde_saphyr::alias_limits! {
            max_total_replayed_events: 100_000,
            max_replay_stack_depth: 16,
        },
    }
}

fn explain(error: &YamlError) -> (String, Option<String>) {
    match error {
        YamlError::SerdeUnknownField { field, expected, .. } => {
            (format!("there is no key `{}`", suggest::shorten(field)), Some(suggest::remedy(field, expected)))
        }
        YamlError::SerdeUnknownVariant { variant, expected, .. } => {
            let near = suggest::near(variant, expected.iter().copied());
            let help = near.first().map(|near| format!("did you mean `{near}`?"));
            (format!("`{}` is none of {}", suggest::shorten(variant), expected.join(", ")), help)
        }
        YamlError::SerdeInvalidType { unexpected, expected, .. }
        | YamlError::SerdeInvalidValue { unexpected, expected, .. } => {
            // `wikis: [2024]` is a number, and what was meant is a name.
            let help = expected.starts_with("a word").then(|| "put it in quotes if it is one".to_owned());
            (format!("{expected} is expected here, not {}", suggest::shorten(unexpected)), help)
        }
        YamlError::SerdeMissingField { field, .. } => (format!("the key `{field}` is missing"), None),
        YamlError::DuplicateMappingKey { key, .. } => {
            (format!("the key `{}` stands here twice", suggest::shorten(key.as_deref().unwrap_or("?"))), None)
        }
        YamlError::Message { msg, .. } => (msg.clone(), None),
        other => (other.to_string().lines().next().unwrap_or_default().to_owned(), None),
    }
}

/// A YAML scalar in double quotes. What YAML does not allow in a file, or takes for a line break, is escaped.
#[must_use]
pub fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}') => {
                // Writing into a string cannot fail.
                let _ = write!(quoted, "\\u{:04x}", u32::from(c));
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_is_quoted_is_read_back(text in any::<String>()) {
            let read: Vec<String> = parse(&format!("- {}\n", quoted(&text)), "x".as_ref(), "read").unwrap();
            prop_assert_eq!(read, [text]);
        }
    }
}
