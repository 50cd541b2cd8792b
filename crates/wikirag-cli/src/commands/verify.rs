//! `wikirag verify`, and the part of `wikirag doctor` that looks at indexes.

use futures_lite::future::block_on;
use serde::Serialize;
use wikirag::{Checked, Composition, Depth, Engine, ErrorKind, Result};

use super::composition;
use crate::args::Verify;
use crate::exit::ExitStatus;
use crate::output::json_text;
use crate::runner::Session;

/// One checked part, as JSON has it.
#[derive(Serialize)]
struct Finding {
    wiki: String,
    part: String,
    /// `ok`, `behind`, `fault` or `missing`.
    state: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    remedy: Option<String>,
}

#[derive(Serialize)]
struct Report {
    version: u32,
    parts: Vec<Finding>,
}

pub(super) fn run(session: &Session, args: &Verify) -> Result<ExitStatus> {
    let engine = session.engine()?;
    let composition = composition(&engine, &args.target)?;
    let depth = if args.full { Depth::Full } else { Depth::Quick };
    let (parts, status) = check(&engine, &composition, depth)?;
    if args.json {
        session.print(&json_text(&Report { version: 1, parts })?)?;
    } else {
        print(session, &parts)?;
    }
    Ok(status)
}

/// Checks all wikis of a composition and prints a line a part.
pub(super) fn report(session: &Session, engine: &Engine, composition: &Composition) -> Result<ExitStatus> {
    let (parts, status) = check(engine, composition, Depth::Full)?;
    print(session, &parts)?;
    Ok(status)
}

/// What was found, and the gravest of it as exit status: damage before what is only behind.
fn check(engine: &Engine, composition: &Composition, depth: Depth) -> Result<(Vec<Finding>, ExitStatus)> {
    let mut parts = Vec::new();
    let mut status = ExitStatus::Fine;
    for wiki in &composition.wikis {
        let name = wiki.located.manifest.name.to_string();
        match block_on(engine.verify(&wiki.located, depth)) {
            Err(error) if error.kind() == ErrorKind::IndexMissing => parts.push(Finding {
                wiki: name,
                part: "index".to_owned(),
                state: "missing",
                message: Some("never built; the first query builds it".to_owned()),
                remedy: error.remedy().map(str::to_owned),
            }),
            checked => {
                for Checked { part, result } in checked? {
                    let found = result.as_ref().err().map(|error| ExitStatus::of(error.kind()));
                    status = match (status, found) {
                        (status, None) => status,
                        (ExitStatus::Fine, Some(found)) | (ExitStatus::Partial, Some(found)) => found,
                        (status, Some(_)) => status,
                    };
                    parts.push(finding(&name, part, &result));
                }
            }
        }
    }
    Ok((parts, status))
}

fn finding(wiki: &str, part: String, result: &Result<()>) -> Finding {
    let (state, message, remedy) = match result {
        Ok(()) => ("ok", None, None),
        Err(error) => {
            let state = if error.kind() == ErrorKind::Partial { "behind" } else { "fault" };
            (state, Some(error.statement()), error.remedy().map(str::to_owned))
        }
    };
    Finding { wiki: wiki.to_owned(), part, state, message, remedy }
}

fn print(session: &Session, parts: &[Finding]) -> Result<()> {
    for Finding { wiki, part, state, message, remedy } in parts {
        let said = message.as_ref().map(|message| format!(": {message}")).unwrap_or_default();
        let remedy = remedy.as_ref().map(|remedy| format!(" ({remedy})")).unwrap_or_default();
        session.print(&format!("{state:<7} {wiki}: {part}{said}{remedy}\n"))?;
    }
    Ok(())
}
