//! Context for language models, and answers.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{TargetArgs, TextOrJson};

/// How a context is printed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum PackFormat {
    /// Each passage below the place where it stands
    #[default]
    Text,
    /// One JSON document
    Json,
    /// A prompt: what a model is to do, the passages, the question
    Prompt,
}

#[derive(Debug, Args)]
pub(crate) struct Pack {
    #[command(flatten)]
    pub(crate) target: TargetArgs,
    /// The question. Any text is one; put `--` before it if it begins with a dash
    #[arg(value_name = "QUESTION", required = true)]
    pub(crate) question: Vec<String>,
    #[command(flatten)]
    pub(crate) budget: BudgetArgs,
    /// How to print
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) format: PackFormat,
    /// The same as `--format json`
    #[arg(long, conflicts_with = "format")]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) asking: AskingArgs,
}

/// How much a model may read.
#[derive(Debug, Args)]
pub(crate) struct BudgetArgs {
    /// Tokens at most of all that is printed, by the counter that is named; 1 to 1000000
    #[arg(long, value_name = "N", default_value_t = 4000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) budget: u32,
    /// Count with the tokenizer of a model, a `tokenizer.json`. Without: an estimate
    #[arg(long, value_name = "FILE")]
    pub(crate) model_tokenizer: Option<PathBuf>,
}

/// How the wikis are asked.
#[derive(Debug, Args)]
pub(crate) struct AskingArgs {
    /// Fail where an answer would be served by less than all layers
    #[arg(long)]
    pub(crate) strict: bool,
    /// Do not build a wiki that was never built
    #[arg(long)]
    pub(crate) no_build: bool,
    /// Do not look for changed files
    #[arg(long)]
    pub(crate) no_refresh: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Ask {
    #[command(flatten)]
    pub(crate) target: TargetArgs,
    /// The question. Any text is one; put `--` before it if it begins with a dash
    #[arg(value_name = "QUESTION", required = true)]
    pub(crate) question: Vec<String>,
    #[command(flatten)]
    pub(crate) budget: BudgetArgs,
    /// Tokens of the model that the answer may have
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) max_tokens: u32,
    /// Ask the model even where the passages hardly bear out an answer
    #[arg(long)]
    pub(crate) even_if_weak: bool,
    /// How to print. As text the answer comes while it is written
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) format: TextOrJson,
    /// The same as `--format json`
    #[arg(long, conflicts_with = "format")]
    pub(crate) json: bool,
    /// Keep this question out of the log of questions
    #[arg(long)]
    pub(crate) no_log: bool,
    #[command(flatten)]
    pub(crate) asking: AskingArgs,
}

#[derive(Debug, Args)]
pub(crate) struct VerifyAnswer {
    #[command(flatten)]
    pub(crate) target: TargetArgs,
    /// A text with citations (`[[page]]`, `(Source: path)`); `-` reads it from stdin
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}
