//! `wikirag backlinks`

use futures_lite::future::block_on;
use wikirag::lint::At;
use wikirag::vault::{Backlink, Backlinks, ListOptions};
use wikirag::{Result, Snippet};

use super::composition;
use super::graph::{tell_behind, tell_more};
use crate::args;
use crate::exit::ExitStatus;
use crate::output::{Versioned, clean, count, json_text, marked};
use crate::runner::Session;
use crate::terminal::{paint, style};

pub(super) fn run(session: &Session, args: &args::Backlinks) -> Result<ExitStatus> {
    let engine = session.engine()?;
    let composition = composition(&engine, &args.page.target)?;
    let context = session.context(&composition.name);
    let options = list_options(args.limit, &args.page);
    let found = block_on(engine.backlinks(&composition, &args.page.page, &options, &context))?;
    drop(context);
    tell_behind(session, found.behind.as_deref());
    if args.json {
        session.print(&json_text(&Versioned::first(&found))?)?;
    } else {
        session.print(&text(&found, session.terminal.out_color))?;
    }
    tell_more(session, found.more);
    Ok(ExitStatus::Fine)
}

pub(super) fn list_options(limit: Option<u32>, page: &args::PageArgs) -> ListOptions {
    ListOptions { limit: limit.map_or(usize::MAX, |limit| limit as usize), refresh: !page.no_refresh }
}

fn text(found: &Backlinks, color: bool) -> String {
    let to = format!("{}/{}{}", found.wiki, found.page, found.anchor.as_deref().unwrap_or_default());
    let links = found.links.len() + found.ambiguous.len() + found.more;
    let mut text = match links {
        0 => format!("nothing links to {}\n", clean(&to)),
        _ => format!("{} to {} in {}\n", count(links as u64, "link"), clean(&to), count(found.pages as u64, "page")),
    };
    let line = |link: &Backlink| line(&link.path, &link.at, &link.snippet, color);
    found.links.iter().for_each(|link| text.push_str(&line(link)));
    if !found.ambiguous.is_empty() {
        text.push_str("\nlinks that may mean another page as well:\n");
    }
    for link in &found.ambiguous {
        text.push_str(&line(link));
        text.push_str(&format!("    may be {}\n", clean(&link.candidates.join(", "))));
    }
    text
}

/// A place in a page and what stands there.
pub(super) fn line(path: &str, at: &At, snippet: &Snippet, color: bool) -> String {
    let place = clean(&format!("{path}{at}"));
    format!("{}: {}\n", paint(color, style::PATH, &place), marked(snippet, color))
}
