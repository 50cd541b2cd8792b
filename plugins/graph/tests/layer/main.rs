//! What the layer finds, and that it does not depend on how the pages came.

#![expect(clippy::unwrap_used, reason = "a test ends at the first thing that is off")]

mod extraction;
mod finds;
mod history;
mod told;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Value, json};
use wikirag_core::{
    ChangeFeed, ChunkId, ChunkRecord, Context, DocId, ExtractionReport, Host, LayerSetup, Link, LinkKind, PluginSetup,
    Query, Ranked, Registry, Result, Retriever, Score, Section, Span,
};
use wikirag_testkit::{MemoryFeed, TempLayer, block_on, make, temp_layer};

/// A layer with its folder, and the feed that it follows.
struct Indexed {
    retriever: Box<dyn Retriever>,
    feed: Arc<MemoryFeed>,
    layer: Arc<TempLayer>,
    settings: Value,
    /// Of the extractor.
    model: String,
}

impl Indexed {
    /// Follows `feed`, with these settings.
    fn of(feed: MemoryFeed, settings: Value) -> Self {
        let layer = Arc::new(temp_layer().unwrap());
        let retriever = made(&layer, &settings, "plain", layer.dir(), None);
        let indexed = Self { retriever, feed: Arc::new(feed), layer, settings, model: "plain".to_owned() };
        indexed.sync();
        indexed
    }

    /// The same with an extractor, which was not asked yet.
    fn with_extractor(feed: MemoryFeed, model: &str, settings: Value) -> Self {
        let mut settings = settings;
        settings["reach"] = json!(0);
        settings["extractor"] = json!("told");
        Self::of(feed, settings).with_model(model)
    }

    /// The same index with an extractor of another model.
    fn with_model(&self, model: &str) -> Self {
        let retriever = made(&self.layer, &self.settings, model, self.layer.dir(), None);
        self.like(retriever, model)
    }

    /// As a full build makes it: in a folder of its own beside the old one.
    fn rebuilt(&self) -> Self {
        let dir = self.layer.dir().with_extension("new");
        let retriever = self.opened(self.settings.clone(), dir, Some(self.layer.dir().to_owned()));
        let rebuilt = self.like(retriever, &self.model);
        rebuilt.sync();
        rebuilt
    }

    fn opened(&self, settings: Value, dir: PathBuf, previous: Option<PathBuf>) -> Box<dyn Retriever> {
        made(&self.layer, &settings, &self.model, &dir, previous)
    }

    fn like(&self, retriever: Box<dyn Retriever>, model: &str) -> Self {
        Self {
            retriever,
            feed: Arc::clone(&self.feed),
            layer: Arc::clone(&self.layer),
            settings: self.settings.clone(),
            model: model.to_owned(),
        }
    }

    fn extract(&self, may_ask: bool) -> Result<Option<ExtractionReport>> {
        let feed: Arc<dyn ChangeFeed> = Arc::<MemoryFeed>::clone(&self.feed);
        block_on(self.retriever.extract(feed, may_ask, &Context::new()))
    }

    /// The layer over these records, which always has its whole say.
    fn new(records: impl IntoIterator<Item = ChunkRecord>) -> Self {
        Self::of(MemoryFeed::of("a", records), serde_json::json!({"reach": 0}))
    }

    fn sync(&self) {
        let feed: Arc<dyn ChangeFeed> = Arc::<MemoryFeed>::clone(&self.feed);
        block_on(self.retriever.sync(feed, &Context::new())).unwrap();
    }

    /// The answer, after other layers found `seeds`, best first.
    fn ask(&self, question: &str, seeds: &[u64]) -> Vec<Ranked> {
        let score = |place: usize| Score::new(1.0 / (place as f64 + 1.0)).unwrap();
        let seeds = seeds.iter().enumerate().map(|(place, id)| Ranked { chunk: ChunkId(*id), score: score(place) });
        let query = Query::new(question, 50).with_seeds(seeds.collect());
        block_on(self.retriever.search(&query, &Context::new())).unwrap().hits
    }

    /// The ids of the answer.
    fn found(&self, question: &str, seeds: &[u64]) -> Vec<u64> {
        self.ask(question, seeds).into_iter().map(|hit| hit.chunk.0).collect()
    }
}

/// The layer in a program with the extractor of the tests.
fn made(layer: &TempLayer, settings: &Value, model: &str, dir: &Path, previous: Option<PathBuf>) -> Box<dyn Retriever> {
    let of_extractor = Section::new("test settings", json!({"model": model}));
    let host = Host::new(Registry::from_plugins([told::TOLD]).unwrap())
        .with_sections([("told".to_owned(), of_extractor)].into());
    let plugin = PluginSetup { settings: Section::new("test settings", settings.clone()), host: Arc::new(host) };
    let setup = LayerSetup { plugin, dir: dir.to_owned(), previous, ..layer.setup().clone() };
    make::retriever(wikirag_graph::PLUGIN, &setup).unwrap()
}

/// A passage of a page of its own.
fn page(id: u64, title: &str, text: &str) -> ChunkRecord {
    ChunkRecord {
        id: ChunkId(id),
        document: DocId(id),
        path: format!("notes/{}.md", title.to_lowercase()),
        title: title.to_owned(),
        text: text.to_owned(),
        ..ChunkRecord::default()
    }
}

/// A link of the front matter.
fn head_link(target: &str) -> Link {
    Link { span: Span::new(0, 0), kind: LinkKind::Wiki, target: target.to_owned() }
}
