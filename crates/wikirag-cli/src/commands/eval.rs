//! `wikirag eval`

use std::fs;
use std::path::Path;

use futures_lite::future::block_on;
use wikirag::eval::{Candidates, CompareOptions, EvalOptions, QueryOutcome, System};
use wikirag::manifest::WikiKind;
use wikirag::{Error, ErrorKind, Result};

use super::{composition, query, skills_of};
use crate::args::{Eval, TargetArgs};
use crate::exit::ExitStatus;
use crate::output::{eval as text, json_line, json_text};
use crate::runner::Session;

pub(super) fn run(session: &Session, args: &Eval) -> Result<ExitStatus> {
    if let (Some(file), Some(target)) = (&args.replay, &args.target) {
        return replay(session, args, file, target);
    }
    let route = args.route.as_deref().unwrap_or("auto");
    if let Some(file) = &args.tasks {
        return tasks(session, args, file);
    }
    let kind = if args.kind == WikiKind::Skills.as_str() { WikiKind::Skills } else { WikiKind::Notes };
    let options = EvalOptions { sets: args.beir.clone(), work: args.work.clone(), split: args.split.parse()?, kind };
    let base = System { route: route.parse()?, layers: args.layers.clone(), ..System::default() };
    let measure = args.measure.parse()?;
    let systems = args.compare.iter().map(|system| base.with(system)).collect::<Result<Vec<_>>>()?;
    let candidates = args.tune.iter().map(|key| key.parse()).collect::<Result<Vec<Candidates>>>()?;
    let engine = session.engine()?;
    let make = |settings: &[(String, String)]| session.engine_with(settings);
    let context = session.context("eval");
    let (printed, outcomes) = if !systems.is_empty() {
        let compare = CompareOptions { measure, worst: args.worst };
        let found = block_on(engine.compare(&options, &systems, compare, &make, &context))?;
        let printed = if args.json { json_text(&found)? } else { text::comparison(&found) };
        (printed, found.systems.into_iter().flat_map(|system| system.result.outcomes).collect())
    } else if !candidates.is_empty() {
        let found = block_on(engine.tune(&options, &base, &candidates, measure, &make, &context))?;
        (if args.json { json_text(&found)? } else { text::tuned(&found) }, Vec::new())
    } else {
        let layers = args.layers.iter().map(|layers| format!(",layers={}", layers.join("+"))).collect::<String>();
        let base = System { name: format!("route={route}{layers}"), ..base };
        let found = block_on(engine.evaluate(&options, &base, &make, &context))?;
        let printed = if args.json { json_text(&found)? } else { text::evaluation(&found) };
        (printed, found.result.outcomes)
    };
    // The bar goes before anything is printed.
    drop(context);
    if let Some(file) = &args.per_query {
        write(file, &outcomes)?;
    }
    session.print(&printed)?;
    Ok(ExitStatus::Fine)
}

fn replay(session: &Session, args: &Eval, file: &Path, target: &str) -> Result<ExitStatus> {
    let engine = session.engine()?;
    let target = TargetArgs { target: target.to_owned(), allow_missing: false };
    let composition = composition(&engine, &target)?;
    let route = args.route.as_deref().map_or(Ok(composition.route), str::parse)?;
    let base = System { route, layers: args.layers.clone(), ..System::default() };
    let systems = args.compare.iter().map(|system| base.with(system)).collect::<Result<Vec<_>>>()?;
    let make = |settings: &[(String, String)]| session.engine_with(settings);
    let context = session.context("replay");
    let found = block_on(engine.replay(file, &composition, &systems, args.worst, &make, &context))?;
    drop(context);
    query::tell(session, &[], &found.hints);
    session.print(&if args.json { json_text(&found)? } else { text::replay(&found) })?;
    Ok(ExitStatus::Fine)
}

fn tasks(session: &Session, args: &Eval, file: &Path) -> Result<ExitStatus> {
    let engine = session.engine()?;
    let composition = skills_of(&engine, args.target.as_slice())?;
    let context = session.context("tasks");
    let found = block_on(engine.judge_skills(file, &composition, args.layers.clone(), &context))?;
    drop(context);
    session.print(&if args.json { json_text(&found)? } else { text::tasks(&found) })?;
    Ok(ExitStatus::Fine)
}

fn write(file: &Path, outcomes: &[QueryOutcome]) -> Result<()> {
    let lines = outcomes.iter().map(json_line).collect::<Result<String>>()?;
    fs::write(file, lines).map_err(|error| {
        Error::new(ErrorKind::Io, "write measures of each question", error.to_string()).with("path", file.display())
    })
}
