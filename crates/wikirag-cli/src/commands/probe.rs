//! `wikirag probe`, which the program calls itself: it tries native code that may crash or hang.

use wikirag::{Registry, Result};

use crate::args::Probe;
use crate::exit::ExitStatus;
use crate::runner::Session;

pub(super) fn run(session: &Session, args: &Probe) -> Result<ExitStatus> {
    let verdict = Registry::collect()?.probe(&args.plugin, &args.input)?;
    session.print(&verdict)?;
    Ok(ExitStatus::Fine)
}
