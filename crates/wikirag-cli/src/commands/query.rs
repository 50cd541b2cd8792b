//! `wikirag query`

use futures_lite::future::block_on;
use wikirag::{Answer, QueryOptions, Refresh, Result};

use super::composition;
use crate::args::{By, Format, Query};
use crate::exit::ExitStatus;
use crate::output;
use crate::runner::Session;

pub(super) fn run(session: &Session, args: &Query) -> Result<ExitStatus> {
    let engine = session.engine()?;
    let composition = composition(&engine, &args.target)?;
    let options = QueryOptions {
        limit: args.limit.map(|limit| limit as usize),
        by: match args.by {
            By::Passage => wikirag::By::Passage,
            By::Document => wikirag::By::Document,
        },
        per_document: args.per_document.map(|most| most as usize),
        layers: args.layers.clone(),
        refresh: if args.no_refresh { Refresh::Never } else { Refresh::Auto },
        build: !args.no_build,
        strict: args.strict,
        allow_missing: args.target.allow_missing,
        explain: args.explain,
        ..QueryOptions::default()
    };
    let question = args.question.join(" ");
    let context = session.context(&composition.name);
    let answer = block_on(engine.query(&composition, &question, &options, &context))?;
    drop(context);
    let format = if args.json { Format::Json } else { args.format };
    tell(session, &answer);
    session.print(&output::answer(&answer, format, session.terminal.out_color, session.terminal.width)?)?;
    Ok(ExitStatus::Fine)
}

/// What limits the answer, and what else one may want to know, on stderr.
fn tell(session: &Session, answer: &Answer) {
    for reason in &answer.degraded {
        session.warn(&format!("{reason}; {}", reason.remedy));
    }
    for hint in &answer.hints {
        session.tell(&hint.text);
    }
}
