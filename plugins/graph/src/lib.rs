//! Plugin `graph`: a layer that finds passages by what they name and where they lead, without a language model.
//!
//! * **Index.** `wikirag-sqlite` keeps for each passage which names of pages stand in it, where its links lead, and which
//!   identifiers and other names it holds. One changed page changes its own rows, and those of the passages that hold a name
//!   which it got.
//! * **Graph.** What follows from the facts of all passages together is worked out when they are read: which page a link or a name
//!   means, how common a name is, communities. See `graph.rs` for nodes and edges.
//! * **Search.** A walk with restarts (personalised PageRank) from the pages that the question names and from the best hits of the other
//!   layers of the wiki: what many ways lead to from there is what belongs to the question, also where it shares no word with it.
//! * **Extractor**, if one is set: what it finds in passages is kept in a file of its own, see `extraction.rs`, and joined when the
//!   graph is read, see `entities.rs`. Without one nothing is different from a layer that knows of none.
//!
//! Names that stand in a text without a link count as edges too. That is what makes this work for folders of notes whose writers
//! linked little, and it takes the place of the extraction of entities by a language model in GraphRAG (Edge et al. 2024), LightRAG
//! (Guo et al. 2024) and HippoRAG (Gutiérrez et al. 2024); the walk is that of HippoRAG.

mod community;
mod csr;
mod entities;
mod extraction;
mod facts;
mod follower;
mod graph;
mod retriever;
mod seeds;
mod settings;
mod spotter;
mod terms;
mod walk;

pub use settings::{Mode, Settings};
use wikirag_core::{Capability, Plugin, submit};

/// The descriptor of this plugin.
pub const PLUGIN: Plugin = Plugin {
    name: "graph",
    version: env!("CARGO_PKG_VERSION"),
    summary: "finds passages by names and links (personalised PageRank over mentions, links and tags)",
    // An extractor may be a service that texts are sent to, and that wants money for it.
    personal: &["extractor", "most_extractions", "extractions_at_once"],
    provides: &[Capability::Retriever { make: retriever::make }],
};

submit!(PLUGIN);
