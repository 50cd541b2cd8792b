//! What the layer finds, and that it does not depend on how the pages came.

#![expect(clippy::unwrap_used, reason = "a test ends at the first thing that is off")]

mod finds;
mod history;

use std::sync::Arc;

use wikirag_core::{
    ChangeFeed, ChunkId, ChunkRecord, Context, DocId, LayerSetup, Link, LinkKind, PluginSetup, Query, Ranked,
    Retriever, Score, Section, Span,
};
use wikirag_testkit::{MemoryFeed, TempLayer, block_on, make, temp_layer};

/// A layer with its folder, and the feed that it follows.
struct Indexed {
    retriever: Box<dyn Retriever>,
    feed: Arc<MemoryFeed>,
    layer: TempLayer,
}

impl Indexed {
    /// Follows `feed`, with these settings.
    fn of(feed: MemoryFeed, settings: serde_json::Value) -> Self {
        let layer = temp_layer().unwrap();
        let setup = layer.setup();
        let settings = Section::new("test settings", settings);
        let plugin = PluginSetup { settings, ..setup.plugin.clone() };
        let retriever = make::retriever(wikirag_graph::PLUGIN, &LayerSetup { plugin, ..setup.clone() }).unwrap();
        let indexed = Self { retriever, feed: Arc::new(feed), layer };
        indexed.sync();
        indexed
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
