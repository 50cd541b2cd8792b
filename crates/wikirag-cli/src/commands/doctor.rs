//! `wikirag doctor`

use wikirag::{Registry, Result};

use super::{composition, verify};
use crate::args::{Doctor, TargetArgs};
use crate::exit::ExitStatus;
use crate::runner::Session;

pub(super) fn run(session: &Session, args: &Doctor) -> Result<ExitStatus> {
    let mut status = ExitStatus::Fine;
    let registry = Registry::collect()?;
    let names: Vec<&str> = registry.plugins().iter().map(|plugin| plugin.name).collect();
    session.print(&format!("ok      program {} with {}\n", env!("CARGO_PKG_VERSION"), names.join(", ")))?;
    for kind in ["reader", "chunker", "retriever", "fuser"] {
        if registry.names_of(kind).next().is_none() {
            session.print(&format!("fault   no {kind} is linked: build with the features of one\n"))?;
            status = ExitStatus::Failure;
        }
    }
    let engine = session.engine()?;
    session.print(&format!("ok      settings; data in {}\n", engine.settings().data_dir.display()))?;
    let Some(target) = &args.target else { return Ok(status) };
    let target = TargetArgs { target: target.clone(), allow_missing: false };
    let sound = verify::report(session, &engine, &composition(&engine, &target)?)?;
    Ok(if sound == ExitStatus::Fine { status } else { sound })
}
