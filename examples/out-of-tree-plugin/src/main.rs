//! The `wikirag` program with one more plugin.

use std::process::ExitCode;

// Without a line that names it, the linker leaves the plugin out and says nothing.
use out_of_tree_plugin as _;

fn main() -> ExitCode {
    wikirag_cli::Runner::new().run_from_env()
}
