//! What is committed, and what is refused.

use std::collections::HashSet;

use wikirag_core::{CatalogId, ChunkId, ErrorKind, FeedPosition};
use wikirag_sqlite::{VectorBatch, VectorSpace, VectorWriter};

use crate::sample::{Expected, Home, Numbers, key};

fn expected(count: u64) -> Expected {
    let mut numbers = Numbers(11);
    let mut expected = Expected::default();
    (0..count).for_each(|text| _ = expected.vectors.insert(text, numbers.vector(8)));
    expected
}

#[test]
fn nothing_is_there_before_the_first_commit() {
    let home = Home::new(8);
    assert_eq!(home.reader().state().unwrap(), None);
    let writer = home.writer();
    assert_eq!(home.reader().state().unwrap(), None);
    drop(writer);
    // What was only made may still become that of another model.
    let space = VectorSpace { fingerprint: "other model".to_owned(), dimensions: 5 };
    let mut writer = VectorWriter::open(&home.path(), &space, &CatalogId("b".to_owned())).unwrap();
    writer.commit(&VectorBatch { position: FeedPosition(3), ..VectorBatch::default() }).unwrap();
    let state = home.reader().state().unwrap().unwrap();
    assert_eq!((state.catalog.0.as_str(), state.position.0, state.dimensions, state.chunks), ("b", 3, 5, 0));
    home.reader().verify().unwrap();
    let error = VectorWriter::open(&home.path(), &home.space(), &CatalogId("b".to_owned())).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::StaleIndex);
}

#[test]
fn a_vector_that_is_none_is_refused_with_its_whole_batch() {
    let home = Home::new(8);
    let mut expected = expected(4);
    let mut writer = home.writer();
    writer.commit(&expected.put(&[(1, 1)])).unwrap();
    let before = writer.state().unwrap();
    let mut numbers = Numbers(1);
    let mut nan = numbers.vector(8);
    nan[5] = f32::NAN;
    let mut infinite = numbers.vector(8);
    infinite[0] = f32::INFINITY;
    for wrong in [nan, infinite, vec![0.0; 8], numbers.vector(7), numbers.vector(9), Vec::new()] {
        let batch = VectorBatch {
            vectors: vec![(key(2), numbers.vector(8)), (key(3), wrong)],
            upserts: vec![(ChunkId(2), key(2)), (ChunkId(3), key(3))],
            deletes: vec![ChunkId(1)],
            position: FeedPosition(9),
            ..VectorBatch::default()
        };
        assert_eq!(writer.commit(&batch).unwrap_err().kind(), ErrorKind::Internal);
        assert_eq!(writer.state().unwrap(), before);
        assert!(writer.known([key(2), key(3)]).unwrap().is_empty());
    }
    // Nor is a chunk whose text has no vector.
    let batch = VectorBatch { upserts: vec![(ChunkId(2), key(2))], ..VectorBatch::default() };
    assert_eq!(writer.commit(&batch).unwrap_err().kind(), ErrorKind::Internal);
    assert_eq!(writer.state().unwrap(), before);
    home.reader().verify().unwrap();
}

#[test]
fn vectors_outlive_their_chunks_until_they_are_pruned() {
    let home = Home::new(8);
    let mut expected = expected(6);
    let mut writer = home.writer();
    writer.commit(&expected.put(&[(1, 1), (2, 2), (3, 1)])).unwrap();
    let deletes = vec![ChunkId(1), ChunkId(2), ChunkId(77)];
    writer.commit(&VectorBatch { deletes, ..VectorBatch::default() }).unwrap();
    assert_eq!(writer.known([1, 2, 3].map(key)).unwrap(), HashSet::from([key(1), key(2)]));
    assert_eq!(writer.prune().unwrap(), 1);
    assert_eq!(writer.known([1, 2, 3].map(key)).unwrap(), HashSet::from([key(1)]));
    // An index that is begun anew forgets its chunks and keeps its vectors.
    let upserts = vec![(ChunkId(9), key(1))];
    writer.commit(&VectorBatch { anew: true, upserts, ..VectorBatch::default() }).unwrap();
    assert_eq!(writer.state().unwrap().unwrap().chunks, 1);
    let store = home.reader();
    assert_eq!(home.search(&store, &expected.vectors[&1], 5).unwrap().hits[0].chunk, ChunkId(9));
    store.verify().unwrap();
}

#[test]
fn a_known_text_keeps_its_first_vector() {
    let home = Home::new(8);
    let mut expected = expected(3);
    let mut writer = home.writer();
    writer.commit(&expected.put(&[(1, 1)])).unwrap();
    let other = VectorBatch { vectors: vec![(key(1), expected.vectors[&2].clone())], ..VectorBatch::default() };
    writer.commit(&other).unwrap();
    let found = home.search(&home.reader(), &expected.vectors[&1], 1).unwrap();
    assert!(found.hits[0].score.get() > 0.999);
}
