//! The `wikirag` program as a library.
//!
//! The program is a five-line `main` around [`Runner`]. A program with plugins of its own is the same `main` in another
//! crate that names them:
//!
//! ```no_run
//! // use my_plugin as _;
//! fn main() -> std::process::ExitCode {
//!     wikirag_cli::Runner::new().run_from_env()
//! }
//! ```

mod args;
mod commands;
mod exit;
mod output;
mod progress;
mod runner;
mod terminal;

pub use exit::ExitStatus;
pub use runner::Runner;
