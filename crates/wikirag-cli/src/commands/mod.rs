//! The commands, one file each.

mod ask;
mod backlinks;
mod build;
mod config;
mod context;
mod doctor;
mod drill;
mod eval;
mod export;
mod gaps;
mod get;
mod graph;
mod hot;
mod import;
mod init;
mod lint;
#[cfg(feature = "server")]
mod mcp;
mod mentions;
mod model;
mod plugins;
mod probe;
mod query;
mod reference;
mod refresh;
mod schedule;
#[cfg(feature = "server")]
mod serve;
mod skills;
mod status;
#[cfg(feature = "taps")]
mod tap;
#[cfg(feature = "server")]
mod token;
mod verify;
mod verify_answer;
#[cfg(feature = "watch")]
mod watch;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use wikirag::locate::{self, Locator, Missing};
use wikirag::manifest::WikiKind;
use wikirag::manifest::rag::is_rag_path;
use wikirag::{Composition, Engine, Error, ErrorKind, LocatedWiki, Result, Sensitivity};

use crate::args::{Command, TargetArgs};
use crate::exit::ExitStatus;
use crate::runner::Session;

/// Runs one command.
pub(crate) fn run(session: &Session, command: Command) -> Result<ExitStatus> {
    match command {
        Command::Init(args) => init::run(session, &args),
        Command::Build(args) => build::run(session, &args),
        Command::Refresh(args) => refresh::run(session, &args),
        #[cfg(feature = "watch")]
        Command::Watch(args) => watch::run(session, &args),
        Command::Schedule(args) => schedule::run(session, &args),
        Command::Query(args) => query::run(session, &args),
        Command::Ask(args) => ask::run(session, &args),
        Command::VerifyAnswer(args) => verify_answer::run(session, &args),
        Command::Context(args) => context::run(session, &args),
        Command::Drill(args) => drill::run(session, &args),
        Command::Hot(args) => hot::run(session, &args),
        Command::Get(args) => get::run(session, &args),
        Command::Status(args) => status::run(session, &args),
        Command::Verify(args) => verify::run(session, &args),
        Command::Export(args) => export::run(session, &args),
        Command::Import(args) => import::run(session, &args),
        Command::Lint(args) => lint::run(session, &args),
        Command::Graph(args) => graph::run(session, &args),
        Command::Backlinks(args) => backlinks::run(session, &args),
        Command::Mentions(args) => mentions::run(session, &args),
        Command::Gaps(args) => gaps::run(session, &args),
        Command::Skills(args) => skills::run(session, &args),
        #[cfg(feature = "taps")]
        Command::Tap(args) => tap::run(session, &args),
        #[cfg(feature = "server")]
        Command::Serve(args) => serve::run(session, &args),
        #[cfg(feature = "server")]
        Command::Token(args) => token::run(session, &args),
        #[cfg(feature = "server")]
        Command::Mcp(args) => mcp::run(session, &args),
        Command::Doctor(args) => doctor::run(session, &args),
        Command::Plugins(args) => plugins::run(session, &args),
        Command::Probe(args) => probe::run(session, &args),
        Command::Model(args) => model::run(session, &args),
        Command::Config(args) => config::run(session, &args),
        Command::Eval(args) => eval::run(session, &args),
        Command::Completions(args) => reference::completions(session, &args),
        Command::Man(args) => reference::man(session, &args),
    }
}

/// Loads what a command works on; its clearance is checked here, before anything of a wiki is opened.
fn composition(engine: &Engine, target: &TargetArgs) -> Result<Composition> {
    let missing = if target.allow_missing { Missing::Report } else { Missing::Refuse };
    locate::composition(&target.target, &current_dir()?, engine.settings(), missing)
}

/// The wikis in which skills are found: those that are named, else all of the kind that were made by name.
fn skills_of(engine: &Engine, named: &[String]) -> Result<Composition> {
    match named {
        [] => locate::of_kind(WikiKind::Skills, engine.settings()),
        named => locate::together(named, &current_dir()?, engine.settings()),
    }
}

/// The wikis to build. Whoever can name a folder may index it; what is read out of an index is bound by the clearance,
/// and so is what a composition lists.
fn owned(engine: &Engine, target: &TargetArgs) -> Result<Vec<LocatedWiki>> {
    let cwd = current_dir()?;
    if is_rag_path(Path::new(&target.target)) {
        return Ok(composition(engine, target)?
            .wikis
            .into_iter()
            .map(|wiki| Arc::unwrap_or_clone(wiki.located))
            .collect());
    }
    Ok(vec![Locator::new(engine.settings(), &cwd, Sensitivity::Restricted).wiki(&target.target)?])
}

fn current_dir() -> Result<PathBuf> {
    std::env::current_dir().map_err(|error| {
        Error::new(ErrorKind::Io, "find current folder", error.to_string())
            .help("it may have been removed; change to another")
    })
}
