//! The command line. Each flag is defined here, once; help, man page and completions are made from it.

mod answers;
mod eval;
#[cfg(feature = "server")]
mod mcp;
mod portable;
mod questions;
#[cfg(feature = "server")]
mod serve;
mod skills;
mod standing;
#[cfg(feature = "taps")]
mod tap;
mod vault;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

pub(crate) use answers::{Ask, AskingArgs, BudgetArgs, Pack, PackFormat, VerifyAnswer};
pub(crate) use eval::Eval;
#[cfg(feature = "server")]
pub(crate) use mcp::{Client, Mcp, McpCommand, McpInstall};
pub(crate) use portable::{Export, Import};
pub(crate) use questions::Gaps;
#[cfg(feature = "server")]
pub(crate) use serve::{LogFormat, Serve, Token};
pub(crate) use skills::Skills;
#[cfg(feature = "watch")]
pub(crate) use standing::Watch;
pub(crate) use standing::{Refresh, Schedule, ScheduleCommand, SchedulePrint, StandingArgs};
#[cfg(feature = "taps")]
pub(crate) use tap::{Tap, TapAdd, TapCommand, TapDiscover, TapUpdate};
pub(crate) use vault::{Backlinks, Graph, GraphFormat, Mentions, PageArgs};

/// Search many small wikis as one: local, fast, cited.
#[derive(Debug, Parser)]
#[command(
    name = "wikirag",
    version,
    max_term_width = 100,
    after_help = "Exit codes: 0 fine, 1 failure, 2 usage, 4 done in part, 5 index missing or damaged, 6 refused."
)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Flags of every command.
#[derive(Debug, Clone, Args)]
pub(crate) struct Global {
    /// Set a key of wikirag.toml for this call
    #[arg(long = "set", value_name = "KEY=VALUE", global = true, value_parser = key_value)]
    pub(crate) set: Vec<(String, String)>,
    /// When to use colours
    #[arg(long, value_enum, default_value_t, value_name = "WHEN", global = true)]
    pub(crate) color: Color,
    /// Print no hints and no progress
    #[arg(long, short, global = true)]
    pub(crate) quiet: bool,
}

fn key_value(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) if !key.trim().is_empty() => Ok((key.trim().to_owned(), value.to_owned())),
        _ => Err("write KEY=VALUE, as in `limit=20`".to_owned()),
    }
}

/// When to use colours.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless NO_COLOR or CI is set
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Write a manifest: `.wiki.yaml` into a folder, or a composition
    Init(Init),
    /// Build or refresh the index of a wiki, or of all wikis of a composition
    Build(Build),
    /// Bring many wikis up to date, one after the other, whatever becomes of each
    #[command(visible_alias = "reindex")]
    Refresh(Refresh),
    /// Watch folders, and bring the index of each up to date whenever it changes
    #[cfg(feature = "watch")]
    Watch(Watch),
    /// Print timers that refresh wikis
    Schedule(Schedule),
    /// Ask a question
    Query(Query),
    /// Answer a question in words, with citations that are checked
    Ask(Ask),
    /// Compare a text with the documents that it cites
    VerifyAnswer(VerifyAnswer),
    /// Pack the passages that a language model should read under a budget of tokens
    Context(Pack),
    /// Load what a question needs into a budget of tokens: hot cache, index, folders, pages
    Drill(Drill),
    /// Propose `hot.md`, the page of what is on people's minds; with --write, the one command that writes a document
    Hot(Hot),
    /// Read a document, some lines of it, or a passage by its id
    Get(Get),
    /// Show how wikis stand: documents, layers, and every file
    Status(Status),
    /// Check indexes: the catalog, the layers against it, and it against the documents
    Verify(Verify),
    /// Write the index of a wiki as one archive, which holds the text of all its documents
    Export(Export),
    /// Make a wiki of an archive, or the index of one whose documents are here
    Import(Import),
    /// Look for what is wrong with the pages of wikis: links, front matter, copies, secrets. Nothing is mended
    Lint(Lint),
    /// Show the pages around a page, and what joins them
    Graph(Graph),
    /// List the links to a page, or to a heading or block of it (`page#heading`, `page#^block`)
    Backlinks(Backlinks),
    /// List where a page is named without a link
    Mentions(Mentions),
    /// List topics that are asked for and that the wikis say too little about
    Gaps(Gaps),
    /// Find the skills, rules, workflows, commands and agents that help with a task
    Skills(Skills),
    /// Corpora that live in git: add, list, update, remove, and search for them
    #[cfg(feature = "taps")]
    Tap(Tap),
    /// Serve programs, agents and people by HTTP: a page, an API, and the Model Context Protocol
    #[cfg(feature = "server")]
    Serve(Serve),
    /// Make a token for a caller of `serve`
    #[cfg(feature = "server")]
    Token(Token),
    /// Serve agents over stdin and stdout by the Model Context Protocol
    #[cfg(feature = "server")]
    Mcp(Mcp),
    /// Check the program, its settings, and the soundness of indexes
    Doctor(Doctor),
    /// List the plugins of this program
    Plugins(Plugins),
    /// List models, get them, tell where they lie, remove them
    Model(Model),
    /// Show the settings and where each came from
    Config(Config),
    /// Measure retrieval on judged questions, or compare settings on a log of questions
    Eval(Eval),
    /// Run the probe of a plugin: what it does in a process of its own, since it may crash
    #[command(hide = true)]
    Probe(Probe),
    /// Print shell completions
    Completions(Completions),
    /// Print the manual page
    Man(Man),
}

/// What to search: shared by the commands that read.
#[derive(Debug, Args)]
pub(crate) struct TargetArgs {
    /// A composition (`*.rag.yaml`), a folder, or the name of a wiki
    #[arg(value_name = "RAG|WIKI")]
    pub(crate) target: String,
    /// Leave out wikis that are missing or empty instead of failing
    #[arg(long)]
    pub(crate) allow_missing: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Init {
    /// The folder of the wiki, or the composition to write (`NAME.rag.yaml`)
    #[arg(default_value = ".")]
    pub(crate) path: PathBuf,
    /// Wikis of the composition: names, or paths from its folder
    #[arg(value_name = "WIKI")]
    pub(crate) wikis: Vec<String>,
    /// Name; default: that of the folder or file
    #[arg(long)]
    pub(crate) name: Option<String>,
    /// Trust level of the wiki, or clearance of the composition
    #[arg(long, value_name = "LEVEL", value_parser = ["public", "internal", "confidential", "restricted"])]
    pub(crate) sensitivity: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Build {
    #[command(flatten)]
    pub(crate) target: TargetArgs,
    /// The documents, if they lie elsewhere: makes a wiki of the name given first
    #[arg(value_name = "SOURCE")]
    pub(crate) source: Option<PathBuf>,
    /// Tag of a wiki made with SOURCE
    #[arg(long = "tag", value_name = "TAG", requires = "source")]
    pub(crate) tags: Vec<String>,
    /// Read every file again and make every layer anew; mends a damaged index
    #[arg(long)]
    pub(crate) full: bool,
    /// Print the report as JSON, one object a wiki
    #[arg(long)]
    pub(crate) json: bool,
}

/// How results are printed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people
    #[default]
    Text,
    /// One JSON document
    Json,
    /// One JSON object a result
    Jsonl,
    /// Markdown
    Md,
    /// Comma-separated values with a header
    Csv,
}

/// What a result is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum By {
    /// A passage
    #[default]
    Passage,
    /// A document: its best passage, and its others under it
    Document,
}

#[derive(Debug, Args)]
pub(crate) struct Query {
    #[command(flatten)]
    pub(crate) target: TargetArgs,
    /// The question. Any text is one; put `--` before it if it begins with a dash
    #[arg(value_name = "QUESTION", required = true)]
    pub(crate) question: Vec<String>,
    /// Results at most, 1 to 1000; default: that of the composition, else the setting `limit`
    #[arg(short = 'k', long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) limit: Option<u32>,
    /// What a result is
    #[arg(long, value_enum, default_value_t, value_name = "WHAT")]
    pub(crate) by: By,
    /// Passages of one document at most, while other documents have some; default: that of the composition, else the
    /// setting `per_document`
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), conflicts_with = "by")]
    pub(crate) per_document: Option<u32>,
    /// How to print
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) format: Format,
    /// The same as `--format json`
    #[arg(long, conflicts_with = "format")]
    pub(crate) json: bool,
    /// Show where each score came from
    #[arg(long)]
    pub(crate) explain: bool,
    /// Only these layers
    #[arg(long, value_name = "LAYER", value_delimiter = ',')]
    pub(crate) layers: Option<Vec<String>>,
    #[command(flatten)]
    pub(crate) asking: AskingArgs,
}

/// How something is printed that is one document for programs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum TextOrJson {
    /// Text for people
    #[default]
    Text,
    /// One JSON document
    Json,
}

#[derive(Debug, Args)]
pub(crate) struct Drill {
    #[command(flatten)]
    pub(crate) target: TargetArgs,
    /// The question. Any text is one; put `--` before it if it begins with a dash
    #[arg(value_name = "QUESTION", required = true)]
    pub(crate) question: Vec<String>,
    /// Tokens at most, by an estimate that counts citations as well; 1 to 1000000
    #[arg(long, value_name = "N", default_value_t = 4000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) budget: u32,
    /// How to print. As text, what was loaded goes to stdout and what each level cost to stderr
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) format: TextOrJson,
    /// Another table of the kinds of questions: their marks, levels and shares (TOML)
    #[arg(long, value_name = "FILE")]
    pub(crate) kinds: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) asking: AskingArgs,
}

#[derive(Debug, Args)]
pub(crate) struct Hot {
    /// A folder, or the name of a wiki
    #[arg(value_name = "WIKI")]
    pub(crate) wiki: String,
    /// Write `hot.md` into the folder of the wiki. Without, the proposal is printed as a diff and nothing is written
    #[arg(long)]
    pub(crate) write: bool,
    /// The day that counts as today
    #[arg(long, value_name = "YYYY-MM-DD")]
    pub(crate) as_of: Option<String>,
    /// Print JSON: items, text and diff
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Get {
    #[command(flatten)]
    pub(crate) target: TargetArgs,
    /// `path`, `wiki/path`, `path:LINE`, `path:FIRST-LAST`, `path#page=N`, the id of a result or of a block of context
    #[arg(value_name = "WHAT")]
    pub(crate) what: String,
    /// Print JSON with title, front matter and lines
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Status {
    #[command(flatten)]
    pub(crate) target: TargetArgs,
    /// List every file with its state
    #[arg(long)]
    pub(crate) files: bool,
    /// Only files with this reason or state (`failed`, `no-reader`, ...)
    #[arg(long, value_name = "REASON", requires = "files")]
    pub(crate) reason: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Verify {
    #[command(flatten)]
    pub(crate) target: TargetArgs,
    /// Read every byte of the index and of the documents
    #[arg(long)]
    pub(crate) full: bool,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Lint {
    #[command(flatten)]
    pub(crate) target: TargetArgs,
    /// Only these checks, also those that a manifest turns off
    #[arg(long, value_name = "CHECK", value_delimiter = ',')]
    pub(crate) check: Option<Vec<String>>,
    /// Not these checks
    #[arg(long, value_name = "CHECK", value_delimiter = ',')]
    pub(crate) skip: Vec<String>,
    /// The day that counts as today
    #[arg(long, value_name = "YYYY-MM-DD")]
    pub(crate) as_of: Option<String>,
    /// End with exit code 4 where the health of a wiki is less than this, 0 to 100
    #[arg(long, value_name = "SCORE", value_parser = score)]
    pub(crate) fail_under: Option<f64>,
    /// How to print
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) format: TextOrJson,
    /// The same as `--format json`
    #[arg(long, conflicts_with = "format")]
    pub(crate) json: bool,
    /// Do not look for changed files
    #[arg(long)]
    pub(crate) no_refresh: bool,
}

fn score(text: &str) -> Result<f64, String> {
    let score = text.parse().ok().filter(|score| (0.0..=100.0).contains(score));
    score.ok_or_else(|| "give a number from 0 to 100".to_owned())
}

#[derive(Debug, Args)]
pub(crate) struct Doctor {
    /// A composition, a folder, or the name of a wiki, whose indexes to check
    #[arg(value_name = "RAG|WIKI")]
    pub(crate) target: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Plugins {
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Model {
    #[command(subcommand)]
    pub(crate) command: ModelCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ModelCommand {
    /// List the models that are known, and how their files stand
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Get a model and the library that runs it: the one command that uses the network
    Pull {
        /// Name of the model, or `onnxruntime` for the library alone; default: a small English model
        name: Option<String>,
        /// Take the files from this folder and use no network
        #[arg(long, value_name = "FOLDER", requires = "name")]
        from: Option<PathBuf>,
    },
    /// Print the folder of a model, or the path of the library
    Path {
        /// Name of the model, or `onnxruntime`
        name: String,
    },
    /// Remove the files of a model, or the library
    Remove {
        /// Name of the model, or `onnxruntime`
        name: String,
    },
}

#[derive(Debug, Args)]
pub(crate) struct Config {
    #[command(subcommand)]
    pub(crate) command: ConfigCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ConfigCommand {
    /// Show every setting
    Show {
        /// Tell which file, variable or flag it came from
        #[arg(long)]
        origin: bool,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

#[derive(Debug, Args)]
pub(crate) struct Completions {
    /// For which shell
    pub(crate) shell: clap_complete::Shell,
}

#[derive(Debug, Args)]
pub(crate) struct Man {
    /// Write one page for each command into this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) dir: Option<PathBuf>,
}

/// Arguments of `probe`.
#[derive(Debug, Args)]
pub(crate) struct Probe {
    /// Name of the plugin
    pub(crate) plugin: String,
    /// What it is to try, in words of its own
    pub(crate) input: String,
}
