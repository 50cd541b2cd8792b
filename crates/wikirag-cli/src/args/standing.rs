//! Flags of the commands that keep wikis up to date.

use clap::{Args, Subcommand};
use wikirag::standing::{Moment, Scheduler};

/// Which wikis to keep up to date.
#[derive(Debug, Args)]
pub(crate) struct StandingArgs {
    /// Compositions (`*.rag.yaml`), folders, or names of wikis; default: all, as with --all
    #[arg(value_name = "WIKI|RAG")]
    pub(crate) targets: Vec<String>,
    /// Beside those that are named, all wikis made by name, and those with a manifest or an index in the folders of `wiki_path`
    #[arg(long)]
    pub(crate) all: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Refresh {
    #[command(flatten)]
    pub(crate) standing: StandingArgs,
    /// Read every file again and make every layer anew
    #[arg(long)]
    pub(crate) full: bool,
    /// Only wikis that were last built or refreshed before this: a moment, a day, or how long ago (`24h`, `7d`)
    #[arg(long, value_name = "TIME")]
    pub(crate) since: Option<Moment>,
    /// Begin anew, also where the last run was interrupted
    #[arg(long)]
    pub(crate) restart: bool,
    /// Print JSON, one object a wiki and one for the summary
    #[arg(long)]
    pub(crate) json: bool,
}

#[cfg(feature = "watch")]
#[derive(Debug, Args)]
pub(crate) struct Watch {
    #[command(flatten)]
    pub(crate) standing: StandingArgs,
    /// Print JSON, one object for each thing that happens
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Schedule {
    #[command(subcommand)]
    pub(crate) command: ScheduleCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ScheduleCommand {
    /// Print what makes the system refresh wikis every night, and on Sunday at 04:00 in full. Nothing is installed
    Print(SchedulePrint),
}

#[derive(Debug, Args)]
pub(crate) struct SchedulePrint {
    /// Compositions, folders, or names of wikis; default: all, as `refresh --all` does
    #[arg(value_name = "WIKI|RAG")]
    pub(crate) targets: Vec<String>,
    #[command(flatten)]
    pub(crate) scheduler: SchedulerArgs,
    /// Only this file
    #[arg(long, value_name = "FILE")]
    pub(crate) only: Option<String>,
    /// Print JSON: where each file belongs, and its text
    #[arg(long, conflicts_with = "only")]
    pub(crate) json: bool,
}

/// What starts the refresh: one of them.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub(crate) struct SchedulerArgs {
    /// Services and timers of systemd
    #[arg(long)]
    systemd: bool,
    /// Lines of a crontab
    #[arg(long)]
    cron: bool,
    /// Agents of launchd, on macOS
    #[arg(long)]
    launchd: bool,
}

impl SchedulerArgs {
    pub(crate) const fn get(&self) -> Scheduler {
        match (self.systemd, self.cron) {
            (true, _) => Scheduler::Systemd,
            (_, true) => Scheduler::Cron,
            _ => Scheduler::Launchd,
        }
    }
}
