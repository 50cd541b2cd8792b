//! Flags of the commands over the log of questions.

use clap::Args;

use super::TargetArgs;

#[derive(Debug, Args)]
pub(crate) struct Gaps {
    #[command(flatten)]
    pub(crate) target: TargetArgs,
    /// Only questions that were asked on this day or later
    #[arg(long, value_name = "YYYY-MM-DD")]
    pub(crate) since: Option<String>,
    /// Topics at most, those asked for most and answered least first
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) limit: u32,
    /// Print JSON: topics with all their questions, and those that are answered by now
    #[arg(long)]
    pub(crate) json: bool,
    /// Do not build a wiki that was never built
    #[arg(long)]
    pub(crate) no_build: bool,
    /// Do not look for changed files
    #[arg(long)]
    pub(crate) no_refresh: bool,
}
