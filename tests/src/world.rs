//! A temporary folder with an environment of its own.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

use crate::{Run, Snapshot};

/// A folder to work in, with a home, settings and data that no other test sees. Relative paths are below it, and it is the
/// current folder of the program.
#[derive(Debug)]
pub struct World {
    /// Holds `work`, which the tests fill, and `home`, which the program might.
    folder: TempDir,
    program: PathBuf,
    variables: Vec<(String, String)>,
}

impl World {
    /// An empty world for the program at this path.
    #[must_use]
    pub fn new(program: impl Into<PathBuf>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("work")).unwrap();
        fs::create_dir(folder.path().join("home")).unwrap();
        Self { folder, program: program.into(), variables: Vec::new() }
    }

    /// Where a path below the current folder of the program lies.
    #[must_use]
    pub fn path(&self, below: &str) -> PathBuf {
        self.folder.path().join("work").join(below)
    }

    /// Where a path below the home folder lies.
    #[must_use]
    pub fn home(&self, below: &str) -> PathBuf {
        self.folder.path().join("home").join(below)
    }

    /// Writes a file and makes the folders it lies in.
    pub fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        write(&self.path(path), text.as_ref());
    }

    /// Writes the settings file of the user.
    pub fn write_user_settings(&self, text: &str) {
        write(&self.home("config/wikirag/wikirag.toml"), text.as_bytes());
    }

    /// Adds to the end of a file.
    pub fn append(&self, path: &str, text: &str) {
        let mut file = OpenOptions::new().append(true).open(self.path(path)).unwrap();
        file.write_all(text.as_bytes()).unwrap();
    }

    /// Reads a file.
    #[must_use]
    pub fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap()
    }

    /// Removes a file, or a folder with all that is in it.
    pub fn remove(&self, path: &str) {
        let path = self.path(path);
        if path.is_dir() { fs::remove_dir_all(path).unwrap() } else { fs::remove_file(path).unwrap() }
    }

    /// Moves a file or folder.
    pub fn rename(&self, from: &str, to: &str) {
        fs::create_dir_all(self.path(to).parent().unwrap()).unwrap();
        fs::rename(self.path(from), self.path(to)).unwrap();
    }

    /// Copies a folder of the project into this world.
    pub fn copy_in(&self, from: &Path, to: &str) {
        for entry in fs::read_dir(from).unwrap() {
            let entry = entry.unwrap();
            let to = format!("{to}/{}", entry.file_name().to_str().unwrap());
            if entry.path().is_dir() {
                self.copy_in(&entry.path(), &to);
            } else {
                self.write(&to, fs::read(entry.path()).unwrap());
            }
        }
    }

    /// Whether there is a file or folder of this name at any depth.
    #[must_use]
    pub fn holds(&self, name: &str) -> bool {
        fn below(folder: &Path, name: &str) -> bool {
            let mut entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
            entries.any(|entry| {
                let is_folder = entry.file_type().unwrap().is_dir();
                entry.file_name() == name || (is_folder && below(&entry.path(), name))
            })
        }
        below(self.folder.path(), name)
    }

    /// The files below a folder as they are now.
    #[must_use]
    pub fn snapshot(&self, folder: &str) -> Snapshot {
        Snapshot::of(&self.path(folder))
    }

    /// Sets a variable of the environment for every later run.
    pub fn set_variable(&mut self, name: &str, value: &str) {
        self.variables.push((name.to_owned(), value.to_owned()));
    }

    /// The program with these arguments, not started yet.
    #[must_use]
    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        command
            .args(args)
            .current_dir(self.path(""))
            .env_clear()
            .env("HOME", self.home(""))
            .env("XDG_CONFIG_HOME", self.home("config"))
            .env("XDG_DATA_HOME", self.home("data"))
            .env("XDG_CACHE_HOME", self.home("cache"))
            .env("XDG_STATE_HOME", self.home("state"))
            .env("NO_COLOR", "1")
            .stdin(Stdio::null());
        // What programs need to start at all, on some systems.
        for name in ["PATH", "SystemRoot", "TMPDIR", "TEMP"] {
            if let Some(value) = std::env::var_os(name) {
                command.env(name, value);
            }
        }
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        command
    }

    /// Runs the program to its end.
    #[must_use]
    #[track_caller]
    pub fn run(&self, args: &[&str]) -> Run {
        Run::of(&mut self.command(args))
    }

    /// Starts the program, with nobody to listen to it.
    #[must_use]
    pub fn spawn(&self, args: &[&str]) -> Child {
        self.command(args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    }
}

fn write(path: &Path, text: &[u8]) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}
