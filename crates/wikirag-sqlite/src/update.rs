//! One transaction of the writer.

use std::path::{Path, PathBuf};
use std::sync::MutexGuard;

use rusqlite::{Connection, OptionalExtension};
use wikirag_core::{Error, ErrorKind, Generation, Result};

use crate::error::Fault;
use crate::model::{FileEntry, FileStamp, NewDocument, PutReport};
use crate::put;
use crate::read::{read_attempt, state_code};
use crate::schema::Meta;

/// One transaction: all of it or nothing. Dropped without [`Update::commit`], it leaves the catalog as it was.
///
/// After an error in the middle of a write, the update takes no further calls and cannot be committed.
#[must_use = "an update that is dropped changes nothing"]
pub struct Update<'a> {
    connection: MutexGuard<'a, Connection>,
    path: PathBuf,
    draft: Draft,
    failed: bool,
}

/// The state that the commit will write.
pub(crate) struct Draft {
    pub(crate) meta: Meta,
    /// Whether a reader will see a difference. Time stamps alone do not count.
    pub(crate) changed: bool,
}

impl<'a> Update<'a> {
    pub(crate) fn begin(connection: MutexGuard<'a, Connection>, path: &Path) -> Result<Self, Fault> {
        // IMMEDIATE: the write lock is taken now, so no later statement meets another writer.
        connection.execute_batch("BEGIN IMMEDIATE")?;
        match Meta::load(&connection) {
            Ok(meta) => {
                let draft = Draft { meta, changed: false };
                Ok(Self { connection, path: path.to_owned(), draft, failed: false })
            }
            Err(fault) => {
                roll_back(&connection);
                Err(fault)
            }
        }
    }

    /// Puts a document into the catalog, in the place of the one at its path, and takes the path out of the list of
    /// files that are no documents. Chunks whose text did not change keep their ids; only chunks that are new, or of
    /// which a layer may index something else than before, get a new place in the feed.
    ///
    /// # Errors
    /// [`ErrorKind::Internal`] where a span is empty, leaves the text or cuts a character, and [`ErrorKind::Invalid`]
    /// where the front matter is nested too deep, both before anything is written; else where the catalog cannot be
    /// written.
    pub fn put_document(&mut self, new: &NewDocument<'_>) -> Result<PutReport> {
        const OPERATION: &str = "store document";
        put::check(new).map_err(|error| error.with("document", new.path))?;
        self.write(OPERATION, |connection, draft| put::put_document(connection, draft, new))
            .map_err(|error| error.with("document", new.path))
    }

    /// Notes that the content of a document was found unchanged under another time stamp, and takes the path out of the
    /// list of files that are no documents. A stamp alone does not move the generation on.
    ///
    /// # Errors
    /// [`ErrorKind::NotFound`] where there is no document at `path`; else where the catalog cannot be written.
    pub fn touch(&mut self, path: &str, stamp: FileStamp) -> Result<()> {
        const UPDATE: &str = "UPDATE documents SET size = ?2, modified_ns = ?3 WHERE path = ?1";
        const OPERATION: &str = "stamp document";
        let touched = self.write(OPERATION, |connection, draft| {
            delete_file(connection, draft, path)?;
            Ok(connection.prepare_cached(UPDATE)?.execute((path, stamp.size, stamp.modified_ns))?)
        })?;
        if touched == 0 {
            return Err(Error::new(ErrorKind::NotFound, OPERATION, "there is no such document").with("document", path));
        }
        Ok(())
    }

    /// Takes a document out of the catalog and returns how many chunks went with it. 0 where there is none.
    ///
    /// # Errors
    /// Where the catalog cannot be written.
    pub fn remove_document(&mut self, path: &str) -> Result<u64> {
        self.write("remove document", |connection, draft| put::remove_document(connection, draft, path))
    }

    /// Writes down that a file was skipped or failed. What is indexed of it stays; the count of chunks is not taken
    /// from the entry.
    ///
    /// # Errors
    /// [`ErrorKind::Internal`] for an entry that says the file is indexed; else where the catalog cannot be written.
    pub fn put_file(&mut self, entry: &FileEntry) -> Result<()> {
        const OPERATION: &str = "store ledger";
        let Some(state) = state_code(entry.state) else {
            let message = "an indexed file is written down with its document";
            return Err(Error::new(ErrorKind::Internal, OPERATION, message).with("document", &entry.path));
        };
        self.write(OPERATION, |connection, draft| put_file(connection, draft, entry, state))
    }

    /// Takes a file out of the list of those that are no documents. No error where it is not in it.
    ///
    /// # Errors
    /// Where the catalog cannot be written.
    pub fn remove_file(&mut self, path: &str) -> Result<()> {
        self.write("store ledger", |connection, draft| delete_file(connection, draft, path))
    }

    /// Makes all of it visible and returns the generation, which moves on only if something changed. The first commit
    /// of a catalog always moves it on: from never built to built, be the wiki empty.
    ///
    /// When it returns, the commit is on the disk.
    ///
    /// # Errors
    /// Where the catalog cannot be written; it then stays as it was.
    pub fn commit(mut self) -> Result<Generation> {
        self.write("commit update", |connection, draft| {
            if draft.changed || draft.meta.generation == 0 {
                draft.meta.generation += 1;
                draft.meta.store(connection)?;
            }
            Ok(connection.execute_batch("COMMIT")?)
        })?;
        Ok(Generation(self.draft.meta.generation))
    }

    /// Runs one write. After a failure the rest is refused: half a document must not be committed, and SQLite may have
    /// ended the transaction, so that further statements would each be committed at once.
    fn write<T>(
        &mut self,
        operation: &'static str,
        work: impl FnOnce(&Connection, &mut Draft) -> Result<T, Fault>,
    ) -> Result<T> {
        if self.failed {
            let error = Error::new(ErrorKind::Internal, operation, "the update was given up after an earlier error");
            return Err(Fault::from(error).told(operation, &self.path));
        }
        let result = work(&self.connection, &mut self.draft);
        self.failed = result.is_err();
        result.map_err(|fault| fault.told(operation, &self.path))
    }
}

impl Drop for Update<'_> {
    fn drop(&mut self) {
        if !self.connection.is_autocommit() {
            roll_back(&self.connection);
        }
    }
}

fn roll_back(connection: &Connection) {
    // Where even this fails, the transaction ends with the connection, and the next update reports what is wrong.
    let _ = connection.execute_batch("ROLLBACK");
}

fn put_file(connection: &Connection, draft: &mut Draft, entry: &FileEntry, state: &str) -> Result<(), Fault> {
    const SELECT: &str = "SELECT state, reason, detail, characters, warnings, size, modified_ns, fingerprint
         FROM files WHERE path = ?1";
    const UPSERT: &str = "INSERT OR REPLACE INTO files (path, state, reason, detail, characters, warnings, size,
         modified_ns, fingerprint) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
    let warnings = put::to_json(&entry.warnings)?;
    let new = (state.to_owned(), entry.reason.clone(), entry.detail.clone(), entry.characters, warnings);
    let old = connection
        .prepare_cached(SELECT)?
        .query_row([&entry.path], |row| {
            let told = (row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?);
            Ok((told, read_attempt(row, 5)?))
        })
        .optional()?;
    let (told, read) = old.unzip();
    let is_told = told.as_ref() == Some(&new);
    if !is_told || read.flatten() != entry.read {
        let (state, reason, detail, characters, warnings) = new;
        let read = entry.read.as_ref();
        connection.prepare_cached(UPSERT)?.execute(rusqlite::params![
            entry.path,
            state,
            reason,
            detail,
            characters,
            warnings,
            read.map(|read| read.stamp.size),
            read.map(|read| read.stamp.modified_ns),
            read.map(|read| &read.fingerprint),
        ])?;
    }
    // A stamp alone does not move the generation on.
    draft.changed |= !is_told;
    Ok(())
}

pub(crate) fn delete_file(connection: &Connection, draft: &mut Draft, path: &str) -> Result<(), Fault> {
    let deleted = connection.prepare_cached("DELETE FROM files WHERE path = ?1")?.execute([path])?;
    draft.changed |= deleted > 0;
    Ok(())
}
