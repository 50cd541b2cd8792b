//! The counts of words beside the index say what the index says.

#![expect(clippy::unwrap_used, reason = "a test ends at the first thing that is off")]

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use wikirag_core::{
    ChangeFeed, ChunkId, ChunkRecord, Context, ErrorKind, LayerSetup, Query, Retriever, TermStatistics,
};
use wikirag_testkit::{MemoryFeed, block_on, make, record, temp_layer};

const QUESTION: &str = "Nationen naïve river DEC-0054 漢字 nowhere rivers";

fn open(setup: &LayerSetup) -> Box<dyn Retriever> {
    make::retriever(wikirag_bm25::PLUGIN, setup).unwrap()
}

fn counts(setup: &LayerSetup) -> TermStatistics {
    open(setup).term_statistics(&Query::new(QUESTION, 1)).unwrap().unwrap()
}

fn file(setup: &LayerSetup) -> PathBuf {
    setup.dir.join("words")
}

fn sync(setup: &LayerSetup, feed: &Arc<MemoryFeed>) {
    let feed: Arc<dyn ChangeFeed> = Arc::<MemoryFeed>::clone(feed);
    block_on(open(setup).sync(feed, &Context::new())).unwrap();
}

/// Two languages, a title, pairs of characters, chunks that are gone.
fn filled(setup: &LayerSetup) -> Arc<MemoryFeed> {
    let feed = Arc::new(MemoryFeed::new("counts"));
    let chunk = |id, language: &str, title: &str, text: &str| ChunkRecord {
        language: language.to_owned(),
        title: title.to_owned(),
        ..record(id, text)
    };
    feed.put(chunk(1, "eng", "Rivers of the nation", "the river is long and the nations meet"));
    feed.put(chunk(2, "deu", "", "die Nationen am Fluss, naïve Menschen"));
    feed.put(chunk(3, "jpn", "", "漢字と仮名漢字"));
    feed.put(chunk(4, "eng", "", "see DEC-0054 for rivers"));
    sync(setup, &feed);
    feed.delete(ChunkId(4));
    feed.put(chunk(5, "eng", "", "a river, a river, and DEC-0054"));
    sync(setup, &feed);
    feed
}

#[test]
fn they_are_those_of_the_index() {
    let layer = temp_layer().unwrap();
    let setup = layer.setup();
    filled(setup);
    let from_file = counts(setup);
    assert!(from_file.terms.iter().any(|term| term.chunk_frequency == 2), "{from_file:?}");
    fs::remove_file(file(setup)).unwrap();
    assert_eq!(from_file, counts(setup));
}

#[test]
fn an_open_layer_sees_them_move() {
    let layer = temp_layer().unwrap();
    let setup = layer.setup();
    let feed = filled(setup);
    let reader = open(setup);
    let of = |layer: &dyn Retriever| layer.term_statistics(&Query::new("river", 1)).unwrap().unwrap();
    let before = of(&*reader);
    feed.put(record(6, "one river more"));
    sync(setup, &feed);
    assert_eq!(of(&*reader).chunks, before.chunks + 1);
    assert_eq!(of(&*reader), of(&*open(setup)));
}

#[test]
fn a_damaged_file_is_told_and_costs_no_answer() {
    let layer = temp_layer().unwrap();
    let setup = layer.setup();
    filled(setup);
    let whole = fs::read(file(setup)).unwrap();
    let right = counts(setup);
    for at in [0, 9, 14, whole.len() / 2, whole.len() - 1] {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x20;
        fs::write(file(setup), &bytes).unwrap();
        assert_eq!(counts(setup), right, "byte {at}");
        assert_eq!(block_on(open(setup).verify()).unwrap_err().kind(), ErrorKind::Damaged, "byte {at}");
    }
    for length in [0, 3, 11, whole.len() - 1] {
        fs::write(file(setup), &whole[..length]).unwrap();
        assert_eq!(counts(setup), right, "cut to {length}");
    }
}

#[test]
fn a_large_index_has_no_such_file() {
    let layer = temp_layer().unwrap();
    let setup = layer.setup();
    let feed = Arc::new(MemoryFeed::new("counts"));
    for id in 0..4_097 {
        feed.put(record(id, "a stone in the river"));
    }
    sync(setup, &feed);
    assert!(!file(setup).exists());
    assert_eq!(counts(setup).chunks, 4_097);
    feed.delete(ChunkId(7));
    sync(setup, &feed);
    assert!(file(setup).exists());
}
