//! `wikirag schedule`

use serde_json::json;
use wikirag::settings::Origin;
use wikirag::standing::{Plan, Unit};
use wikirag::{Error, ErrorKind, Result};

use super::current_dir;
use crate::args::{Schedule, ScheduleCommand, SchedulePrint};
use crate::exit::ExitStatus;
use crate::output::{Versioned, json_text};
use crate::runner::Session;

pub(super) fn run(session: &Session, args: &Schedule) -> Result<ExitStatus> {
    let ScheduleCommand::Print(args) = &args.command;
    let units = plan(session, args)?.units(args.scheduler.get())?;
    tell_of_variables(session)?;
    if args.json {
        session.print(&json_text(&Versioned::first(json!({ "units": units })))?)?;
        return Ok(ExitStatus::Fine);
    }
    let text = match &args.only {
        Some(name) => chosen(&units, name)?.text.clone(),
        None => units.iter().map(|unit| format!("# {}\n{}", unit.place, unit.text)).collect::<Vec<_>>().join("\n"),
    };
    session.print(&text)?;
    session.tell("nothing was installed; docs/refresh.md tells how");
    Ok(ExitStatus::Fine)
}

/// What the timers start: this program, from this folder, with the settings of this call.
fn plan(session: &Session, args: &SchedulePrint) -> Result<Plan> {
    let program = std::env::current_exe().map_err(|error| {
        Error::new(ErrorKind::Io, "print schedule", "the path of this program cannot be told").caused_by(error)
    })?;
    let set = session.flags().iter().flat_map(|(key, value)| ["--set".to_owned(), format!("{key}={value}")]);
    let targets = args.targets.iter().map(|target| match target.strip_prefix('-') {
        // A folder, since no flag can stand here.
        Some(_) => format!("./{target}"),
        None => target.clone(),
    });
    let all = args.targets.is_empty().then(|| "--all".to_owned());
    let arguments = set.chain(["refresh".to_owned()]).chain(targets).chain(all).collect();
    Ok(Plan { program, folder: current_dir()?, arguments })
}

/// A timer has an environment of its own.
fn tell_of_variables(session: &Session) -> Result<()> {
    let settings = session.settings()?;
    let is_variable = |origin: &Origin| matches!(origin, Origin::Environment(_));
    let keys: Vec<&str> =
        settings.origins().iter().filter(|set| is_variable(&set.origin)).map(|set| set.key.as_str()).collect();
    if !keys.is_empty() {
        session.warn(&format!(
            "set by variables that a timer does not have: {}; set them in wikirag.toml, or with --set here",
            keys.join(", ")
        ));
    }
    Ok(())
}

fn chosen<'a>(units: &'a [Unit], name: &str) -> Result<&'a Unit> {
    let file_of = |unit: &'a Unit| unit.place.rsplit('/').next().unwrap_or(unit.place);
    units.iter().find(|unit| file_of(unit) == name || unit.place == name).ok_or_else(|| {
        let names: Vec<&str> = units.iter().map(file_of).collect();
        Error::new(ErrorKind::Usage, "print schedule", format!("there is no file {name:?} among them"))
            .help(format!("there are: {}", names.join(", ")))
    })
}
