//! The promises of a retriever.

use wikirag_core::{LayerSetup, PluginSetup, Result, Retriever, Section};
use wikirag_testkit::{json, make};

fn open(setup: &LayerSetup) -> Result<Box<dyn Retriever>> {
    // The pages of the suite have names and hardly name each other.
    let settings = Section::new("test settings", json!({"reach": 0}));
    let plugin = PluginSetup { settings, ..setup.plugin.clone() };
    make::retriever(wikirag_graph::PLUGIN, &LayerSetup { plugin, ..setup.clone() })
}

wikirag_testkit::retriever_suite!(conformance, open);
