//! The layer.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use wikirag_core::{
    CatalogId, ChangeFeed, Context, ErrorKind, FeedPosition, LayerSetup, PortableIndex, Query, RankedList, Readiness,
    Reason, Result, ResultExt, Retriever, SyncReport, TermStatistics, offload,
};

use crate::damage::guarded;
use crate::portable;
use crate::question::words;
use crate::schema::BODY;
use crate::score;
use crate::settings::Settings;
use crate::snapshot::{Snapshot, check_sums};
use crate::store::Store;
use crate::summary::{Stamp, Summary, statistic};
use crate::sync::{Limits, follow};

/// Makes the layer. Opens nothing yet.
pub(crate) fn make(setup: &LayerSetup) -> Result<Box<dyn Retriever>> {
    let settings = Settings::read(&setup.plugin.settings)?;
    let limits = Limits { memory: setup.write_memory, threads: setup.write_threads };
    let wiki = setup.wiki.to_string();
    let store = Store::new(setup.dir.clone());
    let inner = Inner { store, settings, limits, wiki, current: Mutex::new(None), summary: Mutex::new(None) };
    Ok(Box::new(Bm25 { inner: Arc::new(inner) }))
}

struct Bm25 {
    inner: Arc<Inner>,
}

struct Inner {
    store: Store,
    settings: Settings,
    limits: Limits,
    wiki: String,
    /// The state that the last search saw.
    current: Mutex<Option<Arc<Snapshot>>>,
    /// The counts of words as they were last read.
    summary: Mutex<Option<(Stamp, Arc<Summary>)>>,
}

impl Inner {
    /// The state of the last commit.
    fn snapshot(&self) -> Result<Arc<Snapshot>> {
        self.while_it_moves(|| {
            let Some(meta) = self.store.meta()? else { return Err(self.store.missing()) };
            let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(snapshot) = current.as_ref()
                && snapshot.meta == meta
            {
                return Ok(Arc::clone(snapshot));
            }
            let snapshot = Arc::new(Snapshot::open(&self.store, meta)?);
            *current = Some(Arc::clone(&snapshot));
            Ok(snapshot)
        })
    }

    /// Opens something of the index. A writer removes the files of an old commit as soon as there is a new one, so what
    /// fails in between is tried again for as long as the index moves on meanwhile: only an index that stays as it is and
    /// cannot be opened is damaged.
    fn while_it_moves<T>(&self, open: impl Fn() -> Result<T>) -> Result<T> {
        const ATTEMPTS: usize = 20;
        let mut attempt = 1;
        loop {
            let before = self.store.meta();
            let opened = guarded("open index", &open);
            let failed = opened.as_ref().is_err_and(|error| error.kind() == ErrorKind::Damaged);
            let moved = || matches!((&before, self.store.meta()), (Ok(before), Ok(after)) if *before != after);
            if !failed || attempt == ATTEMPTS || !moved() {
                return opened.with("wiki", &self.wiki);
            }
            attempt += 1;
        }
    }

    fn search(&self, query: &Query, context: &Context) -> Result<RankedList> {
        context.check("search")?;
        let snapshot = self.snapshot()?;
        let words = words(&query.text, &snapshot.languages);
        let found = guarded("search", || {
            let known = score::look_up(&snapshot, &words, &self.settings)?;
            score::best(&snapshot, &known, &self.settings, query.want, context)
        });
        found.with("wiki", &self.wiki)
    }

    fn summary(&self) -> Result<Option<Arc<Summary>>> {
        let stamp = Stamp::of(&self.store);
        let mut last = self.summary.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((known, summary)) = last.as_ref()
            && stamp == Some(*known)
        {
            return Ok(Some(Arc::clone(summary)));
        }
        // Read before it is compared again: a sync may take the file away at any moment.
        let Some(summary) = Summary::load(&self.store)?.map(Arc::new) else { return Ok(None) };
        *last = stamp.map(|stamp| (stamp, Arc::clone(&summary)));
        Ok(Some(summary))
    }

    fn term_statistics(&self, query: &Query) -> Result<TermStatistics> {
        match self.summary() {
            Ok(Some(summary)) => return Ok(summary.statistics(&query.text, &self.settings)),
            // The index gives the same numbers; `verify` tells of the damage.
            Err(error) if error.kind() != ErrorKind::Damaged => return Err(error),
            Ok(None) | Err(_) => {}
        }
        let snapshot = self.snapshot()?;
        let words = words(&query.text, &snapshot.languages);
        let known =
            guarded("count words", || score::look_up(&snapshot, &words, &self.settings)).with("wiki", &self.wiki)?;
        Ok(TermStatistics {
            chunks: snapshot.statistics.chunks,
            words: snapshot.statistics.lengths[BODY].words,
            terms: known.iter().map(|known| statistic(known.word, known.frequency)).collect(),
        })
    }

    fn verify(&self) -> Result<()> {
        let checked = guarded("verify index", || match self.store.meta()? {
            None => Err(self.store.missing()),
            Some(_) => check_sums(&self.store.open()?, &self.store),
        });
        // Whole files can still contradict each other.
        let opened = checked.and_then(|()| self.snapshot().map(|_| ()));
        opened.and_then(|()| Summary::load(&self.store).map(|_| ())).with("wiki", &self.wiki)
    }

    /// Whether an index can be opened that something was committed to.
    fn readiness(&self) -> Readiness {
        let opened = self.position().and_then(|position| match position {
            None => Err(self.store.missing()),
            Some(_) => self.snapshot().map(|_| ()),
        });
        let Err(error) = opened else { return Readiness::Ready };
        let code = match error.kind() {
            ErrorKind::IndexMissing => "index-missing",
            ErrorKind::StaleIndex => "stale-index",
            ErrorKind::Damaged => "damaged",
            other => other.code(),
        };
        let remedy = error.remedy().unwrap_or("look at the message and try again").to_owned();
        let sentence = match error.context("path") {
            Some(path) => format!("{} ({path})", error.message()),
            None => error.message().to_owned(),
        };
        Readiness::Unavailable(vec![Reason::new(code, sentence, remedy)])
    }

    fn position(&self) -> Result<Option<(CatalogId, FeedPosition)>> {
        let payload = self.while_it_moves(|| self.store.payload())?;
        Ok(payload.map(|payload| (payload.catalog, payload.position)))
    }
}

#[async_trait]
impl Retriever for Bm25 {
    fn readiness(&self) -> Readiness {
        self.inner.readiness()
    }

    fn chunks(&self) -> Result<u64> {
        if self.inner.position()?.is_none() {
            return Ok(0);
        }
        Ok(self.inner.snapshot()?.statistics.chunks)
    }

    fn position(&self) -> Result<Option<(CatalogId, FeedPosition)>> {
        self.inner.position()
    }

    async fn sync(&self, feed: Arc<dyn ChangeFeed>, context: &Context) -> Result<SyncReport> {
        let (inner, context) = (Arc::clone(&self.inner), context.clone());
        offload(move || {
            guarded("sync", || follow(&inner.store, &*feed, inner.limits, &context)).with("wiki", &inner.wiki)
        })
        .await
    }

    async fn write_portable(
        &self,
        feed: Arc<dyn ChangeFeed>,
        dir: &Path,
        context: &Context,
    ) -> Result<Option<PortableIndex>> {
        let (wiki, dir, context) = (self.inner.wiki.clone(), dir.to_owned(), context.clone());
        offload(move || guarded("export", || portable::write(&dir, &*feed, &context)).with("wiki", wiki).map(Some))
            .await
    }

    async fn search(&self, query: &Query, context: &Context) -> Result<RankedList> {
        let (inner, query, context) = (Arc::clone(&self.inner), query.clone(), context.clone());
        offload(move || inner.search(&query, &context)).await
    }

    fn term_statistics(&self, query: &Query) -> Result<Option<TermStatistics>> {
        self.inner.term_statistics(query).map(Some)
    }

    async fn verify(&self) -> Result<()> {
        let inner = Arc::clone(&self.inner);
        offload(move || inner.verify()).await
    }
}
