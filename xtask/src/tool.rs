//! Running other programs, each printed before it runs.

use std::error::Error;
use std::ffi::OsString;
use std::fmt;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::{LazyLock, mpsc};
use std::thread;

use cargo_metadata::MetadataCommand;

pub(crate) type Result<T, E = Box<dyn Error>> = std::result::Result<T, E>;

/// The error of a chore that has said itself what went wrong.
#[derive(Debug)]
pub(crate) struct Told;

impl fmt::Display for Told {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("failed")
    }
}

impl Error for Told {}

/// The folder of the workspace. Cargo tells it to the program it runs; what was true when this was compiled need not be
/// true now, since copies of a workspace share what they build.
pub(crate) fn root() -> &'static Path {
    static ROOT: LazyLock<PathBuf> = LazyLock::new(|| {
        let here = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
        let here = PathBuf::from(here);
        here.parent().map_or_else(|| here.clone(), Path::to_owned)
    });
    &ROOT
}

/// The folder into which cargo builds.
pub(crate) fn target_dir() -> Result<PathBuf> {
    let metadata = MetadataCommand::new().manifest_path(root().join("Cargo.toml")).no_deps().exec()?;
    Ok(metadata.target_directory.into())
}

/// A program with its arguments.
#[derive(Debug, Clone)]
pub(crate) struct Tool {
    program: OsString,
    name: String,
    args: Vec<String>,
    env: Vec<(&'static str, String)>,
    dir: PathBuf,
}

impl Tool {
    /// `program`, shown to people as `name`, run in the folder of the workspace.
    pub(crate) fn new(program: impl Into<OsString>, name: &str) -> Self {
        Self {
            program: program.into(),
            name: name.to_owned(),
            args: Vec::new(),
            env: Vec::new(),
            dir: root().to_owned(),
        }
    }

    /// The cargo that runs this chore, with `words` split at spaces.
    pub(crate) fn cargo(words: &str) -> Self {
        let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        Self::new(program, "cargo").args(words.split_whitespace())
    }

    pub(crate) fn args(mut self, args: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.args.extend(args.into_iter().map(Into::into));
        self
    }

    pub(crate) fn env(mut self, key: &'static str, value: impl Into<String>) -> Self {
        self.env.push((key, value.into()));
        self
    }

    pub(crate) fn dir(mut self, dir: &Path) -> Self {
        dir.clone_into(&mut self.dir);
        self
    }

    /// The line that a person would type.
    pub(crate) fn line(&self) -> String {
        let env = self.env.iter().map(|(key, value)| format!("{key}={}", quoted(value)));
        let words = std::iter::once(&self.name).chain(&self.args).map(|word| quoted(word));
        env.chain(words).collect::<Vec<_>>().join(" ")
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.args).current_dir(&self.dir);
        // `cargo run` describes xtask itself in these; a build script that looks at them would run again for nothing.
        for (key, _) in std::env::vars_os() {
            let name = key.to_string_lossy();
            if name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_") {
                command.env_remove(&key);
            }
        }
        for (key, value) in &self.env {
            command.env(key, value);
        }
        command
    }

    fn announce(&self) {
        println!("$ {}", self.line());
    }

    fn cannot_start(&self, error: &std::io::Error) -> String {
        format!("`{}` cannot be started: {error}", self.name)
    }

    /// Runs it to its end; its exit status is the caller's business.
    pub(crate) fn status(&self) -> Result<ExitStatus> {
        self.announce();
        self.command().status().map_err(|error| self.cannot_start(&error).into())
    }

    /// Runs it and fails where it fails.
    pub(crate) fn run(&self) -> Result<()> {
        self.expect_success(self.status()?)
    }

    /// Runs it and returns what it wrote to standard output.
    pub(crate) fn output(&self) -> Result<String> {
        self.announce();
        let output = self.command().stderr(Stdio::inherit()).output().map_err(|error| self.cannot_start(&error))?;
        self.expect_success(output.status)?;
        String::from_utf8(output.stdout)
            .map_err(|_| format!("`{}` wrote something that is no text", self.line()).into())
    }

    /// The same without a word: its failure is the caller's business, and what it says of it is in the error.
    pub(crate) fn quiet_output(&self) -> Result<String> {
        let output = self.command().output().map_err(|error| self.cannot_start(&error))?;
        if !output.status.success() {
            return Err(format!("`{}` failed: {}", self.line(), String::from_utf8_lossy(&output.stderr)).into());
        }
        String::from_utf8(output.stdout)
            .map_err(|_| format!("`{}` wrote something that is no text", self.line()).into())
    }

    /// Whether it starts and succeeds, without a word.
    pub(crate) fn works(&self) -> bool {
        self.command().stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
    }

    /// Runs it, passes its output on, and shows each line of it to `look` as well.
    pub(crate) fn watch(&self, mut look: impl FnMut(&str)) -> Result<ExitStatus> {
        self.announce();
        let mut child = self
            .command()
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| self.cannot_start(&error))?;
        let (sender, lines) = mpsc::channel();
        let out = child.stdout.take().map(|stream| pass_on(stream, std::io::stdout(), sender.clone()));
        let err = child.stderr.take().map(|stream| pass_on(stream, std::io::stderr(), sender));
        for line in lines {
            look(&line);
        }
        for reader in [out, err].into_iter().flatten() {
            reader.join().map_err(|_| "a thread that passes output on has failed")??;
        }
        Ok(child.wait()?)
    }

    fn expect_success(&self, status: ExitStatus) -> Result<()> {
        if status.success() { Ok(()) } else { Err(format!("`{}` failed ({status})", self.line()).into()) }
    }
}

fn pass_on(
    stream: impl Read + Send + 'static,
    mut to: impl Write + Send + 'static,
    lines: mpsc::Sender<String>,
) -> thread::JoinHandle<std::io::Result<()>> {
    thread::spawn(move || {
        let mut stream = BufReader::new(stream);
        let mut line = Vec::new();
        while stream.read_until(b'\n', &mut line)? > 0 {
            to.write_all(&line)?;
            // The receiver lives until both senders are gone.
            let _ = lines.send(String::from_utf8_lossy(&line).trim_end().to_owned());
            line.clear();
        }
        Ok(())
    })
}

/// The word as a shell takes it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,@+".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_can_be_typed_as_it_is_shown() {
        let tool = Tool::new("x", "wikirag").args(["query", "what's new?", ""]).env("RUSTDOCFLAGS", "-D warnings");
        assert_eq!(tool.line(), r"RUSTDOCFLAGS='-D warnings' wikirag query 'what'\''s new?' ''");
    }

    #[test]
    fn output_is_passed_on_line_by_line() {
        let mut seen = Vec::new();
        let status = Tool::cargo("--version").watch(|line| seen.push(line.to_owned())).unwrap();
        assert!(status.success());
        assert!(seen.iter().any(|line| line.starts_with("cargo ")), "{seen:?}");
    }

    #[test]
    fn a_failure_names_the_command() {
        let error = Tool::cargo("no-such-command").run().unwrap_err().to_string();
        assert!(error.contains("cargo no-such-command"), "{error}");
        let error = Tool::new("no-such-program-anywhere", "nothing").run().unwrap_err().to_string();
        assert!(error.contains("`nothing` cannot be started"), "{error}");
    }
}
