//! A layer that reads every chunk for every question, and can be broken in many ways.

mod store;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, RwLock};

use async_trait::async_trait;
use store::{Index, Stored};
use wikirag_core::{
    CatalogId, Change, ChangeFeed, Context, Error, ErrorKind, FeedPosition, LayerSetup, Query, Ranked, RankedList,
    Readiness, Reason, Result, Retriever, Score, SyncReport, TermStatistic, TermStatistics, offload,
};

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Fault {
    FailsWhenEmpty,
    OverlooksAChunk,
    SwapsTheFirst,
    TiesByFallingId,
    RepeatsAHit,
    WantsAtLeastOne,
    ReservesWhatIsWanted,
    ParsesQuestions,
    CountsWordsNotChunks,
    ForgetsItsPosition,
    CountsNothing,
    CountsChanges,
    KeepsTheOldText,
    IgnoresDeletes,
    BuriesForEver,
    FavoursTheFirstComers,
    KeepsTheForeign,
    GoesOnInTheForeign,
    CommitsAtTheEnd,
    MakesItsFolder,
    LosesAChunkOnOpening,
    SeesDamageEverywhere,
    TakesShortForEmpty,
    PanicsOnShort,
    TrustsItsFile,
    AlwaysReady,
    SearchesOn,
    SyncsOn,
    BusyDuringSync,
    ShowsHalfABatch,
}

/// How the stored text of a chunk without a title begins.
const UNTITLED: char = ' ';

#[derive(Clone)]
pub(crate) struct Reference {
    fault: Option<Fault>,
    file: PathBuf,
    /// `None` where there is no index. Replaced as a whole, so a search sees one state from beginning to end.
    index: Arc<RwLock<Option<Arc<Index>>>>,
    syncing: Arc<AtomicBool>,
}

impl Reference {
    pub(crate) fn open(setup: &LayerSetup, fault: Option<Fault>) -> Result<Self> {
        if fault == Some(Fault::MakesItsFolder) {
            std::fs::create_dir_all(&setup.dir).unwrap();
        }
        let file = setup.dir.join("index.json");
        let mut index = Index::read(&file, fault)?;
        if let Some(index) = &mut index
            && fault == Some(Fault::LosesAChunkOnOpening)
            && index.chunks.len() > 20
        {
            index.chunks.pop();
        }
        Ok(Self { fault, file, index: Arc::new(RwLock::new(index.map(Arc::new))), syncing: Arc::default() })
    }

    fn has(&self, fault: Fault) -> bool {
        self.fault == Some(fault)
    }

    fn current(&self) -> Option<Arc<Index>> {
        self.index.read().unwrap().clone()
    }

    fn commit(&self, index: &Index) -> Result<()> {
        index.write(&self.file)?;
        self.show(index);
        Ok(())
    }

    fn show(&self, index: &Index) {
        *self.index.write().unwrap() = Some(Arc::new(index.clone()));
    }

    fn begin(&self, feed: &dyn ChangeFeed) -> Index {
        match self.current() {
            Some(known) if known.catalog == feed.catalog().0 => Index::clone(&known),
            Some(known) if self.has(Fault::GoesOnInTheForeign) => {
                Index { catalog: feed.catalog().0.clone(), ..Index::clone(&known) }
            }
            Some(known) if self.has(Fault::KeepsTheForeign) => {
                Index { catalog: feed.catalog().0.clone(), position: 0, ..Index::clone(&known) }
            }
            _ => Index { catalog: feed.catalog().0.clone(), ..Index::default() },
        }
    }

    fn follow(&self, feed: &dyn ChangeFeed, context: &Context) -> Result<SyncReport> {
        let mut index = self.begin(feed);
        let mut report = SyncReport::default();
        loop {
            if !self.has(Fault::SyncsOn) {
                context.check("sync reference layer")?;
            }
            let batch = feed.after(FeedPosition(index.position), 64)?;
            if batch.changes.is_empty() {
                break;
            }
            let half = batch.changes.len() / 2;
            for (place, change) in batch.changes.into_iter().enumerate() {
                self.apply(&mut index, change, &mut report);
                if place == half && self.has(Fault::ShowsHalfABatch) {
                    self.show(&index);
                    // Long enough for a search to see it, in a test that waits for searches and not for the clock.
                    std::thread::sleep(std::time::Duration::from_millis(50));
                }
            }
            index.position = batch.position.0;
            report.batches += 1;
            if !self.has(Fault::CommitsAtTheEnd) {
                self.commit(&index)?;
            }
        }
        self.commit(&index)?;
        if self.has(Fault::CountsNothing) {
            report.upserted = 0;
        }
        Ok(report)
    }

    fn apply(&self, index: &mut Index, change: Change, report: &mut SyncReport) {
        match change {
            Change::Upsert(record) => {
                report.upserted += 1;
                if !self.has(Fault::KeepsTheOldText) {
                    index.chunks.retain(|chunk| chunk.id != record.id);
                }
                if !(self.has(Fault::BuriesForEver) && index.graves.contains(&record.id)) {
                    index.chunks.push(Stored::new(record.id, &format!("{} {}", record.title, record.text)));
                }
            }
            Change::Delete(id) if !self.has(Fault::IgnoresDeletes) => {
                report.deleted += 1;
                index.chunks.retain(|chunk| chunk.id != id);
                index.graves.push(id);
            }
            Change::Delete(_) => report.deleted += 1,
        }
    }

    fn answer(&self, query: &Query, context: &Context) -> Result<RankedList> {
        if !self.has(Fault::SearchesOn) {
            context.check("search reference layer")?;
        }
        if self.has(Fault::BusyDuringSync) && self.syncing.load(Ordering::SeqCst) {
            return Err(Error::new(ErrorKind::Busy, "search reference layer", "a sync is running"));
        }
        let Some(index) = self.current() else { return Err(missing()) };
        if self.has(Fault::FailsWhenEmpty) && index.chunks.is_empty() {
            return Err(Error::new(ErrorKind::Internal, "search reference layer", "no average of no chunks"));
        }
        if self.has(Fault::ParsesQuestions) && query.text.matches('"').count() % 2 == 1 {
            return Err(Error::new(ErrorKind::Usage, "search reference layer", "unbalanced quotes"));
        }
        if self.has(Fault::ReservesWhatIsWanted) {
            drop(Vec::<Ranked>::with_capacity(query.want));
        }
        let words = words(&query.text);
        let mut hits = Vec::new();
        for (place, chunk) in index.chunks.iter().enumerate() {
            let matches = words.iter().filter(|word| chunk.words.contains(**word)).count();
            let overlooked = self.has(Fault::OverlooksAChunk) && chunk.id.0 == 9;
            if matches > 0 && !overlooked {
                let favoured = self.has(Fault::FavoursTheFirstComers) && chunk.text.starts_with(UNTITLED);
                let bonus = if favoured { 1e-6 / (1.0 + place as f64) } else { 0.0 };
                let score = Score::new(matches as f64 + 1.0 / (1.0 + chunk.words.len() as f64) + bonus)?;
                hits.push(Ranked { chunk: chunk.id, score });
            }
        }
        Ok(self.spoil(RankedList::from_unordered(hits, usize::MAX), query.want))
    }

    /// Faults of the finished list.
    fn spoil(&self, mut list: RankedList, want: usize) -> RankedList {
        match self.fault {
            Some(Fault::SwapsTheFirst) if list.hits.len() > 1 => {
                let place = list.hits.windows(2).position(|pair| pair[0].score > pair[1].score);
                if let Some(place) = place {
                    list.hits.swap(place, place + 1);
                }
            }
            Some(Fault::TiesByFallingId) => {
                list.hits.sort_by(|a, b| b.score.cmp(&a.score).then(b.chunk.cmp(&a.chunk)));
            }
            Some(Fault::RepeatsAHit) if list.hits.len() > 1 => list.hits.insert(0, list.hits[0]),
            _ => {}
        }
        list.hits.truncate(if self.has(Fault::WantsAtLeastOne) { want.max(1) } else { want });
        list
    }
}

fn missing() -> Error {
    Error::new(ErrorKind::IndexMissing, "search reference layer", "there is no index").help("build the wiki")
}

/// The distinct words of a question, in its order.
fn words(question: &str) -> Vec<&str> {
    let mut seen = BTreeSet::new();
    question.split_whitespace().filter(|word| seen.insert(*word)).collect()
}

#[async_trait]
impl Retriever for Reference {
    fn readiness(&self) -> Readiness {
        if self.has(Fault::AlwaysReady) || self.current().is_some() {
            Readiness::Ready
        } else {
            Readiness::Unavailable(vec![Reason::new("index-missing", "There is no index.", "build the wiki")])
        }
    }

    fn chunks(&self) -> Result<u64> {
        let Some(index) = self.current() else { return Ok(0) };
        Ok(if self.has(Fault::CountsChanges) {
            index.position
        } else {
            index.chunks.iter().map(|chunk| chunk.id).collect::<BTreeSet<_>>().len() as u64
        })
    }

    fn position(&self) -> Result<Option<(CatalogId, FeedPosition)>> {
        let moved_back = u64::from(self.has(Fault::ForgetsItsPosition));
        Ok(self.current().map(|index| {
            let position = index.position - moved_back.min(index.position % 2);
            (CatalogId(index.catalog.clone()), FeedPosition(position))
        }))
    }

    async fn sync(&self, feed: Arc<dyn ChangeFeed>, context: &Context) -> Result<SyncReport> {
        let (layer, context) = (self.clone(), context.clone());
        offload(move || {
            layer.syncing.store(true, Ordering::SeqCst);
            let report = layer.follow(&*feed, &context);
            layer.syncing.store(false, Ordering::SeqCst);
            report
        })
        .await
    }

    async fn search(&self, query: &Query, context: &Context) -> Result<RankedList> {
        let (layer, query, context) = (self.clone(), query.clone(), context.clone());
        offload(move || layer.answer(&query, &context)).await
    }

    fn term_statistics(&self, query: &Query) -> Result<Option<TermStatistics>> {
        let Some(index) = self.current() else { return Err(missing()) };
        let holds = |word: &str| {
            let chunks = index.chunks.iter().filter(|chunk| chunk.words.contains(word));
            if self.has(Fault::CountsWordsNotChunks) {
                chunks.map(|chunk| chunk.text.split_whitespace().filter(|known| *known == word).count() as u64).sum()
            } else {
                chunks.count() as u64
            }
        };
        let terms = words(&query.text)
            .into_iter()
            .map(|word| TermStatistic { term: word.to_owned(), chunk_frequency: holds(word) })
            .collect();
        let words = index.chunks.iter().map(|chunk| chunk.text.split_whitespace().count() as u64).sum();
        Ok(Some(TermStatistics { chunks: index.chunks.len() as u64, words, terms }))
    }

    async fn verify(&self) -> Result<()> {
        if self.has(Fault::SeesDamageEverywhere) {
            return Err(Error::new(ErrorKind::Damaged, "verify reference layer", "it looks odd"));
        }
        Index::read(&self.file, self.fault).map(drop)
    }
}
