//! Flags of the commands that walk a vault.

use clap::{Args, ValueEnum};
use wikirag::vault::{Direction, GraphOptions};

use super::TargetArgs;

/// How a graph is printed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum GraphFormat {
    /// A tree for people
    #[default]
    Text,
    /// Nodes and edges as one JSON document
    Json,
    /// A Mermaid diagram
    Mermaid,
    /// A digraph for Graphviz
    Dot,
    /// GraphML, an XML format that most graph programs read
    Graphml,
}

/// Which way links are followed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Way {
    /// From a page to those it links to
    Out,
    /// From a page to those that link to it
    In,
    /// Both
    #[default]
    Both,
}

impl From<Way> for Direction {
    fn from(way: Way) -> Self {
        match way {
            Way::Out => Self::Out,
            Way::In => Self::In,
            Way::Both => Self::Both,
        }
    }
}

/// Which page, and of which wiki.
#[derive(Debug, Args)]
pub(crate) struct PageArgs {
    #[command(flatten)]
    pub(crate) target: TargetArgs,
    /// Path, name of the file, title or alias, in any case; the ending `.md` may be left out
    #[arg(value_name = "PAGE")]
    pub(crate) page: String,
    /// Do not look for changed files
    #[arg(long)]
    pub(crate) no_refresh: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Graph {
    #[command(flatten)]
    pub(crate) page: PageArgs,
    /// How many links away from the page, 0 to 10
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(..=i64::from(GraphOptions::MAX_DEPTH)))]
    pub(crate) depth: u32,
    /// Which way links are followed
    #[arg(long, value_enum, default_value_t, value_name = "WAY")]
    pub(crate) direction: Way,
    /// Pages at most, the nearest first, 1 to 10000
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) limit: u32,
    /// Show tags, and go on to the pages that share them
    #[arg(long)]
    pub(crate) tags: bool,
    /// Go to pages that are named without a link as well
    #[arg(long)]
    pub(crate) mentions: bool,
    /// How to print
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) format: GraphFormat,
    /// The same as `--format json`
    #[arg(long, conflicts_with = "format")]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Backlinks {
    #[command(flatten)]
    pub(crate) page: PageArgs,
    /// Links at most; default: all
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) limit: Option<u32>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Mentions {
    #[command(flatten)]
    pub(crate) page: PageArgs,
    /// Mentions at most; default: all
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) limit: Option<u32>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}
