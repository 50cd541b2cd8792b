//! Plugin `txt`: a reader of plain text.

mod blocks;
mod reader;

use wikirag_core::{Capability, Plugin};

pub use reader::TextReader;

/// The descriptor of this plugin.
pub const PLUGIN: Plugin = Plugin {
    name: "txt",
    version: env!("CARGO_PKG_VERSION"),
    summary: "reads plain text and logs: paragraphs between empty lines, in whatever encoding",
    personal: &[],
    provides: &[Capability::Reader { format: 1, make: |setup| Ok(Box::new(TextReader::new(&setup.settings)?)) }],
};

wikirag_core::submit!(PLUGIN);
