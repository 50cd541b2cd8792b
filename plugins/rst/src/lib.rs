//! Plugin `rst`: a reader of reStructuredText.
//!
//! A line parser of our own: `rst_parser`, the crate that was tried, refuses one file of seven whole, and a reader needs
//! the outline of a file, not its tree. Ours knows what stands at the left margin; what is
//! indented below belongs to it. So nesting costs nothing, nothing recurses, and no file is refused for its markup.

mod blocks;
mod head;
mod lines;
mod links;
mod marks;
mod reader;
mod title;

use wikirag_core::{Capability, Plugin};

pub use reader::RstReader;

/// The descriptor of this plugin.
pub const PLUGIN: Plugin = Plugin {
    name: "rst",
    version: env!("CARGO_PKG_VERSION"),
    summary: "reads reStructuredText (docutils, Sphinx, Python enhancement proposals)",
    personal: &[],
    provides: &[Capability::Reader { format: 1, make: |setup| Ok(Box::new(RstReader::new(&setup.settings)?)) }],
};

wikirag_core::submit!(PLUGIN);
