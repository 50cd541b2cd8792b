//! `cargo xtask bench`: speed and memory, measured by the package `wikirag-bench`.

use crate::tool::{Result, Tool};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Passed on; `cargo xtask bench -- --help` lists what there is
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    rest: Vec<String>,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    // The bench starts the program as a process; it must be the one of today.
    Tool::cargo("build --release --package wikirag-cli --bin wikirag").run()?;
    Tool::cargo("run --release --package wikirag-bench --").args(args.rest.iter().cloned()).run()
}
