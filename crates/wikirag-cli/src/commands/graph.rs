//! `wikirag graph`

use futures_lite::future::block_on;
use wikirag::Result;
use wikirag::vault::GraphOptions;

use super::composition;
use crate::args::{Graph, GraphFormat};
use crate::exit::ExitStatus;
use crate::output::{Versioned, count, graph, json_text};
use crate::runner::Session;

pub(super) fn run(session: &Session, args: &Graph) -> Result<ExitStatus> {
    let engine = session.engine()?;
    let composition = composition(&engine, &args.page.target)?;
    let options = GraphOptions {
        depth: args.depth,
        direction: args.direction.into(),
        limit: args.limit as usize,
        tags: args.tags,
        mentions: args.mentions,
        refresh: !args.page.no_refresh,
    };
    let context = session.context(&composition.name);
    let found = block_on(engine.graph(&composition, &args.page.page, &options, &context))?;
    drop(context);
    tell_behind(session, found.behind.as_deref());
    session.print(&match if args.json { GraphFormat::Json } else { args.format } {
        GraphFormat::Text => graph::text(&found, session.terminal.out_color),
        GraphFormat::Json => json_text(&Versioned::first(&found))?,
        GraphFormat::Mermaid => graph::mermaid(&found),
        GraphFormat::Dot => graph::dot(&found),
        GraphFormat::Graphml => graph::graphml(&found),
    })?;
    if found.more > 0 {
        let within = format!("within {} of the page", count(u64::from(found.depth), "step"));
        session.tell(&format!("{} more {within}; --limit shows them", found.more));
    }
    Ok(ExitStatus::Fine)
}

/// Says how much `--limit` left out of a list.
pub(super) fn tell_more(session: &Session, more: usize) {
    if more > 0 {
        session.tell(&format!("{more} more; --limit shows them"));
    }
}

/// Says that what is shown may be old.
pub(super) fn tell_behind(session: &Session, behind: Option<&str>) {
    if let Some(why) = behind {
        session.tell(&format!("what is shown may be old: {why}"));
    }
}
