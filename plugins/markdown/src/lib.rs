//! Plugin `markdown`: a reader of Markdown files and a chunker that follows the structure of any document.
//!
//! The [`Reader`](wikirag_core::Reader) understands CommonMark, the GitHub extensions (tables, task lists,
//! strikethrough, alerts, footnotes), front matter in YAML and TOML, and Obsidian's wikilinks, embeds and callouts.
//! The [`Chunker`](wikirag_core::Chunker) looks at blocks, not at markup, so it serves readers of other formats as well.

mod blocks;
mod chunker;
mod comments;
mod front_matter;
mod lines;
mod links;
mod meta;
mod reader;
mod trim;

use wikirag_core::{Capability, Plugin};

pub use chunker::{MarkdownChunker, Settings, Strategy};
pub use reader::MarkdownReader;

/// The descriptor of this plugin.
pub const PLUGIN: Plugin = Plugin {
    name: "markdown",
    version: env!("CARGO_PKG_VERSION"),
    summary: "reads Markdown (CommonMark, GitHub, Obsidian) and cuts documents along their structure",
    personal: &[],
    provides: &[
        Capability::Reader { format: 2, make: |setup| Ok(Box::new(MarkdownReader::new(&setup.settings)?)) },
        Capability::Chunker { format: 2, make: |setup| Ok(Box::new(MarkdownChunker::new(&setup.settings)?)) },
    ],
};

wikirag_core::submit!(PLUGIN);
