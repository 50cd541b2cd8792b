//! A layer in small: what it makes of the change feed.

use std::collections::BTreeMap;

use wikirag_core::{Change, ChangeFeed, ChunkId, ChunkRecord, FeedPosition};

#[derive(Debug, Clone, Default)]
struct State {
    records: BTreeMap<ChunkId, ChunkRecord>,
    position: FeedPosition,
}

/// Follows a feed and may lose its last batch, as a layer does that is killed.
#[derive(Debug, Default)]
pub(crate) struct Follower {
    state: State,
    before_last_batch: State,
}

impl Follower {
    pub(crate) fn records(&self) -> impl Iterator<Item = (&ChunkId, &ChunkRecord)> {
        self.state.records.iter()
    }

    pub(crate) fn position(&self) -> FeedPosition {
        self.state.position
    }

    pub(crate) fn lose_last_batch(&mut self) {
        self.state = self.before_last_batch.clone();
    }

    /// Reads up to `batches` batches of at most `limit` changes, checking the promises of the feed on the way.
    pub(crate) fn follow(&mut self, feed: &dyn ChangeFeed, limit: usize, batches: usize) {
        for _ in 0..batches {
            let pending = feed.pending(self.state.position).unwrap();
            let batch = feed.after(self.state.position, limit).unwrap();
            assert_eq!(feed.after(self.state.position, limit).unwrap(), batch, "reading is repeatable");
            assert!(batch.position >= self.state.position && batch.position <= feed.head().unwrap());
            assert!(batch.changes.len() <= limit && batch.changes.len() as u64 <= pending);
            assert_eq!(batch.changes.is_empty(), pending == 0);
            let mut ids: Vec<_> = batch.changes.iter().map(id_of).collect();
            ids.sort_unstable();
            ids.dedup();
            assert_eq!(ids.len(), batch.changes.len(), "each chunk at most once");
            self.before_last_batch = self.state.clone();
            self.state.position = batch.position;
            let at_end = batch.changes.is_empty();
            for change in batch.changes {
                match change {
                    Change::Upsert(record) => drop(self.state.records.insert(record.id, record)),
                    Change::Delete(id) => drop(self.state.records.remove(&id)),
                }
            }
            if at_end {
                return;
            }
        }
    }
}

fn id_of(change: &Change) -> ChunkId {
    match change {
        Change::Upsert(record) => record.id,
        Change::Delete(id) => *id,
    }
}
