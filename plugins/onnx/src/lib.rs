//! Plugin: local embedding models in ONNX format.

use wikirag_core::{Plugin, submit};

/// The descriptor of this plugin.
pub const PLUGIN: Plugin = Plugin { name: "onnx", version: env!("CARGO_PKG_VERSION"), summary: "", provides: &[] };

submit!(PLUGIN);
