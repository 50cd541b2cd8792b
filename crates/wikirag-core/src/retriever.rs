//! One way of searching one wiki.

use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use crate::{
    CatalogId, ChangeFeed, Context, ExtractionReport, FeedPosition, Query, RankedList, Readiness, Result,
    TermStatistics,
};

/// What a call of [`Retriever::sync`] did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SyncReport {
    /// Chunks written.
    pub upserted: u64,
    /// Chunks removed.
    pub deleted: u64,
    /// Batches committed.
    pub batches: u64,
}

/// What [`Retriever::write_portable`] wrote, in words for people and for who compares archives.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PortableIndex {
    /// Version of the form of the index.
    pub format: String,
    /// Fingerprint of the model that it needs, where it needs one.
    pub model: Option<String>,
}

/// A layer: searches the chunks of one wiki in its own way, from an index that is a cache of the catalog.
///
/// Promises, which the conformance suite `wikirag_testkit::retriever_suite!` checks:
/// * hits come best first, no chunk twice, ties by chunk id, scores finite, at most `want` of them;
/// * an empty index gives an empty list, and so does a question that matches nothing;
/// * any question text is valid;
/// * the answer depends on the chunks that are there, not on how and in which order they came;
/// * `sync` commits in batches together with the feed position, so a kill loses at most one batch;
/// * searches go on while `sync` runs, and see the old state or the new one;
/// * no `async fn` blocks: CPU-bound work goes through [`offload`](crate::offload).
#[async_trait]
pub trait Retriever: Send + Sync {
    /// Whether it can serve now. Cheap: no model is loaded for it. Being behind the feed is judged by the engine.
    fn readiness(&self) -> Readiness;

    /// Whether [`sync`](Retriever::sync) could do its work now: a dense layer needs its model. Where it could not, a wiki
    /// that takes whatever layers there are does without this one, and says so.
    fn sync_readiness(&self) -> Readiness {
        Readiness::Ready
    }

    /// Whether [`sync`](Retriever::sync) costs so much for each chunk that a question should not wait long for it: a layer
    /// that runs a model does.
    fn is_costly(&self) -> bool {
        false
    }

    /// Whether it goes on from what the other layers of the wiki found. It is then asked after them, with their hits as
    /// [`Query::seeds`]; where there is no other layer, without.
    fn needs_seeds(&self) -> bool {
        false
    }

    /// Its say for this question where the lists of the layers of a wiki are fused; 1 is that of a layer which knows
    /// nothing of its own strength. Of a layer that needs seeds it is the say beside all others together, since its list goes on
    /// from theirs. Finite, not negative.
    fn weight(&self, _query: &Query) -> f64 {
        1.0
    }

    /// The name of the scale of its scores, where they compare across wikis: cosines of one model do. The scores of layers that give the
    /// same name are on one scale. `None`: they compare within one answer only.
    fn scale(&self) -> Option<String> {
        None
    }

    /// How many chunks the index holds; 0 where there is none.
    ///
    /// # Errors
    /// As [`position`](Retriever::position).
    fn chunks(&self) -> Result<u64>;

    /// The catalog and the feed position that the index stands at, or `None` where there is no index yet.
    ///
    /// # Errors
    /// [`ErrorKind::Damaged`](crate::ErrorKind::Damaged) or [`ErrorKind::StaleIndex`](crate::ErrorKind::StaleIndex).
    fn position(&self) -> Result<Option<(CatalogId, FeedPosition)>>;

    /// Follows the feed to its end, in committed batches. An index of another catalog is begun anew.
    /// At most one `sync` runs at a time: the engine holds the wiki's write lock.
    ///
    /// # Errors
    /// The first failure; the batches committed before it stay.
    async fn sync(&self, feed: Arc<dyn ChangeFeed>, context: &Context) -> Result<SyncReport>;

    /// Shows an [`Extractor`](crate::Extractor) the passages that it has not seen, where the layer is set to do so; `None` where it
    /// is not. What is found is kept in steps, so that a kill costs little. Called after [`sync`](Retriever::sync), under the same lock.
    /// It may take hours and cost money, so a question lets it not ask: then it takes what is known of passages that moved.
    ///
    /// # Errors
    /// Where the settings are wrong, the index cannot be read or written, or the context says stop. An extractor that cannot be
    /// reached is no error but part of the report.
    async fn extract(
        &self,
        _feed: Arc<dyn ChangeFeed>,
        _may_ask: bool,
        _context: &Context,
    ) -> Result<Option<ExtractionReport>> {
        Ok(None)
    }

    /// How [`extract`](Retriever::extract) stands. Asks nobody.
    ///
    /// # Errors
    /// As [`position`](Retriever::position).
    fn extraction(&self) -> Result<Option<ExtractionReport>> {
        Ok(None)
    }

    /// Writes an index into `dir`, an empty folder, in one form that depends on nothing but the chunks in it: equal chunks give
    /// equal bytes, on every machine and after any history of edits. No path, time or random number is in it. A layer that is
    /// made for that folder serves from it, also where its model is not there.
    ///
    /// `feed` holds the chunks that the layer holds, under the same ids, and the index stands at its end. Where making an index
    /// costs much the layer takes what it has; of what cannot be brought into one form it leaves out what it can do without.
    ///
    /// `None`: it has no such form, and is made anew where it is wanted.
    ///
    /// # Errors
    /// Where the layer or the feed cannot be read, the index cannot be written, or the context says stop.
    async fn write_portable(
        &self,
        _feed: Arc<dyn ChangeFeed>,
        _dir: &Path,
        _context: &Context,
    ) -> Result<Option<PortableIndex>> {
        Ok(None)
    }

    /// Answers a question.
    ///
    /// # Errors
    /// Where the index cannot be read, or the context says stop. Never for the sake of the question's text.
    async fn search(&self, query: &Query, context: &Context) -> Result<RankedList>;

    /// What it knows about the words of the question without searching; `None` for layers without words. Cheap: hundreds of
    /// wikis are asked before the best of them are searched, so a layer keeps these numbers where it need not open its index.
    ///
    /// # Errors
    /// Where the index cannot be read.
    fn term_statistics(&self, _query: &Query) -> Result<Option<TermStatistics>> {
        Ok(None)
    }

    /// The question as a vector on the [`scale`](Retriever::scale) of the layer, for [`nearness`](Retriever::nearness). Layers of one
    /// scale give the same, so one of them is asked.
    ///
    /// # Errors
    /// Where no vector can be made now.
    async fn question_vector(&self, _query: &Query, _context: &Context) -> Result<Option<Vec<f32>>> {
        Ok(None)
    }

    /// How near a question is to what the layer holds, without searching; `None` where that is not known. The numbers of layers of one
    /// scale compare. As cheap as [`term_statistics`](Retriever::term_statistics).
    ///
    /// # Errors
    /// Where what it keeps for that cannot be read.
    fn nearness(&self, _question: &[f32]) -> Result<Option<f64>> {
        Ok(None)
    }

    /// Checks every byte of the index that can be checked.
    ///
    /// # Errors
    /// [`ErrorKind::Damaged`](crate::ErrorKind::Damaged) naming the file.
    async fn verify(&self) -> Result<()>;
}

const _: fn(&dyn Retriever) = |_| {};
