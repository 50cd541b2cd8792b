//! Flags of `mcp`.

use clap::{Args, Subcommand, ValueEnum};

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct Mcp {
    #[command(subcommand)]
    pub(crate) command: Option<McpCommand>,
    /// What agents may search: compositions (`*.rag.yaml`), folders, or names of wikis
    #[arg(value_name = "RAG|WIKI", required = true)]
    pub(crate) targets: Vec<String>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum McpCommand {
    /// Write the server into the configuration of a client. Shows the difference first
    Install(McpInstall),
}

#[derive(Debug, Args)]
pub(crate) struct McpInstall {
    /// Which client
    #[arg(long, value_enum, value_name = "CLIENT")]
    pub(crate) client: Client,
    /// What agents may search: compositions (`*.rag.yaml`), folders, or names of wikis
    #[arg(value_name = "RAG|WIKI", required = true)]
    pub(crate) targets: Vec<String>,
    /// What the client calls the server
    #[arg(long, default_value = "wikirag", value_name = "NAME", value_parser = server_name)]
    pub(crate) name: String,
    /// Write into the current folder, for this project alone; not every client can
    #[arg(long)]
    pub(crate) project: bool,
    /// Write without asking
    #[arg(long)]
    pub(crate) yes: bool,
    /// Only show the difference
    #[arg(long, conflicts_with = "yes")]
    pub(crate) dry_run: bool,
}

/// A program that agents live in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Client {
    /// Claude Code
    Claude,
    /// The desktop program of Claude
    ClaudeDesktop,
    /// Codex
    Codex,
    /// Cursor
    Cursor,
    /// Gemini CLI
    Gemini,
    /// Visual Studio Code
    Vscode,
    /// Windsurf
    Windsurf,
    /// Zed
    Zed,
}

/// Clients make names of tools from it.
fn server_name(text: &str) -> Result<String, String> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if !text.is_empty() && text.len() <= 40 && text.chars().all(is_plain) {
        return Ok(text.to_owned());
    }
    Err("give up to 40 letters, digits, `-` and `_`".to_owned())
}
