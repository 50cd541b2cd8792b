//! Following the change feed.
//!
//! While one page of the feed is being embedded, the one before it is committed and the one after it is read, so the
//! embedder does not wait for the disk. A page whose texts cannot be embedded now holds the position of the index
//! back to its beginning; the pages after it are committed all the same, and the next sync finds their vectors there.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use futures_util::future::join;
use wikirag_core::{
    ChangeFeed, Context, Embedder, Error, ErrorKind, FeedPosition, Result, Retry, Role, SyncReport, offload,
};
use wikirag_sqlite::{TextKey, VectorBatch, VectorStore};

use crate::follower::{Follower, Page};
use crate::model::{embed, space_of};

/// After so many pages in a row that failed, the embedder is taken for one that will go on failing.
const MOST_FAILURES: u32 = 3;

/// Where the index lies.
pub(crate) struct Place {
    /// The folder, which may not exist yet.
    pub(crate) dir: PathBuf,
    pub(crate) store: Arc<VectorStore>,
}

/// Brings the index to the end of `feed`, embedding `batch` texts at a time.
///
/// # Errors
/// [`ErrorKind::Partial`] where pages failed that may succeed later, after the others had their turn; what ends the
/// sync at once comes as it is. All that was embedded before is kept.
pub(crate) async fn follow(
    place: Place,
    embedder: Arc<dyn Embedder>,
    feed: Arc<dyn ChangeFeed>,
    batch: usize,
    context: &Context,
) -> Result<SyncReport> {
    let (space, languages, reported) = (space_of(&*embedder), embedder.languages().to_vec(), context.clone());
    let begun = offload(move || -> Result<_> {
        let follower = Follower::begin(&place, &space, feed, &languages, batch, reported)?;
        Ok(follower.map(|mut follower| {
            let page = follower.read();
            (follower, page)
        }))
    });
    let Some((follower, page)) = begun.await? else { return Ok(SyncReport::default()) };
    let follower = Arc::new(Mutex::new(follower));
    let mut pipeline = Pipeline { embedder, follower, ready: None, held: None, failures: Failures::default() };
    let followed = pipeline.run(page, context).await;
    pipeline.finish(followed).await
}

/// Pages between the feed and the store.
struct Pipeline {
    embedder: Arc<dyn Embedder>,
    /// Used by one thread at a time: the lock is never waited for.
    follower: Arc<Mutex<Follower>>,
    /// What was embedded last and is not committed yet.
    ready: Option<VectorBatch>,
    /// Where the index stays, once a page has failed.
    held: Option<FeedPosition>,
    failures: Failures,
}

/// What could not be embedded.
#[derive(Default)]
struct Failures {
    first: Option<Error>,
    /// Chunks without a vector.
    chunks: u64,
    /// Pages since the last one that was embedded.
    in_a_row: u32,
}

impl Pipeline {
    async fn run(&mut self, first: Page, context: &Context) -> Result<()> {
        let mut page = first;
        loop {
            context.check("sync")?;
            // The batch before is not in the store yet: what it has embedded was unknown when this page was read.
            if let Some(ready) = &self.ready {
                let known: HashSet<TextKey> = ready.vectors.iter().map(|(text, _)| *text).collect();
                page.missing.retain(|text, _| !known.contains(text));
            }
            let (is_last, fault) = (page.is_last, page.fault.take());
            let ready = self.ready.take();
            let written = self.work(move |follower| {
                ready.map_or(Ok(()), |ready| follower.commit(ready))?;
                Ok((!is_last).then(|| follower.read()))
            });
            let (vectors, written) = join(vectors_of(&*self.embedder, &page, context), written).await;
            // Nothing may be committed after a batch that could not be: the position would leave it behind.
            let next = written?;
            match vectors {
                Ok(vectors) => {
                    self.failures.in_a_row = 0;
                    let position = self.held.unwrap_or(page.end);
                    self.ready = Some(page.into_batch(vectors, position));
                }
                Err(error) => self.put_off(page, error, context)?,
            }
            if self.failures.in_a_row == MOST_FAILURES {
                return self.give_up(next).await;
            }
            match next {
                Some(next) => page = next,
                None => return fault.map_or(Ok(()), Err),
            }
        }
    }

    /// Goes on without the texts of a page that could not be embedded, if they may be later.
    fn put_off(&mut self, mut page: Page, error: Error, context: &Context) -> Result<()> {
        context.check("sync")?;
        if error.retry() == Retry::Permanent || !self.embedder.readiness().is_usable() {
            return Err(error);
        }
        self.failures.in_a_row += 1;
        self.failures.first.get_or_insert(error);
        self.failures.chunks += page.leave_out_missing();
        let position = *self.held.get_or_insert(page.start);
        self.ready = Some(page.into_batch(Vec::new(), position));
        Ok(())
    }

    /// Counts what is left in the feed from the page `next` on.
    async fn give_up(&mut self, next: Option<Page>) -> Result<()> {
        if let Some(next) = next {
            self.failures.chunks += self.work(move |follower| follower.pending_after(next.start)).await?;
        }
        Ok(())
    }

    async fn finish(mut self, followed: Result<()>) -> Result<SyncReport> {
        if let Some(ready) = self.ready.take() {
            self.work(move |follower| follower.commit(ready)).await?;
        }
        followed?;
        match self.failures.first.take() {
            None => self.work(Follower::complete).await,
            Some(first) => {
                let message = format!("chunks that wait for their vectors: {}", self.failures.chunks);
                Err(Error::new(ErrorKind::Partial, "embed", message)
                    .temporary()
                    .caused_by(first)
                    .help("run `wikirag build` again"))
            }
        }
    }

    /// Runs `work` on the follower, off the async runtime.
    async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Follower) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let follower = Arc::clone(&self.follower);
        offload(move || work(&mut follower.lock().unwrap_or_else(PoisonError::into_inner))).await
    }
}

/// The vectors of the texts of `page` that have none.
async fn vectors_of(embedder: &dyn Embedder, page: &Page, context: &Context) -> Result<Vec<(TextKey, Vec<f32>)>> {
    if page.missing.is_empty() {
        return Ok(Vec::new());
    }
    let texts: Vec<&str> = page.missing.values().map(String::as_str).collect();
    let vectors = embed(embedder, &texts, Role::Passage, context).await?;
    Ok(page.missing.keys().copied().zip(vectors.rows().map(<[f32]>::to_vec)).collect())
}
