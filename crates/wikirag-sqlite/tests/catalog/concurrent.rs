//! Readers beside a writer, and folders that cannot be written to.

use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use wikirag_core::{Change, ChangeFeed, ErrorKind, FeedPosition};
use wikirag_sqlite::Catalog;

use crate::sample::{Home, Sample, commit};

/// In generation n every document has n passages that all say n.
fn documents_of(generation: u64) -> Vec<Sample> {
    let text = (0..generation).map(|line| format!("{generation} line {line}\n")).collect::<String>();
    ["a.md", "b.md", "c.md"].map(|path| Sample::new(path, &text)).into()
}

/// Brings a new catalog to a generation.
fn build(catalog: &Catalog, generation: u64) {
    (1..=generation).for_each(|generation| commit(catalog, &documents_of(generation)));
}

/// Checks that a catalog shows one generation and nothing of another, and returns it.
fn check(catalog: &Catalog) -> u64 {
    let document = catalog.document("b.md").unwrap().unwrap();
    let generation: u64 = document.text.split(' ').next().unwrap().parse().unwrap();
    assert_eq!(document.chunks.len() as u64, generation);
    let info = catalog.info().unwrap();
    assert_eq!(info.chunks, 3 * info.generation.0);
    let batch = catalog.after(FeedPosition(0), usize::MAX).unwrap();
    let mut texts = batch.changes.iter().map(|change| match change {
        Change::Upsert(record) => record.text.split(' ').next().unwrap(),
        Change::Delete(_) => panic!("a new follower sees no deletions"),
    });
    let first = texts.next().unwrap();
    assert!(texts.all(|text| text == first), "one snapshot");
    assert_eq!(batch.changes.len() as u64, 3 * first.parse::<u64>().unwrap());
    generation
}

#[test]
fn readers_are_never_refused_and_see_one_state() {
    const GENERATIONS: u64 = 40;
    let home = Home::new();
    let path = home.path();
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        for number in 0..4 {
            let (path, done) = (&path, &done);
            scope.spawn(move || {
                let mut newest = 0;
                let mut kept = None;
                loop {
                    let last_round = done.load(Ordering::Acquire);
                    match Catalog::open(path) {
                        Ok(catalog) => {
                            let generation = check(&catalog);
                            assert!(generation >= newest, "a commit does not go away");
                            newest = generation;
                            if number % 2 == 0 {
                                kept.get_or_insert(catalog);
                            }
                        }
                        Err(error) => {
                            assert_eq!(error.kind(), ErrorKind::IndexMissing, "{error}");
                            assert_eq!(newest, 0, "only before the first commit");
                        }
                    }
                    if let Some(catalog) = &kept {
                        assert!(check(catalog) >= newest, "an open reader goes with the time");
                    }
                    if last_round {
                        assert_eq!(newest, GENERATIONS);
                        return;
                    }
                }
            });
        }
        let mut catalog = home.writer();
        for generation in 1..=GENERATIONS {
            commit(&catalog, &documents_of(generation));
            if generation % 5 == 0 {
                // The writer of the next build.
                drop(catalog);
                catalog = home.writer();
            }
        }
        done.store(true, Ordering::Release);
    });
    home.reader().verify().unwrap();
}

#[test]
fn a_reader_waits_for_the_first_commit() {
    let home = Home::new();
    assert_eq!(Catalog::open(&home.path()).unwrap_err().kind(), ErrorKind::IndexMissing);
    let catalog = home.writer();
    let mut update = catalog.update().unwrap();
    documents_of(1)[0].put(&mut update);
    assert_eq!(Catalog::open(&home.path()).unwrap_err().kind(), ErrorKind::IndexMissing);
    update.commit().unwrap();
    assert_eq!(home.reader().info().unwrap().documents, 1);
}

#[test]
fn a_second_writer_is_told_busy() {
    let home = Home::new();
    let (first, second) = (home.writer(), home.writer());
    let update = first.update().unwrap();
    let error = second.update().err().unwrap();
    assert_eq!(error.kind(), ErrorKind::Busy, "{error}");
    drop(update);
    commit(&second, &documents_of(1));
    assert_eq!(first.info().unwrap().documents, 3);
}

#[test]
fn a_folder_in_which_nothing_can_be_made_is_readable() {
    let home = Home::new();
    build(&home.writer(), 2);
    // What keeps SQLite from making its side files even where the tests run as a user who may do everything.
    for suffix in ["-shm", "-wal"] {
        fs::create_dir(format!("{}{suffix}", home.path().display())).unwrap();
    }
    let catalog = home.reader();
    assert_eq!(check(&catalog), 2);
    catalog.verify().unwrap();
}

#[cfg(unix)]
#[test]
fn a_read_only_folder_is_readable() {
    use std::os::unix::fs::PermissionsExt;
    let home = Home::new();
    build(&home.writer(), 2);
    let allow = |mode| fs::set_permissions(home.folder.path(), fs::Permissions::from_mode(mode)).unwrap();
    allow(0o555);
    let checked = Catalog::open(&home.path()).map(|catalog| check(&catalog));
    allow(0o755);
    assert_eq!(checked.unwrap(), 2);
}

#[test]
fn the_log_is_put_away_when_the_writer_ends() {
    let home = Home::new();
    build(&home.writer(), 3);
    let names: Vec<_> = fs::read_dir(home.folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["catalog.db"]);
}

#[test]
fn a_writer_that_dies_leaves_what_it_committed() {
    let home = Home::new();
    let catalog = home.writer();
    build(&catalog, 2);
    let mut update = catalog.update().unwrap();
    documents_of(3)[0].put(&mut update);
    // The files as a kill leaves them: the log is not put away, and the commit is in nothing but the log.
    let copy = Home::new();
    for suffix in ["", "-wal"] {
        let name = format!("catalog.db{suffix}");
        fs::copy(home.folder.path().join(&name), copy.folder.path().join(&name)).unwrap();
    }
    drop(update);
    assert_eq!(check(&copy.reader()), 2);
    commit(&copy.writer(), &documents_of(3));
    assert_eq!(copy.reader().info().unwrap().chunks, 9);
    copy.reader().verify().unwrap();
}
