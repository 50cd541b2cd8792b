//! The `wikirag` program, built for these tests.

use std::process::ExitCode;

fn main() -> ExitCode {
    wikirag_cli::Runner::new().run_from_env()
}
