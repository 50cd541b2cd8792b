//! How a layer follows the feed.

use std::collections::BTreeSet;
use std::sync::Arc;

use fastrand::Rng;
use wikirag_core::{CatalogId, ChangeFeed, ChunkId, ChunkRecord, Context, FeedPosition, Retriever, SyncReport};

use super::{Subject, answers, compare, ids, probes, search, sync};
use crate::check::{Outcome, ensure};
use crate::fakes::{corpus, record};
use crate::{MemoryFeed, block_on, temp_layer};

const COUNT: u64 = 40;

fn stands_at(retriever: &dyn Retriever, expected: Option<(&CatalogId, FeedPosition)>) -> Outcome {
    let position = retriever.position()?;
    let known = position.as_ref().map(|(catalog, position)| (catalog, *position));
    ensure!(known == expected, "the index says it stands at {known:?}, it stands at {expected:?}");
    Ok(())
}

/// The position is none before the first sync, and catalog and head of the feed after each one.
///
/// # Errors
/// Where the promise is broken.
pub fn position_follows_the_feed(subject: &Subject) -> Outcome {
    let feed = Arc::new(MemoryFeed::new("a"));
    let layer = temp_layer()?;
    let retriever = subject.open(&layer)?;
    stands_at(&*retriever, None)?;
    for part in corpus(21, COUNT).chunks(15) {
        part.iter().for_each(|record| feed.put(record.clone()));
        sync(&*retriever, &feed)?;
        stands_at(&*retriever, Some((feed.catalog(), feed.head()?)))?;
    }
    feed.delete(ChunkId(3));
    sync(&*retriever, &feed)?;
    stands_at(&*retriever, Some((feed.catalog(), feed.head()?)))
}

/// The report of a sync counts what was written and removed; a sync with nothing to do reports nothing.
///
/// # Errors
/// Where the promise is broken.
pub fn the_report_counts_the_work(subject: &Subject) -> Outcome {
    let feed = Arc::new(MemoryFeed::of("a", corpus(22, COUNT)));
    let index = subject.index(&feed)?;
    feed.put(record(1, "another text"));
    (2..=4).for_each(|id| feed.delete(ChunkId(id)));
    let report = sync(&*index.retriever, &feed)?;
    ensure!(
        (report.upserted, report.deleted) == (1, 3) && report.batches > 0,
        "one chunk was changed and three were removed, the report says {report:?}"
    );
    let report = sync(&*index.retriever, &feed)?;
    ensure!(
        report == SyncReport { batches: report.batches, ..SyncReport::default() },
        "there was nothing to do, the report says {report:?}"
    );
    Ok(())
}

/// The layer knows how many chunks it holds, whatever was changed before.
///
/// # Errors
/// Where the promise is broken.
pub fn its_chunks_are_counted(subject: &Subject) -> Outcome {
    let layer = temp_layer()?;
    let retriever = subject.open(&layer)?;
    ensure!(retriever.chunks()? == 0, "there is no index, and it counts {} chunks", retriever.chunks()?);
    let feed = Arc::new(MemoryFeed::of("a", corpus(22, COUNT)));
    sync(&*retriever, &feed)?;
    let changed = corpus(220, COUNT).into_iter().take(9);
    changed.for_each(|record| feed.put(record));
    sync(&*retriever, &feed)?;
    let counted = retriever.chunks()?;
    ensure!(counted == COUNT, "{COUNT} chunks were put in, 9 of them twice, and it counts {counted}");
    Ok(())
}

/// A chunk that changed is found as it is now and not as it was: the index answers like a fresh one.
///
/// # Errors
/// Where the promise is broken.
pub fn an_upsert_replaces(subject: &Subject) -> Outcome {
    let feed = Arc::new(MemoryFeed::of("a", corpus(23, COUNT)));
    let index = subject.index(&feed)?;
    let mut random = Rng::with_seed(23);
    for round in 0..3 {
        let mut texts = corpus(240 + round, COUNT);
        random.shuffle(&mut texts);
        for text in texts.iter().take(12) {
            let id = random.u64(1..=COUNT);
            feed.put(ChunkRecord { title: format!("Note {} again", id % 5), ..record(id, &text.text) });
        }
        sync(&*index.retriever, &feed)?;
        subject.compare_with_fresh(&*index.retriever, &feed)?;
    }
    Ok(())
}

/// A removed chunk is never found again, the others are found as if it had never been there, and removing one that
/// was never seen is no error.
///
/// # Errors
/// Where the promise is broken.
pub fn a_delete_removes(subject: &Subject) -> Outcome {
    let feed = Arc::new(MemoryFeed::of("a", corpus(25, COUNT)));
    let index = subject.index(&feed)?;
    feed.delete(ChunkId(1_000_000));
    let mut random = Rng::with_seed(25);
    let mut gone = BTreeSet::new();
    for _ in 0..3 {
        for _ in 0..8 {
            let id = ChunkId(random.u64(1..=COUNT));
            feed.delete(id);
            gone.insert(id);
        }
        sync(&*index.retriever, &feed)?;
        for record in corpus(25, COUNT).iter().filter(|record| gone.contains(&record.id)) {
            let found = ids(&search(&*index.retriever, &record.text, 1000)?);
            let ghost = found.iter().find(|id| gone.contains(id));
            ensure!(ghost.is_none(), "chunk {ghost:?} was removed and is found by {:?}", record.text);
        }
        subject.compare_with_fresh(&*index.retriever, &feed)?;
    }
    Ok(())
}

/// A chunk that was removed and comes again is there again.
///
/// # Errors
/// Where the promise is broken.
pub fn a_chunk_may_come_back(subject: &Subject) -> Outcome {
    let records = corpus(26, COUNT);
    let feed = Arc::new(MemoryFeed::of("a", records.clone()));
    let index = subject.index(&feed)?;
    // Once with a sync between leaving and coming, once without.
    for synced_between in [true, false] {
        records[..10].iter().for_each(|record| feed.delete(record.id));
        if synced_between {
            sync(&*index.retriever, &feed)?;
        }
        records[..10].iter().for_each(|record| feed.put(record.clone()));
        sync(&*index.retriever, &feed)?;
        subject.compare_with_fresh(&*index.retriever, &feed)?;
    }
    Ok(())
}

/// The answers depend on which chunks are there, not on the order, the batches or the syncs in which they came.
///
/// # Errors
/// Where the promise is broken.
pub fn the_order_of_arrival_leaves_no_trace(subject: &Subject) -> Outcome {
    let mut records = corpus(27, COUNT);
    // Equal chunks, so that only something besides their content can tell them apart.
    records
        .extend((100..110).map(|id| ChunkRecord { title: String::new(), ..record(id, "river copper garden twins") }));
    let questions = [probes(&records), vec!["twins".to_owned()]].concat();
    let expected = answers(&*subject.fresh(&records)?.retriever, &questions)?;
    let mut random = Rng::with_seed(27);
    for batch in [1, 7, usize::MAX] {
        random.shuffle(&mut records);
        let feed = Arc::new(MemoryFeed::new("a").in_batches_of(batch));
        let layer = temp_layer()?;
        let retriever = subject.open(&layer)?;
        for part in records.chunks(20) {
            part.iter().for_each(|record| feed.put(record.clone()));
            sync(&*retriever, &feed)?;
        }
        let shuffled = answers(&*retriever, &questions)?;
        compare(&questions, ("after one order of arrival the index", &expected), ("after another", &shuffled))?;
    }
    Ok(())
}

/// An index that followed another catalog is begun anew: nothing of the other is found, and its position is not asked for.
///
/// # Errors
/// Where the promise is broken.
pub fn a_foreign_catalog_begins_anew(subject: &Subject) -> Outcome {
    let index = subject.index(&Arc::new(MemoryFeed::of("a", corpus(28, COUNT))))?;
    let other = Arc::new(MemoryFeed::of("b", corpus(29, COUNT / 2)));
    sync(&*index.retriever, &other)?;
    stands_at(&*index.retriever, Some((other.catalog(), other.head()?)))?;
    subject.compare_with_fresh(&*index.retriever, &other)
}

/// Where the feed breaks in the middle, `sync` says so and keeps all batches that it was given but the last; the next
/// sync ends like a fresh index.
///
/// # Errors
/// Where the promise is broken.
pub fn a_broken_feed_costs_one_batch_at_most(subject: &Subject) -> Outcome {
    let records = corpus(30, COUNT);
    let feed = Arc::new(MemoryFeed::of("a", records.clone()).in_batches_of(5));
    let layer = temp_layer()?;
    let retriever = subject.open(&layer)?;
    feed.fail_after(Some(4));
    let broken: Arc<dyn ChangeFeed> = Arc::<MemoryFeed>::clone(&feed);
    let result = block_on(retriever.sync(broken, &Context::new()));
    ensure!(result.is_err(), "the feed failed after four batches of five changes, and sync says {result:?}");
    let position = retriever.position()?.map(|(_, position)| position.0);
    ensure!(
        matches!(position, Some(15 | 20)),
        "the feed failed after 20 changes in batches of five; the index must stand at 20, or at 15 where the last \
         batch was lost, and stands at {position:?}"
    );
    let kept = usize::try_from(position.unwrap_or_default()).unwrap_or_default();
    let questions = probes(&records);
    let expected = answers(&*subject.fresh(&records[..kept])?.retriever, &questions)?;
    compare(
        &questions,
        ("after the failure the index", &answers(&*retriever, &questions)?),
        ("a fresh one of the chunks it says it holds", &expected),
    )?;
    feed.fail_after(None);
    sync(&*retriever, &feed)?;
    subject.compare_with_fresh(&*retriever, &feed)
}
