//! The promises of an embedder, kept with a real model.
//!
//! They need the files of the default model and ONNX Runtime in the data folder that `WIKIRAG_TEST_MODELS` names.

#![expect(clippy::unwrap_used, reason = "a test ends at the first thing that is off")]

use std::sync::Arc;

use wikirag_core::{Embedder, Host, PluginSetup, Registry, Result, Section};

fn embedder() -> Result<Box<dyn Embedder>> {
    let data = std::env::var_os("WIKIRAG_TEST_MODELS").unwrap();
    let host = Host::new(Registry::from_plugins([wikirag_onnx::PLUGIN])?).with_data_dir(data).with_threads(2);
    let setup = PluginSetup { settings: Section::empty(), host: Arc::new(host) };
    setup.host.registry().embedder(wikirag_onnx::PLUGIN.name, &setup)
}

wikirag_testkit::embedder_suite!(conformance, embedder, "needs WIKIRAG_TEST_MODELS");
