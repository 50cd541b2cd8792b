//! `wikirag import`

use futures_lite::future::block_on;
use wikirag::portable::{ImportOptions, Imported, Place};
use wikirag::{Result, WikiName};

use super::export::{contents_of, tell_left_out};
use crate::args::Import;
use crate::exit::ExitStatus;
use crate::output::{Versioned, clean, json_text};
use crate::runner::Session;

pub(super) fn run(session: &Session, args: &Import) -> Result<ExitStatus> {
    let engine = session.engine()?;
    let place = match (&args.name, &args.into) {
        (Some(name), _) => Place::Named(WikiName::new(name)?),
        (None, Some(folder)) => Place::Folder(folder.clone()),
        (None, None) => Place::OwnName,
    };
    let context = session.context("import");
    let imported = block_on(engine.import(&args.file, ImportOptions { place, replace: args.replace }, &context))?;
    drop(context);
    tell_left_out(session, &imported.left_out);
    session.print(&if args.json { json_text(&Versioned::first(&imported))? } else { summary(&imported) })?;
    Ok(ExitStatus::Fine)
}

fn summary(imported: &Imported) -> String {
    let line = format!(
        "{}: {}, {}; {} in {}",
        imported.name,
        contents_of(&imported.archive.contents.catalog),
        imported.sensitivity,
        if imported.has_documents { "documents are here" } else { "without its documents" },
        imported.folder.display(),
    );
    format!("{}\ndigest {}\n", clean(&line), imported.archive.digest)
}
