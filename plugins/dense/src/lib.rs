//! Plugin: finds passages by meaning, over sqlite-vec.

use wikirag_core::{Plugin, submit};

/// The descriptor of this plugin.
pub const PLUGIN: Plugin =
    Plugin { name: "dense", version: env!("CARGO_PKG_VERSION"), summary: "", personal: &[], provides: &[] };

submit!(PLUGIN);
