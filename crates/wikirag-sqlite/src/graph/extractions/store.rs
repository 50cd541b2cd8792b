//! The store as a reader sees it.

use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};

use rusqlite::Connection;
use wikirag_core::{ChunkId, Context, ExtractionReport, FailedPassages, Result};

use super::super::schema::Meta;
use super::super::store::parse;
use super::schema::{EXTRACTIONS, check, extraction_checksum, passage_checksum};
use super::{ExtractionFacts, verify};
use crate::error::Fault;
use crate::readers::Readers;
use crate::{GraphState, TextKey};

/// The extractions of a wiki in one file, which may not exist yet. Reads see the last commit, whoever made it, and never wait for a
/// writer. Each call is one snapshot.
pub struct ExtractionStore {
    readers: Readers,
}

impl ExtractionStore {
    /// The store at `path`. Opens nothing yet.
    #[must_use]
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { readers: Readers::new(&EXTRACTIONS, path.into(), |_| Ok(())) }
    }

    /// Where the file lies, or will.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.readers.path()
    }

    /// How the store stands: its `recipe` is the fingerprint of the extractor, its `chunks` are the passages that it knows. `None` where
    /// nothing was ever committed. Reads one row.
    ///
    /// # Errors
    /// As [`GraphStore::state`](crate::GraphStore::state).
    pub fn state(&self) -> Result<Option<GraphState>> {
        let state = self.readers.read("open extractions", |snapshot| Meta::load(snapshot).map(Meta::state));
        state.map(Option::flatten)
    }

    /// How many texts wait, and the state.
    ///
    /// # Errors
    /// As [`state`](Self::state).
    pub fn waiting(&self) -> Result<Option<(GraphState, u64)>> {
        let read = self.readers.read("open extractions", |snapshot| {
            let Some(state) = Meta::load(snapshot)?.state() else { return Ok(None) };
            Ok(Some((state, count(snapshot, "SELECT count(*) FROM waiting")?)))
        });
        read.map(Option::flatten)
    }

    /// All that was found; `None` where nothing was ever committed.
    ///
    /// # Errors
    /// [`ErrorKind::Damaged`](wikirag_core::ErrorKind::Damaged) where what is read is not what was written, and what the context says.
    pub fn facts(&self, context: &Context) -> Result<Option<ExtractionFacts>> {
        let read = self.readers.read("read extractions", |snapshot| {
            let Some(state) = Meta::load(snapshot)?.state() else { return Ok(None) };
            let mut facts = ExtractionFacts { version: state.version, passages: Vec::new(), found: HashMap::new() };
            each(snapshot, context, |text, found, failure| {
                if failure.is_empty() {
                    facts.found.insert(text, parse("extraction", 0, found)?);
                }
                Ok(())
            })?;
            passages(snapshot, context, |id, text, _| {
                if facts.found.contains_key(&text) {
                    facts.passages.push((ChunkId(id), text));
                }
            })?;
            Ok(Some(facts))
        });
        read.map(Option::flatten)
    }

    /// How the store stands, in numbers: nothing was sent by this call.
    ///
    /// # Errors
    /// As [`facts`](Self::facts).
    pub fn report(&self) -> Result<ExtractionReport> {
        self.readers.read("read extractions", report).map(Option::unwrap_or_default)
    }

    /// Checks every page and every row, and that the tables agree with one another. Nothing where there is no file.
    ///
    /// # Errors
    /// [`ErrorKind::Damaged`](wikirag_core::ErrorKind::Damaged) naming what is wrong.
    pub fn verify(&self, context: &Context) -> Result<()> {
        self.readers.read("verify extractions", |snapshot| verify::check_all(snapshot, context)).map(|_| ())
    }
}

impl fmt::Debug for ExtractionStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ExtractionStore").field("path", &self.path()).finish_non_exhaustive()
    }
}

fn report(connection: &Connection) -> Result<ExtractionReport, Fault> {
    const FAILED: &str = "SELECT path, count(*), failure FROM
         (SELECT path, failure FROM passages JOIN extractions USING (text) WHERE failure <> '' ORDER BY path, passages.id)
         GROUP BY path ORDER BY path";
    let extracted = "SELECT count(*) FROM passages JOIN extractions USING (text) WHERE failure = ''";
    let mut report = ExtractionReport {
        extracted: count(connection, extracted)?,
        pending: count(connection, "SELECT count(*) FROM waiting")?,
        ..ExtractionReport::default()
    };
    let mut statement = connection.prepare_cached(FAILED)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        report.failed.push(FailedPassages { path: row.get(0)?, passages: row.get(1)?, detail: row.get(2)? });
    }
    Ok(report)
}

pub(super) fn count(connection: &Connection, select: &str) -> Result<u64, Fault> {
    Ok(connection.prepare_cached(select)?.query_row([], |row| row.get(0))?)
}

/// Hands the rows of `extractions` to `take`, each checked: text, what was found as JSON, why nothing was.
pub(super) fn each(
    connection: &Connection,
    context: &Context,
    mut take: impl FnMut(TextKey, &str, &str) -> Result<(), Fault>,
) -> Result<(), Fault> {
    let mut statement = connection.prepare_cached("SELECT text, found, failure, checksum FROM extractions")?;
    let mut rows = statement.query([])?;
    for number in 0usize.. {
        let Some(row) = rows.next()? else { break };
        if number.is_multiple_of(4096) {
            context.check("read extractions")?;
        }
        let text = row.get(0)?;
        let found = row.get_ref(1)?.as_str().map_err(rusqlite::Error::from)?;
        let failure = row.get_ref(2)?.as_str().map_err(rusqlite::Error::from)?;
        check("an extraction", extraction_checksum(&text, found, failure), row.get(3)?)?;
        take(TextKey(text), found, failure)?;
    }
    Ok(())
}

/// Hands the rows of `passages` to `take`, each checked: id, text, path.
pub(super) fn passages(
    connection: &Connection,
    context: &Context,
    mut take: impl FnMut(u64, TextKey, &str),
) -> Result<(), Fault> {
    let mut statement = connection.prepare_cached("SELECT id, text, path, checksum FROM passages ORDER BY id")?;
    let mut rows = statement.query([])?;
    for number in 0usize.. {
        let Some(row) = rows.next()? else { break };
        if number.is_multiple_of(4096) {
            context.check("read extractions")?;
        }
        let (id, text) = (row.get(0)?, row.get(1)?);
        let path = row.get_ref(2)?.as_str().map_err(rusqlite::Error::from)?;
        check("the text of a passage", passage_checksum(id, &text, path), row.get(3)?)?;
        take(id, TextKey(text), path);
    }
    Ok(())
}

const _: fn() = || {
    fn shared_between_threads<T: Send + Sync>() {}
    shared_between_threads::<ExtractionStore>();
};
