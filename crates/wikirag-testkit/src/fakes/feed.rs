//! A change feed in memory that minds its readers.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use wikirag_core::{
    CatalogId, Change, ChangeFeed, ChunkId, ChunkRecord, Error, ErrorKind, FeedBatch, FeedPosition, Result,
};

/// Called before a batch is served, with the number of batches served so far.
type Hook = Box<dyn Fn(u64) + Send + Sync>;

/// A [`ChangeFeed`] in memory, stricter than the catalog's: it panics where a layer asks for 0 changes or for a
/// position that this feed never gave to it (one made up, or of another catalog).
///
/// Like the catalog it keeps the last change of each chunk only.
pub struct MemoryFeed {
    catalog: CatalogId,
    /// The most changes it serves at once, whatever the layer asks for.
    batch: usize,
    state: Mutex<State>,
    hook: Option<Hook>,
}

#[derive(Default)]
struct State {
    newest: u64,
    changes: BTreeMap<u64, Change>,
    places: BTreeMap<ChunkId, u64>,
    /// The positions that a layer may hold.
    given: BTreeSet<FeedPosition>,
    served: u64,
    /// Number of batches after which reading fails.
    fails_after: Option<u64>,
}

impl State {
    fn push(&mut self, id: ChunkId, change: Change) {
        self.newest += 1;
        if let Some(old) = self.places.insert(id, self.newest) {
            self.changes.remove(&old);
        }
        self.changes.insert(self.newest, change);
    }

    #[track_caller]
    fn mind(&self, position: FeedPosition, catalog: &CatalogId) {
        assert!(
            position.0 == 0 || self.given.contains(&position),
            "the layer asked the feed of catalog {catalog} for position {position}, which this feed never gave out \
             (it gave {:?}); a layer may go on only from `FeedBatch::position` of the same catalog",
            self.given
        );
    }
}

impl MemoryFeed {
    /// An empty feed of the catalog `catalog`.
    #[must_use]
    pub fn new(catalog: &str) -> Self {
        Self { catalog: CatalogId(catalog.to_owned()), batch: usize::MAX, state: Mutex::default(), hook: None }
    }

    /// A feed of the catalog `catalog` with `records`, in their order.
    #[must_use]
    pub fn of(catalog: &str, records: impl IntoIterator<Item = ChunkRecord>) -> Self {
        let feed = Self::new(catalog);
        records.into_iter().for_each(|record| feed.put(record));
        feed
    }

    /// The same feed, serving at most `batch` (at least 1) changes at once.
    #[must_use]
    pub fn in_batches_of(mut self, batch: usize) -> Self {
        self.batch = batch.max(1);
        self
    }

    /// The same feed, calling `hook` before each batch with the number of batches served so far.
    #[must_use]
    pub fn with_hook(mut self, hook: impl Fn(u64) + Send + Sync + 'static) -> Self {
        self.hook = Some(Box::new(hook));
        self
    }

    /// The chunk is new, or takes the place of the one of its id.
    pub fn put(&self, record: ChunkRecord) {
        self.state().push(record.id, Change::Upsert(record));
    }

    /// The chunk is gone.
    pub fn delete(&self, id: ChunkId) {
        self.state().push(id, Change::Delete(id));
    }

    /// Reading fails with [`ErrorKind::Io`] once `batches` more were served; `None` mends it.
    pub fn fail_after(&self, batches: Option<u64>) {
        let mut state = self.state();
        state.fails_after = batches.map(|batches| state.served + batches);
    }

    /// The chunks that are there now, by id.
    #[must_use]
    pub fn records(&self) -> Vec<ChunkRecord> {
        let state = self.state();
        let mut records: Vec<_> = state
            .changes
            .values()
            .filter_map(|change| match change {
                Change::Upsert(record) => Some(record.clone()),
                Change::Delete(_) => None,
            })
            .collect();
        records.sort_by_key(|record| record.id);
        records
    }

    // Poisoned where the feed itself panicked, on purpose; its state is whole then.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ChangeFeed for MemoryFeed {
    fn catalog(&self) -> &CatalogId {
        &self.catalog
    }

    fn head(&self) -> Result<FeedPosition> {
        Ok(FeedPosition(self.state().newest))
    }

    fn pending(&self, position: FeedPosition) -> Result<u64> {
        let state = self.state();
        state.mind(position, &self.catalog);
        Ok(state.changes.range(position.0 + 1..).count() as u64)
    }

    fn after(&self, position: FeedPosition, limit: usize) -> Result<FeedBatch> {
        assert!(limit > 0, "the layer asked the feed for 0 changes: it would never reach the end");
        if let Some(hook) = &self.hook {
            let served = self.state().served;
            hook(served);
        }
        let mut state = self.state();
        state.mind(position, &self.catalog);
        if state.fails_after.is_some_and(|limit| state.served >= limit) {
            return Err(Error::new(ErrorKind::Io, "read feed", "this feed was told to fail"));
        }
        let next = state.changes.range(position.0 + 1..).take(limit.min(self.batch));
        let (places, changes): (Vec<u64>, Vec<Change>) = next.map(|(place, change)| (*place, change.clone())).unzip();
        let position = places.last().map_or(position, |last| FeedPosition(*last));
        state.given.insert(position);
        state.served += 1;
        Ok(FeedBatch { changes, position })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record;

    #[test]
    fn only_the_last_change_of_a_chunk_is_served() {
        let feed = MemoryFeed::of("a", [record(1, "old"), record(2, "stays")]);
        feed.put(record(1, "new"));
        feed.delete(ChunkId(3));
        let batch = feed.after(FeedPosition(0), 10).unwrap();
        let changes =
            [Change::Upsert(record(2, "stays")), Change::Upsert(record(1, "new")), Change::Delete(ChunkId(3))];
        assert_eq!(batch.changes, changes);
        assert_eq!(batch.position, feed.head().unwrap());
        assert_eq!(feed.records(), [record(1, "new"), record(2, "stays")]);
    }

    #[test]
    fn batches_end_where_the_feed_ends() {
        let feed = MemoryFeed::of("a", (1..=5).map(|id| record(id, "x"))).in_batches_of(2);
        let mut position = FeedPosition(0);
        let mut sizes = Vec::new();
        loop {
            let batch = feed.after(position, 100).unwrap();
            position = batch.position;
            sizes.push(batch.changes.len());
            if batch.changes.is_empty() {
                break;
            }
        }
        assert_eq!(sizes, [2, 2, 1, 0]);
        assert_eq!(feed.pending(position).unwrap(), 0);
    }

    #[test]
    #[should_panic(expected = "never gave out")]
    fn a_made_up_position_is_not_served() {
        let _ = MemoryFeed::of("a", [record(1, "x"), record(2, "y")]).after(FeedPosition(1), 10);
    }

    #[test]
    #[should_panic(expected = "0 changes")]
    fn a_limit_of_zero_is_not_served() {
        let _ = MemoryFeed::new("a").after(FeedPosition(0), 0);
    }

    #[test]
    fn it_fails_when_told_and_can_be_mended() {
        let feed = MemoryFeed::of("a", [record(1, "x"), record(2, "y")]).in_batches_of(1);
        feed.fail_after(Some(1));
        let position = feed.after(FeedPosition(0), 9).unwrap().position;
        assert_eq!(feed.after(position, 9).unwrap_err().kind(), ErrorKind::Io);
        feed.fail_after(None);
        assert_eq!(feed.after(position, 9).unwrap().changes.len(), 1);
    }
}
