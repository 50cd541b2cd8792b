//! Answers and scores depend on the chunks that are there and on nothing else.

#![expect(clippy::unwrap_used, reason = "a test ends at the first thing that is off")]

use std::collections::BTreeMap;
use std::sync::Arc;

use proptest::prelude::*;
use wikirag_core::{
    ChangeFeed, ChunkId, ChunkRecord, Context, LayerSetup, Query, RankedList, Retriever, TermStatistics,
};
use wikirag_testkit::{MemoryFeed, block_on, make, record, temp_layer};

fn open(setup: &LayerSetup) -> Box<dyn Retriever> {
    make::retriever(wikirag_bm25::PLUGIN, setup).unwrap()
}

fn sync(layer: &dyn Retriever, feed: &Arc<MemoryFeed>) {
    let feed: Arc<dyn ChangeFeed> = Arc::<MemoryFeed>::clone(feed);
    block_on(layer.sync(feed, &Context::new())).unwrap();
}

fn search(layer: &dyn Retriever, question: &str, want: usize) -> RankedList {
    block_on(layer.search(&Query::new(question, want), &Context::new())).unwrap()
}

fn statistics(layer: &dyn Retriever, question: &str) -> TermStatistics {
    layer.term_statistics(&Query::new(question, 1)).unwrap().unwrap()
}

const LANGUAGES: [&str; 4] = ["eng", "deu", "", "jpn"];

/// A chunk of a few words, some of them in most chunks and some in few, with a title and aliases now and then.
fn chunk(id: u64) -> impl Strategy<Value = ChunkRecord> {
    let word = prop_oneof![
        4 => "(the|river|rivers|stone)",
        2 => "(copper|gardens|DEC-0054|naïve|nation|nationen)",
        1 => "[a-d]{1,2}",
        1 => "(漢字|仮名漢字)",
    ];
    let words = |most| prop::collection::vec(word.clone(), 0..most).prop_map(|words| words.join(" "));
    (words(40), words(3), words(2), 0..LANGUAGES.len()).prop_map(move |(text, title, alias, language)| ChunkRecord {
        title,
        aliases: vec![alias],
        language: LANGUAGES[language].to_owned(),
        ..record(id, &text)
    })
}

#[derive(Debug, Clone)]
#[expect(clippy::large_enum_variant, reason = "nearly all edits put a record")]
enum Edit {
    Put(ChunkRecord),
    Delete(u64),
    Sync,
    /// Opens the index anew, with this many threads to write.
    Reopen(usize),
}

fn edit() -> impl Strategy<Value = Edit> {
    prop_oneof![
        8 => (1..30u64).prop_flat_map(chunk).prop_map(Edit::Put),
        4 => (1..30u64).prop_map(Edit::Delete),
        2 => Just(Edit::Sync),
        1 => (1..4usize).prop_map(Edit::Reopen),
    ]
}

const QUESTIONS: [&str; 7] = [
    "the river",
    "stone copper stone",
    "dec0054",
    "Nationen gardens a",
    "漢字",
    "naive",
    "the river rivers stone copper a b c d aa",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    #[test]
    fn edits_leave_no_trace(edits in prop::collection::vec(edit(), 1..80)) {
        let feed = Arc::new(MemoryFeed::new("edited"));
        let layer = temp_layer().unwrap();
        let mut setup = layer.setup().clone();
        let mut edited = open(&setup);
        let mut there = BTreeMap::new();
        for edit in edits {
            match edit {
                Edit::Put(record) => {
                    feed.put(record.clone());
                    there.insert(record.id, record);
                }
                Edit::Delete(id) => {
                    feed.delete(ChunkId(id));
                    there.remove(&ChunkId(id));
                }
                Edit::Sync => sync(&*edited, &feed),
                Edit::Reopen(threads) => {
                    setup.write_threads = threads;
                    edited = open(&setup);
                }
            }
        }
        sync(&*edited, &feed);

        let other = temp_layer().unwrap();
        let fresh = open(other.setup());
        sync(&*fresh, &Arc::new(MemoryFeed::of("fresh", there.into_values())));
        for question in QUESTIONS {
            for want in [1, 3, 100] {
                // Scores too, to the last bit.
                prop_assert_eq!(search(&*edited, question, want), search(&*fresh, question, want), "{}", question);
            }
            prop_assert_eq!(statistics(&*edited, question), statistics(&*fresh, question));
        }
    }
}

/// What is cut off while searching never changes what is found.
#[test]
fn a_short_list_is_the_beginning_of_the_long_one() {
    let mut seed = 7u64;
    let mut random = move |below: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % below
    };
    // Word number n occurs about once in n words, as in any language.
    let mut text = |length| (0..length).map(|_| format!("w{} ", 600 / (1 + random(600)))).collect::<String>();
    let records: Vec<_> = (1..=6000u64).map(|id| record(id * 7919 % 6007, &text(12))).collect();
    let layer = temp_layer().unwrap();
    let retriever = open(layer.setup());
    sync(&*retriever, &Arc::new(MemoryFeed::of("a", records)));
    for question in ["w1", "w1 w2", "w1 w300", "w1 w2 w3 w4 w150 w200", "w600 w599 w3", "w10 w11 w12 w13 w14 w1 w2"] {
        let all = search(&*retriever, question, usize::MAX);
        assert!(all.hits.len() > 20, "{question}: {}", all.hits.len());
        for want in [1, 2, 10, 50] {
            let list = search(&*retriever, question, want);
            assert_eq!(list.hits, all.hits[..want.min(all.hits.len())], "{question} {want}");
        }
    }
}
