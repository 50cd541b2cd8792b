//! What an extractor adds, what it costs, and what happens without it.

use std::sync::Arc;

use serde_json::json;
use wikirag_core::{
    ChangeFeed, ChunkId, ChunkRecord, Context, ErrorKind, ExtractionReport, Query, Readiness, Reason, Retriever,
};
use wikirag_testkit::{MemoryFeed, block_on};

use crate::told::{Log, Trouble};
use crate::{Indexed, page};

/// The layer over these records with an extractor of its own, which was not asked yet.
fn indexed(model: &str, records: impl IntoIterator<Item = ChunkRecord>) -> Indexed {
    Indexed::with_extractor(MemoryFeed::of("a", records), model, json!({}))
}

fn extract(index: &Indexed) -> ExtractionReport {
    index.extract(true).unwrap().unwrap()
}

fn reason(retriever: &dyn Retriever) -> Option<Reason> {
    match retriever.readiness() {
        Readiness::Degraded(mut reasons) => reasons.pop(),
        Readiness::Ready => None,
        Readiness::Unavailable(reasons) => panic!("{reasons:?}"),
    }
}

/// The passages that failed, by file.
fn failed(report: &ExtractionReport) -> Vec<(&str, u64)> {
    report.failed.iter().map(|file| (file.path.as_str(), file.passages)).collect()
}

#[test]
fn an_entity_leads_to_the_passages_that_hold_it() {
    let records = || {
        [
            page(1, "Start", "She built a {tide engine}."),
            page(2, "Later", "The {Tide Engine} was sold."),
            page(3, "Other", "Nothing."),
        ]
    };
    let index = indexed("entity", records());
    assert_eq!(index.found("?", &[1]), [1]);
    assert_eq!(extract(&index).extracted, 3);
    assert_eq!(index.found("?", &[1]), [1, 2]);
    // And from the question alone.
    assert_eq!(index.found("who sold the tide engine?", &[]), [1, 2]);
    assert_eq!(Indexed::new(records()).found("?", &[1]), [1]);
    let none = Indexed::with_extractor(
        MemoryFeed::of("a", records()),
        "entity",
        json!({"edges": {"entity": 0, "relation": 0}}),
    );
    extract(&none);
    assert_eq!(none.found("?", &[1]), [1]);
}

/// A name that is not written as one is none for the layer by itself.
#[test]
fn an_entity_of_the_name_of_a_page_is_that_page() {
    let index = indexed(
        "page",
        [
            page(1, "Start", "We did a {peer review}."),
            page(2, "Peer Review", "A method."),
            page(3, "Other", "Nothing."),
        ],
    );
    assert_eq!(index.found("?", &[1]), [1]);
    extract(&index);
    assert_eq!(index.found("?", &[1]), [1, 2]);
}

#[test]
fn a_relation_leads_from_one_end_to_the_other() {
    let records = [
        page(1, "One", "The {tide engine} again."),
        page(2, "Two", "{tide engine}~{Odile Varga}"),
        page(3, "Three", "Ask {Odile Varga}."),
        page(4, "Clockwork", "A page."),
        page(5, "Five", "{Clockwork}~{Odile Varga}, and GIBBERISH not."),
        page(6, "Six", "Nothing."),
    ];
    let settings = json!({"edges": {"entity": 0.5, "relation": 0.5, "page": 0}});
    let index = Indexed::with_extractor(MemoryFeed::of("a", records.clone()), "relation", settings);
    extract(&index);
    let mut found = index.found("?", &[1]);
    found.sort_unstable();
    // The fifth says nothing that can be read.
    assert_eq!(found, [1, 2, 3]);
    // In one step, by the relation: the passages of the two ends share none.
    let mut records = records;
    records[4].text = "{Clockwork}~{Odile Varga}".to_owned();
    let index = indexed("relation", records);
    extract(&index);
    assert!(index.found("?", &[4]).contains(&3));
}

/// A rename, a moved section and a full build cost nothing.
#[test]
fn what_is_known_by_its_text_is_not_sent_again() {
    let log = Log::of("cache");
    let index =
        indexed("cache", [page(1, "One", "{Ada} wrote."), page(2, "Two", "{Bob} read."), page(3, "Odd", "GIBBERISH")]);
    let report = extract(&index);
    assert_eq!((report.extracted, report.sent, report.cached, failed(&report)), (2, 3, 0, vec![("notes/odd.md", 1)]));
    assert_eq!(log.seen().len(), 3);
    index.feed.delete(ChunkId(1));
    index.feed.put(page(7, "Renamed", "{Ada} wrote."));
    index.feed.put(page(8, "Copied", "{Ada} wrote."));
    index.sync();
    let report = extract(&index);
    assert_eq!((report.extracted, report.sent, report.cached), (3, 0, 2));
    assert_eq!(log.seen(), [""; 0]);
    // What failed is tried again by a full build, and by nothing less.
    let full = index.rebuilt();
    let report = extract(&full);
    assert_eq!((report.extracted, report.sent, report.cached), (3, 1, 3));
    assert_eq!(log.seen(), ["GIBBERISH"]);
    assert_eq!(full.ask("?", &[2]), index.ask("?", &[2]));
}

/// A question takes what is known and asks nobody.
#[test]
fn a_question_sends_nothing() {
    let log = Log::of("question");
    let index = indexed("question", [page(1, "One", "{Ada} wrote.")]);
    let report = index.extract(false).unwrap().unwrap();
    assert_eq!((report.pending, report.sent, report.reason), (1, 0, None));
    assert_eq!(log.seen(), [""; 0]);
    assert!(reason(&*index.retriever).unwrap().sentence.ends_with("has not seen: 1"));
    extract(&index);
    assert_eq!(reason(&*index.retriever), None);
    index.feed.put(page(2, "Two", "{Ada} wrote."));
    index.sync();
    assert_eq!(reason(&*index.retriever).unwrap().code, "extraction-pending");
    assert_eq!(index.extract(false).unwrap().unwrap().cached, 1);
    assert_eq!(reason(&*index.retriever), None);
    assert_eq!(index.found("?", &[1]), [1, 2]);
}

/// [B72] What cannot be read is counted by file, not asked again, and the layer does without a model there.
#[test]
fn passages_of_which_nothing_can_be_read_are_counted() {
    let log = Log::of("gibberish");
    let odd = |id, text: &str| ChunkRecord { path: "notes/odd.md".to_owned(), ..page(id, "Odd", text) };
    let index = indexed(
        "gibberish",
        [odd(1, "GIBBERISH of Clarence Brown."), odd(2, "GIBBERISH again"), page(3, "Clarence Brown", "{Ada}")],
    );
    let report = extract(&index);
    assert_eq!((report.extracted, failed(&report)), (1, vec![("notes/odd.md", 2)]));
    assert_eq!((report.failures(), report.pending, report.reason.clone()), (2, 0, None));
    assert!(report.failed[0].detail.contains("nothing could be read") && !report.is_held_up());
    assert_eq!(index.found("?", &[1]), [1, 3]);
    assert_eq!(reason(&*index.retriever), None);
    log.seen();
    assert_eq!((failed(&extract(&index)), log.seen().len()), (vec![("notes/odd.md", 2)], 0));
    assert_eq!(index.retriever.extraction().unwrap().unwrap().failures(), 2);
}

/// [B56] What nobody looked at waits, and is not skipped for ever.
#[test]
fn an_extractor_that_is_not_there_is_waited_for() {
    let log = Log::of("gone");
    let index = indexed("gone", [page(1, "One", "{Ada} and Clarence Brown."), page(2, "Clarence Brown", "{Ada}")]);
    log.set(Trouble::Gone);
    let report = extract(&index);
    assert!(report.is_held_up() && report.reason.unwrap().sentence.contains("nobody is there"));
    assert_eq!((report.extracted, report.pending), (0, 2));
    assert_eq!(index.found("?", &[1]), [1, 2]);
    let known = reason(&*index.retriever).unwrap();
    assert!(known.sentence.contains("has not seen: 2") && known.remedy.contains("wikirag build"), "{known:?}");
    log.set(Trouble::None);
    let report = extract(&index);
    assert_eq!((report.extracted, report.pending, report.reason), (2, 0, None));
    assert_eq!(reason(&*index.retriever), None);
}

#[test]
fn an_extractor_that_the_program_does_not_have_is_told() {
    let index = indexed("missing", [page(1, "One", "{Ada}")]);
    let settings = json!({"reach": 0, "extractor": "nobody"});
    let without = index.opened(settings, index.layer.setup().dir.clone(), None);
    let feed: Arc<dyn ChangeFeed> = Arc::<MemoryFeed>::clone(&index.feed);
    let report = block_on(without.extract(feed, true, &Context::new())).unwrap().unwrap();
    assert!(report.is_held_up() && report.reason.unwrap().sentence.contains("nobody"));
    assert_eq!(report.pending, 1);
    assert!(without.readiness().is_usable());
}

/// A text that always takes too long does not keep the others from their turn, not even where it comes first.
#[test]
fn one_slow_text_holds_nobody_up() {
    let log = Log::of("slow");
    let slow = (1..5).map(|id| page(id, &format!("Slow {id}"), &format!("SLOW {id}")));
    let quick = (5..9).map(|id| page(id, &format!("Quick {id}"), &format!("{{Ada}} {id}")));
    let index =
        Indexed::with_extractor(MemoryFeed::of("a", slow.chain(quick)), "slow", json!({"extractions_at_once": 1}));
    log.set(Trouble::Slow);
    // Three failures in a row end a build; what failed is behind the others in the next.
    let report = extract(&index);
    assert_eq!((report.extracted, report.sent, report.pending), (0, 3, 8));
    let report = extract(&index);
    assert_eq!((report.extracted, report.pending), (4, 4));
    assert!(report.is_held_up());
    log.set(Trouble::AllSlow);
    assert_eq!(extract(&index).pending, 4);
    log.set(Trouble::None);
    assert_eq!(extract(&index).pending, 0);
}

#[test]
fn a_build_sends_no_more_than_it_may() {
    let log = Log::of("budget");
    let records = (1..8).map(|id| page(id, &format!("Page {id}"), &format!("{{Ada}} {id}")));
    let index = Indexed::with_extractor(MemoryFeed::of("a", records), "budget", json!({"most_extractions": 3}));
    for (extracted, sent) in [(3, 3), (6, 3), (7, 1)] {
        let report = extract(&index);
        assert_eq!((report.extracted, report.sent, log.seen().len()), (extracted, sent, sent as usize));
        assert_eq!(report.pending, 7 - extracted);
        let code = report.reason.as_ref().map(|reason| reason.code.as_ref());
        assert_eq!(code, (extracted < 7).then_some(ExtractionReport::BUDGET));
        assert!(!report.is_held_up());
    }
}

/// What was found before a build is stopped stays.
#[test]
fn a_stopped_build_keeps_what_was_found() {
    let log = Log::of("stopped");
    let records = (1..40).map(|id| page(id, &format!("Page {id}"), &format!("{{Ada}} {id}")));
    let index = Indexed::with_extractor(MemoryFeed::of("a", records), "stopped", json!({"extractions_at_once": 2}));
    let context = Context::new();
    let flag = context.cancel.clone();
    let context = context.with_progress(Arc::new(StopAfter(flag, 10)));
    let feed: Arc<dyn ChangeFeed> = Arc::<MemoryFeed>::clone(&index.feed);
    let stopped = block_on(index.retriever.extract(feed, true, &context)).unwrap_err();
    assert_eq!(stopped.kind(), ErrorKind::Cancelled);
    let kept = index.retriever.extraction().unwrap().unwrap();
    let sent = log.seen().len() as u64;
    assert!(kept.extracted >= 9 && sent <= kept.extracted + 2, "{kept:?}, sent {sent}");
    assert_eq!(extract(&index).sent, 39 - kept.extracted);
    block_on(index.retriever.verify()).unwrap();
}

struct StopAfter(wikirag_core::CancelFlag, u64);

impl wikirag_core::Progress for StopAfter {
    fn report(&self, step: wikirag_core::Step<'_>) {
        if step.stage == "extract" && step.done >= self.1 {
            self.0.cancel();
        }
    }
}

/// What one model found is not taken for what another one would find.
#[test]
fn another_extractor_looks_at_all_again() {
    let index = indexed("first", [page(1, "One", "{Ada} one"), page(2, "Two", "{Ada} two")]);
    extract(&index);
    assert_eq!(index.found("?", &[1]), [1, 2]);
    let other = index.with_model("second");
    Log::of("second").set(Trouble::Gone);
    let report = extract(&other);
    assert_eq!((report.extracted, report.pending), (0, 2));
    assert_eq!(other.found("?", &[1]), [1]);
    // Back to the first before the second was done: what it found is still there.
    Log::of("first").seen();
    let back = other.with_model("first");
    assert_eq!((extract(&back).extracted, Log::of("first").seen().len()), (2, 0));
    assert_eq!(back.found("?", &[1]), [1, 2]);
}

#[test]
fn damage_is_named_and_a_full_build_mends_it() {
    let index = indexed("damage", [page(1, "One", "{Ada} one"), page(2, "Two", "{Ada} two")]);
    extract(&index);
    // What is open has read the file already.
    let again = index.with_model("damage");
    drop(index);
    let index = again;
    std::fs::write(index.layer.dir().join("extractions.db"), "no database").unwrap();
    let error = block_on(index.retriever.verify()).unwrap_err();
    assert!(error.to_string().contains("extractions.db"), "{error}");
    assert!(block_on(index.retriever.search(&Query::new("?", 5), &Context::new())).is_err());
    assert!(!index.retriever.readiness().is_usable());
    let full = index.rebuilt();
    assert_eq!(extract(&full).sent, 2);
    assert_eq!(full.found("?", &[1]), [1, 2]);
    block_on(full.retriever.verify()).unwrap();
}

#[test]
fn without_an_extractor_no_file_is_made_and_nothing_is_asked() {
    let index = Indexed::new([page(1, "One", "{Ada}")]);
    assert_eq!(index.extract(true).unwrap(), None);
    assert_eq!(index.retriever.extraction().unwrap(), None);
    assert!(!index.layer.dir().join("extractions.db").exists());
    assert_eq!(index.retriever.readiness(), Readiness::Ready);
}
