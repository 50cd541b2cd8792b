//! What lies in the folder of a wiki: every file is either found or skipped with a reason.

use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use ignore::gitignore::{Gitignore, GitignoreBuilder};
use wikirag_core::{Error, ErrorKind, Result};
use wikirag_sqlite::FileStamp;

use crate::manifest::WikiManifest;
use crate::manifest::wiki::FILE_NAME as WIKI_MANIFEST;

/// Files of these names hold patterns of what is no part of the wiki, for their folder and below. Those in folders
/// above the root do not count: a wiki in an ignored folder is a wiki all the same.
const IGNORE_FILES: [&str; 2] = [".gitignore", ".wikiragignore"];

/// Time stamps this close to the moment of reading prove nothing: the file may change again without a new stamp (the
/// "racy git" problem). Kernels count in steps of up to 10 ms, some file systems in steps of up to 2 s; the latter have
/// no fractions of a second.
const RACY: Duration = Duration::from_millis(50);
const RACY_COARSE: Duration = Duration::from_secs(2);

/// A file that the wiki may hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FoundFile {
    /// Below the root, with `/`.
    pub(crate) path: String,
    /// Where to open it.
    pub(crate) file: PathBuf,
    pub(crate) stamp: FileStamp,
}

/// Something that was left out, or could not be looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LeftOut {
    /// Below the root; a folder ends in `/` and stands for all that is in it.
    pub(crate) path: String,
    /// A stable code.
    pub(crate) reason: &'static str,
    /// A sentence for people, or empty.
    pub(crate) detail: String,
}

/// The outcome of a scan. The three lists are sorted by path and share no path.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Scan {
    pub(crate) found: Vec<FoundFile>,
    pub(crate) skipped: Vec<LeftOut>,
    /// What could not be looked at. Nothing below such a path may be taken as deleted.
    pub(crate) failed: Vec<LeftOut>,
}

impl Scan {
    /// Whether the scan could not tell if `path` is there.
    pub(crate) fn is_unknown(&self, path: &str) -> bool {
        self.failed.iter().any(|failure| {
            failure.path == path
                || failure.path.is_empty()
                || (failure.path.ends_with('/') && path.starts_with(failure.path.as_str()))
        })
    }
}

/// Walks the folder `root` of the documents of a wiki. Symbolic links are not followed, hidden files and nested wikis are left out.
///
/// # Errors
/// Where `root` itself is no folder. A folder or file below it that cannot be looked at is an entry of the scan.
pub(crate) fn scan(root: &Path, manifest: &WikiManifest) -> Result<Scan> {
    let io = |error: std::io::Error| {
        Error::new(ErrorKind::Io, "scan wiki", error.to_string())
            .with("path", root.display())
            .help("is the folder there, and may you read it? What is indexed is kept")
    };
    let root = fs::canonicalize(root).map_err(io)?;
    let mut walk = Walk { root: &root, manifest, scan: Scan::default(), now: SystemTime::now() };
    walk.folder(&root, "", &mut Vec::new()).map_err(io)?;
    let Scan { mut found, mut skipped, mut failed } = walk.scan;
    found.sort_by(|a, b| a.path.cmp(&b.path));
    skipped.sort_by(|a, b| a.path.cmp(&b.path));
    failed.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(Scan { found, skipped, failed })
}

struct Walk<'a> {
    root: &'a Path,
    manifest: &'a WikiManifest,
    scan: Scan,
    now: SystemTime,
}

impl Walk<'_> {
    /// Depth is bounded by the file system's own limit on path lengths, since no link is followed.
    fn folder(&mut self, folder: &Path, prefix: &str, ignores: &mut Vec<Gitignore>) -> std::io::Result<()> {
        let entries = fs::read_dir(folder)?.collect::<std::io::Result<Vec<_>>>()?;
        let own = self.ignore_files(folder, prefix);
        let has_own = own.is_some();
        ignores.extend(own);
        for entry in entries {
            self.entry(&entry, prefix, ignores);
        }
        if has_own {
            ignores.pop();
        }
        Ok(())
    }

    fn entry(&mut self, entry: &fs::DirEntry, prefix: &str, ignores: &mut Vec<Gitignore>) {
        let name = entry.file_name();
        let Some(name) = name.to_str() else {
            let path = format!("{prefix}{}", name.to_string_lossy());
            self.fail(path, "bad-name", "the file name is not valid Unicode; rename it".to_owned());
            return;
        };
        let path = format!("{prefix}{name}");
        let file = entry.path();
        let kind = match entry.file_type() {
            Ok(kind) => kind,
            Err(error) => return self.fail(path, "unreadable", error.to_string()),
        };
        if kind.is_symlink() {
            return self.link(path, &file);
        }
        let shown = if kind.is_dir() { format!("{path}/") } else { path.clone() };
        if name.starts_with('.') {
            return self.skip(shown, "hidden");
        }
        if is_ignored(&file, kind.is_dir(), ignores) {
            return self.skip(shown, "ignored");
        }
        if self.manifest.exclude.matches(&path) {
            return self.skip(shown, "excluded");
        }
        if kind.is_dir() {
            // A wiki has its own trust level; its text must not come in by way of the folder above it.
            if fs::symlink_metadata(file.join(WIKI_MANIFEST)).is_ok() {
                return self.skip(shown, "nested-wiki");
            }
            if let Err(error) = self.folder(&file, &shown, ignores) {
                self.fail(shown, "unreadable", error.to_string());
            }
        } else if !kind.is_file() {
            self.skip(path, "special-file");
        } else if !self.manifest.includes(&path) {
            self.skip(path, "not-included");
        } else {
            match entry.metadata() {
                Ok(meta) => {
                    let stamp = stamp_of(&meta, self.now);
                    self.scan.found.push(FoundFile { path, file, stamp });
                }
                Err(error) => self.fail(path, "unreadable", error.to_string()),
            }
        }
    }

    fn link(&mut self, path: String, file: &Path) {
        match fs::canonicalize(file) {
            // What it leads to is found under its own path.
            Ok(target) if target.starts_with(self.root) => self.skip(path, "link-inside"),
            Ok(_) => self.skip(path, "link-outside"),
            Err(_) => self.skip(path, "link-broken"),
        }
    }

    fn ignore_files(&mut self, folder: &Path, prefix: &str) -> Option<Gitignore> {
        let present: Vec<_> = IGNORE_FILES.iter().map(|name| folder.join(name)).filter(|file| file.is_file()).collect();
        if present.is_empty() {
            return None;
        }
        let mut builder = GitignoreBuilder::new(folder);
        for file in present {
            if let Some(error) = builder.add(&file) {
                let name = file.file_name().unwrap_or_default().to_string_lossy();
                self.fail(format!("{prefix}{name}"), "bad-ignore-file", error.to_string());
            }
        }
        builder.build().ok()
    }

    fn skip(&mut self, path: String, reason: &'static str) {
        self.scan.skipped.push(LeftOut { path, reason, detail: String::new() });
    }

    fn fail(&mut self, path: String, reason: &'static str, detail: String) {
        self.scan.failed.push(LeftOut { path, reason, detail });
    }
}

/// The nearest ignore file that has something to say decides, as in git.
fn is_ignored(file: &Path, is_dir: bool, ignores: &[Gitignore]) -> bool {
    for ignore in ignores.iter().rev() {
        match ignore.matched(file, is_dir) {
            ignore::Match::None => {}
            ignore::Match::Ignore(_) => return true,
            ignore::Match::Whitelist(_) => return false,
        }
    }
    false
}

/// Size and time of the last change. A time too near to `now` is not kept, so that the file is read again next time.
pub(crate) fn stamp_of(meta: &Metadata, now: SystemTime) -> FileStamp {
    let since_epoch = changed_at(meta).and_then(|changed| changed.duration_since(UNIX_EPOCH).ok());
    let is_settled = |changed: Duration| {
        let racy = if changed.subsec_nanos() == 0 { RACY_COARSE } else { RACY };
        UNIX_EPOCH + changed + racy < now
    };
    let modified_ns = since_epoch
        .filter(|changed| is_settled(*changed))
        .and_then(|changed| i64::try_from(changed.as_nanos()).ok())
        .unwrap_or(FileStamp::UNKNOWN_TIME);
    FileStamp { size: meta.len(), modified_ns }
}

/// On Unix the time of the last change of the inode: unlike the modification time no program can set it back, so a
/// copy that keeps the old time and size is seen.
#[cfg(unix)]
fn changed_at(meta: &Metadata) -> Option<SystemTime> {
    use std::os::unix::fs::MetadataExt;
    let seconds = u64::try_from(meta.ctime()).ok()?;
    let nanos = u32::try_from(meta.ctime_nsec()).ok()?;
    UNIX_EPOCH.checked_add(Duration::new(seconds, nanos))
}

#[cfg(not(unix))]
fn changed_at(meta: &Metadata) -> Option<SystemTime> {
    meta.modified().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(root: &Path, path: &str, text: &str) {
        let file = root.join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }

    fn scan_of(root: &Path) -> Scan {
        scan(root, &WikiManifest::load(root).unwrap()).unwrap()
    }

    fn paths(list: &[LeftOut]) -> Vec<(&str, &str)> {
        list.iter().map(|left| (left.path.as_str(), left.reason)).collect()
    }

    #[test]
    fn every_entry_is_found_or_skipped_with_a_reason() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        write(root, ".wiki.yaml", "name: t\nexclude: [drafts, '*.tmp']\n");
        for path in ["a.md", "sub/b.md", "drafts/c.md", "x.tmp", ".hidden/d.md", "sub/ignored.md", "inner/e.md"] {
            write(root, path, "text");
        }
        write(root, "sub/.gitignore", "ignored.md\n");
        write(root, "inner/.wiki.yaml", "name: inner\nsensitivity: restricted\n");
        let scan = scan_of(root);
        assert_eq!(scan.found.iter().map(|file| file.path.as_str()).collect::<Vec<_>>(), ["a.md", "sub/b.md"]);
        let expected = [
            (".hidden/", "hidden"),
            (".wiki.yaml", "hidden"),
            ("drafts/", "excluded"),
            ("inner/", "nested-wiki"),
            ("sub/.gitignore", "hidden"),
            ("sub/ignored.md", "ignored"),
            ("x.tmp", "excluded"),
        ];
        assert_eq!(paths(&scan.skipped), expected);
        assert!(scan.failed.is_empty());
    }

    #[test]
    fn ignore_rules_and_hidden_folders_above_the_root_do_not_count() {
        let dir = tempfile::tempdir().unwrap();
        write(dir.path(), ".gitignore", "*\n");
        let root = dir.path().join(".vaults/tmp");
        write(&root, "a.md", "text");
        assert_eq!(scan_of(&root).found.len(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn links_are_named_and_never_followed() {
        use std::os::unix::fs::symlink;
        let dir = tempfile::tempdir().unwrap();
        let real = dir.path().join("real");
        write(&real, "a.md", "text");
        write(dir.path(), "secret.md", "text");
        symlink(&real, real.join("loop")).unwrap();
        symlink(dir.path().join("secret.md"), real.join("out.md")).unwrap();
        symlink("nowhere", real.join("broken.md")).unwrap();
        symlink(&real, dir.path().join("root")).unwrap();
        let scan = scan_of(&dir.path().join("root"));
        assert_eq!(scan.found.len(), 1);
        assert_eq!(
            paths(&scan.skipped),
            [("broken.md", "link-broken"), ("loop", "link-inside"), ("out.md", "link-outside")]
        );
    }

    #[test]
    fn fresh_stamps_prove_nothing() {
        let dir = tempfile::tempdir().unwrap();
        write(dir.path(), "a.md", "text");
        let meta = fs::metadata(dir.path().join("a.md")).unwrap();
        assert_eq!(stamp_of(&meta, SystemTime::now()).modified_ns, FileStamp::UNKNOWN_TIME);
        let later = stamp_of(&meta, SystemTime::now() + Duration::from_secs(60));
        assert!(later.modified_ns > 0);
    }

    #[test]
    fn what_could_not_be_looked_at_is_unknown() {
        let failed = vec![LeftOut { path: "locked/".into(), reason: "unreadable", detail: String::new() }];
        let scan = Scan { failed, ..Scan::default() };
        assert!(scan.is_unknown("locked/a.md"));
        assert!(!scan.is_unknown("lockedness.md"));
    }
}
