//! Plugin `extract-llm`: entities and relations of a passage, by a language model.
//!
//! The method is that of LightRAG (Guo et al. 2024, arXiv 2410.05779, section 3.1): a model is shown one passage and writes the
//! entities of some kinds and the relations between them, a line each. Optionally it is asked again for what it missed.
//!
//! * **Off** unless `generator` names a plugin that writes. Passages are sent to that plugin, and so to whatever service it
//!   talks to.
//! * **What the model writes** is read as leniently as it can be understood, see `read.rs`. Lines that cannot be read and relations
//!   without their entities are counted in the [`Extraction`](wikirag_core::Extraction). Where nothing can be read, that is an error
//!   of the passage ([`ErrorKind::Invalid`](wikirag_core::ErrorKind::Invalid)), so that its caller can do without a model.
//! * **Long passages** are refused, not cut: what was found in half a passage looks like what is in all of it.
//! * **A passage is data.** It may say whatever it likes to the model; all that can come of it are entities and relations of
//!   that very passage.

mod clean;
mod extractor;
mod found;
mod json;
mod prompt;
mod read;
mod rows;
mod settings;

pub use settings::Settings;
use wikirag_core::{Capability, Plugin, submit};

/// The descriptor of this plugin.
pub const PLUGIN: Plugin = Plugin {
    name: "extract-llm",
    version: env!("CARGO_PKG_VERSION"),
    summary: "finds entities and relations of passages (a language model, as in LightRAG)",
    // A generator may be a service that texts are sent to.
    personal: &["generator"],
    provides: &[Capability::Extractor { make: extractor::make }],
};

submit!(PLUGIN);

const OPERATION: &str = "extract entities";
