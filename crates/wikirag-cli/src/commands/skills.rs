//! `wikirag skills`

use futures_lite::future::block_on;
use wikirag::skills::{FindOptions, SkillKind, TokensSpent};
use wikirag::{QueryOptions, Refresh, Result};

use super::skills_of;
use crate::args::Skills;
use crate::exit::ExitStatus;
use crate::output::json_text;
use crate::runner::Session;

pub(super) fn run(session: &Session, args: &Skills) -> Result<ExitStatus> {
    let engine = session.engine()?;
    let composition = skills_of(&engine, &args.targets)?;
    let options = FindOptions {
        limit: args.limit as usize,
        kind: args.kind.as_deref().map(SkillKind::parse).transpose()?,
        why: args.why,
        group: true,
        query: QueryOptions {
            layers: args.layers.clone(),
            refresh: if args.asking.no_refresh { Refresh::Never } else { Refresh::Auto },
            build: !args.asking.no_build,
            strict: args.asking.strict,
            // Whoever names no wiki means those that there are, also while one of them is empty.
            allow_missing: args.targets.is_empty(),
            ..QueryOptions::default()
        },
    };
    let context = session.context(&composition.name);
    let found = block_on(engine.find_skills(&composition, &args.task, &options, &context))?;
    drop(context);
    super::query::tell(session, &found.degraded, &found.hints);
    if args.json {
        session.print(&json_text(&found)?)?;
        return Ok(ExitStatus::Fine);
    }
    session.print(&found.text())?;
    session.tell(&cost(&found.tokens));
    Ok(ExitStatus::Fine)
}

/// What it costs to read, and what a language model cost that reranked.
fn cost(tokens: &TokensSpent) -> String {
    let TokensSpent { answer, counter, rerank_read, rerank_written } = tokens;
    let rerank = match rerank_read + rerank_written {
        0 => String::new(),
        _ => format!("; reranking read {rerank_read} and wrote {rerank_written}"),
    };
    format!("{answer} tokens ({counter}){rerank}")
}
