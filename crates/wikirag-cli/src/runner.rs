//! From arguments to an exit code.

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::Arc;

use clap::Parser;
use wikirag::core::Host;
use wikirag::settings::{LoadOptions, Settings};
use wikirag::{Context, Engine, Error, ErrorKind, Registry, Result};

use crate::args::{Cli, Global};
use crate::commands;
use crate::exit::ExitStatus;
use crate::progress::Bar;
use crate::terminal::{Terminal, paint, style};

/// Runs the program. A program with other plugins makes one in its own `main`.
#[derive(Debug)]
#[non_exhaustive]
pub struct Runner;

impl Default for Runner {
    fn default() -> Self {
        Self::new()
    }
}

impl Runner {
    /// The program with all plugins that are linked into it.
    #[must_use]
    pub fn new() -> Self {
        // Naming the table keeps the linker from leaving out the plugins of the facade.
        std::hint::black_box(wikirag::PLUGINS);
        Self
    }

    /// Runs with the arguments of the process and returns its exit code.
    #[must_use]
    pub fn run_from_env(&self) -> ExitCode {
        self.run(std::env::args_os()).into()
    }

    /// Runs with these arguments, of which the first is the name of the program.
    pub fn run(&self, args: impl IntoIterator<Item = OsString>) -> ExitStatus {
        let cli = match Cli::try_parse_from(args) {
            Ok(cli) => cli,
            Err(error) => {
                // Help and version go to stdout and are no failure; where nobody reads them there is nothing to do.
                let _ = error.print();
                return if error.use_stderr() { ExitStatus::Usage } else { ExitStatus::Fine };
            }
        };
        let session = Session::new(cli.global.clone());
        match commands::run(&session, cli.command) {
            Ok(status) => status,
            Err(error) if is_closed_pipe(&error) => ExitStatus::Fine,
            Err(error) => {
                session.tell_error(&error);
                ExitStatus::of(error.kind())
            }
        }
    }
}

/// Whoever read our output went away: nothing more to say, and no failure of ours.
fn is_closed_pipe(error: &Error) -> bool {
    error.context("stream") == Some("stdout") && error.context("cause") == Some("closed")
}

/// What the commands share: flags, terminal, and the engine once it is needed.
pub(crate) struct Session {
    global: Global,
    pub(crate) terminal: Terminal,
}

impl Session {
    fn new(global: Global) -> Self {
        let terminal = Terminal::new(global.color, global.quiet);
        Self { global, terminal }
    }

    /// Keys of wikirag.toml that flags set.
    pub(crate) fn flags(&self) -> &[(String, String)] {
        &self.global.set
    }

    /// Loads the settings.
    pub(crate) fn settings(&self) -> Result<Settings> {
        self.settings_with(&[])
    }

    fn settings_with(&self, flags: &[(String, String)]) -> Result<Settings> {
        let mut options = LoadOptions::from_process()?;
        options.flags.extend(self.global.set.iter().chain(flags).cloned());
        Settings::load(&options)
    }

    /// The engine over the linked plugins.
    pub(crate) fn engine(&self) -> Result<Engine> {
        self.engine_with(&[])
    }

    /// The same with more flags of settings, which win over those of `--set`.
    pub(crate) fn engine_with(&self, flags: &[(String, String)]) -> Result<Engine> {
        let (registry, settings) = (Registry::collect()?, self.settings_with(flags)?);
        let host = Host::new(registry);
        // Plugins try native code in a second process of this program, by the command `probe`.
        let host = match std::env::current_exe() {
            Ok(program) => host.with_prober(vec![program, "probe".into()]),
            Err(_) => host,
        };
        Engine::on(host, settings)
    }

    /// A context that draws its progress under `name`, on a terminal.
    pub(crate) fn context(&self, name: &str) -> Context {
        let context = Context::new();
        if self.terminal.progress { context.with_progress(Arc::new(Bar::new(name))) } else { context }
    }

    /// Writes data to stdout.
    pub(crate) fn print(&self, text: &str) -> Result<()> {
        let mut out = io::stdout().lock();
        out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(|error| {
            let cause = if error.kind() == io::ErrorKind::BrokenPipe { "closed" } else { "failed" };
            Error::new(ErrorKind::Io, "print", error.to_string()).with("stream", "stdout").with("cause", cause)
        })
    }

    /// Writes one line about the work to stderr, unless `--quiet`.
    pub(crate) fn tell(&self, text: &str) {
        if !self.global.quiet {
            self.say(&format!("{} {text}", paint(self.terminal.err_color, style::HINT, "note:")));
        }
    }

    /// Writes one line about a fault to stderr, `--quiet` or not.
    pub(crate) fn warn(&self, text: &str) {
        self.say(&format!("{} {text}", paint(self.terminal.err_color, style::HINT, "warning:")));
    }

    fn tell_error(&self, error: &Error) {
        self.say(&format!("{} {error}", paint(self.terminal.err_color, style::ERROR, "error:")));
    }

    fn say(&self, line: &str) {
        // Where stderr is closed nobody can be told.
        let _ = writeln!(io::stderr().lock(), "{line}");
    }
}
