//! `wikirag mentions`

use futures_lite::future::block_on;
use wikirag::Result;
use wikirag::vault::Mentions;

use super::backlinks::{line, list_options};
use super::composition;
use super::graph::{tell_behind, tell_more};
use crate::args;
use crate::exit::ExitStatus;
use crate::output::{Versioned, clean, count, json_text};
use crate::runner::Session;

pub(super) fn run(session: &Session, args: &args::Mentions) -> Result<ExitStatus> {
    let engine = session.engine()?;
    let composition = composition(&engine, &args.page.target)?;
    let context = session.context(&composition.name);
    let options = list_options(args.limit, &args.page);
    let found = block_on(engine.mentions(&composition, &args.page.page, &options, &context))?;
    drop(context);
    tell_behind(session, found.behind.as_deref());
    if args.json {
        session.print(&json_text(&Versioned::first(&found))?)?;
    } else {
        session.print(&text(&found, session.terminal.out_color))?;
    }
    for name in found.names.iter().filter(|name| !name.shared_with.is_empty()) {
        let others = clean(&name.shared_with.join(", "));
        session.tell(&format!("`{}` may mean another page as well: {others}", clean(&name.name)));
    }
    tell_more(session, found.more);
    Ok(ExitStatus::Fine)
}

fn text(found: &Mentions, color: bool) -> String {
    let page = clean(&format!("{}/{}", found.wiki, found.page));
    let names: Vec<&str> = found.names.iter().map(|name| name.name.as_str()).collect();
    let names = clean(&names.join(", "));
    let mentions = (found.mentions.len() + found.more) as u64;
    let head = match (found.names.is_empty(), mentions) {
        (true, _) => format!("{page} has no name that could be looked for\n"),
        (false, 0) => format!("nothing names {page} without a link ({names})\n"),
        (false, mentions) => {
            let pages = count(found.pages as u64, "page");
            format!("{} of {page} without a link in {pages} ({names})\n", count(mentions, "mention"))
        }
    };
    head + &found
        .mentions
        .iter()
        .map(|mention| line(&mention.path, &mention.at, &mention.snippet, color))
        .collect::<String>()
}
