//! `wikirag context`

use std::path::absolute;

use futures_lite::future::block_on;
use wikirag::{Engine, Error, ErrorKind, PackForm, PackOptions, Packed, Result};

use super::composition;
use super::query::asked;
use crate::args::{AskingArgs, BudgetArgs, Pack, PackFormat, TargetArgs};
use crate::exit::ExitStatus;
use crate::output::{Versioned, count, json_text, plain};
use crate::runner::Session;

pub(super) fn run(session: &Session, args: &Pack) -> Result<ExitStatus> {
    let engine = engine(session, &args.budget)?;
    let composition = composition(&engine, &args.target)?;
    let format = if args.json { PackFormat::Json } else { args.format };
    let form = if format == PackFormat::Prompt { PackForm::Prompt } else { PackForm::Text };
    let options = PackOptions { form, ..options(&args.budget, &args.asking, &args.target) };
    let context = session.context(&composition.name);
    let packed = block_on(engine.pack(&composition, &args.question.join(" "), &options, &context))?;
    drop(context);
    super::query::tell(session, &packed.degraded, &packed.hints);
    match format {
        PackFormat::Json => session.print(&json_text(&Versioned::first(&packed))?)?,
        PackFormat::Text | PackFormat::Prompt => {
            session.print(&plain(&packed.text()))?;
            session.tell(&cost(&packed));
        }
    }
    Ok(ExitStatus::Fine)
}

/// The engine, which counts with the tokenizer that the flags name.
pub(super) fn engine(session: &Session, budget: &BudgetArgs) -> Result<Engine> {
    let Some(file) = &budget.model_tokenizer else { return session.engine() };
    let path = absolute(file).map_err(|error| {
        Error::new(ErrorKind::Usage, "find tokenizer", error.to_string()).with("path", file.display())
    })?;
    session.engine_with(&[("plugins.tokenizer.file".to_owned(), path.display().to_string())])
}

pub(super) fn options(budget: &BudgetArgs, asking: &AskingArgs, target: &TargetArgs) -> PackOptions {
    PackOptions { budget: budget.budget as usize, query: asked(asking, target), ..PackOptions::default() }
}

/// What it cost, and what had no room.
pub(super) fn cost(packed: &Packed) -> String {
    let Packed { tokens, budget, counter, blocks, left_out, .. } = packed;
    let left = if *left_out > 0 { format!("; {left_out} more had no room") } else { String::new() };
    format!("{tokens} of {budget} tokens ({counter}) in {}{left}", count(blocks.len() as u64, "passage"))
}
