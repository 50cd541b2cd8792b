//! `wikirag token`

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use wikirag::{Error, ErrorKind, Result};
use wikirag_server::access::{Tokens, new_token};
use wikirag_server::service::Caller;

use crate::args::Token;
use crate::exit::ExitStatus;
use crate::runner::Session;

pub(super) fn run(session: &Session, args: &Token) -> Result<ExitStatus> {
    let wikis = (!args.wikis.is_empty()).then(|| args.wikis.iter().cloned().collect());
    let caller = Caller { name: args.name.clone(), clearance: args.clearance, wikis };
    let (token, entry) = new_token(&caller, args.rate)?;
    match &args.into {
        Some(file) => {
            add(file, &entry)?;
            session.print(&format!("{token}\n"))?;
            session.tell("this is the token; only its hash is in the file, so it is shown this once");
        }
        None => session.print(&format!("{token}\n\n{entry}"))?,
    }
    Ok(ExitStatus::Fine)
}

/// Adds the entry at the end of a file, if the file is a token file with it.
fn add(file: &Path, entry: &str) -> Result<()> {
    let failed = |error: io::Error| {
        Error::new(ErrorKind::Io, "add token", "the token file cannot be written")
            .caused_by(error)
            .with("path", file.display())
    };
    let known = match fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(failed(error)),
    };
    let gap = if known.is_empty() { "" } else { "\n" };
    let added = format!("{gap}{entry}");
    Tokens::parse(&format!("{known}{added}")).map_err(|error| error.with("path", file.display()))?;
    let mut out = OpenOptions::new().create(true).append(true).open(file).map_err(failed)?;
    out.write_all(added.as_bytes()).map_err(failed)
}
