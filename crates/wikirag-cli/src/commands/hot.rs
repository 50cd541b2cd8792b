//! `wikirag hot`

use futures_lite::future::block_on;
use wikirag::core::Date;
use wikirag::locate::Locator;
use wikirag::{Error, ErrorKind, HotOptions, Result};

use super::current_dir;
use crate::args::Hot;
use crate::exit::ExitStatus;
use crate::output::{Versioned, clean, count, json_text, plain};
use crate::runner::Session;

pub(super) fn run(session: &Session, args: &Hot) -> Result<ExitStatus> {
    let engine = session.engine()?;
    let as_of = args.as_of.as_deref().map_or_else(|| Ok(Date::today()), day)?;
    // Bound by the clearance like all that reads out of an index.
    let wiki = Locator::new(engine.settings(), &current_dir()?, engine.settings().clearance).wiki(&args.wiki)?;
    let context = session.context(wiki.manifest.name.as_str());
    let options = HotOptions { as_of, write: args.write };
    let proposal = block_on(engine.hot(&wiki, options, &context))?;
    drop(context);
    for hint in &proposal.hints {
        session.tell(&hint.text);
    }
    if args.json {
        session.print(&json_text(&Versioned::first(&proposal))?)?;
        return Ok(ExitStatus::Fine);
    }
    session.print(&plain(&proposal.diff))?;
    for item in &proposal.dropped {
        session.tell(&clean(&format!("left out [{}]: {}", item.reason, item.text)));
    }
    let file = proposal.file.display();
    session.tell(&match (proposal.written, proposal.diff.is_empty()) {
        (true, _) => format!("wrote {file}, {}", count(proposal.words as u64, "word")),
        (false, true) => format!("{file} needs no change"),
        (false, false) => {
            format!(
                "{}; --write writes it to {file}, the one document that this program ever writes",
                count(proposal.words as u64, "word")
            )
        }
    });
    Ok(ExitStatus::Fine)
}

pub(super) fn day(text: &str) -> Result<Date> {
    Date::of(text).ok_or_else(|| {
        Error::new(ErrorKind::Usage, "read date", format!("`{}` is no date", clean(text)))
            .help("write it as 2026-11-30")
    })
}
