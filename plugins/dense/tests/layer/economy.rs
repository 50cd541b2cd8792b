//! What is embedded, and what is not embedded again.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::home::{Home, search, sync};
use serde_json::json;
use wikirag_core::{ChangeFeed as _, ChunkId, ChunkRecord};
use wikirag_testkit::{MemoryFeed, record};

/// Passages of one document, under one heading.
fn section(heading: &str, first: u64, texts: &[&str]) -> Vec<ChunkRecord> {
    let make = |(id, text): (u64, &&str)| ChunkRecord {
        title: "Tea".to_owned(),
        headings: vec![heading.to_owned()],
        path: "tea.md".to_owned(),
        ..record(id, text)
    };
    (first..).zip(texts).map(make).collect()
}

fn feed(records: impl IntoIterator<Item = ChunkRecord>) -> Arc<MemoryFeed> {
    Arc::new(MemoryFeed::of("a", records))
}

#[test]
fn title_headings_and_passage_are_embedded_and_each_text_once() {
    let home = Home::new("each text once");
    let records = [section("Green", 1, &["Steep it.", "Sencha."]), section("Green", 7, &["Steep it."])].concat();
    sync(&*home.open(), &feed(records)).unwrap();
    let mut embedded = home.log.passages();
    embedded.sort();
    assert_eq!(embedded, ["Tea\nGreen\nSencha.", "Tea\nGreen\nSteep it."]);
    // Both chunks with the text are found.
    assert_eq!(search(&*home.open(), "Tea Green steep it", 2).unwrap(), [ChunkId(1), ChunkId(7)]);
}

#[test]
fn equal_texts_in_neighbouring_pages_are_embedded_once() {
    let home = Home::new("neighbouring pages");
    let texts: Vec<String> = (0..60u64).map(|number| format!("passage {}", number / 3)).collect();
    let records = (1..).zip(&texts).map(|(id, text)| ChunkRecord { title: String::new(), ..record(id, text) });
    let layer = home.open();
    sync(&*layer, &feed(records)).unwrap();
    assert_eq!(home.log.passages().len(), 20);
    assert_eq!(layer.chunks().unwrap(), 60);
}

#[test]
fn what_was_renamed_or_cut_at_the_same_places_again_is_not_embedded() {
    let home = Home::new("renamed");
    let texts = ["Steep it.", "Sencha.", "Gyokuro.", "Matcha."];
    let feed = feed(section("Green", 1, &texts));
    sync(&*home.open(), &feed).unwrap();
    assert_eq!(home.log.take_passages().len(), 4);
    // Another path gives all chunks other ids.
    (1..5).for_each(|id| feed.delete(ChunkId(id)));
    let renamed = section("Green", 11, &texts).into_iter();
    renamed.for_each(|record| feed.put(ChunkRecord { path: "drinks/tea.md".to_owned(), ..record }));
    let report = sync(&*home.open(), &feed).unwrap();
    assert_eq!((report.upserted, report.deleted), (4, 4));
    assert!(home.log.passages().is_empty(), "{:?}", home.log.passages());
    assert_eq!(home.open().chunks().unwrap(), 4);
    assert_eq!(search(&*home.open(), "Tea Green Matcha", 1).unwrap(), [ChunkId(14)]);
}

#[test]
fn a_text_may_leave_in_one_page_and_come_in_a_later_one() {
    let home = Home::new("later page");
    let feed = feed((1..=40).map(|id| record(id, &format!("passage {id}"))));
    sync(&*home.open(), &feed).unwrap();
    assert_eq!(home.log.take_passages().len(), 40);
    (1..=40).for_each(|id| feed.delete(ChunkId(id)));
    // New texts before the old ones, so that they come in other pages than the deletions.
    (101..=130).for_each(|id| feed.put(record(id, &format!("other {id}"))));
    (1..=40).for_each(|id| {
        feed.put(ChunkRecord { title: format!("Note {id}"), ..record(200 + id, &format!("passage {id}")) });
    });
    sync(&*home.open(), &feed).unwrap();
    assert_eq!(home.log.passages().len(), 30);
    assert!(home.log.passages().iter().all(|text| text.contains("other")));
}

#[test]
fn an_edited_section_embeds_its_own_chunks_only() {
    let home = Home::new("edited section");
    let records = (0..50).flat_map(|part| {
        let heading = format!("Part {part}");
        section(&heading, part * 10 + 1, &["one.", "two.", "three.", "four."])
    });
    let feed = feed(records);
    sync(&*home.open(), &feed).unwrap();
    assert_eq!(home.log.take_passages().len(), 200);
    (301..=304).for_each(|id| feed.delete(ChunkId(id)));
    section("Part 30", 305, &["one.", "two and a half.", "three."]).into_iter().for_each(|record| feed.put(record));
    sync(&*home.open(), &feed).unwrap();
    assert_eq!(home.log.passages(), ["Tea\nPart 30\ntwo and a half."]);
}

#[test]
fn a_text_that_stayed_away_over_a_whole_sync_is_forgotten() {
    let home = Home::new("stayed away");
    let feed = feed([record(1, "stays"), record(2, "goes")]);
    sync(&*home.open(), &feed).unwrap();
    feed.delete(ChunkId(2));
    sync(&*home.open(), &feed).unwrap();
    feed.put(ChunkRecord { title: "Note 2".to_owned(), ..record(3, "goes") });
    assert_eq!(home.log.take_passages().len(), 2);
    sync(&*home.open(), &feed).unwrap();
    assert_eq!(home.log.passages(), ["Note 2\ngoes"]);
}

#[test]
fn an_empty_index_asks_nothing_of_the_embedder() {
    let home = Home::new("empty index");
    let layer = home.open();
    sync(&*layer, &feed([])).unwrap();
    assert!(search(&*layer, "anything", 5).unwrap().is_empty());
    assert_eq!((home.log.calls(), home.log.questions()), (0, 0));
}

#[test]
fn what_is_too_far_is_left_out_where_that_is_set() {
    let home = Home::new("too far");
    let layer = home.open();
    sync(&*layer, &feed([record(1, "green tea"), record(2, "copper river")])).unwrap();
    assert_eq!(search(&*layer, "note green tea", 5).unwrap(), [ChunkId(1), ChunkId(2)]);
    let strict = json!({"embedder": "hashed-words", "min_score": 0.9});
    let strict = home.open_with(strict, "too far", 64).unwrap();
    assert_eq!(search(&*strict, "note 1 green tea", 5).unwrap(), [ChunkId(1)]);
    assert!(search(&*strict, "zxqv blorptang", 5).unwrap().is_empty());
}

#[test]
fn what_is_written_in_a_script_that_the_model_does_not_know_is_not_embedded() {
    let home = Home::new("scripts");
    let of = |id: u64, language: &str| ChunkRecord { language: language.into(), ..record(id, &format!("text {id}")) };
    let embedder = json!({"name": "scripts", "languages": ["eng"]});
    let layer = home.open_over(json!({"embedder": "hashed-words"}), embedder).unwrap();
    let records = [of(1, "eng"), of(2, "zho"), of(3, ""), of(4, "cym"), of(5, "rus")];
    let feed = feed(records);
    sync(&*layer, &feed).unwrap();
    // A short text in Latin letters may be anything.
    assert_eq!(layer.chunks().unwrap(), 3);
    let found: BTreeSet<_> = search(&*layer, "text", 10).unwrap().into_iter().collect();
    assert_eq!(found, [ChunkId(1), ChunkId(3), ChunkId(4)].into());
    assert_eq!(layer.position().unwrap().unwrap().1, feed.head().unwrap());
}
