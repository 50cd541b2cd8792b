//! Pages of the change feed on their way in, batches of the store on their way out.

use std::collections::BTreeMap;
use std::fs;
use std::sync::Arc;

use wikirag_core::{Change, ChangeFeed, ChunkId, Context, Error, ErrorKind, FeedPosition, Result, Step, SyncReport};
use wikirag_sqlite::{TextKey, VectorBatch, VectorSpace, VectorWriter};
use wikirag_text::Language;

use crate::sync::Place;
use crate::text::text_of;

/// A page ends after so many changes, however few texts of it are to be embedded.
const MOST_CHANGES: usize = 4096;

/// Changes of the feed that are committed together.
pub(crate) struct Page {
    /// The last change of each chunk: its text, or none where it is gone.
    changes: BTreeMap<ChunkId, Option<TextKey>>,
    /// The texts that have no vector yet, each once.
    pub(crate) missing: BTreeMap<TextKey, String>,
    /// Where the feed stood before the page.
    pub(crate) start: FeedPosition,
    /// Where it stands after it.
    pub(crate) end: FeedPosition,
    /// Whether nothing comes after it.
    pub(crate) is_last: bool,
    /// What ended the reading before the end of the feed.
    pub(crate) fault: Option<Error>,
}

impl Page {
    /// Takes the chunks out whose texts are missing, and tells how many there were.
    pub(crate) fn leave_out_missing(&mut self) -> u64 {
        let missing = std::mem::take(&mut self.missing);
        let before = self.changes.len();
        self.changes.retain(|_, text| text.is_none_or(|text| !missing.contains_key(&text)));
        (before - self.changes.len()) as u64
    }

    /// The page as what is committed of it. `vectors` are those of the texts that are missing; the index stands at
    /// `position` afterwards.
    pub(crate) fn into_batch(self, vectors: Vec<(TextKey, Vec<f32>)>, position: FeedPosition) -> VectorBatch {
        let mut batch = VectorBatch { vectors, position, ..VectorBatch::default() };
        for (chunk, text) in self.changes {
            match text {
                Some(text) => batch.upserts.push((chunk, text)),
                None => batch.deletes.push(chunk),
            }
        }
        batch
    }
}

/// Reads the feed and writes the store.
pub(crate) struct Follower {
    writer: VectorWriter,
    feed: Arc<dyn ChangeFeed>,
    /// Where the next page begins.
    read: FeedPosition,
    /// Where the index stands; `None` where it is to be begun anew.
    committed: Option<FeedPosition>,
    /// What the embedder was made for; empty: anything.
    languages: Vec<String>,
    /// Texts of a page.
    texts: usize,
    /// Changes there were at the start.
    pending: u64,
    report: SyncReport,
    context: Context,
}

impl Follower {
    /// Opens the store to follow `feed` to its end; `None` where it stands there already.
    pub(crate) fn begin(
        place: &Place,
        space: &VectorSpace,
        feed: Arc<dyn ChangeFeed>,
        languages: &[String],
        texts: usize,
        context: Context,
    ) -> Result<Option<Self>> {
        let state = place.store.state()?;
        if let Some(state) = &state {
            state.must_be_of(space)?;
        }
        let head = feed.head()?;
        // A position beyond the head is from a catalog that was put back to an older state.
        let state = state.filter(|state| state.catalog == *feed.catalog() && state.position <= head);
        if state.as_ref().is_some_and(|state| state.position == head && (head.0 > 0 || state.chunks == 0)) {
            return Ok(None);
        }
        // An index that its first page holds back has chunks and stands at 0, from where a feed tells of no deletions.
        let committed = state.map(|state| state.position).filter(|position| position.0 > 0);
        let read = committed.unwrap_or_default();
        let pending = feed.pending(read)?;
        fs::create_dir_all(&place.dir).map_err(|error| {
            Error::new(ErrorKind::Io, "make index folder", error.to_string()).with("path", place.dir.display())
        })?;
        let writer = VectorWriter::open(place.store.path(), space, feed.catalog())?;
        context.progress.report(Step { stage: crate::PLUGIN.name, done: 0, total: Some(pending) });
        let languages = languages.to_vec();
        let report = SyncReport::default();
        Ok(Some(Self { writer, feed, read, committed, languages, texts, pending, report, context }))
    }

    /// Reads the next page. Where reading fails, what was read before is the page, with the fault.
    pub(crate) fn read(&mut self) -> Page {
        let mut page = Page {
            changes: BTreeMap::new(),
            missing: BTreeMap::new(),
            start: self.read,
            end: self.read,
            is_last: false,
            fault: None,
        };
        while !page.is_last && page.missing.len() < self.texts && page.changes.len() < MOST_CHANGES {
            if let Err(fault) = self.read_into(&mut page) {
                (page.fault, page.is_last) = (Some(fault), true);
            }
        }
        self.read = page.end;
        page
    }

    fn read_into(&self, page: &mut Page) -> Result<()> {
        self.context.check("sync")?;
        let read = self.feed.after(page.end, self.texts - page.missing.len())?;
        let (mut changes, mut texts) = (Vec::with_capacity(read.changes.len()), BTreeMap::new());
        for change in &read.changes {
            match change {
                Change::Delete(chunk) => changes.push((*chunk, None)),
                // A vector of a language that the model does not know is noise, and would rank as such.
                Change::Upsert(record) if !self.knows(&record.language) => changes.push((record.id, None)),
                Change::Upsert(record) => {
                    let text = text_of(record);
                    let key = TextKey::of(&text);
                    changes.push((record.id, Some(key)));
                    texts.insert(key, text);
                }
            }
        }
        let known = self.writer.known(texts.keys().copied())?;
        page.changes.extend(changes);
        page.missing.extend(texts.into_iter().filter(|(text, _)| !known.contains(text)));
        page.end = read.position;
        page.is_last = read.changes.is_empty();
        Ok(())
    }

    /// Whether the embedder may know a language. The language of a short text is a guess, so only one that its script tells
    /// counts as unknown.
    fn knows(&self, language: &str) -> bool {
        let Some(language) = Language::from_code(language) else { return true };
        self.languages.is_empty()
            || !language.is_told_by_script()
            || self.languages.iter().any(|known| Language::from_code(known) == Some(language))
    }

    /// Commits a batch.
    pub(crate) fn commit(&mut self, mut batch: VectorBatch) -> Result<()> {
        let (upserted, deleted) = (batch.upserts.len() as u64, batch.deletes.len() as u64);
        if upserted + deleted == 0 && self.committed == Some(batch.position) {
            return Ok(());
        }
        batch.anew = self.committed.is_none();
        self.writer.commit(&batch)?;
        self.committed = Some(batch.position);
        self.report.upserted += upserted;
        self.report.deleted += deleted;
        self.report.batches += 1;
        let done = self.report.upserted + self.report.deleted;
        self.context.progress.report(Step { stage: crate::PLUGIN.name, done, total: Some(self.pending) });
        Ok(())
    }

    /// How many changes lie after `position`.
    pub(crate) fn pending_after(&self, position: FeedPosition) -> Result<u64> {
        self.feed.pending(position)
    }

    /// Ends a sync that reached the end of the feed with all its texts embedded.
    pub(crate) fn complete(&mut self) -> Result<SyncReport> {
        self.writer.prune()?;
        self.writer.summarise()?;
        Ok(self.report)
    }
}
