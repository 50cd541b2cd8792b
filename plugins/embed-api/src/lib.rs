//! Plugin: embeddings from a service that speaks the OpenAI or Voyage protocol.

use wikirag_core::{Plugin, submit};

/// The descriptor of this plugin.
pub const PLUGIN: Plugin = Plugin { name: "embed-api", version: env!("CARGO_PKG_VERSION"), summary: "", provides: &[] };

submit!(PLUGIN);
