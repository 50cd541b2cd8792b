//! An embedder that fails, hangs or talks nonsense, and builds that are stopped.

use std::collections::HashSet;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use crate::home::{Home, codes, search, sync, sync_within};
use wikirag_core::{ChunkId, Context, ErrorKind, Readiness, Reason, Retry};
use wikirag_testkit::fakes::Trouble;
use wikirag_testkit::{MemoryFeed, record};

/// Ten pages of eight chunks.
const CHUNKS: u64 = 80;

fn feed() -> Arc<MemoryFeed> {
    Arc::new(MemoryFeed::of("a", (1..=CHUNKS).map(|id| record(id, &format!("passage {id}")))))
}

/// Whether no text was embedded twice, and each of the chunks once.
fn all_embedded_once(home: &Home) {
    let embedded = home.log.passages();
    assert_eq!(embedded.len() as u64, CHUNKS);
    assert_eq!(embedded.iter().collect::<HashSet<_>>().len() as u64, CHUNKS);
}

#[test]
fn a_page_that_fails_once_waits_and_the_others_are_kept() {
    let home = Home::new("fails once");
    let (layer, feed) = (home.open(), feed());
    home.log.trouble(3..4, Trouble::Fails);
    let error = sync(&*layer, &feed).unwrap_err();
    assert_eq!((error.kind(), error.retry()), (ErrorKind::Partial, Retry::Temporary));
    assert!(error.to_string().contains("vectors: 8") && error.to_string().contains("told to fail once"), "{error}");
    assert_eq!(layer.chunks().unwrap(), CHUNKS - 8);
    // The position is that before the page, so the next sync does not miss it.
    assert_eq!(layer.position().unwrap().unwrap().1.0, 24);
    assert_eq!(layer.readiness(), Readiness::Ready);
    assert_eq!(search(&*layer, "note 70 passage 70", 1).unwrap(), [ChunkId(70)]);
    assert_ne!(search(&*layer, "note 28 passage 28", 1).unwrap(), [ChunkId(28)]);

    sync(&*home.open(), &feed).unwrap();
    all_embedded_once(&home);
    assert_eq!(home.open().chunks().unwrap(), CHUNKS);
    assert_eq!(search(&*home.open(), "note 28 passage 28", 1).unwrap(), [ChunkId(28)]);
}

#[test]
fn what_was_deleted_after_a_first_page_failed_does_not_come_back() {
    let home = Home::new("first page fails");
    let feed = feed();
    home.log.trouble(0..1, Trouble::Fails);
    sync(&*home.open(), &feed).unwrap_err();
    assert_eq!(home.open().chunks().unwrap(), CHUNKS - 8);
    // A feed that is read from its beginning tells of no deletions.
    let rest = (1..=CHUNKS).filter(|id| *id != 50).map(|id| record(id, &format!("passage {id}")));
    let rest = Arc::new(MemoryFeed::of("a", rest));
    sync(&*home.open(), &rest).unwrap();
    assert_eq!(home.open().chunks().unwrap(), CHUNKS - 1);
    all_embedded_once(&home);
}

#[test]
fn an_embedder_that_goes_on_failing_is_given_up() {
    let home = Home::new("goes on failing");
    let (layer, feed) = (home.open(), feed());
    home.log.trouble(2..100, Trouble::Fails);
    let error = sync(&*layer, &feed).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Partial);
    assert!(error.to_string().contains(&format!("vectors: {}", CHUNKS - 16)), "{error}");
    assert_eq!(home.log.calls(), 5);
    home.log.mend();
    sync(&*layer, &feed).unwrap();
    all_embedded_once(&home);
}

#[test]
fn failures_between_successes_are_not_given_up() {
    let home = Home::new("now and then");
    let (layer, feed) = (home.open(), feed());
    for call in [0, 1, 3, 4, 6, 7] {
        home.log.trouble(call..call + 1, Trouble::Fails);
    }
    let error = sync(&*layer, &feed).unwrap_err();
    assert!(error.to_string().contains("vectors: 48"), "{error}");
    assert_eq!(layer.chunks().unwrap(), CHUNKS - 48);
    sync(&*layer, &feed).unwrap();
    all_embedded_once(&home);
}

#[test]
fn a_failure_for_good_ends_the_sync_at_once() {
    let home = Home::new("for good");
    let (layer, feed) = (home.open(), feed());
    home.log.trouble(4..5, Trouble::FailsForGood);
    let error = sync(&*layer, &feed).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unavailable);
    assert_eq!(home.log.calls(), 5);
    // What came before is there, and found.
    assert_eq!(layer.chunks().unwrap(), 32);
    assert_eq!(layer.position().unwrap().unwrap().1.0, 32);
    sync(&*layer, &feed).unwrap();
    all_embedded_once(&home);
}

#[test]
fn deletions_and_known_texts_of_a_failed_page_are_applied() {
    let home = Home::new("known texts");
    let (layer, feed) = (home.open(), feed());
    sync(&*layer, &feed).unwrap();
    feed.delete(ChunkId(1));
    feed.delete(ChunkId(2));
    feed.put(wikirag_core::ChunkRecord { title: "Note 1".to_owned(), ..record(101, "passage 1") });
    feed.put(record(102, "new"));
    home.log.trouble(0..1, Trouble::Fails);
    let error = sync(&*layer, &feed).unwrap_err();
    assert!(error.to_string().contains("vectors: 1"), "{error}");
    assert_eq!(layer.chunks().unwrap(), CHUNKS - 1);
    assert_eq!(search(&*layer, "note 1 passage 1", 1).unwrap(), [ChunkId(101)]);
    sync(&*layer, &feed).unwrap();
    assert_eq!(home.log.passages().len() as u64, CHUNKS + 1);
}

#[test]
fn a_stopped_sync_goes_on_where_it_was() {
    let home = Home::new("stopped");
    let (layer, feed) = (home.open(), feed());
    home.log.trouble(5..6, Trouble::Hangs);
    let context = Context::new();
    let result = thread::scope(|scope| {
        let stop = scope.spawn(|| {
            // While a page is being embedded, all those before it are in the index already: that is what a kill leaves.
            let another = home.open();
            let is_there = |_: &u32| another.chunks().unwrap() == 40 && home.log.calls() == 6;
            let waited = (0..10_000).find(|round| {
                is_there(round) || {
                    thread::sleep(Duration::from_millis(1));
                    false
                }
            });
            context.cancel.cancel();
            waited
        });
        let result = sync_within(&*layer, &feed, &context);
        assert!(stop.join().unwrap().is_some(), "the pages before were not committed");
        result
    });
    assert_eq!(result.unwrap_err().kind(), ErrorKind::Cancelled);
    assert_eq!(layer.chunks().unwrap(), 40);
    sync(&*layer, &feed).unwrap();
    all_embedded_once(&home);
}

#[test]
fn a_deadline_ends_a_sync_that_hangs_and_keeps_what_was_done() {
    let home = Home::new("deadline");
    let (layer, feed) = (home.open(), feed());
    home.log.trouble(2..3, Trouble::Hangs);
    let error = sync_within(&*layer, &feed, &Context::new().with_time_limit(Duration::from_millis(500))).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TimedOut);
    home.log.mend();
    sync(&*layer, &feed).unwrap();
    all_embedded_once(&home);
}

#[test]
fn vectors_that_are_none_are_refused() {
    for (name, trouble, why) in
        [("zeros", Trouble::GivesZeros, "zero"), ("wide", Trouble::GivesWideRows, "65 dimensions")]
    {
        let home = Home::new(name);
        let (layer, feed) = (home.open(), feed());
        home.log.trouble(1..2, trouble);
        let error = sync(&*layer, &feed).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Internal);
        assert!(error.to_string().contains(why), "{error}");
        assert_eq!((layer.chunks().unwrap(), layer.position().unwrap().unwrap().1.0), (8, 8));
        sync(&*layer, &feed).unwrap();
        assert_eq!(layer.chunks().unwrap(), CHUNKS);
    }
}

#[test]
fn an_embedder_that_is_not_ready_is_told_and_asked_for_nothing() {
    let home = Home::new("not ready");
    let (layer, feed) = (home.open(), feed());
    sync(&*layer, &feed).unwrap();
    home.log.set_unready(Some(Reason::new("library-missing", "there is no runtime", "run `wikirag model pull`")));
    let readiness = layer.readiness();
    assert!(!readiness.is_usable());
    assert_eq!(codes(&readiness), ["library-missing"]);
    assert_eq!(readiness.reasons()[0].remedy, "run `wikirag model pull`");
    assert_eq!(codes(&layer.sync_readiness()), ["library-missing"]);
    // The way it fails then is no reason to try every page.
    feed.put(record(1, "changed"));
    home.log.trouble(0..1, Trouble::Fails);
    assert_eq!(sync(&*layer, &feed).unwrap_err().kind(), ErrorKind::TimedOut);
    home.log.set_unready(None);
    assert_eq!(layer.readiness(), Readiness::Ready);
}
