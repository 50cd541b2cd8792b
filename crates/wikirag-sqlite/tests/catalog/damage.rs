//! Files that are not what was written.

use std::fs;
use std::path::Path;

use wikirag_core::{ChangeFeed, Error, ErrorKind, FeedPosition, Result};
use wikirag_sqlite::Catalog;

use crate::sample::{Home, Sample, commit};

const PAGE: usize = 4096;

fn damaged(error: &Error) {
    assert_eq!(error.kind(), ErrorKind::Damaged, "{error}");
    assert!(error.context("path").is_some_and(|path| path.ends_with("catalog.db")), "{error}");
    assert!(error.remedy().is_some_and(|remedy| remedy.contains("wikirag build --full")), "{error}");
}

/// Some documents, one of them larger than many pages.
fn documents() -> Vec<Sample> {
    let large: String = (0..1_500).map(|number| format!("line {number}\n")).collect();
    let mut documents: Vec<_> =
        (0..40).map(|number| Sample::new(&format!("{number}.md"), &format!("text of {number}\nmore"))).collect();
    documents.push(Sample::new("large.md", &large));
    documents
}

fn written() -> (Home, Vec<u8>) {
    let home = Home::new();
    commit(&home.writer(), &documents());
    let bytes = fs::read(home.path()).unwrap();
    (home, bytes)
}

/// Reads all there is, by every way there is. What is read must be what was written.
fn read_all(path: &Path) -> Result<()> {
    let catalog = Catalog::open(path)?;
    catalog.info()?;
    catalog.stamps()?;
    catalog.files()?;
    for sample in documents() {
        let document = catalog.document(&sample.path)?;
        if let Some(document) = document {
            assert_eq!(document.text, sample.text);
            for (stored, chunk) in document.chunks.iter().zip(&sample.chunks).step_by(50) {
                if let Some(stored) = catalog.chunk(stored.id)? {
                    assert_eq!(stored.record.text, chunk.span.slice(&sample.text).unwrap());
                }
            }
        }
    }
    catalog.after(FeedPosition(0), usize::MAX)?;
    catalog.verify()
}

#[test]
fn the_undamaged_file_is_fine() {
    let (home, _) = written();
    read_all(&home.path()).unwrap();
}

#[test]
fn a_file_that_is_no_catalog_is_damaged() {
    let home = Home::new();
    let other = rusqlite::Connection::open(home.folder.path().join("other.db")).unwrap();
    other.execute_batch("CREATE TABLE meta (a); INSERT INTO meta VALUES (1);").unwrap();
    drop(other);
    let foreign = fs::read(home.folder.path().join("other.db")).unwrap();
    let magic = b"SQLite format 3\0".to_vec();
    for bytes in [Vec::new(), b"x".to_vec(), b"garbage ".repeat(2000), vec![0; 9000], magic, foreign] {
        fs::write(home.path(), &bytes).unwrap();
        damaged(&Catalog::open(&home.path()).unwrap_err());
        damaged(&Catalog::open_or_create(&home.path()).unwrap_err());
        assert_eq!(fs::read(home.path()).unwrap(), bytes, "and left as it is");
    }
    fs::remove_file(home.path()).unwrap();
    fs::create_dir(home.path()).unwrap();
    damaged(&Catalog::open(&home.path()).unwrap_err());
}

#[test]
fn another_format_is_stale() {
    let (home, _) = written();
    let raw = rusqlite::Connection::open(home.path()).unwrap();
    raw.pragma_update(None, "user_version", 1).unwrap();
    drop(raw);
    for error in [Catalog::open(&home.path()).unwrap_err(), Catalog::open_or_create(&home.path()).unwrap_err()] {
        assert_eq!(error.kind(), ErrorKind::StaleIndex, "{error}");
        assert!(error.remedy().unwrap().contains("wikirag build --full"), "{error}");
    }
}

#[test]
fn tables_of_somebody_else_are_damaged() {
    let (home, _) = written();
    let raw = rusqlite::Connection::open(home.path()).unwrap();
    raw.execute_batch("DROP TABLE texts; CREATE VIEW texts AS SELECT 1 AS document;").unwrap();
    drop(raw);
    damaged(&home.reader().document("1.md").unwrap_err());
}

#[test]
fn a_file_that_lost_its_end_is_refused_when_opened() {
    let (home, bytes) = written();
    let cuts = [1, 7, 1024, PAGE - 1, PAGE, PAGE + 1, bytes.len() / 2, bytes.len() - 100, bytes.len() - 50];
    for cut in cuts {
        fs::write(home.path(), &bytes[..bytes.len() - cut]).unwrap();
        damaged(&Catalog::open(&home.path()).unwrap_err());
        damaged(&Catalog::open_or_create(&home.path()).unwrap_err());
    }
}

#[test]
fn a_page_of_zeros_is_found_wherever_it_is() {
    let (home, bytes) = written();
    let pages = bytes.len() / PAGE;
    assert!(pages > 40);
    for page in 0..pages {
        let mut broken = bytes.clone();
        broken[page * PAGE..(page + 1) * PAGE].fill(0);
        fs::write(home.path(), broken).unwrap();
        damaged(&read_all(&home.path()).err().unwrap_or_else(|| panic!("page {page} of {pages} was not missed")));
    }
}

#[test]
fn a_changed_passage_is_named_with_its_document() {
    let (home, mut bytes) = written();
    let at = bytes.windows(9).position(|window| window == b"line 1147").unwrap();
    bytes[at] = b'L';
    fs::write(home.path(), bytes).unwrap();
    let catalog = home.reader();
    let errors = [
        catalog.document("large.md").unwrap_err(),
        catalog.after(FeedPosition(0), usize::MAX).unwrap_err(),
        catalog.verify().unwrap_err(),
    ];
    for error in errors {
        damaged(&error);
        assert_eq!(error.context("document"), Some("large.md"));
    }
    assert_eq!(catalog.document("1.md").unwrap().unwrap().text, "text of 1\nmore", "the rest is readable");
}

#[test]
fn a_chunk_is_checked_against_what_was_indexed() {
    let (home, mut bytes) = written();
    let id = home.reader().document("7.md").unwrap().unwrap().chunks[0].id;
    let at = bytes.windows(9).position(|window| window == b"text of 7").unwrap();
    bytes[at] = 0xFF;
    fs::write(home.path(), bytes).unwrap();
    let error = home.reader().chunk(id).unwrap_err();
    damaged(&error);
    assert_eq!(error.context("document"), Some("7.md"));
}

#[test]
fn contradictions_between_tables_are_found() {
    for statement in [
        "DELETE FROM documents WHERE path = '3.md'",
        "DELETE FROM texts WHERE document = 3",
        "DELETE FROM chunks WHERE seq = 3",
        "INSERT INTO tombstones SELECT id, 100000 FROM chunks WHERE seq = 3",
        "INSERT INTO tombstones VALUES (5, 3)",
        "UPDATE meta SET head = 5",
        "UPDATE meta SET characters = 5",
        "UPDATE documents SET meta = '{' WHERE id = 3",
        "UPDATE documents SET aliases = 'x' WHERE id = 3",
        "UPDATE chunks SET headings = '[1]' WHERE seq = 3",
        "UPDATE chunks SET start = -1 WHERE seq = 3",
        "UPDATE chunks SET end = end - 1 WHERE seq = 3",
    ] {
        let (home, _) = written();
        let raw = rusqlite::Connection::open(home.path()).unwrap();
        raw.execute(statement, []).unwrap();
        drop(raw);
        let error = home.reader().verify().err().unwrap_or_else(|| panic!("not found: {statement}"));
        damaged(&error);
    }
}

#[test]
fn totals_that_cannot_be_do_not_overflow() {
    let (home, _) = written();
    let raw = rusqlite::Connection::open(home.path()).unwrap();
    raw.execute("UPDATE meta SET chunks = 0, head = 9223372036854775807", []).unwrap();
    drop(raw);
    let catalog = home.writer();
    let mut update = catalog.update().unwrap();
    damaged(&update.remove_document("large.md").unwrap_err());
}

#[test]
fn a_damaged_catalog_is_removed_and_made_anew() {
    let (home, bytes) = written();
    fs::write(home.path(), &bytes[..PAGE]).unwrap();
    // The log of another catalog must not be replayed into the new one.
    let other = Home::new();
    let writer = other.writer();
    commit(&writer, &documents());
    let log = fs::read(other.folder.path().join("catalog.db-wal")).unwrap();
    assert!(!log.is_empty());
    fs::write(home.folder.path().join("catalog.db-wal"), &log).unwrap();
    Catalog::remove(&home.path()).unwrap();
    assert_eq!(fs::read_dir(home.folder.path()).unwrap().count(), 0);
    Catalog::remove(&home.path()).unwrap();
    fs::write(home.folder.path().join("catalog.db-wal"), &log).unwrap();
    let catalog = home.writer();
    assert_eq!(catalog.info().unwrap().documents, 0);
    commit(&catalog, &documents());
    drop(catalog);
    read_all(&home.path()).unwrap();
}
