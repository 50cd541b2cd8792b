//! Which commit a folder stands at, read from the files that git keeps, without the program `git`.
//!
//! The files are those of gitrepository-layout(5): `HEAD` names a branch or a commit, a branch lies in a file of its own
//! or in `packed-refs`, and in a linked worktree `.git` is a file that leads to the folder of these.

use std::fmt;
use std::fs::File;
use std::io::{BufRead, BufReader, Read as _};
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::manifest::text_file;

/// Names that lead to names, at most. Git itself stops after five.
const MAX_STEPS: usize = 5;

/// The largest `packed-refs` that is looked through: half a million branches and tags.
const MAX_PACKED_BYTES: u64 = 64 << 20;

/// The name of a commit: 40 (SHA-1) or 64 (SHA-256) hexadecimal digits in lower case.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Commit(String);

impl Commit {
    /// The commit of this name, if it is one.
    #[must_use]
    pub fn new(name: &str) -> Option<Self> {
        let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        (matches!(name.len(), 40 | 64) && name.bytes().all(is_digit)).then(|| Self(name.to_owned()))
    }

    /// All of its digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Its first twelve digits, which are enough for people.
    #[must_use]
    pub fn short(&self) -> &str {
        &self.0[..12]
    }
}

impl fmt::Display for Commit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The commit that is checked out in `folder`, which holds the `.git` of a clone or of a linked worktree; folders above it
/// are not looked at. `None` where it is no such folder, where nothing was committed yet, where branches are kept in the
/// form `reftable`, and where a file does not say what it must. It tells nothing of whether the files are as committed.
///
/// Reads three small files and, for a branch that was packed, the list of all branches.
#[must_use]
pub fn git_head(folder: &Path) -> Option<Commit> {
    let own = git_folder(folder)?;
    let mut text = line(&own.join("HEAD"))?;
    let mut shared = None;
    for _ in 0..MAX_STEPS {
        let Some(name) = text.strip_prefix("ref:") else { return Commit::new(&text) };
        let name = name.trim().to_owned();
        if !is_reference(&name) {
            return None;
        }
        let shared = shared.get_or_insert_with(|| shared_folder(&own));
        match line(&shared.join(&name)) {
            Some(next) => text = next,
            None => return packed(&shared.join("packed-refs"), &name),
        }
    }
    None
}

/// Where git keeps what belongs to `folder` alone.
fn git_folder(folder: &Path) -> Option<PathBuf> {
    let place = folder.join(".git");
    if place.is_dir() {
        return Some(place);
    }
    let text = line(&place)?;
    Some(folder.join(text.strip_prefix("gitdir:")?.trim()))
}

/// Where branches lie, which all worktrees of a repository share.
fn shared_folder(own: &Path) -> PathBuf {
    line(&own.join("commondir")).map_or_else(|| own.to_owned(), |shared| own.join(shared))
}

/// The text of a file of one line. A folder of that name is no file: `refs/heads/a` is one where there is a branch `a/b`.
fn line(path: &Path) -> Option<String> {
    let text = text_file::read(path, "read git folder").ok()??;
    Some(text.trim_end().to_owned())
}

/// Whether the name is one of a reference below `refs/`, and no path to elsewhere. Git allows less; what matters here is
/// that the file lies in the folder of git.
fn is_reference(name: &str) -> bool {
    let is_part = |part: &str| !part.is_empty() && part != "." && part != "..";
    name.starts_with("refs/") && name.split('/').all(is_part) && !name.contains(|c: char| c == '\\' || c.is_control())
}

/// The commit of a branch in `packed-refs`: `COMMIT NAME` on a line of its own.
fn packed(path: &Path, name: &str) -> Option<Commit> {
    // Looked at before it is opened: opening a pipe would wait for a writer.
    let metadata = std::fs::metadata(path).ok()?;
    if !metadata.is_file() || metadata.len() > MAX_PACKED_BYTES {
        return None;
    }
    let lines = BufReader::new(File::open(path).ok()?.take(MAX_PACKED_BYTES)).split(b'\n');
    // An error may come again with every further line.
    lines.map_while(Result::ok).find_map(|line| {
        let (commit, rest) = line.split_at_checked(line.iter().position(|&byte| byte == b' ')?)?;
        let is_it = rest[1..].trim_ascii_end() == name.as_bytes();
        is_it.then(|| Commit::new(str::from_utf8(commit).ok()?)).flatten()
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use proptest::prelude::*;
    use tempfile::TempDir;

    use super::*;

    const A: &str = "0123456789abcdef0123456789abcdef01234567";
    const B: &str = "89abcdef0123456789abcdef0123456789abcdef";

    /// A folder with these files in it.
    fn folder(files: &[(&str, &str)]) -> TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        folder
    }

    fn head(files: &[(&str, &str)]) -> Option<String> {
        git_head(folder(files).path()).map(|commit| commit.to_string())
    }

    #[test]
    fn branches_are_followed_and_detached_heads_are_what_they_say() {
        let a = Some(A.to_owned());
        assert_eq!(head(&[(".git/HEAD", &format!("{A}\n"))]), a);
        let on_main = (".git/HEAD", "ref: refs/heads/main\n");
        assert_eq!(head(&[on_main, (".git/refs/heads/main", A)]), a);
        let packed = format!(
            "# pack-refs with: peeled fully-peeled sorted\n{B} refs/heads/mainline\n{A} refs/heads/main\n^{B}\n"
        );
        assert_eq!(head(&[on_main, (".git/packed-refs", &packed)]), a);
        // A loose file is younger than what was packed.
        assert_eq!(head(&[on_main, (".git/packed-refs", &packed), (".git/refs/heads/main", B)]), Some(B.to_owned()));
        let sha256 = A.repeat(2)[..64].to_owned();
        assert_eq!(head(&[(".git/HEAD", &sha256)]), Some(sha256.clone()));
        assert_eq!(Commit::new(A).unwrap().short(), "0123456789ab");
    }

    #[test]
    fn a_linked_worktree_leads_to_the_repository_that_it_belongs_to() {
        let place = folder(&[
            ("tree/.git", "gitdir: ../repository/.git/worktrees/tree\n"),
            ("repository/.git/worktrees/tree/HEAD", "ref: refs/heads/side\n"),
            ("repository/.git/worktrees/tree/commondir", "../..\n"),
            ("repository/.git/HEAD", "ref: refs/heads/main\n"),
            ("repository/.git/refs/heads/main", B),
            ("repository/.git/refs/heads/side", A),
        ]);
        assert_eq!(git_head(&place.path().join("tree")).unwrap().as_str(), A);
        assert_eq!(git_head(&place.path().join("repository")).unwrap().as_str(), B);
    }

    #[test]
    fn what_cannot_be_told_is_none() {
        assert_eq!(head(&[]), None);
        assert_eq!(head(&[(".git/HEAD", "ref: refs/heads/main\n")]), None, "nothing was committed yet");
        assert_eq!(head(&[(".git/HEAD", "ref: refs/heads/.invalid\n"), (".git/reftable/tables.list", "x")]), None);
        assert_eq!(head(&[(".git/HEAD", &A[..39])]), None);
        assert_eq!(head(&[(".git/HEAD", &A.to_uppercase())]), None);
        assert_eq!(head(&[(".git/HEAD", "ref: refs/../../secret"), ("secret", A)]), None);
        assert_eq!(head(&[(".git/HEAD", "ref: /secret"), ("secret", A)]), None);
        assert_eq!(head(&[(".git", "gitdir: elsewhere")]), None);
        assert_eq!(head(&[(".git", "gitdir: .git")]), None, "it leads to itself");
        let circle = (".git/refs/heads/a", "ref: refs/heads/a");
        assert_eq!(head(&[(".git/HEAD", "ref: refs/heads/a"), circle]), None);
        assert_eq!(head(&[(".git/HEAD", "ref: refs/heads/a"), (".git/refs/heads/a/b", A)]), None, "a folder");
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_is_not_waited_for() {
        let place = folder(&[(".git/HEAD", "ref: refs/heads/a")]);
        let made = std::process::Command::new("mkfifo").arg(place.path().join(".git/packed-refs")).status().unwrap();
        assert!(made.success());
        assert_eq!(git_head(place.path()), None);
    }

    proptest! {
        #[test]
        fn any_bytes_are_survived(
            head in any::<Vec<u8>>(), branch in any::<Vec<u8>>(), packed in any::<Vec<u8>>(), on_branch in any::<bool>(),
        ) {
            let place = folder(&[(".git/refs/heads/x", "")]);
            let git = place.path().join(".git");
            fs::write(git.join("HEAD"), if on_branch { b"ref: refs/heads/main".as_slice() } else { &head }).unwrap();
            fs::write(git.join("refs/heads/main"), &branch).unwrap();
            fs::write(git.join("packed-refs"), &packed).unwrap();
            let found = git_head(place.path());
            prop_assert!(found.is_none_or(|commit| matches!(commit.as_str().len(), 40 | 64)));
        }

        #[test]
        fn any_branch_is_found_loose_and_packed(name in "[a-zé][a-z0-9é.@+-]{0,20}(/[a-z][a-z0-9]{0,8}){0,3}", others in 0..50_usize) {
            let reference = format!("refs/heads/{name}");
            let pointer = format!("ref: {reference}\n");
            let loose = format!(".git/{reference}");
            prop_assert_eq!(head(&[(".git/HEAD", &pointer), (&loose, A)]), Some(A.to_owned()));
            let mut packed: String = (0..others).map(|number| format!("{B} refs/heads/{name}{number}\n")).collect();
            packed.push_str(&format!("{A} {reference}\n{B} refs/tags/{name}\n"));
            prop_assert_eq!(head(&[(".git/HEAD", &pointer), (".git/packed-refs", &packed)]), Some(A.to_owned()));
        }
    }
}
