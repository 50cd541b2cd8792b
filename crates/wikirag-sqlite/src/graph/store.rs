//! The store as a reader sees it.

use std::fmt;
use std::path::{Path, PathBuf};

use rusqlite::Connection;
use serde::de::DeserializeOwned;
use wikirag_core::{ChunkId, Context, DocId, Error, ErrorKind, Result};

use super::schema::{GRAPH, Meta, check_row};
use super::{GraphFacts, GraphState, GraphVersion, verify};
use crate::error::Fault;
use crate::readers::Readers;

/// The store of a graph in one file, which may not exist yet. Reads see the last commit, whoever made it, and never wait for a
/// writer. Each call is one snapshot.
pub struct GraphStore {
    readers: Readers,
}

impl GraphStore {
    /// The store at `path`. Opens nothing yet.
    #[must_use]
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { readers: Readers::new(&GRAPH, path.into(), |_| Ok(())) }
    }

    /// Where the file lies, or will.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.readers.path()
    }

    /// How the store stands; `None` where nothing was ever committed. Reads one row.
    ///
    /// # Errors
    /// [`ErrorKind::StaleIndex`] for another format, [`ErrorKind::Damaged`] for a file that is none of ours or not
    /// whole; [`ErrorKind::Busy`] and [`ErrorKind::Io`] as they come.
    pub fn state(&self) -> Result<Option<GraphState>> {
        let state = self.readers.read("open graph", |snapshot| Meta::load(snapshot).map(Meta::state));
        state.map(Option::flatten)
    }

    /// All facts, with the state that they are of; `None` where the store is still as at `known`.
    ///
    /// # Errors
    /// [`ErrorKind::IndexMissing`] where nothing was ever committed, [`ErrorKind::Damaged`] where what is read is not what was
    /// written, and what the context says.
    pub fn facts(&self, known: Option<&GraphVersion>, context: &Context) -> Result<Option<(GraphState, GraphFacts)>> {
        let read = self.readers.read("read graph", |snapshot| {
            let Some(state) = Meta::load(snapshot)?.state() else { return Ok(None) };
            if known == Some(&state.version) {
                return Ok(Some(None));
            }
            let facts = facts(snapshot, context)?;
            if facts.passages.len() as u64 != state.chunks {
                let (found, stated) = (facts.passages.len(), state.chunks);
                return Err(Fault::damaged(format!("there are {found} passages of {stated}")));
            }
            Ok(Some(Some((state, facts))))
        })?;
        read.flatten().ok_or_else(|| self.missing())
    }

    /// Checks every page and every row, and that the tables agree with one another.
    ///
    /// # Errors
    /// [`ErrorKind::Damaged`] naming what is wrong; [`ErrorKind::IndexMissing`].
    pub fn verify(&self, context: &Context) -> Result<()> {
        let checked = self.readers.read("verify graph", |snapshot| verify::check(snapshot, context))?;
        checked.ok_or_else(|| self.missing())
    }

    /// The error of a call that needs a store where there is none.
    #[must_use]
    pub fn missing(&self) -> Error {
        Error::new(ErrorKind::IndexMissing, "open graph", "there is no index yet")
            .with("path", self.path().display())
            .help("run `wikirag build`")
    }
}

impl fmt::Debug for GraphStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GraphStore").field("path", &self.path()).finish_non_exhaustive()
    }
}

/// Reads everything but the words.
pub(super) fn facts(connection: &Connection, context: &Context) -> Result<GraphFacts, Fault> {
    let mut facts = GraphFacts::default();
    each(connection, "SELECT id, 0, page, checksum FROM pages", "page", context, |id, _, text| {
        facts.pages.push((DocId(id), parse("page", id, text)?));
        Ok(())
    })?;
    let passages = "SELECT id, document, passage, checksum FROM passages ORDER BY id";
    each(connection, passages, "passage", context, |id, document, text| {
        facts.passages.push((ChunkId(id), DocId(document), parse("passage", id, text)?));
        Ok(())
    })?;
    each(connection, "SELECT id, 0, words, checksum FROM names", "name", context, |id, _, words| {
        let id = u32::try_from(id).map_err(|_| Fault::damaged(format!("there is no name {id}")))?;
        facts.names.push((id, words.to_owned()));
        Ok(())
    })?;
    Ok(facts)
}

/// Hands the rows of a statement (number, number, text, checksum) to `take`, each checked.
pub(super) fn each(
    connection: &Connection,
    select: &str,
    what: &str,
    context: &Context,
    mut take: impl FnMut(u64, u64, &str) -> Result<(), Fault>,
) -> Result<(), Fault> {
    let mut statement = connection.prepare_cached(select)?;
    let mut rows = statement.query([])?;
    for number in 0usize.. {
        let Some(row) = rows.next()? else { break };
        if number.is_multiple_of(4096) {
            context.check("read graph")?;
        }
        let (id, of): (u64, u64) = (row.get(0)?, row.get(1)?);
        let text = row.get_ref(2)?.as_str().map_err(rusqlite::Error::from)?;
        check_row(what, id, of, text, row.get(3)?)?;
        take(id, of, text)?;
    }
    Ok(())
}

/// Parses what we wrote as JSON.
pub(super) fn parse<T: DeserializeOwned>(what: &str, id: u64, json: &str) -> Result<T, Fault> {
    serde_json::from_str(json).map_err(|error| Fault::damaged(format!("{what} {id} does not parse: {error}")))
}

const _: fn() = || {
    fn shared_between_threads<T: Send + Sync>() {}
    shared_between_threads::<GraphStore>();
};
