//! The key of a service.

use std::env;
use std::fmt;

use wikirag_core::Reason;

/// A key. It is shown nowhere.
#[derive(Clone)]
pub(crate) struct Key(String);

impl Key {
    /// The key that the environment variable `variable` holds.
    ///
    /// # Errors
    /// Why there is none.
    pub(crate) fn from_environment(variable: &str) -> Result<Self, Reason> {
        let value = env::var_os(variable).unwrap_or_default();
        let Some(value) = value.to_str().map(str::trim) else {
            return Err(unusable(variable));
        };
        match value {
            "" => Err(Reason::new(
                "key-missing",
                format!("the environment variable {variable}, which should hold the key of the service, is not set"),
                format!("set {variable}, or take `key_env` out of the settings if the service needs no key"),
            )),
            // Anything else cannot stand in a header.
            key if key.bytes().all(|byte| byte.is_ascii_graphic()) => Ok(Self(key.to_owned())),
            _ => Err(unusable(variable)),
        }
    }

    /// The value of the header `Authorization`.
    pub(crate) fn authorization(&self) -> String {
        format!("Bearer {}", self.0)
    }

    /// `text` without the key.
    pub(crate) fn taken_out_of(&self, text: &str) -> String {
        text.replace(&self.0, "[key]")
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(..)")
    }
}

fn unusable(variable: &str) -> Reason {
    Reason::new(
        "key-unusable",
        format!("the environment variable {variable} holds characters that no key has"),
        format!("set {variable} to the key alone, on one line"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_read_and_not_shown() {
        // Cargo sets these for each test.
        let key = Key::from_environment("CARGO_PKG_NAME").unwrap();
        assert_eq!(key.authorization(), "Bearer wikirag-embed-api");
        assert!(!format!("{key:?}").contains("embed"));
        assert_eq!(key.taken_out_of("no such key: wikirag-embed-api!"), "no such key: [key]!");
        assert_eq!(Key::from_environment("CARGO_PKG_DESCRIPTION").unwrap_err().code, "key-unusable");
        let missing = Key::from_environment("WIKIRAG_NO_SUCH_KEY").unwrap_err();
        assert_eq!(missing.code, "key-missing");
        assert!(missing.remedy.contains("WIKIRAG_NO_SUCH_KEY"));
    }
}
