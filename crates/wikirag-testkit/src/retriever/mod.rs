//! The promises of a [`Retriever`].
//!
//! The suite knows nothing about how a layer searches. It assumes one thing only: asked the whole text of a chunk, a
//! layer finds that chunk, if enough hits are wanted.

mod answers;
mod changes;
mod files;
mod trouble;

use std::sync::Arc;

use wikirag_core::{
    ChangeFeed, ChunkId, ChunkRecord, Context, LayerSetup, Query, RankedList, Result, Retriever, SyncReport,
};

pub use answers::*;
pub use changes::*;
pub use files::*;
pub use trouble::*;

use crate::check::{Broken, Check, Outcome, ensure};
use crate::{MemoryFeed, TempLayer, block_on, temp_layer};

/// Expands to a module of tests, one for each promise of a [`Retriever`](wikirag_core::Retriever).
///
/// `retriever_suite!(module, make)`, where `make` is a
/// `Fn(&LayerSetup) -> wikirag_core::Result<Box<dyn Retriever>>`. The setup it gets has no settings and a host
/// without plugins; `make` may put in what the layer needs.
#[macro_export]
macro_rules! retriever_suite {
    ($module:ident, $make:expr $(,)?) => {
        $crate::__retriever_checks! { __tests ($module, retriever, ($make)) }
    };
}

/// The one list of checks, handed to the macro `then`.
#[doc(hidden)]
#[macro_export]
macro_rules! __retriever_checks {
    ($then:ident $args:tt) => {
        $crate::$then! { $args
            an_empty_index_gives_no_hits
            the_text_of_a_chunk_finds_it
            hits_come_best_first
            ties_come_by_chunk_id
            no_chunk_comes_twice
            want_is_a_limit
            any_question_is_valid
            term_statistics_are_true
            position_follows_the_feed
            the_report_counts_the_work
            its_chunks_are_counted
            an_upsert_replaces
            a_delete_removes
            a_chunk_may_come_back
            the_order_of_arrival_leaves_no_trace
            a_foreign_catalog_begins_anew
            a_broken_feed_costs_one_batch_at_most
            only_sync_writes
            reopening_keeps_everything
            verify_accepts_a_good_index
            truncated_files_are_noticed
            verify_notices_changed_bytes
            readiness_follows_the_index
            a_stopped_search_says_so
            a_stopped_sync_says_so_and_can_go_on
            searches_go_on_during_sync
        }
    };
}

/// All checks, in the order of the suite.
pub const CHECKS: &[Check<Subject>] = __retriever_checks! { __table () };

type Make = dyn Fn(&LayerSetup) -> Result<Box<dyn Retriever>>;

/// The layer under test.
pub struct Subject {
    make: Box<Make>,
}

/// A layer with its folder. The layer goes first when both are dropped: some systems keep open files from being removed.
struct Indexed {
    retriever: Box<dyn Retriever>,
    layer: TempLayer,
}

impl Subject {
    /// The layer that `make` makes of a setup.
    pub fn new(make: impl Fn(&LayerSetup) -> Result<Box<dyn Retriever>> + 'static) -> Self {
        Self { make: Box::new(make) }
    }

    fn open(&self, layer: &TempLayer) -> Outcome<Box<dyn Retriever>> {
        Ok((self.make)(layer.setup())?)
    }

    /// A new index of what `feed` has.
    fn index(&self, feed: &Arc<MemoryFeed>) -> Outcome<Indexed> {
        let layer = temp_layer()?;
        let retriever = self.open(&layer)?;
        sync(&*retriever, feed)?;
        Ok(Indexed { retriever, layer })
    }

    /// A new index of `records`, made in one go.
    fn fresh(&self, records: &[ChunkRecord]) -> Outcome<Indexed> {
        self.index(&Arc::new(MemoryFeed::of("fresh", records.iter().cloned())))
    }

    /// Compares the answers of `retriever` with those of a fresh index of what `feed` has now.
    fn compare_with_fresh(&self, retriever: &dyn Retriever, feed: &MemoryFeed) -> Outcome {
        let records = feed.records();
        let questions = probes(&records);
        compare(
            &questions,
            ("this index", &answers(retriever, &questions)?),
            ("a fresh one of the same chunks", &answers(&*self.fresh(&records)?.retriever, &questions)?),
        )
    }
}

fn sync(retriever: &dyn Retriever, feed: &Arc<MemoryFeed>) -> Outcome<SyncReport> {
    let feed: Arc<dyn ChangeFeed> = Arc::<MemoryFeed>::clone(feed);
    Ok(block_on(retriever.sync(feed, &Context::new()))?)
}

fn ask(retriever: &dyn Retriever, question: &str, want: usize) -> Result<RankedList> {
    block_on(retriever.search(&Query::new(question, want), &Context::new()))
}

fn search(retriever: &dyn Retriever, question: &str, want: usize) -> Outcome<RankedList> {
    ask(retriever, question, want)
        .map_err(|error| Broken::from(error).at(format_args!("question {:?}", shortened(question))))
}

/// The chunks found for each question, in order. Scores are left out: removed chunks may weigh in them for a while.
fn answers(retriever: &dyn Retriever, questions: &[String]) -> Outcome<Vec<Vec<ChunkId>>> {
    questions.iter().map(|question| Ok(ids(&search(retriever, question, 20)?))).collect()
}

fn ids(list: &RankedList) -> Vec<ChunkId> {
    list.hits.iter().map(|hit| hit.chunk).collect()
}

/// Questions about `records`: whole texts, and pairs and single ones of their words.
fn probes(records: &[ChunkRecord]) -> Vec<String> {
    let mut questions = vec!["river".to_owned(), "copper garden".to_owned(), "nothing of this kind".to_owned()];
    for record in records.iter().step_by(records.len() / 8 + 1) {
        let words: Vec<_> = record.text.split_whitespace().collect();
        questions.push(record.text.clone());
        questions.push(words.iter().rev().take(2).copied().collect::<Vec<_>>().join(" "));
        questions.extend(words.last().map(|word| (*word).to_owned()));
    }
    questions
}

type Side<'a> = (&'a str, &'a [Vec<ChunkId>]);

fn compare(questions: &[String], one: Side<'_>, other: Side<'_>) -> Outcome {
    for (index, question) in questions.iter().enumerate() {
        ensure!(
            one.1[index] == other.1[index],
            "to the question {:?} {} answers {:?}, {} {:?}",
            shortened(question),
            one.0,
            one.1[index],
            other.0,
            other.1[index]
        );
    }
    Ok(())
}

/// A question short enough for a message.
fn shortened(question: &str) -> String {
    let mut short: String = question.chars().take(60).collect();
    if short.len() < question.len() {
        short.push('…');
    }
    short
}
