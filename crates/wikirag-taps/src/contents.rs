//! What a commit holds, before and after it is written to disk.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use serde::Serialize;
use wikirag_core::{Error, ErrorKind, Result};
use wikirag_engine::Commit;

use crate::Limits;
use crate::git::Git;

/// The longest list of files, in bytes, and what one file may take of it, which is as long as a path may be.
const MAX_LIST_BYTES: u64 = 256 << 20;
const MAX_LINE_BYTES: u64 = 4096;

/// The first line of a file that stands for a larger one kept elsewhere, by the specification of Git LFS.
const POINTER: &[u8] = b"version https://git-lfs.github.com/spec/v1";

/// The sizes in bytes that such a file may have, by the same.
const POINTER_BYTES: std::ops::Range<u64> = 100..1024;

/// What a commit holds, and what of it is left out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Contents {
    /// Files.
    pub files: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Symbolic links, which are kept as text and not followed.
    pub links: u64,
    /// Submodules, which are not fetched.
    pub submodules: u64,
    /// Pointers of Git LFS, of which the files behind are not fetched.
    pub lfs_pointers: u64,
}

/// One entry of a commit.
struct Entry<'a> {
    mode: &'a [u8],
    bytes: u64,
    path: &'a [u8],
}

/// Entries of a commit.
pub(crate) struct Listing(Vec<u8>);

impl Listing {
    /// Lists a commit that is in the clone; nothing is written. A few kilobytes of a repository may stand for more files than
    /// there are atoms, so the list is cut off where it is too long.
    ///
    /// # Errors
    /// [`ErrorKind::Invalid`] where it is; [`ErrorKind::Io`] where git fails.
    pub(crate) fn of(git: &Git<'_>, commit: &Commit) -> Result<Self> {
        let args = ["ls-tree", "-r", "-l", "-z", "--full-tree", commit.as_str()];
        let at_most = git.limits.files.saturating_add(1).saturating_mul(MAX_LINE_BYTES).min(MAX_LIST_BYTES);
        git.ask_for(&args, at_most).map(Self).map_err(|error| match error.kind() {
            ErrorKind::Invalid => too_many(&git.limits),
            _ => error,
        })
    }

    fn entries(&self) -> impl Iterator<Item = Entry<'_>> {
        self.0.split(|&byte| byte == 0).filter_map(entry)
    }

    /// Counts what it holds.
    ///
    /// # Errors
    /// [`ErrorKind::Invalid`] where that is more than allowed.
    pub(crate) fn count(&self, limits: &Limits) -> Result<Contents> {
        let mut contents = Contents::default();
        for entry in self.entries() {
            match entry.mode {
                b"120000" => contents.links += 1,
                b"160000" => contents.submodules += 1,
                _ => contents.files += 1,
            }
            contents.bytes = contents.bytes.saturating_add(entry.bytes);
        }
        if contents.files + contents.links > limits.files {
            return Err(too_many(limits));
        }
        limits.check_bytes(contents.bytes)?;
        Ok(contents)
    }

    /// Counts the pointers among the files that were written to `folder`.
    pub(crate) fn pointers(&self, folder: &Path) -> u64 {
        let is_small = |entry: &Entry<'_>| entry.mode.starts_with(b"100") && POINTER_BYTES.contains(&entry.bytes);
        self.entries().filter(is_small).filter(|entry| is_pointer(folder, entry.path)).count() as u64
    }
}

/// `MODE KIND NAME SIZE<tab>PATH`, where the size is padded with blanks, and `-` for what is no file.
fn entry(line: &[u8]) -> Option<Entry<'_>> {
    let tab = line.iter().position(|&byte| byte == b'\t')?;
    let (fields, path) = (&line[..tab], &line[tab + 1..]);
    let mut fields = fields.split(|&byte| byte == b' ').filter(|field| !field.is_empty());
    let mode = fields.next()?;
    let bytes = str::from_utf8(fields.nth(2)?).ok()?.parse().unwrap_or(0);
    Some(Entry { mode, bytes, path })
}

fn too_many(limits: &Limits) -> Error {
    Error::new(ErrorKind::Invalid, "take commit", format!("it holds more than {} files", limits.files))
        .help("give another number with `--max-files`")
}

fn is_pointer(folder: &Path, path: &[u8]) -> bool {
    // Links are written as text, so the path leads out of the clone only where somebody put a link there since.
    let Ok(path) = str::from_utf8(path) else { return false };
    let mut start = [0; POINTER.len()];
    let file = File::open(folder.join(path)).and_then(|mut file| file.read_exact(&mut start));
    file.is_ok() && start == POINTER
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const LISTED: &[u8] = b"100644 blob 01234567 12\ta\nb.md\x00100755 blob 01234567       5\trun\x00\
        120000 blob 01234567       7\tlink\x00160000 commit 01234567       -\tsub\x00";

    #[test]
    fn entries_are_counted_by_kind() {
        let contents = Listing(LISTED.to_vec()).count(&Limits::default()).unwrap();
        assert_eq!(contents, Contents { files: 2, bytes: 24, links: 1, submodules: 1, lfs_pointers: 0 });
    }

    #[test]
    fn more_than_allowed_is_refused() {
        let listing = Listing(LISTED.to_vec());
        assert!(listing.count(&Limits { files: 3, bytes: 24, ..Limits::default() }).is_ok());
        let error = listing.count(&Limits { files: 2, ..Limits::default() }).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Invalid);
        assert!(listing.count(&Limits { bytes: 23, ..Limits::default() }).is_err());
    }

    proptest! {
        #[test]
        fn any_listing_is_survived(bytes in any::<Vec<u8>>()) {
            let _ = Listing(bytes).count(&Limits::default());
        }

        #[test]
        fn any_name_is_one_entry(names in prop::collection::vec("[^\u{0}]{1,20}", 0..20)) {
            let bytes: Vec<u8> = names.iter().flat_map(|name| format!("100644 blob ab       1\t{name}\0").into_bytes()).collect();
            let contents = Listing(bytes).count(&Limits::default()).unwrap();
            prop_assert_eq!((contents.files, contents.bytes), (names.len() as u64, names.len() as u64));
        }
    }
}
