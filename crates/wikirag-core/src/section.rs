//! A part of the configuration that only its plugin understands.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::{Error, ErrorKind, Result};

/// The settings of one plugin, not yet understood: the engine carries them, the plugin parses them.
///
/// Whatever format and library the configuration came through ends here, so a plugin depends on `serde` alone.
#[derive(Debug, Clone, PartialEq)]
pub struct Section {
    origin: String,
    value: Value,
}

impl Section {
    /// The section `value`, which came from `origin` (a file, with the key: `food/.wiki.yaml: chunker`).
    #[must_use]
    pub fn new(origin: impl Into<String>, value: Value) -> Self {
        Self { origin: origin.into(), value }
    }

    /// A section in which nothing is set.
    #[must_use]
    pub fn empty() -> Self {
        Self::new("defaults", Value::Object(serde_json::Map::new()))
    }

    /// Where it came from.
    #[must_use]
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// The settings as they stand, for fingerprints and display.
    #[must_use]
    pub const fn value(&self) -> &Value {
        &self.value
    }

    /// Reads the settings into the plugin's own type, which should deny unknown fields.
    ///
    /// # Errors
    /// [`ErrorKind::Invalid`] naming the origin and the field.
    pub fn parse<T: DeserializeOwned>(&self) -> Result<T> {
        // `null` is what an empty YAML section reads as.
        let value = if self.value.is_null() { Value::Object(serde_json::Map::new()) } else { self.value.clone() };
        serde_json::from_value(value).map_err(|error| {
            Error::new(ErrorKind::Invalid, "read settings", error.to_string()).with("in", &self.origin)
        })
    }

    /// For a plugin with nothing to set: says so for every word that somebody tries.
    ///
    /// # Errors
    /// [`ErrorKind::Invalid`] naming the origin and the field.
    pub fn expect_empty(&self) -> Result<()> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Nothing {}
        self.parse::<Nothing>().map(|Nothing {}| ())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, serde::Deserialize)]
    #[serde(deny_unknown_fields, default)]
    struct Settings {
        size: u32,
    }

    impl Default for Settings {
        fn default() -> Self {
            Self { size: 7 }
        }
    }

    #[test]
    fn unknown_fields_are_refused_with_their_origin() {
        assert_eq!(Section::empty().parse::<Settings>().unwrap().size, 7);
        assert_eq!(Section::new("x", Value::Null).parse::<Settings>().unwrap().size, 7);
        let error = Section::new("a.yaml: chunker", serde_json::json!({"sise": 1})).parse::<Settings>().unwrap_err();
        assert!(error.to_string().contains("sise") && error.to_string().contains("a.yaml: chunker"), "{error}");
        assert!(Section::empty().expect_empty().is_ok() && Section::new("x", Value::Null).expect_empty().is_ok());
        let error = Section::new("a.yaml: reader", serde_json::json!({"size": 1})).expect_empty().unwrap_err();
        assert!(error.to_string().contains("size") && error.to_string().contains("a.yaml: reader"), "{error}");
    }
}
