//! Flags of `serve` and `token`.

use std::net::IpAddr;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use wikirag::Sensitivity;

#[derive(Debug, Args)]
pub(crate) struct Serve {
    /// What may be asked: compositions (`*.rag.yaml`), folders, or names of wikis
    #[arg(value_name = "RAG|WIKI", required = true)]
    pub(crate) targets: Vec<String>,
    /// The port to listen at; 0: any that is free
    #[arg(long, value_name = "PORT", default_value_t = wikirag_server::http::Config::PORT)]
    pub(crate) port: u16,
    /// The address to listen at. Any but loopback needs --tokens
    #[arg(long, value_name = "IP", default_value = "127.0.0.1")]
    pub(crate) address: IpAddr,
    /// Who may ask: a file of token hashes, as `wikirag token` writes it
    #[arg(long, value_name = "FILE")]
    pub(crate) tokens: Option<PathBuf>,
    /// Let programs of this machine ask without a token; not behind a proxy, for which all callers are of this machine
    #[arg(long, requires = "tokens")]
    pub(crate) open_loopback: bool,
    /// A further name by which the server is called, as in the header `Host`
    #[arg(long = "allow-host", value_name = "NAME")]
    pub(crate) hosts: Vec<String>,
    /// How the log on stderr is written
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) log_format: LogFormat,
    /// Write questions to the log, where nothing above `internal` is asked
    #[arg(long)]
    pub(crate) log_questions: bool,
}

/// How the log is written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogFormat {
    /// One JSON object a line
    #[default]
    Json,
    /// Text for people
    Text,
}

#[derive(Debug, Args)]
pub(crate) struct Token {
    /// Who is to have it, as logs call it
    #[arg(value_name = "NAME")]
    pub(crate) name: String,
    /// What it may read at most
    #[arg(long, value_name = "LEVEL", default_value_t = Sensitivity::Internal, value_parser = sensitivity)]
    pub(crate) clearance: Sensitivity,
    /// Only this wiki; may be given several times
    #[arg(long = "wiki", value_name = "WIKI")]
    pub(crate) wikis: Vec<String>,
    /// Requests a minute at most
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) rate: Option<u32>,
    /// Add the entry to this token file, which is made where it is not there; otherwise it is printed
    #[arg(long, value_name = "FILE")]
    pub(crate) into: Option<PathBuf>,
}

fn sensitivity(text: &str) -> Result<Sensitivity, String> {
    let level = Sensitivity::ALL.into_iter().find(|level| level.as_str() == text);
    level.ok_or_else(|| format!("write one of {}", Sensitivity::ALL.map(Sensitivity::as_str).join(", ")))
}
