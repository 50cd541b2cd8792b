//! What to do about each file: compared by stamp and fingerprint, before anything is read.

use std::collections::HashMap;

use wikirag_sqlite::{DocumentStamp, FileEntry, FileStamp, ReadAttempt};

use super::process::Processor;
use crate::scan::{FoundFile, LeftOut, Scan};

/// What differs between a folder and a catalog, as far as stamps tell.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    /// New, or perhaps changed: the content decides.
    pub(crate) read: Vec<(FoundFile, Option<DocumentStamp>)>,
    /// How many of those differ in nothing but the time: copied, touched, given other rights, or edited to the same size.
    /// Their content must be read to tell.
    pub(crate) unsure: usize,
    /// Surely as they were.
    pub(crate) unchanged: u64,
    /// In the catalog but not in the folder.
    pub(crate) gone: Vec<String>,
    /// Left out by the scan, or read by no reader.
    pub(crate) skipped: Vec<LeftOut>,
    /// What the scan could not look at.
    pub(crate) failed: Vec<LeftOut>,
    /// What could not be understood when it was last read, and is what it was.
    pub(crate) refused: Vec<FileEntry>,
    /// The sum of the folder, see [`folder_sum`](crate::seal::folder_sum).
    pub(crate) folder: Option<String>,
    /// Documents that the catalog knows and that lie where the scan could not look: they stay as they are.
    pub(crate) kept: u64,
}

impl Changes {
    /// How many files a build would have to look at.
    pub(crate) fn to_look_at(&self) -> usize {
        self.read.len() + self.gone.len()
    }

    /// Bytes of the files that a build would have to read.
    pub(crate) fn bytes_to_read(&self) -> u64 {
        self.read.iter().map(|(file, _)| file.stamp.size).sum()
    }

    /// How many files have surely changed, come or gone.
    pub(crate) fn sure(&self) -> usize {
        self.to_look_at() - self.unsure
    }
}

/// Whether a file surely still has the content that was read when `stored` was taken.
pub(crate) fn is_same(stored: FileStamp, now: FileStamp) -> bool {
    stored.modified_ns != FileStamp::UNKNOWN_TIME && stored == now
}

/// Compares the folder with the documents and the ledger. With `full` every file is read again.
pub(crate) fn changes_since(
    scan: Scan,
    stored: Vec<DocumentStamp>,
    ledger: &[FileEntry],
    processor: &Processor,
    full: bool,
) -> Changes {
    let mut stored: HashMap<String, DocumentStamp> =
        stored.into_iter().map(|stamp| (stamp.path.clone(), stamp)).collect();
    let attempts: HashMap<&str, (&FileEntry, &ReadAttempt)> =
        ledger.iter().filter_map(|entry| Some((entry.path.as_str(), (entry, entry.read.as_ref()?)))).collect();
    let mut changes = Changes::default();
    let Scan { found, skipped, failed, .. } = &scan;
    changes.skipped.clone_from(skipped);
    changes.failed.clone_from(failed);
    let entries = processor.entries(found.iter().map(|file| file.path.as_str()));
    for file in found {
        if !processor.reads(&file.path) {
            let detail = "no reader of this program takes such files".to_owned();
            changes.skipped.push(LeftOut { path: file.path.clone(), reason: "no-reader", detail });
            continue;
        }
        if let Some((reason, detail)) = entries.as_ref().and_then(|entries| entries.refuses(&file.path)) {
            changes.skipped.push(LeftOut { path: file.path.clone(), reason, detail });
            continue;
        }
        let known = stored.remove(&file.path);
        let attempt = attempts.get(file.path.as_str()).filter(|(_, read)| {
            read.stamp.size == file.stamp.size && read.fingerprint == processor.fingerprint_of(&file.path)
        });
        if let Some((entry, read)) = attempt {
            if is_same(read.stamp, file.stamp) && !full {
                changes.refused.push((*entry).clone());
                continue;
            }
            changes.unsure += 1;
        }
        let as_before = known.as_ref().filter(|known| {
            known.stamp.size == file.stamp.size && known.fingerprint == processor.fingerprint_of(&file.path)
        });
        let same = as_before.is_some_and(|known| is_same(known.stamp, file.stamp));
        if same && !full {
            changes.unchanged += 1;
        } else {
            changes.unsure += usize::from(as_before.is_some());
            changes.read.push((file.clone(), known));
        }
    }
    for path in stored.into_keys() {
        if scan.is_unknown(&path) {
            changes.kept += 1;
        } else {
            changes.gone.push(path);
        }
    }
    changes.gone.sort();
    changes
}
