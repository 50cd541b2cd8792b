//! Following the change feed.

use std::collections::HashSet;

use tantivy::indexer::{IndexWriterOptions, LogMergePolicy};
use tantivy::{Index, IndexWriter};
use wikirag_core::{Change, ChangeFeed, ChunkId, Context, FeedBatch, FeedPosition, Result, Step, SyncReport};

use crate::damage::translate;
use crate::document::Writer;
use crate::removal::Chunks;
use crate::store::{Payload, Store, payload_of};
use crate::summary;

/// Changes asked of the feed at a time.
const PAGE: usize = 512;
/// A commit is made after this many changes, or this many bytes of text: often enough that a kill costs seconds, seldom
/// enough that the cost of commits does not show.
const CHANGES_PER_COMMIT: usize = 65_536;
const BYTES_PER_COMMIT: usize = 32 << 20;
/// Fewer changes than this are written by one thread: each thread writes a segment of its own, and for a few chunks its
/// files cost more than the work.
const CHANGES_PER_THREAD: u64 = 1024;
/// The least memory that tantivy takes for a thread, and the most.
const LEAST_MEMORY: usize = 15_000_000;
const MOST_MEMORY: usize = 1 << 30;
/// A segment is merged when more than this part of its chunks are removed ones. They cost time in each search.
const MOST_REMOVED: f32 = 0.2;

/// How much a sync may use.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    pub(crate) memory: usize,
    pub(crate) threads: usize,
}

/// Brings the index in `store` to the end of `feed`.
pub(crate) fn follow(store: &Store, feed: &dyn ChangeFeed, limits: Limits, context: &Context) -> Result<SyncReport> {
    context.check("sync")?;
    let (known, payload) = match store.meta()? {
        Some(meta) => (Some(store.open()?), payload_of(&meta, store.dir())?),
        None => (None, None),
    };
    let head = feed.head()?;
    // A position beyond the head is from a catalog that was put back to an older state.
    let start = payload.filter(|payload| payload.catalog == *feed.catalog() && payload.position <= head);
    if start.as_ref().is_some_and(|payload| payload.position == head) {
        return Ok(SyncReport::default());
    }
    let index = match known {
        Some(index) => index,
        None => store.create()?,
    };
    let start = start.map(|payload| payload.position);
    let pending = feed.pending(start.unwrap_or_default())?;
    let threads = limits.threads.min(usize::try_from(pending / CHANGES_PER_THREAD).unwrap_or(usize::MAX));
    let follower = Follower::begin(store, &index, feed, start, Limits { threads, ..limits })?;
    summary::remove(store)?;
    let report = follower.run(pending, context)?;
    summary::write(store)?;
    store.remove_others();
    Ok(report)
}

struct Follower<'f> {
    store: &'f Store,
    feed: &'f dyn ChangeFeed,
    writer: IndexWriter,
    documents: Writer,
    position: FeedPosition,
    /// In an index begun anew, the chunks written so far: all others need no removal before they are added. `None`
    /// where the index may hold any chunk.
    written: Option<HashSet<u64>>,
    report: SyncReport,
    /// Changes and bytes since the last commit, and whether there is anything to commit.
    changes: usize,
    bytes: usize,
    uncommitted: bool,
}

impl<'f> Follower<'f> {
    fn begin(
        store: &'f Store,
        index: &Index,
        feed: &'f dyn ChangeFeed,
        start: Option<FeedPosition>,
        limits: Limits,
    ) -> Result<Self> {
        let failed = |error| translate("sync", error, store.dir());
        let threads = limits.threads.min(limits.memory / LEAST_MEMORY).max(1);
        let options = IndexWriterOptions::builder()
            .num_worker_threads(threads)
            .memory_budget_per_thread((limits.memory / threads).clamp(LEAST_MEMORY, MOST_MEMORY))
            .num_merge_threads(1)
            .build();
        let writer: IndexWriter = index.writer_with_options(options).map_err(failed)?;
        let mut merging = LogMergePolicy::default();
        merging.set_del_docs_ratio_before_merge(MOST_REMOVED);
        writer.set_merge_policy(Box::new(merging));
        // A kill in the middle of a commit leaves files that no commit names, and the same commit would want to write
        // files of the same names again.
        writer.garbage_collect_files().wait().map_err(failed)?;
        if start.is_none() {
            // Takes effect with the first commit: until then the old index answers.
            writer.delete_all_documents().map_err(failed)?;
        }
        Ok(Self {
            store,
            feed,
            writer,
            documents: Writer::default(),
            position: start.unwrap_or_default(),
            written: start.is_none().then(HashSet::new),
            report: SyncReport::default(),
            changes: 0,
            bytes: 0,
            uncommitted: start.is_none(),
        })
    }

    fn run(mut self, pending: u64, context: &Context) -> Result<SyncReport> {
        let followed = self.follow_to_end(pending, context);
        // What came before a failure or a stop is kept.
        let committed = if self.uncommitted { self.commit() } else { Ok(()) };
        // A writer that died says why when it commits, not before.
        committed?;
        followed?;
        let merged = self.writer.wait_merging_threads();
        merged.map_err(|error| translate("sync", error, self.store.dir()))?;
        Ok(self.report)
    }

    fn follow_to_end(&mut self, pending: u64, context: &Context) -> Result<()> {
        let mut done = 0;
        loop {
            context.check("sync")?;
            let FeedBatch { changes, position } = self.feed.after(self.position, PAGE)?;
            if changes.is_empty() {
                return Ok(());
            }
            done += changes.len() as u64;
            self.apply(&changes)?;
            self.position = position;
            self.uncommitted = true;
            if self.changes >= CHANGES_PER_COMMIT || self.bytes >= BYTES_PER_COMMIT {
                self.commit()?;
            }
            context.progress.report(Step { stage: crate::PLUGIN.name, done, total: Some(pending) });
        }
    }

    /// Writes the changes of one page, in which each chunk occurs once.
    fn apply(&mut self, changes: &[Change]) -> Result<()> {
        let failed = |error| translate("sync", error, self.store.dir());
        let may_be_there = |id: &u64| self.written.as_ref().is_none_or(|written| written.contains(id));
        let old: Vec<u64> = changes.iter().map(|change| id(change).0).filter(may_be_there).collect();
        if !old.is_empty() {
            self.writer.delete_query(Box::new(Chunks::new(old))).map_err(failed)?;
        }
        for change in changes {
            let Change::Upsert(record) = change else {
                self.report.deleted += 1;
                continue;
            };
            self.writer.add_document(self.documents.document(record)).map_err(failed)?;
            if let Some(written) = &mut self.written {
                written.insert(record.id.0);
            }
            self.bytes += record.text.len();
            self.report.upserted += 1;
        }
        self.changes += changes.len();
        Ok(())
    }

    fn commit(&mut self) -> Result<()> {
        let failed = |error| translate("sync", error, self.store.dir());
        let payload = Payload { catalog: self.feed.catalog().clone(), position: self.position };
        let mut commit = self.writer.prepare_commit().map_err(failed)?;
        commit.set_payload(&serde_json::json!(payload).to_string());
        commit.commit().map_err(failed)?;
        self.report.batches += 1;
        (self.changes, self.bytes, self.uncommitted) = (0, 0, false);
        Ok(())
    }
}

fn id(change: &Change) -> ChunkId {
    match change {
        Change::Upsert(record) => record.id,
        Change::Delete(id) => *id,
    }
}
