//! What is made from the definition of the command line: completions and manual pages.

use std::fs;

use clap::CommandFactory;
use wikirag::{Error, ErrorKind, Result};

use crate::args::{Cli, Completions, Man};
use crate::exit::ExitStatus;
use crate::runner::Session;

pub(super) fn completions(session: &Session, args: &Completions) -> Result<ExitStatus> {
    let mut buffer = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "wikirag", &mut buffer);
    session.print(&String::from_utf8_lossy(&buffer))?;
    Ok(ExitStatus::Fine)
}

pub(super) fn man(session: &Session, args: &Man) -> Result<ExitStatus> {
    let failed = |error: std::io::Error| Error::new(ErrorKind::Io, "write manual page", error.to_string());
    match &args.dir {
        Some(dir) => {
            fs::create_dir_all(dir).map_err(failed)?;
            clap_mangen::generate_to(Cli::command(), dir).map_err(failed)?;
        }
        None => {
            let mut buffer = Vec::new();
            clap_mangen::Man::new(Cli::command()).render(&mut buffer).map_err(failed)?;
            session.print(&String::from_utf8_lossy(&buffer))?;
        }
    }
    Ok(ExitStatus::Fine)
}
