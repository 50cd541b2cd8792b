//! Putting in, reading out, and what counts as a change.

use serde_json::{Value, json};
use wikirag_core::{Change, ChangeFeed, ChunkId, ErrorKind, FeedPosition, Generation, PlaceRange, ReadWarning, Span};
use wikirag_sqlite::{Catalog, FileEntry, FileStamp, FileState};

use crate::sample::{Home, Sample, commit};

#[test]
fn what_goes_in_comes_out() {
    let home = Home::new();
    let mut sample = Sample::new("a/ü b.md", "first\nzweite Zeile ß\n\nfirst\n\0odd");
    sample.meta = serde_json::from_value(json!({"z": [1, {"deep": null}], "a": 1.5})).unwrap();
    sample.warnings = vec![ReadWarning { line: 3, message: "odd".into() }];
    sample.summary = "about".into();
    let catalog = home.writer();
    commit(&catalog, std::slice::from_ref(&sample));

    for catalog in [catalog, home.reader()] {
        let document = catalog.document("a/ü b.md").unwrap().unwrap();
        assert_eq!((&document.text, &document.meta), (&sample.text, &sample.meta));
        assert_eq!(document.meta.keys().collect::<Vec<_>>(), ["z", "a"], "the order of the front matter is kept");
        assert_eq!((&document.warnings, document.stamp), (&sample.warnings, sample.stamp));
        assert_eq!(document.content_hash, sample.content_hash());
        let spans: Vec<_> = document.chunks.iter().map(|chunk| (chunk.span, chunk.place)).collect();
        let expected: Vec<_> = sample.chunks.iter().map(|chunk| (chunk.span, chunk.place)).collect();
        assert_eq!(spans, expected);

        let chunk = catalog.chunk(document.chunks[1].id).unwrap().unwrap();
        assert_eq!(chunk.record.text, "zweite Zeile ß");
        assert_eq!(chunk.record.headings, ["z"]);
        assert_eq!((&chunk.record.summary, &chunk.record.aliases), (&sample.summary, &sample.aliases));
        assert_eq!((chunk.place, &chunk.role), (PlaceRange::Lines(2, 2), &sample.role));
        assert_eq!((chunk.meta, chunk.content_hash), (sample.meta.clone(), sample.content_hash()));

        let info = catalog.info().unwrap();
        assert_eq!((info.documents, info.navigation, info.chunks), (1, 0, 4));
        assert_eq!(info.characters, sample.text.chars().count() as u64);
        assert_eq!(info.generation, Generation(1));
        assert!(catalog.document("a/ü").unwrap().is_none());
        assert!(catalog.chunk(ChunkId(7)).unwrap().is_none());
        assert!(catalog.chunk(ChunkId(u64::MAX)).unwrap().is_none());
        catalog.verify().unwrap();
    }
}

#[test]
fn names_that_differ_in_case_are_different_documents() {
    let home = Home::new();
    let catalog = home.writer();
    let paths = ["README.md", "a/readme.md", "b/readme.md", "readme.md"];
    commit(&catalog, &paths.map(|path| Sample::new(path, "same text")));
    let stamps = catalog.stamps().unwrap();
    assert_eq!(stamps.iter().map(|stamp| stamp.path.as_str()).collect::<Vec<_>>(), paths);
    assert_eq!(catalog.info().unwrap().chunks, 4);
}

#[test]
fn only_what_a_layer_indexes_moves_a_chunk_in_the_feed() {
    let home = Home::new();
    let catalog = home.writer();
    let first = Sample::new("a.md", "one\ntwo\nthree");
    commit(&catalog, std::slice::from_ref(&first));
    let mut last = catalog.head().unwrap();
    let mut put = |sample: &Sample| {
        let mut update = catalog.update().unwrap();
        let report = sample.put(&mut update);
        update.commit().unwrap();
        let pending = catalog.pending(last).unwrap();
        last = catalog.head().unwrap();
        (report.added, report.changed, report.moved, report.kept, report.removed, pending)
    };

    assert_eq!(put(&first), (0, 0, 0, 3, 0, 0));
    let shifted = Sample::new("a.md", "\n\none\ntwo\nthree");
    assert_eq!(put(&shifted), (0, 0, 3, 0, 0, 0), "moved passages are indexed already");
    let mut other = Sample { role: "raw".into(), navigation: true, fingerprint: "g".into(), ..shifted.clone() };
    assert_eq!(put(&other), (0, 0, 0, 3, 0, 0), "role and fingerprint are in no record");
    other.chunks[1].headings.push("new".into());
    assert_eq!(put(&other), (0, 1, 0, 2, 0, 1), "one heading changed");
    for change in [
        |sample: &mut Sample| sample.title.push('!'),
        |sample: &mut Sample| sample.language = "deu".into(),
        |sample: &mut Sample| sample.aliases.clear(),
        |sample: &mut Sample| sample.tags.push("second".into()),
        |sample: &mut Sample| sample.summary.push('!'),
    ] {
        change(&mut other);
        assert_eq!(put(&other), (0, 3, 0, 0, 0, 3));
    }
    let edited = Sample { text: "one\nTWO\nthree".into(), ..Sample::new("a.md", "one\nTWO\nthree") };
    let edited = Sample { title: other.title, language: other.language, summary: other.summary, ..edited };
    let edited = Sample { aliases: other.aliases, tags: other.tags, ..edited };
    assert_eq!(put(&edited), (1, 0, 2, 0, 1, 2), "one passage for another");
}

#[test]
fn equal_passages_of_a_document_are_told_apart_and_keep_their_ids() {
    let home = Home::new();
    let catalog = home.writer();
    commit(&catalog, &[Sample::new("a.md", "same\nsame\nsame")]);
    let ids = |catalog: &Catalog| {
        let document = catalog.document("a.md").unwrap().unwrap();
        document.chunks.iter().map(|chunk| chunk.id).collect::<Vec<_>>()
    };
    let before = ids(&catalog);
    assert!(before[0] != before[1] && before[1] != before[2] && before[0] != before[2]);
    commit(&catalog, &[Sample::new("a.md", "same\nother\nsame")]);
    let after = ids(&catalog);
    assert_eq!([after[0], after[2]], [before[0], before[1]]);
}

#[test]
fn the_generation_moves_with_what_a_reader_can_see() {
    let home = Home::new();
    let catalog = home.writer();
    let generation = |change: &dyn Fn(&mut wikirag_sqlite::Update<'_>)| {
        let mut update = catalog.update().unwrap();
        change(&mut update);
        update.commit().unwrap().0
    };
    let sample = Sample::new("a.md", "text");
    assert_eq!(generation(&|_| ()), 1, "an empty wiki was built");
    assert_eq!(generation(&|_| ()), 1);
    assert_eq!(generation(&|update| assert_eq!(sample.put(update).removed, 0)), 2);
    assert_eq!(generation(&|update| assert_eq!(sample.put(update).removed, 0)), 2);
    let stamp = FileStamp { size: 4, modified_ns: -5 };
    assert_eq!(generation(&|update| update.touch("a.md", stamp).unwrap()), 2);
    assert_eq!(catalog.stamps().unwrap()[0].stamp, stamp, "but the stamp was written");
    let raw = Sample { role: "raw".into(), ..sample };
    assert_eq!(generation(&|update| assert_eq!(raw.put(update).kept, 1)), 3);
    let entry = skipped("b.bin");
    assert_eq!(generation(&|update| update.put_file(&entry).unwrap()), 4);
    assert_eq!(generation(&|update| update.put_file(&entry).unwrap()), 4);
    assert_eq!(generation(&|update| update.remove_file("b.bin").unwrap()), 5);
    assert_eq!(generation(&|update| update.remove_file("b.bin").unwrap()), 5);
    assert_eq!(generation(&|update| assert_eq!(update.remove_document("a.md").unwrap(), 1)), 6);
    assert_eq!(generation(&|update| assert_eq!(update.remove_document("a.md").unwrap(), 0)), 6);
}

fn skipped(path: &str) -> FileEntry {
    FileEntry {
        path: path.into(),
        state: FileState::Skipped,
        reason: "binary".into(),
        detail: "holds NUL".into(),
        characters: 9,
        chunks: 0,
        warnings: vec![ReadWarning { line: 1, message: "odd".into() }],
        read: None,
    }
}

#[test]
fn the_ledger_has_every_file_once() {
    let home = Home::new();
    let catalog = home.writer();
    commit(&catalog, &[Sample::new("c.md", "one\ntwo"), Sample::new("a.md", "é")]);
    let failed = FileEntry { state: FileState::Failed, reason: "io".into(), ..skipped("c.md") };
    let mut update = catalog.update().unwrap();
    update.put_file(&skipped("b.bin")).unwrap();
    update.put_file(&failed).unwrap();
    assert_eq!(
        update.put_file(&FileEntry { state: FileState::Indexed, ..skipped("x") }).unwrap_err().kind(),
        ErrorKind::Internal
    );
    update.commit().unwrap();
    let files = catalog.files().unwrap();
    let indexed = |path: &str, characters, chunks| FileEntry {
        path: path.into(),
        state: FileState::Indexed,
        reason: String::new(),
        detail: String::new(),
        characters,
        chunks,
        warnings: Vec::new(),
        read: None,
    };
    let kept = FileEntry { characters: 7, chunks: 2, ..failed };
    assert_eq!(files, [indexed("a.md", 1, 1), skipped("b.bin"), kept], "what is indexed of a failed file stays");

    let mut update = catalog.update().unwrap();
    update.touch("c.md", FileStamp::default()).unwrap();
    Sample::new("b.bin", "text now").put(&mut update);
    update.commit().unwrap();
    assert_eq!(
        catalog.files().unwrap(),
        [indexed("a.md", 1, 1), indexed("b.bin", 8, 1), indexed("c.md", 7, 2)],
        "a file that was read is no longer listed as failed"
    );
}

#[test]
fn a_dropped_update_leaves_no_trace() {
    let home = Home::new();
    let catalog = home.writer();
    commit(&catalog, &[Sample::new("a.md", "one\ntwo")]);
    let before = (catalog.info().unwrap(), catalog.document("a.md").unwrap(), catalog.files().unwrap());
    let mut update = catalog.update().unwrap();
    Sample::new("a.md", "three").put(&mut update);
    Sample::new("b.md", "four").put(&mut update);
    update.put_file(&skipped("c")).unwrap();
    assert_eq!(catalog.update().err().unwrap().kind(), ErrorKind::Busy, "one update at a time");
    assert_eq!(catalog.info().unwrap(), before.0, "reads go on beside an open update");
    drop(update);
    assert_eq!((catalog.info().unwrap(), catalog.document("a.md").unwrap(), catalog.files().unwrap()), before);
    catalog.verify().unwrap();
}

#[test]
fn bad_documents_are_refused_and_the_update_goes_on() {
    let home = Home::new();
    let catalog = home.writer();
    let mut update = catalog.update().unwrap();
    let good = Sample::new("a.md", "größe");
    for span in [Span::new(0, 99), Span::new(1, 1), Span::new(0, 3), Span { start: 4, end: 2 }] {
        let mut bad = good.clone();
        bad.chunks[0].span = span;
        let error = update.put_document(&bad.as_new()).unwrap_err();
        assert_eq!((error.kind(), error.context("document")), (ErrorKind::Internal, Some("a.md")), "{span:?}");
    }
    let nested = |depth| (1..depth).fold(Value::Null, |inner, _| Value::Array(vec![inner]));
    let with_meta = |value| Sample { meta: [("key".to_owned(), value)].into_iter().collect(), ..good.clone() };
    let too_deep = with_meta(nested(101));
    assert_eq!(update.put_document(&too_deep.as_new()).unwrap_err().kind(), ErrorKind::Invalid);
    let deep = with_meta(nested(100));
    deep.put(&mut update);
    assert_eq!(update.touch("none.md", FileStamp::default()).unwrap_err().kind(), ErrorKind::NotFound);
    update.commit().unwrap();
    assert_eq!(catalog.document("a.md").unwrap().unwrap().meta, deep.meta);
}

#[test]
fn after_a_failed_write_nothing_is_committed() {
    let home = Home::new();
    let catalog = home.writer();
    commit(&catalog, &[Sample::new("a.md", "one")]);
    let mut update = catalog.update().unwrap();
    Sample::new("a.md", "two").put(&mut update);
    let unstorable = Sample { stamp: FileStamp { size: u64::MAX, modified_ns: 0 }, ..Sample::new("b.md", "three") };
    let error = update.put_document(&unstorable.as_new()).unwrap_err();
    assert_eq!((error.kind(), error.context("document")), (ErrorKind::Invalid, Some("b.md")));
    assert!(update.remove_document("a.md").is_err());
    assert!(update.commit().is_err());
    assert_eq!(catalog.document("a.md").unwrap().unwrap().text, "one");
    commit(&catalog, &[Sample::new("a.md", "two")]);
    catalog.verify().unwrap();
}

#[test]
fn a_chunk_whose_id_is_taken_gets_the_next_one_and_keeps_it() {
    let home = Home::new();
    let catalog = home.writer();
    commit(&catalog, &[Sample::new("a.md", "text")]);
    let wanted = catalog.document("a.md").unwrap().unwrap().chunks[0].id;
    let mut update = catalog.update().unwrap();
    update.remove_document("a.md").unwrap();
    Sample::new("b.md", "other").put(&mut update);
    update.commit().unwrap();
    // 63 bits do not collide by themselves.
    let raw = rusqlite::Connection::open(home.path()).unwrap();
    raw.execute("UPDATE chunks SET id = ?1", [wanted.0]).unwrap();
    raw.execute("DELETE FROM tombstones", []).unwrap();

    for _ in 0..2 {
        commit(&catalog, &[Sample::new("a.md", "text")]);
        let hash = blake3::hash(&[b"a.md\0text\0", &(1u64 << 32).to_le_bytes()[..]].concat());
        let raised = ChunkId(u64::from_be_bytes(hash.as_bytes()[..8].try_into().unwrap()) >> 1);
        assert_eq!(catalog.document("a.md").unwrap().unwrap().chunks[0].id, raised);
        assert_eq!(catalog.chunk(wanted).unwrap().unwrap().record.path, "b.md");
    }
    catalog.verify().unwrap();
    let mut update = catalog.update().unwrap();
    update.remove_document("b.md").unwrap();
    Sample::new("a.md", "text").put(&mut update);
    update.commit().unwrap();
    assert_eq!(catalog.document("a.md").unwrap().unwrap().chunks[0].id, wanted, "free again");
}

#[test]
fn a_new_follower_sees_no_deletions_and_an_old_one_each_chunk_once() {
    let home = Home::new();
    let catalog = home.writer();
    commit(&catalog, &[Sample::new("a.md", "one\ntwo\nthree")]);
    let seen = catalog.head().unwrap();
    commit(&catalog, &[Sample::new("a.md", "one")]);
    commit(&catalog, &[Sample::new("a.md", "two")]);

    let all = catalog.after(FeedPosition(0), usize::MAX).unwrap();
    let texts = |changes: &[Change]| {
        let text = |change: &Change| match change {
            Change::Upsert(record) => record.text.clone(),
            Change::Delete(_) => "-".to_owned(),
        };
        changes.iter().map(text).collect::<Vec<_>>()
    };
    assert_eq!(texts(&all.changes), ["two"]);
    assert_eq!((all.position, catalog.pending(FeedPosition(0)).unwrap()), (catalog.head().unwrap(), 1));
    let since = catalog.after(seen, usize::MAX).unwrap();
    assert_eq!(texts(&since.changes), ["-", "-", "two"], "the second passage left the tombstones");
    assert_eq!(catalog.pending(seen).unwrap(), 3);
    assert!(catalog.after(seen, 0).unwrap().changes.is_empty());
    assert_eq!(catalog.after(seen, 0).unwrap().position, seen);

    let ahead = FeedPosition(catalog.head().unwrap().0 + 1);
    assert_eq!(catalog.after(ahead, 9).unwrap_err().kind(), ErrorKind::StaleIndex);
    assert_eq!(catalog.pending(FeedPosition(u64::MAX)).unwrap_err().kind(), ErrorKind::StaleIndex);
}

#[test]
fn each_catalog_has_its_own_id_and_document_ids_are_not_used_twice() {
    let (home, other) = (Home::new(), Home::new());
    let catalog = home.writer();
    assert_ne!(catalog.catalog(), other.writer().catalog());
    assert_eq!(catalog.catalog().0.len(), 32);
    commit(&catalog, &[Sample::new("a.md", "one")]);
    let first = catalog.stamps().unwrap()[0].document;
    commit(&catalog, &[Sample::new("a.md", "two")]);
    assert_eq!(catalog.stamps().unwrap()[0].document, first, "kept across edits");
    let mut update = catalog.update().unwrap();
    update.remove_document("a.md").unwrap();
    Sample::new("a.md", "one").put(&mut update);
    update.commit().unwrap();
    assert_ne!(catalog.stamps().unwrap()[0].document, first);
    assert_eq!(home.reader().catalog(), catalog.catalog());
}

#[test]
fn a_reader_cannot_write() {
    let home = Home::new();
    commit(&home.writer(), &[Sample::new("a.md", "one")]);
    assert_eq!(home.reader().update().err().unwrap().kind(), ErrorKind::Internal);
}
