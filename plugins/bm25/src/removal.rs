//! Removing many chunks at once.
//!
//! tantivy removes by term, which wants the chunk ids in a term dictionary. They are hashes, so that dictionary would
//! be one of the largest of the index and a tenth of the work of a build. One pass over the column of ids for each page
//! of changes costs less.

use std::sync::Arc;

use tantivy::index::SegmentReader;
use tantivy::query::{BitSetDocSet, ConstScorer, EnableScoring, Explanation, Query, Scorer, Weight};
use tantivy::{BitSet, DocId, Score, TantivyError};

use crate::schema::CHUNK_ID;

/// Matches the chunks with these ids.
#[derive(Debug, Clone)]
pub(crate) struct Chunks {
    /// Ascending.
    ids: Arc<[u64]>,
}

impl Chunks {
    pub(crate) fn new(mut ids: Vec<u64>) -> Self {
        ids.sort_unstable();
        Self { ids: ids.into() }
    }
}

impl Query for Chunks {
    fn weight(&self, _: EnableScoring<'_>) -> tantivy::Result<Box<dyn Weight>> {
        Ok(Box::new(self.clone()))
    }
}

impl Weight for Chunks {
    fn scorer(&self, segment: &SegmentReader, boost: Score) -> tantivy::Result<Box<dyn Scorer>> {
        let ids = segment.fast_fields().u64(CHUNK_ID)?;
        let (least, most) = (ids.min_value(), ids.max_value());
        let wanted = &self.ids[self.ids.partition_point(|id| *id < least)..self.ids.partition_point(|id| *id <= most)];
        let mut found = BitSet::with_max_value(segment.max_doc());
        if !wanted.is_empty() {
            let is_wanted = |doc: &DocId| ids.first(*doc).is_some_and(|id| wanted.binary_search(&id).is_ok());
            (0..segment.max_doc()).filter(is_wanted).for_each(|doc| {
                found.insert(doc);
            });
        }
        Ok(Box::new(ConstScorer::new(BitSetDocSet::from(found), boost)))
    }

    fn explain(&self, _: &SegmentReader, _: DocId) -> tantivy::Result<Explanation> {
        Err(TantivyError::InvalidArgument("a removal has no score to explain".to_owned()))
    }
}
