//! Plugin `pdf`: a reader of the text layer of PDF files.
//!
//! Pages are interpreted by [`hayro_interpret`]; this crate turns the glyphs that a page draws into lines and paragraphs,
//! keeps the pages apart, and bounds what a hostile file may cost.

mod bombs;
mod destination;
mod document;
mod extract;
mod fault;
mod fields;
mod glyphs;
mod info;
mod layout;
mod line;
mod outline;
mod reader;

use wikirag_core::{Capability, Plugin};

pub use reader::PdfReader;

/// The descriptor of this plugin.
pub const PLUGIN: Plugin = Plugin {
    name: "pdf",
    version: env!("CARGO_PKG_VERSION"),
    summary: "reads the text layer of PDF files, page by page",
    personal: &[],
    provides: &[Capability::Reader { format: 1, make: |setup| Ok(Box::new(PdfReader::new(&setup.settings)?)) }],
};

wikirag_core::submit!(PLUGIN);
