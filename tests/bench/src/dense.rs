//! Questions by words and meaning, with the real model.

use std::path::Path;

use futures_lite::future::block_on;
use wikirag::settings::{LoadOptions, Settings};
use wikirag::{BuildOptions, Context, Engine, Result};

use crate::{Table, asked_of, failed, seconds, timed, vault, wiki};

/// Builds a wiki of `passages` passages with the layers `bm25` and `dense`, asks it, and edits one note of it. `models` is a
/// data folder with the default model.
pub(crate) fn measure(models: &Path, passages: usize, runs: usize, folder: &Path, table: &mut Table) -> Result<()> {
    vault::write_passages(folder, passages).map_err(|error| failed("write corpus", error))?;
    let mut options = LoadOptions::new(folder);
    options.data_dir = Some(std::path::absolute(models).map_err(|error| failed("find models", error))?);
    options.flags.push(("layers".to_owned(), "bm25,dense".to_owned()));
    let engine = Engine::with_linked_plugins(Settings::load(&options)?)?;
    let wiki = wiki(&engine, folder)?;
    let context = Context::new();
    let build = || block_on(engine.build(&wiki, BuildOptions::default(), &context));
    let mut total = 0;
    let built = timed(1, || build().map(|report| total = report.chunks.total))?;
    table.row("build with vectors", seconds(&built), format!("{total} passages"));
    let times = asked_of(&engine, folder)?;
    table.row("question by both layers, warm", times, format!("{total} passages, four words, no question twice"));
    let note = crate::first_note(folder)?;
    let edited = timed(runs, || {
        let text = std::fs::read_to_string(&note).map_err(|error| failed("edit note", error))?;
        std::fs::write(&note, format!("{text}More.\n")).map_err(|error| failed("edit note", error))?;
        build().map(drop)
    })?;
    table.row("build with vectors, one note edited", seconds(&edited), format!("{total} passages"));
    Ok(())
}
