//! What one run of the program gave.

use std::io;
use std::process::Command;

use serde_json::Value;

/// Exit code and output of one run.
#[derive(Debug, Clone)]
pub struct Run {
    /// The arguments, for messages.
    pub args: String,
    /// Exit code; -1 for a program that was ended by a signal.
    pub code: i32,
    /// What it wrote to stdout.
    pub stdout: String,
    /// What it wrote to stderr.
    pub stderr: String,
}

impl Run {
    /// Runs a command to its end.
    ///
    /// # Panics
    /// Where it cannot be started; see [`Run::try_of`].
    #[must_use]
    #[track_caller]
    pub fn of(command: &mut Command) -> Self {
        Self::try_of(command).unwrap()
    }

    /// Runs a command to its end. A panic fails the test, whatever the test is about.
    ///
    /// # Errors
    /// Where it cannot be started.
    ///
    /// # Panics
    /// Where the program panicked, or wrote what is no UTF-8.
    #[track_caller]
    pub fn try_of(command: &mut Command) -> io::Result<Self> {
        let output = command.output()?;
        let args: Vec<_> = command.get_args().map(|arg| arg.to_string_lossy().into_owned()).collect();
        let run = Self {
            args: args.join(" "),
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        };
        assert!(!run.stderr.contains("panicked"), "{run}");
        Ok(run)
    }

    /// The run, which must have ended with this code.
    ///
    /// # Panics
    /// Where it did not.
    #[must_use]
    #[track_caller]
    pub fn expect(self, code: i32) -> Self {
        assert_eq!(self.code, code, "{self}");
        self
    }

    /// The run, which must have ended well.
    ///
    /// # Panics
    /// Where it did not.
    #[must_use]
    #[track_caller]
    pub fn ok(self) -> Self {
        self.expect(0)
    }

    /// stdout as one JSON value.
    ///
    /// # Panics
    /// Where it is none.
    #[must_use]
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}\n{self}"))
    }

    /// The results of an answer in JSON.
    ///
    /// # Panics
    /// Where stdout is no such answer.
    #[must_use]
    #[track_caller]
    pub fn results(&self) -> Vec<Value> {
        self.json()["results"].as_array().unwrap_or_else(|| panic!("no results\n{self}")).clone()
    }

    /// `wiki/path` of each result, best first.
    ///
    /// # Panics
    /// Where stdout is no answer in JSON.
    #[must_use]
    #[track_caller]
    pub fn hits(&self) -> Vec<String> {
        let place =
            |result: &Value| format!("{}/{}", result["wiki"].as_str().unwrap(), result["path"].as_str().unwrap());
        self.results().iter().map(place).collect()
    }

    /// The codes of the hints of an answer in JSON.
    ///
    /// # Panics
    /// Where stdout is no answer in JSON.
    #[must_use]
    #[track_caller]
    pub fn hints(&self) -> Vec<String> {
        let hints = self.json()["hints"].clone();
        hints.as_array().unwrap().iter().map(|hint| hint["code"].as_str().unwrap().to_owned()).collect()
    }
}

impl std::fmt::Display for Run {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "wikirag {}: exit code {}", self.args, self.code)?;
        writeln!(f, "stdout: {}", self.stdout)?;
        write!(f, "stderr: {}", self.stderr)
    }
}
