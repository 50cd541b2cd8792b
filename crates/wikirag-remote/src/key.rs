//! The key of a service.

use std::env;
use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use wikirag_core::Reason;

/// No key is longer, in bytes.
const LONGEST: u64 = 16 << 10;

/// Where a key is kept. It is read anew for each request, so a key that was changed is taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeySource {
    /// In this environment variable, from the setting `key_env`.
    Environment(String),
    /// In this file, from the setting `key_file`, which holds nothing else.
    File(PathBuf),
}

impl KeySource {
    /// Reads the settings `key_env` and `key_file`. Without both no key is sent.
    ///
    /// # Errors
    /// What is off, in words that do not repeat the values: somebody may have written the key there.
    pub fn read(key_env: Option<&str>, key_file: Option<&Path>) -> Result<Option<Self>, &'static str> {
        match (key_env, key_file) {
            (None, None) => Ok(None),
            (Some(_), Some(_)) => Err("`key_env` and `key_file` are both set; the key comes from one of them"),
            // Keys have small letters or signs.
            (Some(name), None) if !name.is_empty() && name.bytes().all(is_of_a_name) => {
                Ok(Some(Self::Environment(name.to_owned())))
            }
            (Some(_), None) => {
                Err("`key_env` must be the name of an environment variable, in capitals, and not the key")
            }
            (None, Some(path)) if path.is_absolute() => Ok(Some(Self::File(path.to_owned()))),
            (None, Some(_)) => {
                Err("`key_file` must be the absolute path of a file that holds the key, and not the key")
            }
        }
    }

    /// The key that is there now.
    ///
    /// # Errors
    /// Why there is none.
    pub fn key(&self) -> Result<Key, Reason> {
        match self {
            Self::Environment(name) => {
                let value = env::var_os(name).unwrap_or_default();
                Key::read(value.to_str(), &format!("the environment variable {name}"), "key_env")
            }
            Self::File(path) => {
                let place = format!("the file {}", path.display());
                match beginning(path) {
                    Ok(bytes) => Key::read(str::from_utf8(&bytes).ok(), &place, "key_file"),
                    Err(error) => Err(Reason::new(
                        "key-missing",
                        format!("{place}, which should hold the key of the service, cannot be read: {error}"),
                        "write the key into that file, or take `key_file` out of the settings",
                    )),
                }
            }
        }
    }
}

fn is_of_a_name(byte: u8) -> bool {
    byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_'
}

/// One byte more than a key can have at most, so that a longer file is seen to be none.
fn beginning(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(LONGEST + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// A key. It is shown nowhere.
#[derive(Clone)]
pub struct Key {
    text: String,
    /// The setting that says where it is.
    setting: &'static str,
}

impl Key {
    fn read(text: Option<&str>, place: &str, setting: &'static str) -> Result<Self, Reason> {
        match text.map(str::trim) {
            Some("") => Err(Reason::new(
                "key-missing",
                format!("{place}, which should hold the key of the service, is not set or empty"),
                format!("put the key there, or take `{setting}` out of the settings if the service needs no key"),
            )),
            // Anything else cannot stand in a header.
            Some(key) if key.len() as u64 <= LONGEST && key.bytes().all(|byte| byte.is_ascii_graphic()) => {
                Ok(Self { text: key.to_owned(), setting })
            }
            _ => Err(Reason::new(
                "key-unusable",
                format!("{place} holds characters that no key has"),
                "put the key alone there, on one line",
            )),
        }
    }

    /// The key itself, for the header that it is sent in.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The name of the setting that says where the key is.
    #[must_use]
    pub const fn setting(&self) -> &'static str {
        self.setting
    }

    /// `text` without the key.
    pub(crate) fn taken_out_of(&self, text: &str) -> String {
        text.replace(&self.text, "[key]")
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(..)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from_environment(name: &str) -> Result<Key, Reason> {
        KeySource::read(Some(name), None).unwrap().unwrap().key()
    }

    #[test]
    fn a_key_is_read_and_not_shown() {
        // Cargo sets these for each test.
        let key = from_environment("CARGO_PKG_NAME").unwrap();
        assert_eq!((key.text(), key.setting()), ("wikirag-remote", "key_env"));
        assert!(!format!("{key:?}").contains("remote"));
        assert_eq!(key.taken_out_of("no such key: wikirag-remote!"), "no such key: [key]!");
        assert_eq!(from_environment("CARGO_PKG_DESCRIPTION").unwrap_err().code, "key-unusable");
        let missing = from_environment("WIKIRAG_NO_SUCH_KEY").unwrap_err();
        assert_eq!(missing.code, "key-missing");
        assert!(missing.sentence.contains("WIKIRAG_NO_SUCH_KEY") && missing.remedy.contains("key_env"));
    }

    #[test]
    fn a_file_holds_the_key_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("key");
        let source = KeySource::read(None, Some(&path)).unwrap().unwrap();
        assert_eq!(source.key().unwrap_err().code, "key-missing");
        for (bytes, expected) in [
            (b" sk-abc\r\n".to_vec(), Ok("sk-abc")),
            (b" \n".to_vec(), Err("key-missing")),
            (b"sk-a\nsk-b".to_vec(), Err("key-unusable")),
            (b"sk-\xff".to_vec(), Err("key-unusable")),
            (vec![b'k'; LONGEST as usize + 9], Err("key-unusable")),
        ] {
            std::fs::write(&path, bytes).unwrap();
            let found = source.key();
            assert_eq!(found.as_ref().map(Key::text).map_err(|reason| &*reason.code), expected);
            assert!(!format!("{found:?}").contains("sk-"));
        }
    }

    #[test]
    fn a_key_in_the_place_of_its_name_is_refused_and_not_repeated() {
        assert_eq!(KeySource::read(None, None), Ok(None));
        assert!(KeySource::read(Some("SOME_KEY_2"), None).is_ok());
        for key in ["sk-proj-Abc", "0a9f8e", "A B"] {
            for problem in [KeySource::read(Some(key), None), KeySource::read(None, Some(Path::new(key)))] {
                let problem = problem.unwrap_err();
                assert!(problem.contains("`key_") && !problem.contains(key), "{problem}");
            }
        }
        assert!(KeySource::read(Some(""), None).is_err());
        assert!(KeySource::read(Some("A"), Some(Path::new("/b"))).unwrap_err().contains("both"));
    }
}
