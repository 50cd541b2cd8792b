//! Plugin `bm25`: a layer that finds passages by their words, over tantivy.
//!
//! * **Index.** tantivy keeps the postings, segments and commits. Every text is analysed by `wikirag-text` in the
//!   language of its document before tantivy sees it. No text is stored.
//! * **Fields.** Title, headings, names (aliases, tags, summary), path, body by its stems, body by its exact forms
//!   where they are others. Their weights are in [`Settings`].
//! * **Scores.** BM25F over these fields, from the chunks that are there now. tantivy's own scorer is not used: its
//!   statistics count removed chunks until a merge, and its block maxima are cut to the mean length of one segment, so
//!   both its scores and its cuts depend on what was edited when. See `score.rs` and `statistics.rs`.
//! * **Word counts.** A small file beside the index tells how many chunks hold each word, for those who only want to know whether to ask: see
//!   `summary.rs`.
//! * **Questions.** Analysed by the same analyser, in each language that the index holds; never parsed, so any text is
//!   one.

mod damage;
mod directory;
mod document;
mod portable;
mod posting;
mod question;
mod removal;
mod retriever;
mod schema;
mod score;
mod settings;
mod snapshot;
mod statistics;
mod store;
mod summary;
mod sync;

pub use settings::{Settings, Weights};
use wikirag_core::{Capability, Plugin, submit};

/// The descriptor of this plugin.
pub const PLUGIN: Plugin = Plugin {
    name: "bm25",
    version: env!("CARGO_PKG_VERSION"),
    summary: "finds passages by their words (BM25 over tantivy)",
    personal: &[],
    provides: &[Capability::Retriever { make: retriever::make }],
};

submit!(PLUGIN);
