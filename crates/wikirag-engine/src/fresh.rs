//! Whether a hit still stands in its file. Only the files of the hits are looked at.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use std::{fs, io};

use serde::Serialize;
use wikirag_sqlite::FileStamp;

use crate::LocatedWiki;
use crate::scan::stamp_of;

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
pub(crate) struct FreshnessCheck {
    now: SystemTime,
    seen: HashMap<PathBuf, Freshness>,
}

impl Default for FreshnessCheck {
    fn default() -> Self {
        Self { now: SystemTime::now(), seen: HashMap::new() }
    }
}

impl FreshnessCheck {
    /// Compares stamps as a scan does, and contents where these prove nothing: a change within the same second and of the same size
    /// is seen. Of documents that are elsewhere nobody knows how they are.
    pub(crate) fn of(
        &mut self,
        wiki: &LocatedWiki,
        path: &str,
        stamp: FileStamp,
        content_hash: &[u8; 32],
    ) -> Freshness {
        if !wiki.has_documents() {
            return Freshness::Unknown;
        }
        let now = self.now;
        *self.seen.entry(wiki.root.join(path)).or_insert_with_key(|file| look(file, stamp, content_hash, now))
    }
}

fn look(file: &Path, stamp: FileStamp, content_hash: &[u8; 32], now: SystemTime) -> Freshness {
    let found = || {
        let meta = fs::metadata(file)?;
        if stamp.modified_ns != FileStamp::UNKNOWN_TIME && stamp_of(&meta, now) == stamp && meta.is_file() {
            return Ok(Freshness::Fresh);
        }
        let is_same = blake3::hash(&fs::read(file)?).as_bytes() == content_hash;
        Ok(if is_same { Freshness::Fresh } else { Freshness::Stale })
    };
    found().unwrap_or_else(|error: io::Error| match error.kind() {
        io::ErrorKind::NotFound => Freshness::Gone,
        _ => Freshness::Unknown,
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_stamp_that_proves_something_spares_reading_and_any_other_does_not() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("a.md");
        fs::write(&file, "basil").unwrap();
        let meta = fs::metadata(&file).unwrap();
        let (hash, other) = (*blake3::hash(b"basil").as_bytes(), *blake3::hash(b"thyme").as_bytes());
        let later = SystemTime::now() + Duration::from_secs(60);
        let settled = stamp_of(&meta, later);
        // The hash is another one, and nobody looked at it.
        assert_eq!(look(&file, settled, &other, later), Freshness::Fresh);
        let unknown = FileStamp { modified_ns: FileStamp::UNKNOWN_TIME, ..settled };
        assert_eq!(look(&file, unknown, &hash, later), Freshness::Fresh);
        assert_eq!(look(&file, unknown, &other, later), Freshness::Stale);
        // Too young to prove anything, whatever the catalog holds.
        let now = SystemTime::now();
        fs::write(&file, "thyme").unwrap();
        assert_eq!(look(&file, stamp_of(&fs::metadata(&file).unwrap(), now), &hash, now), Freshness::Stale);
        let longer = FileStamp { size: settled.size + 1, ..settled };
        assert_eq!(look(&file, longer, &other, later), Freshness::Fresh);
        fs::remove_file(&file).unwrap();
        assert_eq!(look(&file, settled, &hash, later), Freshness::Gone);
    }
}
