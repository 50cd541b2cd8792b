//! Repositories made with the program git, and a place for taps.

#![allow(dead_code, reason = "each test program uses a part of it")]

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;
use wikirag_core::{Context, Error, Result, WikiName};
use wikirag_engine::settings::{LoadOptions, Settings};
use wikirag_taps::{Added, Limits, NewTap, Source, TapStatus, Taps, Updated};

/// A data folder, and room for repositories beside it.
pub(crate) struct Place {
    folder: TempDir,
    pub(crate) settings: Settings,
    pub(crate) limits: Limits,
}

impl Place {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut options = LoadOptions::new(folder.path());
        options.data_dir = Some(folder.path().join("data"));
        Self { settings: Settings::load(&options).unwrap(), folder, limits: Limits::default() }
    }

    pub(crate) fn path(&self, below: &str) -> PathBuf {
        self.folder.path().join(below)
    }

    /// An empty repository with a working tree.
    pub(crate) fn repository(&self, name: &str) -> Repository {
        Repository::init(&self.path(name), &[])
    }

    pub(crate) fn taps(&self) -> Taps<'_> {
        Taps::new(&self.settings, self.limits)
    }

    pub(crate) fn add(&self, repository: &Repository, name: &str, branch: Option<&str>) -> Result<Added> {
        let source = Source::parse(repository.bare().to_str().unwrap(), self.folder.path())?;
        self.taps().add(&NewTap::new(source, Some(name), branch)?, &Context::new())
    }

    /// Adds a tap that is refused, of which nothing must be left.
    pub(crate) fn refused(&self, repository: &Repository, name: &str) -> Error {
        let error = self.add(repository, name, None).unwrap_err();
        assert!(!self.path(&format!("data/taps/{name}")).exists(), "{error}");
        assert!(!self.path(&format!("data/wikis/{name}")).exists(), "{error}");
        let half: Vec<_> =
            fs::read_dir(self.path("data/taps/.half")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(half, ["lock"], "{error}");
        error
    }

    pub(crate) fn update(&self, name: &str) -> Updated {
        let updated = self.taps().update(&[WikiName::new(name).unwrap()], &Context::new()).unwrap();
        updated.into_iter().next().unwrap()
    }

    pub(crate) fn status(&self, name: &str) -> TapStatus {
        self.taps().list().unwrap().into_iter().find(|tap| tap.name == name).unwrap()
    }

    pub(crate) fn clone(&self, name: &str) -> PathBuf {
        self.path(&format!("data/taps/{name}/clone"))
    }

    /// The paths of all files of a clone but those of git, with `/`, sorted.
    pub(crate) fn files(&self, name: &str) -> Vec<String> {
        let mut found = Vec::new();
        below(&self.clone(name), "", &mut found);
        found.sort();
        found
    }
}

fn below(folder: &Path, prefix: &str, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap()) {
        let path = format!("{prefix}{}", entry.file_name().to_str().unwrap());
        match entry.file_type().unwrap() {
            _ if path == ".git" => {}
            kind if kind.is_dir() => below(&entry.path(), &format!("{path}/"), found),
            _ => found.push(path),
        }
    }
}

/// A repository with a working tree. Its folder `.git` is what is cloned.
pub(crate) struct Repository {
    pub(crate) path: PathBuf,
}

impl Repository {
    pub(crate) fn init(path: &Path, flags: &[&str]) -> Self {
        fs::create_dir_all(path).unwrap();
        let repository = Self { path: path.to_owned() };
        repository.git(&[&["init", "--quiet", "--initial-branch=main"], flags].concat());
        repository
    }

    pub(crate) fn bare(&self) -> PathBuf {
        self.path.join(".git")
    }

    /// Runs git in it, without the settings of whoever runs the tests.
    pub(crate) fn git<S: AsRef<str>>(&self, args: &[S]) -> String {
        self.git_with(args, b"")
    }

    pub(crate) fn git_with<S: AsRef<str>>(&self, args: &[S], stdin: &[u8]) -> String {
        let mut command = git(&self.path);
        command.args(args.iter().map(AsRef::as_ref)).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(stdin).unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "git {:?}", args.iter().map(AsRef::as_ref).collect::<Vec<_>>());
        String::from_utf8(output.stdout).unwrap().trim_end().to_owned()
    }

    pub(crate) fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.path.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Commits all that is in the working tree.
    pub(crate) fn commit(&self) -> String {
        self.git(&["add", "--all", "--force"]);
        self.git(&["commit", "--quiet", "--allow-empty", "--message=x"]);
        self.head()
    }

    pub(crate) fn head(&self) -> String {
        self.git(&["rev-parse", "HEAD"])
    }

    /// Writes a file and commits it.
    pub(crate) fn add(&self, path: &str, text: &str) -> String {
        self.write(path, text);
        self.commit()
    }

    /// Stores bytes, and gives their name.
    pub(crate) fn blob(&self, bytes: &[u8]) -> String {
        self.git_with(&["hash-object", "-w", "--stdin"], bytes)
    }

    /// Stores a folder of entries `MODE KIND NAME<tab>PATH`, and gives its name.
    pub(crate) fn tree(&self, entries: &[String]) -> String {
        let text: String = entries.iter().map(|entry| format!("{entry}\0")).collect();
        self.git_with(&["mktree", "-z", "--missing"], text.as_bytes())
    }

    /// Makes `main` a commit of this tree, whatever the working tree holds.
    pub(crate) fn commit_tree(&self, tree: &str) -> String {
        let commit = self.git(&["commit-tree", "-m", "x", tree]);
        self.git(&["update-ref", "refs/heads/main", &commit]);
        commit
    }
}

/// Git without the settings of whoever runs the tests.
pub(crate) fn git(folder: &Path) -> Command {
    let mut command = Command::new("git");
    command.current_dir(folder);
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("GIT_")) {
        command.env_remove(name);
    }
    for who in ["AUTHOR", "COMMITTER"] {
        command.env(format!("GIT_{who}_NAME"), "x").env(format!("GIT_{who}_EMAIL"), "x@example.org");
    }
    command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
    command
}
