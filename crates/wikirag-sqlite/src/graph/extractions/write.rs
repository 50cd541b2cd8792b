//! The store as its one writer sees it.

use std::path::Path;

use rusqlite::Connection;
use wikirag_core::{CatalogId, ChunkId, Context, Extraction, FeedPosition, Result};

use super::super::journal::Journal;
use super::super::schema::Meta;
use super::Waiting;
use super::schema::{EXTRACTIONS, check, extraction_checksum, passage_checksum, waiting_checksum};
use super::store::{count, each};
use crate::TextKey;
use crate::error::Fault;
use crate::put::to_json;

const PUT_EXTRACTION: &str = "INSERT OR REPLACE INTO extractions VALUES (?1, ?2, ?3, ?4)";

/// Writes into a store. There is one at a time: the engine holds the lock of the wiki.
#[derive(Debug)]
pub struct ExtractionWriter(Journal);

impl ExtractionWriter {
    /// Opens the store at `path` to follow `catalog` for the extractor of this fingerprint, and makes it where there is none. The folder
    /// must be there.
    ///
    /// # Errors
    /// As [`ExtractionStore::state`](super::ExtractionStore::state).
    pub fn open(path: &Path, catalog: &CatalogId, extractor: &str) -> Result<Self> {
        Journal::open(&EXTRACTIONS, path, catalog, extractor).map(Self)
    }

    /// Makes the store at `path` with what was found by the one at `previous`, as far as that can be read, and tells how many texts
    /// these are. What failed is left out, so that it is tried again. Nothing where `path` is there already.
    ///
    /// # Errors
    /// Where `path` cannot be written.
    pub fn take_over(previous: &Path, path: &Path) -> Result<u64> {
        if path.exists() {
            return Ok(0);
        }
        let old = match EXTRACTIONS.reader(previous) {
            Ok(Some(old)) => old,
            // Whoever builds anew does so since something may be broken: what is, is made again.
            Ok(None) | Err(_) => return Ok(0),
        };
        let copy = || {
            let mut new = EXTRACTIONS.writer(path)?;
            let transaction = new.transaction()?;
            let mut taken = 0;
            let mut put = transaction.prepare(PUT_EXTRACTION)?;
            let all = each(&old, &Context::new(), |text, found, failure| {
                if failure.is_empty() {
                    taken += put.execute((text.0, found, failure, extraction_checksum(&text.0, found, failure)))?;
                }
                Ok(())
            });
            drop(put);
            match all {
                // The rows before the one that is damaged are sound.
                Err(Fault::Damaged { .. } | Fault::Sql(_)) | Ok(()) => transaction.commit()?,
                Err(fault) => return Err(fault),
            }
            Ok(taken as u64)
        };
        copy().map_err(|fault: Fault| fault.told("take extractions over", path))
    }

    /// The key of a text: what this extractor found in it is kept by that.
    #[must_use]
    pub fn key(&self, text: &str) -> TextKey {
        TextKey::of(&format!("{}\0{text}", self.0.recipe()))
    }

    /// Commits what `work` writes, with the feed position that it returns: all of it, or nothing where it fails.
    ///
    /// # Errors
    /// The error of `work`, and as [`GraphWriter::commit`](crate::GraphWriter::commit).
    pub fn follow(&mut self, work: impl FnOnce(&mut ExtractionDraft<'_>) -> Result<FeedPosition>) -> Result<()> {
        self.0.commit(|connection, path, meta| {
            let mut draft = ExtractionDraft { connection, path, meta };
            let position = work(&mut draft)?;
            draft.meta.position = position;
            Ok(())
        })
    }

    /// Commits what became of texts that waited: what was found, or why nothing could be.
    ///
    /// # Errors
    /// As [`follow`](Self::follow).
    pub fn keep(&mut self, outcomes: &[(TextKey, Result<Extraction, String>)]) -> Result<()> {
        self.0.commit(|connection, path, _| {
            let keep = || {
                for (text, outcome) in outcomes {
                    let (found, failure) = match outcome {
                        Ok(found) => (to_json(found)?, ""),
                        // An empty one would say that all is well.
                        Err(failure) if failure.is_empty() => (String::new(), "it failed"),
                        Err(failure) => (String::new(), failure.as_str()),
                    };
                    let sum = extraction_checksum(&text.0, &found, failure);
                    connection.prepare_cached(PUT_EXTRACTION)?.execute((text.0, found, failure, sum))?;
                    connection.prepare_cached("DELETE FROM waiting WHERE text = ?1")?.execute([text.0])?;
                }
                Ok(())
            };
            keep().map_err(|fault: Fault| fault.told("keep extractions", path))
        })
    }

    /// Puts a text behind all others that wait.
    ///
    /// # Errors
    /// As [`follow`](Self::follow).
    pub fn put_off(&mut self, text: TextKey) -> Result<()> {
        const LAST: &str = "UPDATE waiting SET id = (SELECT max(id) + 1 FROM waiting) WHERE text = ?1";
        self.0.commit(|connection, path, _| {
            let moved = connection.prepare_cached(LAST).and_then(|mut last| last.execute([text.0]));
            moved.map(|_| ()).map_err(|error| Fault::from(error).told("put a text off", path))
        })
    }

    /// The first `most` of the texts that wait.
    ///
    /// # Errors
    /// Where the store cannot be read.
    pub fn waiting(&self, most: usize) -> Result<Vec<Waiting>> {
        const SELECT: &str = "SELECT text, passage, checksum FROM waiting ORDER BY id LIMIT ?1";
        self.0.run(|connection| {
            let mut statement = connection.prepare_cached(SELECT)?;
            let mut rows = statement.query([most])?;
            let mut waiting = Vec::new();
            while let Some(row) = rows.next()? {
                let (text, passage): (_, String) = (row.get(0)?, row.get(1)?);
                check("a text that waits", waiting_checksum(&text, &passage), row.get(2)?)?;
                waiting.push(Waiting { key: TextKey(text), text: passage });
            }
            Ok(waiting)
        })
    }

    /// Removes what was found in texts that no passage has any more, unless some text waits: what is there may be of an extractor
    /// that somebody goes back to before this one has seen all.
    ///
    /// # Errors
    /// As [`follow`](Self::follow).
    pub fn prune(&mut self) -> Result<()> {
        const PRUNE: &str = "DELETE FROM extractions WHERE text NOT IN (SELECT text FROM passages)";
        const UNUSED: &str = "SELECT count(*) FROM extractions WHERE text NOT IN (SELECT text FROM passages)";
        let is_due = self.0.run(|connection| {
            Ok(count(connection, "SELECT count(*) FROM waiting")? == 0 && count(connection, UNUSED)? > 0)
        })?;
        if !is_due {
            return Ok(());
        }
        self.0.commit(|connection, path, _| {
            let pruned = connection.execute(PRUNE, []);
            pruned.map(|_| ()).map_err(|error| Fault::from(error).told("prune extractions", path))
        })
    }
}

/// What a batch sees and writes. Errors of its calls name the file.
pub struct ExtractionDraft<'a> {
    connection: &'a Connection,
    path: &'a Path,
    meta: &'a mut Meta,
}

impl ExtractionDraft<'_> {
    /// Forgets all passages: they are of another catalog, or were followed for another extractor. What was found stays.
    ///
    /// # Errors
    /// Where the store cannot be written, as for all calls.
    pub fn clear(&mut self) -> Result<()> {
        self.meta.chunks = 0;
        self.run(|connection| Ok(connection.execute_batch("DELETE FROM passages; DELETE FROM waiting;")?))
    }

    /// Writes a passage in the place of the one with this id, and tells whether its text is known.
    ///
    /// # Errors
    /// Where the store cannot be read or written.
    pub fn put(&mut self, id: ChunkId, path: &str, key: TextKey, text: &str) -> Result<bool> {
        const PUT: &str = "INSERT INTO passages VALUES (?1, ?2, ?3, ?4)";
        const KNOWN: &str = "SELECT 1 FROM extractions WHERE text = ?1";
        const WAIT: &str = "INSERT OR IGNORE INTO waiting (text, passage, checksum) VALUES (?1, ?2, ?3)";
        self.remove(id)?;
        self.meta.chunks += 1;
        self.run(|connection| {
            let sum = passage_checksum(id.0, &key.0, path);
            connection.prepare_cached(PUT)?.execute((id.0, key.0, path, sum))?;
            if connection.prepare_cached(KNOWN)?.exists([key.0])? {
                return Ok(true);
            }
            connection.prepare_cached(WAIT)?.execute((key.0, text, waiting_checksum(&key.0, text)))?;
            Ok(false)
        })
    }

    /// Removes a passage. Nothing where it was never here.
    ///
    /// # Errors
    /// Where the store cannot be written.
    pub fn remove(&mut self, id: ChunkId) -> Result<()> {
        let removed = self.run(|connection| {
            Ok(connection.prepare_cached("DELETE FROM passages WHERE id = ?1")?.execute([id.0])?)
        })?;
        self.meta.chunks = self.meta.chunks.saturating_sub(removed as u64);
        Ok(())
    }

    /// Lets no text wait that no passage has any more.
    ///
    /// # Errors
    /// Where the store cannot be written.
    pub fn forget_unused(&mut self) -> Result<()> {
        const FORGET: &str = "DELETE FROM waiting WHERE text NOT IN (SELECT text FROM passages)";
        self.run(|connection| Ok(connection.prepare_cached(FORGET)?.execute([]).map(|_| ())?))
    }

    fn run<T>(&self, work: impl FnOnce(&Connection) -> Result<T, Fault>) -> Result<T> {
        work(self.connection).map_err(|fault| fault.told("write extractions", self.path))
    }
}
