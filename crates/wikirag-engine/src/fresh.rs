//! Whether a hit still stands in its file. Only the files of the hits are looked at.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Serialize;

/// How a hit stands to its file at this moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Freshness {
    /// The file has the content that was indexed.
    Fresh,
    /// The file has changed since.
    Stale,
    /// The file is gone. Such a hit is never returned.
    Gone,
    /// Nobody looked, or the file could not be read.
    Unknown,
}

/// Looks at files, each once.
#[derive(Default)]
pub(crate) struct FreshnessCheck {
    seen: HashMap<PathBuf, Freshness>,
}

impl FreshnessCheck {
    /// Compares the content, not the time: a change within the same second and of the same size is seen.
    pub(crate) fn of(&mut self, root: &Path, path: &str, content_hash: &[u8; 32]) -> Freshness {
        let file = root.join(path);
        *self.seen.entry(file).or_insert_with_key(|file| match fs::read(file) {
            Ok(bytes) if blake3::hash(&bytes).as_bytes() == content_hash => Freshness::Fresh,
            Ok(_) => Freshness::Stale,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Freshness::Gone,
            Err(_) => Freshness::Unknown,
        })
    }
}
