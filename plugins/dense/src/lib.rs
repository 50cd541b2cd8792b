//! Plugin `dense`: a layer that finds passages by meaning, from the vectors of an embedder.
//!
//! * **Index.** `wikirag-sqlite` keeps the vectors in one file and searches them exactly, over sqlite-vec.
//! * **Embedder.** Asked of the registry by the name that is set, so any plugin that embeds will do. It is shared by
//!   all wikis, and no model is loaded before the first question or build that needs one.
//! * **What is embedded.** Title, headings and passage of a chunk, see `text.rs`. Vectors are kept by that text, so
//!   what was renamed, moved or cut at the same places again is not embedded again.
//! * **Another model.** Vectors of two models never meet: the index of another one is stale and says so, until
//!   `wikirag build --full` makes one beside it.

mod follower;
mod model;
mod retriever;
mod settings;
mod sync;
mod text;

pub use settings::Settings;
use wikirag_core::{Capability, Plugin, submit};

/// The descriptor of this plugin.
pub const PLUGIN: Plugin = Plugin {
    name: "dense",
    version: env!("CARGO_PKG_VERSION"),
    summary: "finds passages by meaning (vectors of an embedder, over sqlite-vec)",
    // An embedder may be a service that texts are sent to.
    personal: &["embedder"],
    provides: &[Capability::Retriever { make: retriever::make }],
};

submit!(PLUGIN);
