//! What the store keeps, and what of it survives damage.

use wikirag_core::{CatalogId, ChunkId, Context, Entity, ErrorKind, Extraction, FeedPosition};

use super::schema::EXTRACTIONS;
use super::{ExtractionStore, ExtractionWriter};

fn found(name: &str) -> Extraction {
    let entity = Entity { name: name.to_owned(), kind: String::new(), description: String::new() };
    Extraction { entities: vec![entity], ..Extraction::default() }
}

/// A store of four texts: two with something in them, one that failed, and one that waits.
fn store(folder: &tempfile::TempDir) -> (ExtractionStore, ExtractionWriter) {
    let path = folder.path().join("extractions.db");
    let mut writer = ExtractionWriter::open(&path, &CatalogId("a".to_owned()), "model").unwrap();
    let texts = ["one", "two", "odd", "later"];
    let keys = texts.map(|text| writer.key(text));
    writer
        .follow(|draft| {
            for ((id, text), key) in (1..).zip(texts).zip(keys) {
                assert!(!draft.put(ChunkId(id), "a.md", key, text)?);
            }
            Ok(FeedPosition(4))
        })
        .unwrap();
    writer.keep(&[(keys[0], Ok(found("x"))), (keys[1], Ok(found("y"))), (keys[2], Err(String::new()))]).unwrap();
    (ExtractionStore::new(path), writer)
}

#[test]
fn what_was_kept_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let (store, mut writer) = store(&folder);
    let report = store.report().unwrap();
    assert_eq!((report.extracted, report.failures(), report.pending), (2, 1, 1));
    let facts = store.facts(&Context::new()).unwrap().unwrap();
    assert_eq!(facts.passages.iter().map(|(id, _)| id.0).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(facts.found[&writer.key("two")], found("y"));
    assert_eq!(writer.waiting(9).unwrap()[0].text, "later");
    store.verify(&Context::new()).unwrap();
    // While a text waits nothing is thrown away; then what no passage has.
    let remove = |draft: &mut super::ExtractionDraft<'_>| {
        draft.remove(ChunkId(1))?;
        draft.remove(ChunkId(4))?;
        Ok(FeedPosition(6))
    };
    writer.follow(remove).unwrap();
    writer.prune().unwrap();
    assert_eq!(store.facts(&Context::new()).unwrap().unwrap().found.len(), 2);
    writer.follow(|draft| draft.forget_unused().map(|()| FeedPosition(7))).unwrap();
    writer.prune().unwrap();
    assert_eq!(store.facts(&Context::new()).unwrap().unwrap().found.len(), 1);
    assert_eq!(store.waiting().unwrap().unwrap().1, 0);
    store.verify(&Context::new()).unwrap();
}

#[test]
fn a_row_that_was_changed_is_damage_and_the_sound_ones_can_be_taken_over() {
    let folder = tempfile::tempdir().unwrap();
    let (store, writer) = store(&folder);
    let [first, second] = ["one", "two"].map(|text| writer.key(text));
    // Rows come in the order of their keys.
    let last = first.max(second);
    let connection = EXTRACTIONS.writer(store.path()).unwrap();
    let changed = "UPDATE extractions SET found = replace(found, 'kind', 'mind') WHERE text = ?1";
    assert_eq!(connection.execute(changed, [last.0]).unwrap(), 1);
    for error in [store.facts(&Context::new()).err(), store.verify(&Context::new()).err()] {
        assert_eq!(error.unwrap().kind(), ErrorKind::Damaged);
    }
    let new = folder.path().join("new.db");
    assert_eq!(ExtractionWriter::take_over(store.path(), &new).unwrap(), 1);
    assert_eq!(ExtractionWriter::take_over(store.path(), &new).unwrap(), 0);
    let mut writer = ExtractionWriter::open(&new, &CatalogId("b".to_owned()), "model").unwrap();
    let known = |text: &str, writer: &mut ExtractionWriter| {
        let key = writer.key(text);
        let mut known = false;
        let put = |draft: &mut super::ExtractionDraft<'_>| {
            known = draft.put(ChunkId(1), "a.md", key, text)?;
            Ok(FeedPosition(1))
        };
        writer.follow(put).unwrap();
        known
    };
    let all = ["one", "two", "odd"].map(|text| known(text, &mut writer));
    assert_eq!(all, [first < second, second < first, false]);
    // Nothing is taken from what is no store, or not there.
    std::fs::write(folder.path().join("odd.db"), "no database").unwrap();
    for odd in ["odd.db", "nothing.db"] {
        let taken = ExtractionWriter::take_over(&folder.path().join(odd), &folder.path().join("other.db")).unwrap();
        assert_eq!(taken, 0, "{odd}");
    }
}
