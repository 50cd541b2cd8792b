//! What a question can know of a wiki without opening it: that its folder is as it was when all of its layers stood.
//!
//! A composition may hold hundreds of wikis of which a question concerns three. To open a wiki costs a hundred times what it takes
//! to compare the stamps of its files with a sum of them, so the last build, or the last question that had to open the wiki,
//! leaves that sum in a file. A sum that does not fit, a file that is missing or cannot be read, and a layer that is not
//! named in it all mean the same: open the wiki and look.
//!
//! A seal that is too old does no harm: its sum fits only a folder that is what it was then, and a wiki that is searched is
//! opened and looked at like any other.

use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};
use wikirag_sqlite::{FileId, FileStamp};

use crate::build::Processor;
use crate::scan::Scan;

/// The file, below the index folder of a wiki.
const FILE: &str = "seal.json";

/// Raised when a seal means something else than before.
const VERSION: u32 = 2;

/// See the module.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Seal {
    version: u32,
    /// See [`folder_sum`].
    folder: String,
    /// The layers that had followed the catalog to its end, sorted.
    pub(crate) layers: Vec<String>,
    /// The layers that the wiki did without, since what they need was not there; sorted.
    pub(crate) left_out: Vec<String>,
}

impl Seal {
    /// The file of the seal in an index folder, where there is one. Each seal is a file of its own.
    pub(crate) fn file(index_dir: &Path) -> Option<FileId> {
        FileId::of(&index_dir.join(FILE))
    }

    /// A seal for a folder of this sum.
    pub(crate) fn new(folder: String, mut layers: Vec<String>, mut left_out: Vec<String>) -> Self {
        layers.sort();
        left_out.sort();
        Self { version: VERSION, folder, layers, left_out }
    }

    /// The seal in an index folder, where there is one that this program understands.
    pub(crate) fn read(index_dir: &Path) -> Option<Self> {
        let seal: Self = serde_json::from_slice(&fs::read(index_dir.join(FILE)).ok()?).ok()?;
        (seal.version == VERSION).then_some(seal)
    }

    /// Whether the folder has this sum. `None`: nobody looked, which is taken for the same.
    pub(crate) fn fits(&self, folder: Option<&str>) -> bool {
        folder.is_none_or(|folder| folder == self.folder)
    }

    /// Writes it, unless it is there already. Where it cannot be written, as in an index of somebody else, questions open the wiki: that is
    /// slower and no failure.
    pub(crate) fn write(&self, index_dir: &Path) {
        if Self::read(index_dir).as_ref() == Some(self) {
            return;
        }
        let Ok(text) = serde_json::to_vec(self) else { return };
        // Another process may write its own at the same time; whole files of either are good.
        let temporary = index_dir.join(format!("{FILE}.{}", std::process::id()));
        let written = fs::write(&temporary, text).and_then(|()| fs::rename(&temporary, index_dir.join(FILE)));
        if written.is_err() {
            let _ = fs::remove_file(&temporary);
        }
    }
}

/// A sum over the files of a wiki: their paths, their stamps, and what would be made of each. `None` where something could not be
/// looked at, or a stamp is too young to be trusted.
pub(crate) fn folder_sum(scan: &Scan, processor: &Processor) -> Option<String> {
    if !scan.failed.is_empty() {
        return None;
    }
    let mut hasher = blake3::Hasher::new();
    let mut part = |bytes: &[u8]| {
        hasher.update(&(bytes.len() as u64).to_le_bytes());
        hasher.update(bytes);
    };
    for file in scan.found.iter().filter(|file| processor.reads(&file.path)) {
        if file.stamp.modified_ns == FileStamp::UNKNOWN_TIME {
            return None;
        }
        part(file.path.as_bytes());
        part(&file.stamp.size.to_le_bytes());
        part(&file.stamp.modified_ns.to_le_bytes());
        part(processor.recipe_of(&file.path).as_bytes());
    }
    Some(hasher.finalize().to_hex().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seal_comes_back_and_fits_its_folder_alone() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(Seal::read(dir.path()), None);
        let seal = Seal::new("a".to_owned(), vec!["dense".to_owned(), "bm25".to_owned()], Vec::new());
        seal.write(dir.path());
        seal.write(dir.path());
        assert_eq!(Seal::read(dir.path()), Some(seal.clone()));
        assert_eq!(seal.layers, ["bm25", "dense"]);
        assert!(seal.fits(Some("a")) && seal.fits(None) && !seal.fits(Some("b")));
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    }

    #[test]
    fn what_is_not_understood_is_no_seal() {
        let dir = tempfile::tempdir().unwrap();
        for text in ["", "{}", "{\"version\":1,\"folder\":\"a\",\"layers\":[],\"left_out\":[]}", "\u{0}"] {
            fs::write(dir.path().join(FILE), text).unwrap();
            assert_eq!(Seal::read(dir.path()), None, "{text:?}");
        }
    }
}
