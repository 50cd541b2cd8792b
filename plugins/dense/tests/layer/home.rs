//! A layer over an embedder that keeps account.

use std::sync::Arc;

use wikirag_core::{
    ChangeFeed, ChunkId, Context, Host, LayerSetup, PluginSetup, Query, Readiness, Registry, Result, Retriever,
    Section, SyncReport,
};
use wikirag_testkit::fakes::{EmbedderLog, HASHED_WORDS};
use wikirag_testkit::{MemoryFeed, TempLayer, block_on, json, make, temp_layer};

/// A folder for the layer and the account of its embedder.
pub(crate) struct Home {
    pub(crate) layer: TempLayer,
    pub(crate) log: Arc<EmbedderLog>,
    name: String,
}

impl Home {
    /// `name` is that of the test: the account is found by it.
    pub(crate) fn new(name: &str) -> Self {
        Self { layer: temp_layer().unwrap(), log: EmbedderLog::of(name), name: name.to_owned() }
    }

    pub(crate) fn open(&self) -> Box<dyn Retriever> {
        self.open_with(json!({"embedder": "hashed-words", "batch": 8}), &self.name, 64).unwrap()
    }

    /// The layer in a program whose embedder has other settings.
    pub(crate) fn open_under(&self, name: &str, dimensions: usize) -> Box<dyn Retriever> {
        self.open_with(json!({"embedder": "hashed-words", "batch": 8}), name, dimensions).unwrap()
    }

    pub(crate) fn open_with(
        &self,
        settings: serde_json::Value,
        name: &str,
        dimensions: usize,
    ) -> Result<Box<dyn Retriever>> {
        self.open_over(settings, json!({"name": name, "dimensions": dimensions}))
    }

    /// The layer over an embedder with these settings.
    pub(crate) fn open_over(
        &self,
        settings: serde_json::Value,
        embedder: serde_json::Value,
    ) -> Result<Box<dyn Retriever>> {
        let embedder = Section::new("test settings", embedder);
        let host = Host::new(Registry::from_plugins([HASHED_WORDS])?)
            .with_sections([(HASHED_WORDS.name.to_owned(), embedder)].into());
        let plugin = PluginSetup { settings: Section::new("test settings", settings), host: Arc::new(host) };
        make::retriever(wikirag_dense::PLUGIN, &LayerSetup { plugin, ..self.layer.setup().clone() })
    }
}

pub(crate) fn sync(layer: &dyn Retriever, feed: &Arc<MemoryFeed>) -> Result<SyncReport> {
    sync_within(layer, feed, &Context::new())
}

pub(crate) fn sync_within(layer: &dyn Retriever, feed: &Arc<MemoryFeed>, context: &Context) -> Result<SyncReport> {
    let feed: Arc<dyn ChangeFeed> = Arc::<MemoryFeed>::clone(feed);
    block_on(layer.sync(feed, context))
}

pub(crate) fn search(layer: &dyn Retriever, question: &str, want: usize) -> Result<Vec<ChunkId>> {
    let list = block_on(layer.search(&Query::new(question, want), &Context::new()))?;
    Ok(list.hits.iter().map(|hit| hit.chunk).collect())
}

pub(crate) fn codes(readiness: &Readiness) -> Vec<&str> {
    readiness.reasons().iter().map(|reason| reason.code.as_ref()).collect()
}
