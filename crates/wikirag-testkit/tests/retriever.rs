//! The suite for layers over layers that are broken on purpose.

#![expect(clippy::unwrap_used, reason = "a test may end where something is not as it must be")]

mod broken;
mod reference;

use reference::{Fault, Reference};
use wikirag_testkit::retriever::{CHECKS, Subject};
use wikirag_testkit::retriever_suite;

retriever_suite!(the_reference, |setup| Ok(Box::new(Reference::open(setup, None)?)));

const FAULTS: &[(Fault, &str)] = &[
    (Fault::FailsWhenEmpty, "an_empty_index_gives_no_hits"),
    (Fault::OverlooksAChunk, "the_text_of_a_chunk_finds_it"),
    (Fault::SwapsTheFirst, "hits_come_best_first"),
    (Fault::TiesByFallingId, "ties_come_by_chunk_id"),
    (Fault::RepeatsAHit, "no_chunk_comes_twice"),
    (Fault::WantsAtLeastOne, "want_is_a_limit"),
    (Fault::ReservesWhatIsWanted, "want_is_a_limit"),
    (Fault::ParsesQuestions, "any_question_is_valid"),
    (Fault::CountsWordsNotChunks, "term_statistics_are_true"),
    (Fault::ForgetsItsPosition, "position_follows_the_feed"),
    (Fault::CountsNothing, "the_report_counts_the_work"),
    (Fault::CountsChanges, "its_chunks_are_counted"),
    (Fault::KeepsTheOldText, "an_upsert_replaces"),
    (Fault::IgnoresDeletes, "a_delete_removes"),
    (Fault::BuriesForEver, "a_chunk_may_come_back"),
    (Fault::FavoursTheFirstComers, "the_order_of_arrival_leaves_no_trace"),
    (Fault::KeepsTheForeign, "a_foreign_catalog_begins_anew"),
    (Fault::GoesOnInTheForeign, "a_foreign_catalog_begins_anew"),
    (Fault::CommitsAtTheEnd, "a_broken_feed_costs_one_batch_at_most"),
    (Fault::MakesItsFolder, "only_sync_writes"),
    (Fault::LosesAChunkOnOpening, "reopening_keeps_everything"),
    (Fault::SeesDamageEverywhere, "verify_accepts_a_good_index"),
    (Fault::TakesShortForEmpty, "truncated_files_are_noticed"),
    (Fault::PanicsOnShort, "truncated_files_are_noticed"),
    (Fault::TrustsItsFile, "verify_notices_changed_bytes"),
    (Fault::AlwaysReady, "readiness_follows_the_index"),
    (Fault::SearchesOn, "a_stopped_search_says_so"),
    (Fault::SyncsOn, "a_stopped_sync_says_so_and_can_go_on"),
    (Fault::BusyDuringSync, "searches_go_on_during_sync"),
    (Fault::ShowsHalfABatch, "searches_go_on_during_sync"),
];

#[test]
fn each_fault_fails_its_own_check() {
    broken::each_fault_fails_its_own_check(CHECKS, FAULTS, |fault| {
        Subject::new(move |setup| Ok(Box::new(Reference::open(setup, fault)?)))
    });
}
