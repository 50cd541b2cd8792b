//! `cargo xtask soak`: the tests that look for the rare, for as long as it takes.

use crate::tool::{Result, Tool};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Builds killed at random moments
    #[arg(long, value_name = "N", default_value_t = 200)]
    kills: usize,
    /// Seconds for which forty readers ask while one process builds
    #[arg(long, value_name = "N", default_value_t = 120)]
    seconds: u64,
    /// Cases of each property test, other ones in each run
    #[arg(long, value_name = "N", default_value_t = 3000)]
    cases: u32,
}

/// The tests of kills that share the number.
const KILLERS: usize = 3;

pub(crate) fn run(args: &Args) -> Result<()> {
    let program = || Tool::cargo("test --release --package wikirag-tests --test program --");
    program().args(["kill::"]).env("WIKIRAG_TEST_KILLS", args.kills.div_ceil(KILLERS).to_string()).run()?;
    let log = ["sizes::a_log_of_114_mb", "--ignored", "--exact", "--nocapture"];
    program().args(log).run()?;
    // Alone: it measures how long questions take.
    let readers = ["readers::forty_readers_and_a_writer", "--ignored", "--exact", "--nocapture"];
    program().args(readers).env("WIKIRAG_TEST_SECONDS", args.seconds.to_string()).run()?;
    let properties = Tool::cargo("test --release --workspace --exclude wikirag-tests --lib --tests");
    properties.env("PROPTEST_CASES", args.cases.to_string()).run()
}
