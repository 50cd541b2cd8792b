//! Flags of `tap`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};
use wikirag_taps::{Limits, MAX_FOUND};

#[derive(Debug, Args)]
pub(crate) struct Tap {
    #[command(subcommand)]
    pub(crate) command: TapCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum TapCommand {
    /// Add a tap: clone a repository, or use a folder where it lies, and make a wiki of its name
    Add(TapAdd),
    /// List taps: where they come from, where they stand, and how. No remote is asked
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Bring taps to where their remotes stand. What was changed in a clone is lost
    Update(TapUpdate),
    /// Remove a tap: its clone, its wiki and its index. A folder that is used in place stays as it is
    Remove {
        /// Name of the tap
        name: String,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Search GitHub for repositories with skills, by the program `gh`
    Discover(TapDiscover),
}

#[derive(Debug, Args)]
pub(crate) struct TapAdd {
    /// Address of a repository, path to a bare repository, or path to a folder
    #[arg(value_name = "URL|PATH", required_unless_present = "catalog")]
    pub(crate) source: Option<String>,
    /// Name of the tap and of its wiki; default: `OWNER-REPOSITORY` of an address, the last part of a path
    #[arg(long)]
    pub(crate) name: Option<String>,
    /// The branch to follow; default: the one that the remote has checked out, whichever that is
    #[arg(long)]
    pub(crate) branch: Option<String>,
    /// Add the taps of this list (YAML; entries with `url` or `path`, `name`, `branch`, `type`, `category`, `limit`)
    #[arg(long, value_name = "FILE", conflicts_with_all = ["source", "name", "branch"])]
    pub(crate) catalog: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct TapUpdate {
    /// Names of taps; default: all
    #[arg(value_name = "NAME")]
    pub(crate) names: Vec<String>,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct TapDiscover {
    /// What to search for
    #[arg(value_name = "QUERY", required = true)]
    pub(crate) query: Vec<String>,
    /// Repositories at most, and skills at most, 1 to 100
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=MAX_FOUND as i64))]
    pub(crate) limit: u32,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// What the clone of one tap may cost.
#[derive(Debug, Args)]
pub(crate) struct LimitArgs {
    /// Files of a repository at most
    #[arg(long, value_name = "N", default_value_t = Limits::default().files)]
    pub(crate) max_files: u64,
    /// Megabytes of a repository at most, fetched and as files
    #[arg(long, value_name = "N", default_value_t = Limits::default().bytes / 1_000_000)]
    pub(crate) max_mb: u64,
    /// Seconds for one repository at most
    #[arg(long, value_name = "N", default_value_t = Limits::default().time.as_secs(), value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub(crate) max_seconds: u64,
}

impl LimitArgs {
    pub(crate) fn limits(&self) -> Limits {
        Limits {
            time: Duration::from_secs(self.max_seconds),
            bytes: self.max_mb.saturating_mul(1_000_000),
            files: self.max_files,
        }
    }
}
