//! What lies in the folder of a wiki: every file is either found or skipped with a reason.

use std::cell::OnceCell;
use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use ignore::gitignore::{Gitignore, GitignoreBuilder};
use wikirag_core::{Error, ErrorKind, Result};
use wikirag_sqlite::FileStamp;

use crate::locate::{INDEX_FOLDER, LocatedWiki};
use crate::manifest::WikiKind;
use crate::manifest::text_file::is_absent;
use crate::manifest::wiki::FILE_NAME as WIKI_MANIFEST;

/// Files of these names hold patterns of what is no part of the wiki, for their folder and below. Those in folders
/// above the root do not count: a wiki in an ignored folder is a wiki all the same.
pub(crate) const IGNORE_FILES: [&str; 2] = [".gitignore", ".wikiragignore"];

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
    /// Whether there is nothing to look at, since the documents are elsewhere: all that is indexed stays.
    pub(crate) is_absent: bool,
}

impl Scan {
    /// Whether the scan could not tell if `path` is there.
    pub(crate) fn is_unknown(&self, path: &str) -> bool {
        let is_below = |failure: &LeftOut| {
            failure.path == path
                || failure.path.is_empty()
                || (failure.path.ends_with('/') && path.starts_with(failure.path.as_str()))
        };
        self.is_absent || self.failed.iter().any(is_below)
    }
}

/// Walks the folder of the documents of a wiki. Symbolic links are not followed, hidden files and nested wikis are left
/// out.
///
/// # Errors
/// Where the folder itself cannot be looked at. A folder or file below it that cannot be is an entry of the scan.
pub(crate) fn scan(wiki: &LocatedWiki) -> Result<Scan> {
    if !wiki.has_documents() {
        return Ok(Scan { is_absent: true, ..Scan::default() });
    }
    let failed = |error: io::Error| {
        Error::new(ErrorKind::Io, "scan wiki", error.to_string())
            .with("path", wiki.root.display())
            .help("is the folder there, and may you read it? What is indexed is kept")
    };
    let mut walk = Walk { root: OnceCell::new(), wiki, scan: Scan::default(), now: SystemTime::now() };
    walk.folder(&wiki.root, "", &mut Vec::new()).map_err(failed)?;
    let mut scan = walk.scan;
    scan.found.sort_by(|a, b| a.path.cmp(&b.path));
    scan.skipped.sort_by(|a, b| a.path.cmp(&b.path));
    scan.failed.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(scan)
}

/// Whether the document at `path`, which was indexed at some time, is part of the wiki by what the manifests say now. An
/// index is older than the manifests, and what they take out of a wiki must not come out of its index. What cannot be told
/// is no.
///
/// Costs one look at the disk for each folder between the root and the document. Ignore files are not read: they save
/// work and guard nothing.
pub(crate) fn still_belongs(wiki: &LocatedWiki, path: &str) -> bool {
    let folders = path.match_indices('/').map(|(end, _)| &path[..end]);
    let is_own = |folder: &str| is_nested(wiki, &wiki.root.join(folder), folder);
    wiki.manifest.includes(path) && folders.into_iter().all(|folder| matches!(is_own(folder), Ok(false)))
}

/// Whether the folder `path` below the root, which lies at `folder`, is a wiki of its own. Such a wiki has its own trust
/// level; its text must not come in by way of the folder above it.
fn is_nested(wiki: &LocatedWiki, folder: &Path, path: &str) -> io::Result<bool> {
    match fs::symlink_metadata(folder.join(WIKI_MANIFEST)) {
        Ok(_) => Ok(true),
        Err(error) if is_absent(&error) => Ok(wiki.nested.contains(Path::new(path))),
        Err(error) => Err(error),
    }
}

/// Whether a file or folder of this name is left out for its name.
///
/// Registries keep entries in hidden folders, `.claude/commands` or `skills/.curated`. So in a wiki of skills only folders of programs
/// are hidden.
pub(crate) fn is_hidden(kind: WikiKind, name: &str, is_folder: bool) -> bool {
    const OF_PROGRAMS: [&str; 4] = [".git", ".hg", ".svn", INDEX_FOLDER];
    match kind {
        WikiKind::Skills if is_folder => OF_PROGRAMS.contains(&name),
        _ => name.starts_with('.'),
    }
}

struct Walk<'a> {
    /// The root without links in it. Found when the first link is met, since most folders hold none.
    root: OnceCell<PathBuf>,
    wiki: &'a LocatedWiki,
    scan: Scan,
    now: SystemTime,
}

impl Walk<'_> {
    /// Depth is bounded by the file system's own limit on path lengths, since no link is followed.
    fn folder(&mut self, folder: &Path, prefix: &str, ignores: &mut Vec<Gitignore>) -> io::Result<()> {
        let entries = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
        let own = ignore_files(folder, &entries)?;
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
        if is_hidden(self.wiki.manifest.kind, name, kind.is_dir()) {
            return self.skip(shown, "hidden");
        }
        if is_ignored(&file, kind.is_dir(), ignores) {
            return self.skip(shown, "ignored");
        }
        if self.wiki.manifest.exclude.matches(&path) {
            return self.skip(shown, "excluded");
        }
        if kind.is_dir() {
            match is_nested(self.wiki, &file, &path) {
                Ok(true) => return self.skip(shown, "nested-wiki"),
                Ok(false) => {}
                Err(error) => return self.fail(shown, "unreadable", error.to_string()),
            }
            if let Err(error) = self.folder(&file, &shown, ignores) {
                self.fail(shown, "unreadable", error.to_string());
            }
        } else if !kind.is_file() {
            self.skip(path, "special-file");
        } else if !self.wiki.manifest.includes(&path) {
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
            Ok(target) if target.starts_with(self.true_root()) => self.skip(path, "link-inside"),
            Ok(_) => self.skip(path, "link-outside"),
            Err(_) => self.skip(path, "link-broken"),
        }
    }

    fn true_root(&self) -> &Path {
        self.root.get_or_init(|| fs::canonicalize(&self.wiki.root).unwrap_or_else(|_| self.wiki.root.clone()))
    }

    fn skip(&mut self, path: String, reason: &'static str) {
        self.scan.skipped.push(LeftOut { path, reason, detail: String::new() });
    }

    fn fail(&mut self, path: String, reason: &'static str, detail: String) {
        self.scan.failed.push(LeftOut { path, reason, detail });
    }
}

/// The rules that stand in a folder.
///
/// # Errors
/// Where a file of rules cannot be read or understood: without them, what they leave out would be indexed.
fn ignore_files(folder: &Path, entries: &[fs::DirEntry]) -> io::Result<Option<Gitignore>> {
    let is_there = |name: &str| entries.iter().any(|entry| entry.file_name() == name);
    let there: Vec<&str> = IGNORE_FILES.into_iter().filter(|name| is_there(name)).collect();
    if there.is_empty() {
        return Ok(None);
    }
    let mut builder = GitignoreBuilder::new(folder);
    let mut has_rules = false;
    for name in there {
        let file = folder.join(name);
        // Looked at before it is opened: opening a pipe would wait for a writer.
        match fs::metadata(&file) {
            Ok(meta) if !meta.is_file() => continue,
            Err(error) if is_absent(&error) && fs::symlink_metadata(&file).is_err() => continue,
            Ok(_) | Err(_) => {}
        }
        if let Some(error) = builder.add(&file) {
            return Err(bad_rules(&error));
        }
        has_rules = true;
    }
    let rules = builder.build().map_err(|error| bad_rules(&error))?;
    Ok(has_rules.then_some(rules))
}

fn bad_rules(error: &ignore::Error) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("its rules of what to ignore cannot be used: {error}"))
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

    fn wiki_at(root: &Path) -> LocatedWiki {
        LocatedWiki::at(root).unwrap()
    }

    fn scan_of(root: &Path) -> Scan {
        scan(&wiki_at(root)).unwrap()
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

    /// What a scan finds belongs to the wiki, and what it leaves out for the sake of a manifest does not.
    #[test]
    fn what_a_manifest_takes_out_belongs_no_more() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        let paths = ["a.md", "b/a.md", "b/c/a.md", "b/c/d.md", "b/x.tmp"];
        let mut wiki = wiki_at(root);
        paths.iter().for_each(|path| write(root, path, "text"));
        let kept = |wiki: &LocatedWiki| {
            let found: Vec<String> = scan(wiki).unwrap().found.into_iter().map(|file| file.path).collect();
            let belong: Vec<&str> = paths.into_iter().filter(|path| still_belongs(wiki, path)).collect();
            assert_eq!(found, belong);
            found
        };
        assert_eq!(kept(&wiki), paths);
        // Whether the file is there is another question.
        assert!(still_belongs(&wiki, "b/gone.md") && still_belongs(&wiki, "gone/gone.md"));
        wiki.nested.insert("b/c".into());
        assert_eq!(kept(&wiki), ["a.md", "b/a.md", "b/x.tmp"]);
        wiki.nested.clear();
        write(root, ".wiki.yaml", "name: t\nexclude: ['*.tmp', c/d.md]\ninclude: [b]\n");
        wiki = wiki_at(root);
        assert_eq!(kept(&wiki), ["b/a.md", "b/c/a.md", "b/c/d.md"]);
        write(root, "b/c/.wiki.yaml", "{");
        assert_eq!(kept(&wiki), ["b/a.md"]);
        write(root, "b/.wiki.yaml", "");
        assert_eq!(kept(&wiki), [""; 0]);
    }

    #[test]
    fn a_folder_whose_rules_cannot_be_used_is_unknown() {
        let bad: [&[u8]; 3] = [b"secret.md\n[z-a]\n", b"secret.md\n\xff.md\n", b"{a\n"];
        for rules in bad {
            let dir = tempfile::tempdir().unwrap();
            let root = dir.path();
            write(root, "a.md", "text");
            write(root, "sub/secret.md", "text");
            fs::write(root.join("sub/.gitignore"), rules).unwrap();
            let scan = scan_of(root);
            assert_eq!(scan.found.iter().map(|file| file.path.as_str()).collect::<Vec<_>>(), ["a.md"]);
            assert_eq!(paths(&scan.failed), [("sub/", "unreadable")]);
            assert!(scan.failed[0].detail.contains(".gitignore"), "{scan:?}");
            assert!(scan.is_unknown("sub/secret.md") && !scan.is_unknown("a.md"));
            fs::rename(root.join("sub/.gitignore"), root.join(".wikiragignore")).unwrap();
            let error = super::scan(&wiki_at(root)).unwrap_err();
            assert!(error.kind() == ErrorKind::Io && error.message().contains(".wikiragignore"), "{error}");
        }
        // What is no file holds no rules.
        let dir = tempfile::tempdir().unwrap();
        write(dir.path(), ".gitignore/a", "");
        write(dir.path(), "a.md", "text");
        assert_eq!(scan_of(dir.path()).found.len(), 1);
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("nowhere", dir.path().join(".wikiragignore")).unwrap();
            assert!(super::scan(&wiki_at(dir.path())).is_err());
        }
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
