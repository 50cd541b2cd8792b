//! `wikirag export`

use std::sync::Arc;

use futures_lite::future::block_on;
use wikirag::locate::Locator;
use wikirag::portable::{CatalogPart, Exported, LayerLeftOut};
use wikirag::{BuildOptions, Result};

use super::current_dir;
use crate::args::Export;
use crate::exit::ExitStatus;
use crate::output::{Versioned, clean, count, json_text};
use crate::runner::Session;

pub(super) fn run(session: &Session, args: &Export) -> Result<ExitStatus> {
    let engine = session.engine()?;
    // Bound by the clearance like all that reads out of an index.
    let wiki = Locator::new(engine.settings(), &current_dir()?, engine.settings().clearance).wiki(&args.wiki)?;
    let wiki = Arc::new(wiki);
    let context = session.context(wiki.manifest.name.as_str());
    if !args.no_build {
        block_on(engine.build(&wiki, BuildOptions::default(), &context))?;
    }
    let exported = block_on(engine.export(&wiki, &args.file, &context))?;
    drop(context);
    tell_left_out(session, &exported.left_out);
    if exported.failed > 0 {
        let failed = count(exported.failed, "file");
        session.warn(&format!("{failed} could not be read or understood; `wikirag status --files` lists them"));
    }
    let text = if args.json { json_text(&Versioned::first(&exported))? } else { summary(&exported) };
    session.print(&text)?;
    Ok(if exported.failed > 0 { ExitStatus::Partial } else { ExitStatus::Fine })
}

/// Layers that are not in an archive, or of no use here.
pub(super) fn tell_left_out(session: &Session, layers: &[LayerLeftOut]) {
    for LayerLeftOut { layer, reason } in layers {
        session.tell(&clean(&format!("without the layer {layer}: {}; {}", reason.sentence, reason.remedy)));
    }
}

fn summary(exported: &Exported) -> String {
    let (head, contents) = (&exported.head, &exported.head.contents);
    let layers: Vec<&str> = contents.layers.iter().map(|layer| layer.name.as_str()).collect();
    let line = format!(
        "{}: {} with their text, {}; layers: {}; {} of {}",
        head.wiki,
        contents_of(&contents.catalog),
        contents.sensitivity,
        if layers.is_empty() { "none".to_owned() } else { layers.join(", ") },
        size(exported.bytes),
        size(head.bytes()),
    );
    format!("{}\ndigest {}\n", clean(&line), head.digest)
}

/// What the catalog of an archive holds, in words.
pub(super) fn contents_of(catalog: &CatalogPart) -> String {
    format!("{} in {}", count(catalog.chunks, "passage"), count(catalog.documents, "document"))
}

fn size(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}
