//! `wikirag get`

use wikirag::{Freshness, Result, Target};

use super::composition;
use crate::args::Get;
use crate::exit::ExitStatus;
use crate::output::{Versioned, json_text};
use crate::runner::Session;

pub(super) fn run(session: &Session, args: &Get) -> Result<ExitStatus> {
    let engine = session.engine()?;
    let target = Target::parse(&args.what)?;
    let composition = composition(&engine, &args.target)?;
    let fetched = engine.get(&composition, &target)?;
    match fetched.freshness {
        Freshness::Stale => session.tell("the file has changed since it was indexed; run `wikirag build`"),
        Freshness::Gone => session.tell("the file is gone; this is what was indexed"),
        Freshness::Fresh | Freshness::Unknown => {}
    }
    if args.json {
        session.print(&json_text(&Versioned::first(&fetched))?)?;
    } else {
        let end = if fetched.text.ends_with('\n') { "" } else { "\n" };
        session.print(&format!("{}{end}", fetched.text))?;
    }
    Ok(ExitStatus::Fine)
}
