//! Showing passages to an extractor, where one is set.
//!
//! The store follows the feed by itself: what is known by its text needs nobody, what is not waits there. Then the texts that wait are
//! shown to the extractor, some at a time, and what it says of each is committed when it comes. So a kill costs what is under way, and
//! an extractor that cannot be reached keeps nothing from being followed.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use futures_util::stream::{self, StreamExt};
use wikirag_core::{
    Change, ChangeFeed, Context, Error, ErrorKind, Extraction, ExtractionReport, Extractor, FeedPosition, Host,
    LayerSetup, Reason, Result, Retry, Step, offload,
};
use wikirag_sqlite::{ExtractionStore, ExtractionWriter, GraphState, TextKey, Waiting};

use crate::settings::Settings;

/// The file of the store, in the folder of the layer.
pub(crate) const FILE: &str = "extractions.db";

/// Changes that are committed together while following.
const BATCH: usize = 2048;

/// Texts that are read at once from those that wait.
const READ: usize = 256;

/// After so many temporary failures in a row the extractor is taken for one that will go on failing.
const MOST_FAILURES: u32 = 3;

/// The extractor that is set, and what it found.
pub(crate) struct Extractions {
    name: String,
    host: Arc<Host>,
    dir: PathBuf,
    pub(crate) store: Arc<ExtractionStore>,
    most: u64,
    at_once: usize,
}

impl Extractions {
    /// `None` where no extractor is set. Opens nothing, and makes no extractor.
    pub(crate) fn new(setup: &LayerSetup, settings: &Settings) -> Option<Self> {
        let Settings { extractor, most_extractions, extractions_at_once, .. } = settings;
        (!extractor.trim().is_empty()).then(|| Self {
            name: extractor.trim().to_owned(),
            host: Arc::clone(&setup.plugin.host),
            dir: setup.dir.clone(),
            store: Arc::new(ExtractionStore::new(setup.dir.join(FILE))),
            most: *most_extractions as u64,
            at_once: *extractions_at_once,
        })
    }

    /// Why less is known than the extractor could find; `graph` is the state of the facts.
    pub(crate) fn lack(&self, graph: &GraphState) -> Result<Option<Reason>> {
        let name = &self.name;
        let sentence = match self.store.waiting()? {
            None => format!("no passage was shown to the extractor `{name}` yet"),
            Some((state, _)) if (&state.catalog, state.position) != (&graph.catalog, graph.position) => {
                format!("the extractor `{name}` has not seen what changed")
            }
            Some((_, 0)) => return Ok(None),
            Some((_, waiting)) => format!("texts of passages that the extractor `{name}` has not seen: {waiting}"),
        };
        Ok(Some(Reason::new("extraction-pending", sentence, "run `wikirag build`")))
    }

    /// How it stands; `chunks` are the passages of the layer.
    pub(crate) fn report(&self, chunks: u64) -> Result<ExtractionReport> {
        match self.store.state()? {
            Some(_) => self.store.report(),
            None => Ok(ExtractionReport { pending: chunks, ..ExtractionReport::default() }),
        }
    }

    /// Follows the feed to its end, and, if `may_ask`, shows the extractor the texts that it has not seen.
    ///
    /// # Errors
    /// Where its settings are wrong, the store cannot be read or written, or the context says stop.
    pub(crate) async fn extract(
        &self,
        feed: Arc<dyn ChangeFeed>,
        may_ask: bool,
        context: &Context,
    ) -> Result<ExtractionReport> {
        let extractor = match self.host.extractor(&self.name) {
            Ok(extractor) => extractor,
            Err(error) if matches!(error.kind(), ErrorKind::Invalid | ErrorKind::Usage) => return Err(error),
            Err(error) => {
                let store = Arc::clone(&self.store);
                return offload(move || unreachable(&store, &*feed, &error)).await;
            }
        };
        let (dir, store, fingerprint) = (self.dir.clone(), Arc::clone(&self.store), extractor.fingerprint().to_owned());
        let reported = context.clone();
        let followed = offload(move || {
            let (writer, cached) = follow(&dir, store.state()?, &*feed, &fingerprint, &reported)?;
            Ok::<_, Error>((writer, cached, store.report()?.pending))
        });
        let (writer, cached, waiting) = followed.await?;
        let left = if may_ask { self.most } else { 0 };
        let mut asking = Asking {
            writer: Arc::new(Mutex::new(writer)),
            extractor,
            at_once: self.at_once,
            left,
            total: left.min(waiting),
            sent: AtomicU64::new(0),
            put_off: HashSet::new(),
            failures: 0,
            fault: None,
        };
        asking.run(context).await?;
        asking.work(ExtractionWriter::prune).await?;
        let store = Arc::clone(&self.store);
        let mut report = offload(move || store.report()).await?;
        (report.sent, report.cached) = (asking.sent.into_inner(), cached);
        report.reason = match asking.fault {
            _ if report.pending == 0 => None,
            Some(error) => Some(reason(&error)),
            None if may_ask => Some(Reason::new(
                ExtractionReport::BUDGET,
                format!("one build sends {} texts at most (`graph.most_extractions`)", self.most),
                "run `wikirag build` again, or allow more",
            )),
            None => None,
        };
        Ok(report)
    }
}

/// The report of a call that could not even begin.
fn unreachable(store: &ExtractionStore, feed: &dyn ChangeFeed, error: &Error) -> Result<ExtractionReport> {
    let state = store.state()?.filter(|state| state.catalog == *feed.catalog());
    let followed = state.map_or(FeedPosition(0), |state| state.position).min(feed.head()?);
    let mut report = store.report()?;
    report.pending += feed.pending(followed)?;
    report.reason = (report.pending > 0).then(|| reason(error));
    Ok(report)
}

fn reason(error: &Error) -> Reason {
    Reason::new(error.kind().code(), error.statement(), error.remedy().unwrap_or("run `wikirag build` again"))
}

/// Brings the store to the end of the feed, and tells how many passages came whose text was known.
fn follow(
    dir: &Path,
    known: Option<GraphState>,
    feed: &dyn ChangeFeed,
    fingerprint: &str,
    context: &Context,
) -> Result<(ExtractionWriter, u64)> {
    let head = feed.head()?;
    // A position beyond the head is from a catalog that was put back to an older state.
    let known = known
        .filter(|state| state.catalog == *feed.catalog() && state.recipe == fingerprint && state.position <= head)
        .map(|state| state.position);
    fs::create_dir_all(dir).map_err(|error| {
        Error::new(ErrorKind::Io, "make index folder", error.to_string()).with("path", dir.display())
    })?;
    let mut writer = ExtractionWriter::open(&dir.join(FILE), feed.catalog(), fingerprint)?;
    let mut cached = 0;
    if known == Some(head) && head.0 > 0 {
        return Ok((writer, cached));
    }
    let mut position = known.unwrap_or_default();
    // A store that stands at the beginning of the feed hears of no deletions.
    let mut anew = position.0 == 0;
    loop {
        context.check("extract")?;
        let batch = feed.after(position, BATCH)?;
        let is_last = batch.changes.is_empty();
        if is_last && !anew && batch.position == position {
            return Ok((writer, cached));
        }
        position = batch.position;
        let keys: Vec<Option<TextKey>> = batch
            .changes
            .iter()
            .map(|change| match change {
                Change::Upsert(record) => Some(writer.key(&record.text)),
                Change::Delete(_) => None,
            })
            .collect();
        writer.follow(|draft| {
            if anew {
                draft.clear()?;
            }
            for (change, key) in batch.changes.iter().zip(keys) {
                match (change, key) {
                    (Change::Upsert(record), Some(key)) => {
                        cached += u64::from(draft.put(record.id, &record.path, key, &record.text)?);
                    }
                    (Change::Upsert(_), None) => {}
                    (Change::Delete(chunk), _) => draft.remove(*chunk)?,
                }
            }
            draft.forget_unused()?;
            Ok(position)
        })?;
        anew = false;
        if is_last {
            return Ok((writer, cached));
        }
    }
}

/// One round of questions to the extractor.
struct Asking {
    /// Used by one thread at a time: the lock is never waited for.
    writer: Arc<Mutex<ExtractionWriter>>,
    extractor: Arc<dyn Extractor>,
    at_once: usize,
    /// How many texts may be sent yet.
    left: u64,
    /// How many that will be.
    total: u64,
    sent: AtomicU64,
    /// Texts that failed and may succeed later.
    put_off: HashSet<TextKey>,
    /// Those of them since the last one that did not fail.
    failures: u32,
    /// The first that went wrong with the extractor itself.
    fault: Option<Error>,
}

impl Asking {
    async fn run(&mut self, context: &Context) -> Result<()> {
        while self.left > 0 {
            context.check("extract")?;
            let most = usize::try_from(self.left).unwrap_or(usize::MAX).min(READ);
            let mut batch = self.work(move |writer| writer.waiting(most)).await?;
            // They stand behind all others, so where one of them is read, nothing else is left after it.
            batch.retain(|text| !self.put_off.contains(&text.key));
            if batch.is_empty() {
                return Ok(());
            }
            self.left -= batch.len() as u64;
            if !self.show(batch, context).await? {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Shows some texts to the extractor, and tells whether to go on.
    async fn show(&mut self, batch: Vec<Waiting>, context: &Context) -> Result<bool> {
        let (extractor, writer, sent) = (Arc::clone(&self.extractor), Arc::clone(&self.writer), &self.sent);
        let asked = stream::iter(batch).map(|waiting| {
            let (extractor, context) = (Arc::clone(&extractor), context.clone());
            sent.fetch_add(1, Ordering::Relaxed);
            async move { (waiting.key, extractor.extract(&waiting.text, &context).await) }
        });
        let mut asked = pin!(asked.buffer_unordered(self.at_once));
        while let Some((key, outcome)) = asked.next().await {
            let outcome = match outcome {
                Ok(found) => Ok(found),
                Err(error) if error.kind() == ErrorKind::Invalid && error.retry() == Retry::Permanent => {
                    Err(failure(&error))
                }
                Err(error) => {
                    context.check("extract")?;
                    let is_over = error.retry() == Retry::Permanent || self.failures + 1 == MOST_FAILURES;
                    self.fault.get_or_insert(error);
                    if is_over {
                        return Ok(false);
                    }
                    self.failures += 1;
                    self.put_off.insert(key);
                    work(&writer, move |writer| writer.put_off(key)).await?;
                    continue;
                }
            };
            self.failures = 0;
            let outcome: (TextKey, Result<Extraction, String>) = (key, outcome);
            work(&writer, move |writer| writer.keep(&[outcome])).await?;
            let done = sent.load(Ordering::Relaxed);
            context.progress.report(Step { stage: "extract", done, total: Some(self.total) });
        }
        Ok(true)
    }

    async fn work<T: Send + 'static>(
        &self,
        job: impl FnOnce(&mut ExtractionWriter) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        work(&self.writer, job).await
    }
}

/// Runs `job` on the writer, off the async runtime.
async fn work<T: Send + 'static>(
    writer: &Arc<Mutex<ExtractionWriter>>,
    job: impl FnOnce(&mut ExtractionWriter) -> Result<T> + Send + 'static,
) -> Result<T> {
    let writer = Arc::clone(writer);
    offload(move || job(&mut writer.lock().unwrap_or_else(PoisonError::into_inner))).await
}

/// Why nothing is known of a text, for people.
fn failure(error: &Error) -> String {
    match error.remedy() {
        Some(remedy) => format!("{}; {remedy}", error.message()),
        None => error.message().to_owned(),
    }
}
