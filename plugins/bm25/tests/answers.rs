//! What is found, and in which order.

#![expect(clippy::unwrap_used, reason = "a test ends at the first thing that is off")]

use std::sync::Arc;

use wikirag_core::{ChangeFeed, ChunkRecord, Context, Query, Retriever};
use wikirag_testkit::{MemoryFeed, TempLayer, block_on, json, make, record, temp_layer};

struct Index {
    retriever: Box<dyn Retriever>,
    _layer: TempLayer,
}

impl Index {
    fn of(records: impl IntoIterator<Item = ChunkRecord>) -> Self {
        Self::with_settings(json!({}), records)
    }

    fn with_settings(settings: serde_json::Value, records: impl IntoIterator<Item = ChunkRecord>) -> Self {
        let layer = temp_layer().unwrap();
        let mut setup = layer.setup().clone();
        setup.plugin = make::setup([wikirag_bm25::PLUGIN], settings).unwrap();
        let retriever = make::retriever(wikirag_bm25::PLUGIN, &setup).unwrap();
        let feed: Arc<dyn ChangeFeed> = Arc::new(MemoryFeed::of("a", records));
        block_on(retriever.sync(feed, &Context::new())).unwrap();
        Self { retriever, _layer: layer }
    }

    fn search(&self, question: &str) -> Vec<(u64, f64)> {
        let list = block_on(self.retriever.search(&Query::new(question, 10), &Context::new())).unwrap();
        list.hits.iter().map(|hit| (hit.chunk.0, hit.score.get())).collect()
    }

    fn ids(&self, question: &str) -> Vec<u64> {
        self.search(question).into_iter().map(|(id, _)| id).collect()
    }
}

/// A chunk with nothing but its text.
fn bare(id: u64, text: &str) -> ChunkRecord {
    ChunkRecord { path: String::new(), title: String::new(), language: String::new(), ..record(id, text) }
}

fn english(id: u64, text: &str) -> ChunkRecord {
    ChunkRecord { language: "eng".to_owned(), ..bare(id, text) }
}

/// The formula, by hand: three chunks of 2, 2 and 5 words (mean 3), `stone` in two of them.
#[test]
fn scores_are_those_of_the_formula() {
    let settings = json!({"k1": 1.2, "b": 0.75, "weights": {"body": 1, "exact": 0}});
    let records = [bare(1, "stone river"), bare(2, "river river"), bare(3, "stone stone river river river")];
    let found = Index::with_settings(settings, records).search("stone");
    let idf = (1.0 + (3.0 - 2.0 + 0.5) / (2.0 + 0.5f64)).ln();
    let score = |frequency: f64, length: f64| {
        let weight = frequency / (0.25 + 0.75 * length / 3.0);
        idf * weight * 2.2 / (weight + 1.2)
    };
    assert_eq!(found.iter().map(|(id, _)| *id).collect::<Vec<_>>(), [1, 3]);
    for ((_, found), expected) in found.iter().zip([score(1.0, 2.0), score(2.0, 5.0)]) {
        assert!((found - expected).abs() < 1e-5, "{found} is not {expected}");
    }
}

#[test]
fn identifiers_are_found_in_every_spelling() {
    let filler = (10..40).map(|id| english(id, "notes about other decisions and how to write them down"));
    let index = Index::of(
        [
            english(1, "As decided in DEC-0054, we keep it."),
            english(2, "Call atomic_write_json here."),
            english(3, "See src/main.rs for the entry."),
            english(4, "Log in as user@host first."),
            english(5, "Released on 2026-03-31 as v1.0.21."),
            english(6, "The class HTTPServer2 listens."),
            english(7, "the pair a:b of keys"),
        ]
        .into_iter()
        .chain(filler),
    );
    for (question, id) in [
        ("DEC-0054", 1),
        ("\"DEC-0054\"", 1),
        ("dec0054", 1),
        ("atomic_write_json", 2),
        ("atomic write", 2),
        ("atomicWriteJson", 2),
        ("src/main.rs", 3),
        ("main.rs", 3),
        ("user@host", 4),
        ("2026-03-31", 5),
        ("v1.0.21", 5),
        ("1.0.21", 5),
        ("http server", 6),
        ("httpserver2", 6),
        ("a:b", 7),
    ] {
        assert_eq!(index.ids(question).first(), Some(&id), "{question}");
    }
}

#[test]
fn words_of_query_languages_are_plain_words() {
    let index = Index::of([english(1, "an unbalanced foo, retry or x"), english(2, "status done")]);
    for (question, id) in [
        ("\"unbalanced", 1),
        ("status: done", 2),
        ("retry OR", 1),
        ("foo)", 1),
        ("NOT x", 1),
        ("[unbalanced TO", 1),
        ("done~ ^2", 2),
    ] {
        assert_eq!(index.ids(question).first(), Some(&id), "{question}");
    }
    for question in ["", "   ", "😀", "*", "( )"] {
        assert!(index.ids(question).is_empty(), "{question}");
    }
}

#[test]
fn spellings_of_unicode_meet() {
    let index = Index::of([english(1, "the impo\u{302}t on salt"), english(2, "the tax on sugar")]);
    for question in ["impôt", "impo\u{302}t", "IMPÔT", "impot"] {
        assert_eq!(index.ids(question), [1], "{question}");
    }
}

#[test]
fn scripts_without_spaces_are_searched_by_pairs() {
    let chinese = |id, text| ChunkRecord { language: "zho".to_owned(), ..bare(id, text) };
    let index =
        Index::of([chinese(1, "用BBDown进行视频下载的方法"), chinese(2, "今天天气很好"), chinese(3, "下载工具的列表")]);
    assert_eq!(index.ids("BBDown 视频下载").first(), Some(&1));
    assert_eq!(index.ids("视频下载"), [1, 3]);
    assert_eq!(index.ids("天气"), [2]);
}

#[test]
fn each_language_is_asked_in_its_own_stems() {
    let german = ChunkRecord { language: "deu".to_owned(), ..bare(1, "Die Häuser der Stadt sind alt.") };
    let index = Index::of([german, english(2, "The houses of the city are old."), bare(3, "unsorted houses")]);
    assert_eq!(index.ids("Haus"), [1]);
    assert_eq!(index.ids("house"), [2]);
    let mut found = index.ids("houses");
    found.sort_unstable();
    assert_eq!(found, [2, 3]);
}

#[test]
fn every_field_is_searched() {
    let index = Index::of([
        ChunkRecord { title: "Kettle".into(), ..english(1, "text") },
        ChunkRecord { headings: vec!["Teapot".into(), "Spout".into()], ..english(2, "text") },
        ChunkRecord { aliases: vec!["samovar".into()], tags: vec!["urn".into()], ..english(3, "text") },
        ChunkRecord { summary: "all about jugs".into(), ..english(4, "text") },
        ChunkRecord { path: "kitchen/mug.md".into(), ..english(5, "text") },
    ]);
    for (question, id) in [
        ("kettles", 1),
        ("teapot", 2),
        ("spout", 2),
        ("samovars", 3),
        ("urn", 3),
        ("jug", 4),
        ("kitchen", 5),
        ("mug", 5),
    ] {
        assert_eq!(index.ids(question), [id], "{question}");
    }
    assert_eq!(index.ids("text"), [1, 2, 3, 4, 5]);
}

#[test]
fn the_form_that_was_asked_for_wins() {
    let index = Index::of([english(1, "a connection there"), english(2, "a connected there")]);
    assert_eq!(index.ids("connected"), [2, 1]);
    assert_eq!(index.ids("connection"), [1, 2]);
}
