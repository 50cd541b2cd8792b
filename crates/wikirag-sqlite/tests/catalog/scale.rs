//! More ids in one operation than SQLite takes parameters in one statement.

use wikirag_core::{ChangeFeed, FeedPosition};

use crate::follow::Follower;
use crate::sample::{Home, Sample};

const MANY: usize = 40_000;

#[test]
fn forty_thousand_documents_come_and_go_in_one_operation_each() {
    let home = Home::new();
    let catalog = home.writer();
    let paths: Vec<_> = (0..MANY).map(|number| format!("{number}.md")).collect();
    let mut update = catalog.update().unwrap();
    let mut sample = Sample::new("", "passage");
    for path in &paths {
        sample.path.clone_from(path);
        sample.put(&mut update);
    }
    update.commit().unwrap();
    assert_eq!(catalog.stamps().unwrap().len(), MANY);
    let mut follower = Follower::default();
    follower.follow(&catalog, usize::MAX, usize::MAX);
    assert_eq!(follower.records().count(), MANY);

    let mut update = catalog.update().unwrap();
    for path in &paths {
        assert_eq!(update.remove_document(path).unwrap(), 1);
    }
    update.commit().unwrap();
    assert_eq!(catalog.info().unwrap().chunks, 0);
    follower.follow(&catalog, usize::MAX, usize::MAX);
    assert_eq!(follower.records().count(), 0);
}

#[test]
fn one_document_of_forty_thousand_passages_is_replaced_at_once() {
    let home = Home::new();
    let catalog = home.writer();
    let text = |word: &str| (0..MANY).map(|number| format!("{word} {number}\n")).collect::<String>();
    for (word, report) in [("first", (MANY, 0)), ("second", (MANY, MANY))] {
        let mut update = catalog.update().unwrap();
        let done = Sample::new("a.md", &text(word)).put(&mut update);
        update.commit().unwrap();
        assert_eq!((done.added, done.removed), (report.0 as u64, report.1 as u64));
    }
    // In small batches, the text must not be read again for each of them.
    let mut position = FeedPosition(0);
    let mut seen = 0;
    loop {
        let batch = catalog.after(position, 100).unwrap();
        if batch.changes.is_empty() {
            break;
        }
        seen += batch.changes.len();
        position = batch.position;
    }
    assert_eq!(seen, MANY);
}
