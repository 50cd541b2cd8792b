//! The plugin with a generator that talks to a service over a real connection, and with one that keeps account of its prompts.
//!
//! The answers are made by hand, in the shapes that small models give. None was recorded from a model: these tests say how
//! answers are read, and nothing about how well any model does.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod answers;
mod asking;
mod writer;

use std::sync::Arc;

use wikirag_core::{Capability, Context, Extraction, Extractor, Host, Plugin, PluginSetup, Registry, Result, Section};
use wikirag_testkit::fakes::SCRIPT;
use wikirag_testkit::fakes::chat_service::{ChatService, Reply};
use wikirag_testkit::{block_on, json};

wikirag_testkit::extractor_suite!(scripted, || {
    wikirag_testkit::fakes::GeneratorLog::of("capitals")
        .always(|prompt| capitals(&prompt.messages.last().unwrap().text));
    scripted("capitals", json!({}))
});

/// The extractor, with settings beside its generator.
fn make(generator: Plugin, of_generator: serde_json::Value, settings: serde_json::Value) -> Result<Box<dyn Extractor>> {
    let registry = Registry::from_plugins([wikirag_extract_llm::PLUGIN, generator])?;
    let sections = [(generator.name.to_owned(), Section::new("test settings", of_generator))].into();
    let host = Arc::new(Host::new(registry).with_sections(sections));
    let mut all = json!({"generator": generator.name});
    for (key, value) in settings.as_object().unwrap() {
        all[key] = value.clone();
    }
    let [Capability::Extractor { make }] = wikirag_extract_llm::PLUGIN.provides else {
        panic!("it provides another thing")
    };
    make(&PluginSetup { settings: Section::new("test settings", all), host })
}

/// One whose generator has a log of this name.
fn scripted(name: &str, settings: serde_json::Value) -> Result<Box<dyn Extractor>> {
    make(SCRIPT, json!({"name": name}), settings)
}

/// One whose generator asks `service`.
fn over_wire(service: &ChatService, streams: bool, settings: serde_json::Value) -> Box<dyn Extractor> {
    let of_generator = json!({"address": service.address().to_string(), "stream": streams});
    make(writer::WRITER, of_generator, settings).unwrap()
}

fn extract(extractor: &dyn Extractor, passage: &str) -> Result<Extraction> {
    block_on(extractor.extract(passage, &Context::new()))
}

/// What comes of `reply`, in one piece and as a stream, which must be the same.
fn replied(reply: &Reply, passage: &str) -> Result<Extraction, String> {
    let one_way = |streams| {
        let service = ChatService::new([reply.clone()]);
        extract(&*over_wire(&service, streams, json!({"max_tokens": 64})), passage)
    };
    let (whole, streamed) = (one_way(false).map_err(|error| format!("{error:?}")), one_way(true));
    assert_eq!(streamed.map_err(|error| format!("{error:?}")), whole);
    whole
}

/// Writes rows as a model may: words with capitals as entities, neighbours as related.
fn capitals(message: &str) -> String {
    let text = message.strip_prefix("<text>\n").and_then(|text| text.strip_suffix("\n</text>")).unwrap();
    let names: Vec<_> =
        text.split(|c: char| !c.is_alphanumeric()).filter(|word| word.starts_with(char::is_uppercase)).collect();
    let mut rows: Vec<_> = names.iter().map(|name| format!("entity<|>{name}<|>concept<|>A word.")).collect();
    rows.extend(names.windows(2).map(|pair| format!("relation<|>{}<|>{}<|>Neighbours.", pair[0], pair[1])));
    rows.push("<|COMPLETE|>".to_owned());
    rows.join("\n")
}
