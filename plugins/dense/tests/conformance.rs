//! The promises of a retriever.

use std::sync::Arc;

use wikirag_core::{Host, LayerSetup, PluginSetup, Registry, Result, Retriever, Section};
use wikirag_testkit::fakes::HASHED_WORDS;
use wikirag_testkit::{json, make};

fn open(setup: &LayerSetup) -> Result<Box<dyn Retriever>> {
    let host = Arc::new(Host::new(Registry::from_plugins([HASHED_WORDS])?));
    let settings = Section::new("test settings", json!({"embedder": "hashed-words"}));
    let plugin = PluginSetup { settings, host };
    make::retriever(wikirag_dense::PLUGIN, &LayerSetup { plugin, ..setup.clone() })
}

wikirag_testkit::retriever_suite!(conformance, open);
