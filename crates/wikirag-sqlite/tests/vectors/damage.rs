//! No change of the file goes unnoticed and leads to a wrong answer.

use std::fs;
use std::panic::catch_unwind;

use wikirag_core::{ChunkId, ErrorKind, FeedPosition, RankedList, Result};
use wikirag_sqlite::{VectorBatch, VectorStore};

use crate::sample::{Expected, Home, Numbers};

/// A closed store of some hundred chunks with some holes behind it, the questions and their right answers.
fn built() -> (Home, Vec<Vec<f32>>, Vec<RankedList>) {
    let home = Home::new(48);
    let mut numbers = Numbers(21);
    let mut expected = Expected::default();
    (0..300).for_each(|text| _ = expected.vectors.insert(text, numbers.vector(48)));
    let mut writer = home.writer();
    let chunks: Vec<_> = (0..300).map(|chunk| (chunk, chunk)).collect();
    writer.commit(&expected.put(&chunks)).unwrap();
    let deletes = (0..300).step_by(9).map(ChunkId).collect();
    writer.commit(&VectorBatch { deletes, position: FeedPosition(400), ..VectorBatch::default() }).unwrap();
    drop(writer);
    let questions: Vec<_> = (0..6).map(|_| numbers.vector(48)).collect();
    let answers = ask(&home, &questions).unwrap();
    (home, questions, answers)
}

fn ask(home: &Home, questions: &[Vec<f32>]) -> Result<Vec<RankedList>> {
    let store = home.reader();
    questions.iter().map(|question| home.search(&store, question, 15)).collect()
}

fn tells_of_damage(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::Damaged | ErrorKind::StaleIndex | ErrorKind::IndexMissing)
}

#[test]
fn changed_bytes_are_noticed_where_they_are_read() {
    let (home, questions, answers) = built();
    let whole = fs::read(home.path()).unwrap();
    let mut numbers = Numbers(4);
    let (mut by_search, mut by_verify) = (0, 0);
    for _ in 0..600 {
        let place = numbers.below(whole.len() as u64) as usize;
        let mut bytes = whole.clone();
        for byte in bytes.iter_mut().skip(place).take(1 + numbers.below(8) as usize) {
            *byte ^= numbers.below(256) as u8;
        }
        fs::write(home.path(), &bytes).unwrap();
        let found = catch_unwind(|| ask(&home, &questions)).unwrap();
        match found {
            Ok(found) => assert_eq!(found, answers, "byte {place}"),
            Err(error) => {
                by_search += 1;
                assert!(tells_of_damage(error.kind()), "byte {place}: {error}");
            }
        }
        let verified = catch_unwind(|| home.reader().verify()).unwrap();
        if let Err(error) = verified {
            by_verify += 1;
            assert!(tells_of_damage(error.kind()), "byte {place}: {error}");
        }
    }
    assert!(by_search > 30 && by_verify >= by_search, "{by_search}, {by_verify}");
}

#[test]
fn a_file_that_was_cut_is_noticed() {
    let (home, questions, answers) = built();
    let whole = fs::read(home.path()).unwrap();
    for part in 0..32 {
        fs::write(home.path(), &whole[..whole.len() * part / 32]).unwrap();
        match ask(&home, &questions) {
            Ok(found) => assert_eq!(found, answers, "{part}/32"),
            Err(error) => assert!(tells_of_damage(error.kind()), "{part}/32: {error}"),
        }
        assert!(tells_of_damage(home.reader().verify().unwrap_err().kind()));
    }
}

#[test]
fn a_writer_does_not_build_on_damage() {
    let (home, ..) = built();
    let whole = fs::read(home.path()).unwrap();
    let mut numbers = Numbers(9);
    let mut refused = 0;
    for _ in 0..200 {
        let mut bytes = whole.clone();
        // Behind the page with the schema.
        let place = 16_384 + numbers.below(whole.len() as u64 - 16_384) as usize;
        bytes.iter_mut().skip(place).take(4).for_each(|byte| *byte = !*byte);
        fs::write(home.path(), &bytes).unwrap();
        let commit = || {
            let mut writer = wikirag_sqlite::VectorWriter::open(
                &home.path(),
                &home.space(),
                &wikirag_core::CatalogId("a".to_owned()),
            )?;
            let deletes = (1..290).step_by(9).map(ChunkId).collect();
            writer.commit(&VectorBatch { deletes, position: FeedPosition(500), ..VectorBatch::default() })
        };
        if let Err(error) = catch_unwind(commit).unwrap() {
            refused += 1;
            assert!(tells_of_damage(error.kind()), "byte {place}: {error}");
        }
        for side in ["-wal", "-shm"] {
            let _ = fs::remove_file(format!("{}{side}", home.path().display()));
        }
    }
    assert!(refused > 10, "{refused}");
    fs::write(home.path(), &whole).unwrap();
    VectorStore::new(home.path()).verify().unwrap();
}
