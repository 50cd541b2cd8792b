//! Searching is exact.

use proptest::prelude::*;
use wikirag_core::{ChunkId, Context, ErrorKind, FeedPosition};
use wikirag_sqlite::{VectorBatch, VectorSpace};

use crate::sample::{Expected, Home, Numbers};

/// A store of `count` chunks in some clusters; every seventh has the text of another.
fn clustered(home: &Home, count: u64, clusters: usize, numbers: &mut Numbers) -> Expected {
    let centers: Vec<_> = (0..clusters).map(|_| numbers.vector(home.dimensions)).collect();
    let mut expected = Expected::default();
    let mut writer = home.writer();
    let ids: Vec<u64> = (0..count).collect();
    for part in ids.chunks(300) {
        let chunks: Vec<_> = part.iter().map(|id| (*id, if id % 7 == 6 { id / 2 } else { *id })).collect();
        for (_, text) in &chunks {
            let center = &centers[numbers.below(clusters as u64) as usize];
            expected.vectors.entry(*text).or_insert_with(|| numbers.near(center, 0.3));
        }
        writer.commit(&expected.put(&chunks)).unwrap();
    }
    expected
}

#[test]
fn a_search_finds_what_comparing_all_would() {
    for (dimensions, count) in [(384, 3_000), (33, 1_000), (1, 300)] {
        let home = Home::new(dimensions);
        let mut numbers = Numbers(dimensions as u64);
        let expected = clustered(&home, count, 12, &mut numbers);
        let store = home.reader();
        for round in 0..12 {
            let near = expected.vectors[&(round * 7)].clone();
            let question = if round % 2 == 0 { numbers.vector(dimensions) } else { numbers.near(&near, 0.2) };
            for want in [0, 1, 10, 100, 10_000, usize::MAX] {
                expected.check(&home.search(&store, &question, want).unwrap(), &question, want);
            }
        }
        store.verify().unwrap();
    }
}

#[test]
fn equal_texts_tie_by_chunk_id() {
    let home = Home::new(8);
    let mut expected = Expected::default();
    let vector = Numbers(5).vector(8);
    expected.vectors.insert(1, vector.clone());
    expected.vectors.insert(2, vector.iter().map(|value| -value).collect());
    // Many more than are wanted, put in from the last to the first.
    let chunks: Vec<_> = (0..1000).rev().map(|chunk| (chunk, 1 + u64::from(chunk % 10 == 0))).collect();
    home.writer().commit(&expected.put(&chunks)).unwrap();
    let list = home.search(&home.reader(), &vector, 5).unwrap();
    assert_eq!(list.hits.iter().map(|hit| hit.chunk.0).collect::<Vec<_>>(), [1, 2, 3, 4, 5]);
}

#[test]
fn the_length_of_a_question_does_not_matter() {
    let home = Home::new(16);
    let mut numbers = Numbers(3);
    clustered(&home, 50, 3, &mut numbers);
    let question = numbers.vector(16);
    let longer: Vec<f32> = question.iter().map(|value| value * 8.0).collect();
    let store = home.reader();
    assert_eq!(home.search(&store, &question, 9).unwrap(), home.search(&store, &longer, 9).unwrap());
}

#[test]
fn what_is_no_question_is_refused() {
    let home = Home::new(4);
    assert_eq!(home.search(&home.reader(), &[1.0; 4], 3).unwrap_err().kind(), ErrorKind::IndexMissing);
    let mut expected = Expected::default();
    expected.vectors.insert(1, vec![1.0; 4]);
    home.writer().commit(&expected.put(&[(1, 1)])).unwrap();
    let store = home.reader();
    for question in [vec![0.0; 4], vec![f32::NAN; 4], vec![1.0; 5], vec![]] {
        assert_eq!(home.search(&store, &question, 3).unwrap_err().kind(), ErrorKind::Internal);
    }
    let other = VectorSpace { fingerprint: "other model".to_owned(), dimensions: 4 };
    let error = store.search(&other, &[1.0; 4], 3, &Context::new()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::StaleIndex);
    assert!(error.to_string().contains("test model") && error.to_string().contains("other model"), "{error}");
    let context = Context::new();
    context.cancel.cancel();
    let error = store.search(&home.space(), &[1.0; 4], 3, &context).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Cancelled);
}

/// Chunks to put, with a text each, and chunks to delete.
type Change = (Vec<(u64, u64)>, Vec<u64>);

/// Some changes after each other.
fn changes() -> impl Strategy<Value = Vec<Change>> {
    let put = prop::collection::btree_map(0u64..400, 0u64..300, 0..200);
    let delete = prop::collection::btree_set(0u64..400, 0..150);
    let change = (put, delete).prop_map(|(put, delete)| {
        let delete = delete.into_iter().filter(|chunk| !put.contains_key(chunk)).collect();
        (put.into_iter().collect(), delete)
    });
    prop::collection::vec(change, 1..6)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Whatever was put in and taken out before, a reader that was there all the time finds what is there now.
    #[test]
    fn no_history_leaves_a_trace(history in changes(), anew in prop::option::of(0usize..5), seed in 1u64..) {
        let home = Home::new(24);
        let mut numbers = Numbers(seed);
        let mut expected = Expected::default();
        (0..300).for_each(|text| _ = expected.vectors.insert(text, numbers.vector(24)));
        let store = home.reader();
        for (round, (put, delete)) in history.into_iter().enumerate() {
            let begins_anew = anew == Some(round);
            if begins_anew {
                expected.chunks.clear();
            }
            delete.iter().for_each(|chunk| _ = expected.chunks.remove(chunk));
            let put = expected.put(&put);
            let deletes = delete.into_iter().map(ChunkId).collect();
            home.writer().commit(&VectorBatch { deletes, anew: begins_anew, ..put }).unwrap();
            let question = numbers.vector(24);
            expected.check(&home.search(&store, &question, 20).unwrap(), &question, 20);
            prop_assert_eq!(store.state().unwrap().unwrap().chunks, expected.chunks.len() as u64);
            store.verify().unwrap();
        }
        home.writer().prune().unwrap();
        store.verify().unwrap();
        let question = numbers.vector(24);
        expected.check(&home.search(&home.reader(), &question, 500).unwrap(), &question, 500);
    }
}

#[test]
fn searches_go_on_while_batches_are_committed() {
    let home = Home::new(16);
    let mut numbers = Numbers(77);
    let mut expected = Expected::default();
    (0..2_000).for_each(|text| _ = expected.vectors.insert(text, numbers.vector(16)));
    let question = numbers.vector(16);
    let mut writer = home.writer();
    writer.commit(&VectorBatch { position: FeedPosition(1), ..VectorBatch::default() }).unwrap();
    let store = home.reader();
    std::thread::scope(|scope| {
        let searcher = |_| {
            scope.spawn(|| {
                let mut seen = 0;
                while seen < 2_000 {
                    // Each list is that of one commit: all chunks of whole batches.
                    let found = home.search(&store, &question, usize::MAX).unwrap().hits.len();
                    assert!(found >= seen && found.is_multiple_of(50), "{found} after {seen}");
                    seen = found;
                }
            })
        };
        let searchers: Vec<_> = (0..3).map(searcher).collect();
        let ids: Vec<(u64, u64)> = (0..2_000).map(|id| (id, id)).collect();
        ids.chunks(50).for_each(|part| writer.commit(&expected.put(part)).unwrap());
        searchers.into_iter().for_each(|searcher| searcher.join().unwrap());
    });
}
