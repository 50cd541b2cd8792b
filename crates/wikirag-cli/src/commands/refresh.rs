//! `wikirag refresh`

use futures_lite::future::block_on;
use serde_json::{Map, Value, json};
use wikirag::standing::{Outcome, RefreshOptions, RefreshSummary, RefreshedWiki, Targets};
use wikirag::{Error, Result};

use super::{build, current_dir};
use crate::args::{Refresh, StandingArgs};
use crate::exit::ExitStatus;
use crate::output::{Versioned, clean, count, json_line};
use crate::runner::Session;

pub(super) fn run(session: &Session, args: &Refresh) -> Result<ExitStatus> {
    let engine = session.engine()?;
    let targets = targets(&args.standing)?;
    let options = RefreshOptions { full: args.full, since: args.since, restart: args.restart };
    let context = session.context("refresh");
    let mut on_wiki = |wiki: &RefreshedWiki| {
        tell(session, wiki);
        session.print(&if args.json { json_line(&Versioned::first(object(wiki)))? } else { line(wiki) })
    };
    let summary = block_on(engine.refresh_all(&targets, options, &mut on_wiki, &context))?;
    drop(context);
    if args.json {
        session.print(&json_line(&Versioned::first(json!({ "summary": summary })))?)?;
    } else {
        session.tell(&sentence(&summary));
    }
    Ok(status(&summary))
}

/// What the flags mean, seen from the current folder.
pub(super) fn targets(args: &StandingArgs) -> Result<Targets> {
    let all = args.all || args.targets.is_empty();
    Ok(Targets { references: args.targets.clone(), all, base: current_dir()? })
}

/// What is off, on stderr.
fn tell(session: &Session, wiki: &RefreshedWiki) {
    match &wiki.outcome {
        Outcome::Refreshed(report) => build::tell(session, report),
        Outcome::Failed(error) => session.warn(&clean(&format!("{}: {error}", wiki.wiki))),
        Outcome::DoneBefore | Outcome::Recent(_) => {}
    }
}

fn line(wiki: &RefreshedWiki) -> String {
    let name = clean(&wiki.wiki);
    match &wiki.outcome {
        Outcome::Refreshed(report) => build::summary(report),
        Outcome::Failed(error) => format!("{name}: failed ({})\n", error.kind().code()),
        Outcome::DoneBefore => format!("{name}: done by the run before\n"),
        Outcome::Recent(last) => format!("{name}: refreshed at {last}\n"),
    }
}

fn object(wiki: &RefreshedWiki) -> Map<String, Value> {
    let (outcome, more) = match &wiki.outcome {
        Outcome::Refreshed(report) if report.is_partial() => ("partial", json!(report)),
        Outcome::Refreshed(report) => ("refreshed", json!(report)),
        Outcome::Failed(error) => ("failed", json!({ "error": fault(error) })),
        Outcome::DoneBefore => ("done-before", json!({})),
        Outcome::Recent(last) => ("recent", json!({ "last": last })),
    };
    let mut object = Map::from_iter([("wiki".to_owned(), json!(wiki.wiki)), ("outcome".to_owned(), json!(outcome))]);
    if let Value::Object(more) = more {
        object.extend(more);
    }
    object
}

/// An error as programs read it.
pub(super) fn fault(error: &Error) -> Value {
    json!({ "kind": error.kind().code(), "message": error.statement(), "help": error.remedy() })
}

fn sentence(summary: &RefreshSummary) -> String {
    let parts = [
        (summary.refreshed, "refreshed"),
        (summary.partial, "in part"),
        (summary.failed, "failed"),
        (summary.done_before, "done before"),
        (summary.recent, "refreshed lately"),
    ];
    let total = parts.iter().map(|(number, _)| number).sum();
    let parts: Vec<String> =
        parts.iter().filter(|(number, _)| *number > 0).map(|(number, what)| format!("{number} {what}")).collect();
    let mut sentence = if total == 0 { "there is no wiki".to_owned() } else { count(total, "wiki") };
    if total > 0 {
        sentence.push_str(&format!(": {}", parts.join(", ")));
    }
    if let Some(began) = summary.resumed_from {
        sentence.push_str(&format!("; went on with the run of {began}"));
    }
    sentence
}

/// Where nothing was done at all, it was not done in part.
fn status(summary: &RefreshSummary) -> ExitStatus {
    let done = summary.refreshed + summary.partial + summary.done_before + summary.recent;
    match summary.first_failure {
        Some(kind) if done == 0 => ExitStatus::of(kind),
        Some(_) => ExitStatus::Partial,
        None if summary.partial > 0 => ExitStatus::Partial,
        None => ExitStatus::Fine,
    }
}
