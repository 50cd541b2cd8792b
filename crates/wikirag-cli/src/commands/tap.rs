//! `wikirag tap`

use std::path::Path;

use futures_lite::future::block_on;
use serde::Serialize;
use serde_json::json;
use wikirag::{Error, ErrorKind, Result, WikiName};
use wikirag_taps::{
    Added, Choice, Contents, Found, Limits, NewTap, Source, TapStatus, Taps, UpdateState, Updated, catalog, discover,
};

use super::current_dir;
use crate::args::{Tap, TapAdd, TapCommand, TapDiscover, TapUpdate};
use crate::exit::ExitStatus;
use crate::output::{Versioned, clean, count, json_text, table};
use crate::runner::Session;

pub(super) fn run(session: &Session, args: &Tap) -> Result<ExitStatus> {
    match &args.command {
        TapCommand::Add(args) => add(session, args),
        TapCommand::List { json } => list(session, *json),
        TapCommand::Update(args) => update(session, args),
        TapCommand::Remove { name, json } => remove(session, name, *json),
        TapCommand::Discover(args) => search(session, args),
    }
}

/// What became of one entry of a catalog, or of the one tap that was to be added.
#[derive(Serialize)]
struct Outcome {
    name: String,
    /// `added`, `there`, `left-out` or `failed`.
    state: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    tap: Option<Added>,
    /// Why it was not added.
    reason: Option<String>,
}

fn add(session: &Session, args: &TapAdd) -> Result<ExitStatus> {
    let settings = session.settings()?;
    let taps = Taps::new(&settings, args.limits.limits());
    let outcomes = match (&args.catalog, &args.source) {
        (Some(file), _) => add_all(session, &taps, file)?,
        (None, Some(source)) => {
            let source = Source::parse(source, &current_dir()?)?;
            let tap = NewTap::new(source, args.name.as_deref(), args.branch.as_deref())?;
            vec![Outcome::of(taps.add(&tap, &session.context(tap.name.as_str()))?)]
        }
        (None, None) => {
            return Err(Error::new(ErrorKind::Usage, "add tap", "neither a source nor a catalog was given"));
        }
    };
    for outcome in &outcomes {
        outcome.tell(session);
    }
    if args.json {
        session.print(&json_text(&json!({ "version": 1, "taps": outcomes }))?)?;
    } else {
        let lines: Vec<String> = outcomes.iter().map(Outcome::line).collect();
        session.print(&lines.concat())?;
    }
    if outcomes.iter().any(|outcome| outcome.state == "added") {
        session.tell("indexes are made when they are asked for, or by `wikirag build NAME`");
    }
    Ok(status(outcomes.iter().any(|outcome| outcome.state == "failed")))
}

/// Adds what a catalog chooses. One that fails does not keep the others from it.
fn add_all(session: &Session, taps: &Taps<'_>, file: &Path) -> Result<Vec<Outcome>> {
    let mut outcomes = Vec::new();
    for entry in catalog(file)? {
        let refused = |state, reason| Outcome { name: entry.label.clone(), state, tap: None, reason: Some(reason) };
        outcomes.push(match &entry.choice {
            Choice::Leave { limit } => refused("left-out", format!("{limit} of its category stand before it")),
            Choice::Fault(error) => refused("failed", error.to_string()),
            Choice::Take(tap) => match taps.add(tap, &session.context(tap.name.as_str())) {
                Ok(added) => Outcome::of(added),
                // Without git, or with another process at work, no entry will fare better.
                Err(error) if error.kind() == ErrorKind::Busy || error.context("program").is_some() => {
                    return Err(error);
                }
                Err(error) => refused("failed", error.to_string()),
            },
        });
    }
    Ok(outcomes)
}

impl Outcome {
    fn of(added: Added) -> Self {
        let state = if added.was_there { "there" } else { "added" };
        Self { name: added.name.clone(), state, tap: Some(added), reason: None }
    }

    fn tell(&self, session: &Session) {
        match (&self.reason, &self.tap) {
            (Some(reason), _) if self.state == "failed" => session.warn(&clean(&format!("{}: {reason}", self.name))),
            (Some(reason), _) => session.tell(&clean(&format!("{}: left out: {reason}", self.name))),
            (None, Some(added)) => tell_contents(session, &added.name, added.contents.as_ref()),
            (None, None) => {}
        }
    }

    fn line(&self) -> String {
        let Some(added) = &self.tap else { return clean(&format!("{}: {}", self.name, self.state)) + "\n" };
        let at = added.commit.as_ref().map(|commit| format!(" at {}", commit.short())).unwrap_or_default();
        let branch = added.branch.as_ref().map(|branch| format!(" of {branch}")).unwrap_or_default();
        let files = added.contents.map(|contents| format!(", {}", count(contents.files, "file"))).unwrap_or_default();
        clean(&format!("{}: {}{at}{branch}{files}; {}", added.name, self.state, added.documents)) + "\n"
    }
}

/// What of a commit is left out, on stderr.
fn tell_contents(session: &Session, name: &str, contents: Option<&Contents>) {
    let Some(contents) = contents else { return };
    for (number, what, fate) in [
        (contents.links, "symbolic link", "kept as text and not followed"),
        (contents.submodules, "submodule", "not fetched"),
        (contents.lfs_pointers, "Git LFS pointer", "kept as text; the files behind are not fetched"),
    ] {
        if number > 0 {
            session.tell(&clean(&format!("{name}: {}: {fate}", count(number, what))));
        }
    }
}

fn list(session: &Session, as_json: bool) -> Result<ExitStatus> {
    let settings = session.settings()?;
    let taps = Taps::new(&settings, Limits::default()).list()?;
    if as_json {
        session.print(&json_text(&json!({ "version": 1, "taps": taps }))?)?;
        return Ok(ExitStatus::Fine);
    }
    if taps.is_empty() {
        session.tell("there is no tap; `wikirag tap add URL|PATH` adds one");
        return Ok(ExitStatus::Fine);
    }
    for tap in &taps {
        if let Some(reason) = &tap.reason {
            session.warn(&clean(&format!("{}: {}: {reason}", tap.name, tap.state.as_str())));
        }
    }
    let head = ["NAME", "STATE", "BRANCH", "COMMIT", "UPDATED", "SOURCE"];
    session.print(&table(&head, taps.iter().map(cells).collect()))?;
    Ok(ExitStatus::Fine)
}

fn cells(tap: &TapStatus) -> [String; 6] {
    let or_dash = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
    [
        tap.name.clone(),
        tap.state.as_str().to_owned(),
        or_dash(tap.branch.clone()),
        or_dash(tap.commit.as_ref().map(|commit| commit.short().to_owned())),
        or_dash(tap.updated.clone()),
        or_dash(tap.source.clone()),
    ]
}

fn update(session: &Session, args: &TapUpdate) -> Result<ExitStatus> {
    let settings = session.settings()?;
    let names = args.names.iter().map(|name| WikiName::new(name)).collect::<Result<Vec<_>>>()?;
    let updated = Taps::new(&settings, args.limits.limits()).update(&names, &session.context("taps"))?;
    for tap in &updated {
        if let Some(reason) = &tap.reason {
            session.warn(&clean(&format!("{}: as it was: {reason}", tap.name)));
        }
        tell_contents(session, &tap.name, tap.contents.as_ref());
    }
    if args.json {
        session.print(&json_text(&json!({ "version": 1, "taps": updated }))?)?;
    } else {
        let lines: Vec<String> = updated.iter().map(update_line).collect();
        session.print(&lines.concat())?;
    }
    Ok(status(updated.iter().any(|tap| tap.state == UpdateState::Failed)))
}

fn update_line(tap: &Updated) -> String {
    let state = match tap.state {
        UpdateState::Updated => "updated",
        UpdateState::Unchanged => "unchanged",
        UpdateState::InPlace => "in place",
        UpdateState::Failed => "failed",
    };
    let short = |commit: &Option<_>| commit.as_ref().map(|commit: &wikirag::Commit| commit.short().to_owned());
    let commits = match (short(&tap.from), short(&tap.commit)) {
        (Some(from), Some(to)) if from != to => format!(" from {from} to {to}"),
        (_, Some(at)) => format!(" at {at}"),
        (_, None) => String::new(),
    };
    clean(&format!("{}: {state}{commits}", tap.name)) + "\n"
}

fn remove(session: &Session, name: &str, as_json: bool) -> Result<ExitStatus> {
    let settings = session.settings()?;
    let removed = Taps::new(&settings, Limits::default()).remove(&WikiName::new(name)?)?;
    if as_json {
        session.print(&json_text(&Versioned::first(&removed))?)?;
    } else {
        let kept = removed.kept.as_ref().map(|folder| format!("; {folder} stays as it is")).unwrap_or_default();
        session.print(&(clean(&format!("removed {}{kept}", removed.name)) + "\n"))?;
    }
    Ok(ExitStatus::Fine)
}

fn search(session: &Session, args: &TapDiscover) -> Result<ExitStatus> {
    let context = session.context("gh");
    let found = block_on(discover(&args.query.join(" "), args.limit as usize, &context))?;
    drop(context);
    if args.json {
        session.print(&json_text(&json!({ "version": 1, "found": found }))?)?;
    } else if found.is_empty() {
        session.tell("nothing was found; ask with fewer or other words");
    } else {
        let head = ["REPOSITORY", "SKILLS", "STARS", "PUSHED", "DESCRIPTION"];
        session.print(&table(&head, found.iter().map(found_cells).collect()))?;
        session.tell("`wikirag tap add https://github.com/OWNER/REPOSITORY` adds one");
    }
    Ok(ExitStatus::Fine)
}

fn found_cells(found: &Found) -> [String; 5] {
    let or_dash = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
    let day = |time: &String| time.get(..10).map(str::to_owned);
    [
        found.repository.clone(),
        found.skills.len().to_string(),
        or_dash(found.stars.map(|stars| stars.to_string())),
        or_dash(found.pushed.as_ref().and_then(day)),
        or_dash(found.description.clone()),
    ]
}

/// Done, or done in part.
fn status(is_partial: bool) -> ExitStatus {
    if is_partial { ExitStatus::Partial } else { ExitStatus::Fine }
}
