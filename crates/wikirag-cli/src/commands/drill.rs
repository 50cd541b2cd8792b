//! `wikirag drill`

use std::fs;

use futures_lite::future::block_on;
use wikirag::{DrillOptions, Drilled, Error, ErrorKind, Kinds, Result};

use super::composition;
use crate::args::{Drill, TextOrJson};
use crate::exit::ExitStatus;
use crate::output::{Versioned, count, json_text, plain};
use crate::runner::Session;

pub(super) fn run(session: &Session, args: &Drill) -> Result<ExitStatus> {
    let engine = session.engine()?;
    let kinds = args.kinds.as_deref().map(kinds).transpose()?;
    let composition = composition(&engine, &args.target)?;
    let query = super::query::asked(&args.asking, &args.target);
    let options = DrillOptions { budget: args.budget as usize, query, kinds };
    let context = session.context(&composition.name);
    let drilled = block_on(engine.drill(&composition, &args.question.join(" "), &options, &context))?;
    drop(context);
    super::query::tell(session, &drilled.degraded, &drilled.hints);
    match args.format {
        TextOrJson::Json => session.print(&json_text(&Versioned::first(&drilled))?)?,
        TextOrJson::Text => {
            session.print(&plain(&drilled.context()))?;
            for line in levels(&drilled) {
                session.tell(&line);
            }
        }
    }
    Ok(ExitStatus::Fine)
}

fn kinds(file: &std::path::Path) -> Result<Kinds> {
    let text = fs::read_to_string(file).map_err(|error| {
        Error::new(ErrorKind::Io, "read kinds of questions", error.to_string()).with("path", file.display())
    })?;
    Kinds::parse(&text, &file.display().to_string())
}

/// What each level cost and why it ended. It is no part of the context, so it goes to stderr.
fn levels(drilled: &Drilled) -> Vec<String> {
    let kind = match drilled.mark.as_str() {
        "" => format!("{} (no mark of another kind)", drilled.kind),
        mark => format!("{} (by `{mark}`)", drilled.kind),
    };
    let head = format!(
        "kind {kind}: {} of {} tokens, {:.0} % of the question",
        drilled.tokens,
        drilled.budget,
        drilled.coverage * 100.0
    );
    let levels = drilled.levels.iter().map(|level| {
        format!(
            "level {} {}: {} of {} tokens in {}; {}: {}",
            level.level.number(),
            level.level.name(),
            level.tokens,
            level.allowance,
            count(level.blocks.len() as u64, "block"),
            level.stopped,
            level.reason
        )
    });
    std::iter::once(head).chain(levels).collect()
}
