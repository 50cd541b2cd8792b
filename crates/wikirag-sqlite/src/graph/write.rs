//! The store as its one writer sees it.

use std::path::Path;

use rusqlite::{Connection, OptionalExtension};
use wikirag_core::{CatalogId, ChunkId, DocId, FeedPosition, Result};

use super::journal::Journal;
use super::schema::{GRAPH, Meta, check_order, check_row, order_checksum, row_checksum};
use super::store::parse;
use super::{GraphPage, GraphPassage, PassageWords};
use crate::error::Fault;
use crate::put::to_json;

/// Writes into a store. There is one at a time: the engine holds the lock of the wiki.
#[derive(Debug)]
pub struct GraphWriter(pub(super) Journal);

impl GraphWriter {
    /// Opens the store at `path` to follow `catalog`, and makes it where there is none. The folder must be there.
    ///
    /// # Errors
    /// As [`GraphStore::state`](super::GraphStore::state).
    pub fn open(path: &Path, catalog: &CatalogId, recipe: &str) -> Result<Self> {
        Journal::open(&GRAPH, path, catalog, recipe).map(Self)
    }

    /// Commits what `work` writes, with the feed position that it returns: all of it, or nothing where it fails.
    ///
    /// # Errors
    /// The error of `work`; [`ErrorKind::Damaged`](wikirag_core::ErrorKind::Damaged),
    /// [`ErrorKind::Busy`](wikirag_core::ErrorKind::Busy) and [`ErrorKind::Io`](wikirag_core::ErrorKind::Io).
    pub fn commit(&mut self, work: impl FnOnce(&mut GraphDraft<'_>) -> Result<FeedPosition>) -> Result<()> {
        self.0.commit(|connection, path, meta| {
            let mut draft = GraphDraft { connection, path, meta };
            let position = work(&mut draft)?;
            draft.meta.position = position;
            Ok(())
        })
    }
}

/// What a batch sees and writes. Errors of its calls name the file.
pub struct GraphDraft<'a> {
    connection: &'a Connection,
    path: &'a Path,
    meta: &'a mut Meta,
}

impl GraphDraft<'_> {
    /// Forgets everything: what is there is of another catalog.
    ///
    /// # Errors
    /// Where the store cannot be written, as for all calls.
    pub fn clear(&mut self) -> Result<()> {
        self.meta.chunks = 0;
        self.run(|connection| {
            connection.execute_batch(
                "DELETE FROM names; DELETE FROM pages; DELETE FROM passages; DELETE FROM words; DELETE FROM orders;",
            )?;
            Ok(())
        })
    }

    /// The number of a name, as the layer writes it, and whether it is new. `first` is the first of its words as in
    /// [`PassageWords::all`].
    ///
    /// # Errors
    /// Where the store cannot be read or written.
    pub fn name(&mut self, words: &str, first: &str) -> Result<(u32, bool)> {
        const FIND: &str = "SELECT id FROM names WHERE words = ?1";
        const NEXT: &str = "SELECT coalesce(max(id), -1) + 1 FROM names";
        const ADD: &str = "INSERT INTO names VALUES (?1, ?2, ?3, ?4)";
        self.run(|connection| {
            let known = connection.prepare_cached(FIND)?.query_row([words], |row| row.get(0)).optional()?;
            if let Some(known) = known {
                return Ok((known, false));
            }
            let id: u32 = connection.prepare_cached(NEXT)?.query_row([], |row| row.get(0))?;
            connection.prepare_cached(ADD)?.execute((id, words, first, row_checksum(id.into(), 0, words)))?;
            Ok((id, true))
        })
    }

    /// Hands number and name to `sink` of each name that begins with the word `first`, or of all.
    ///
    /// # Errors
    /// Where the store cannot be read.
    pub fn names(&self, first: Option<&str>, mut sink: impl FnMut(u32, &str)) -> Result<()> {
        const SELECT: &str = "SELECT id, words, checksum FROM names";
        const SELECT_FIRST: &str = "SELECT id, words, checksum FROM names WHERE first = ?1";
        self.run(|connection| {
            let mut statement = connection.prepare_cached(if first.is_some() { SELECT_FIRST } else { SELECT })?;
            let mut rows = match first {
                Some(first) => statement.query([first])?,
                None => statement.query([])?,
            };
            while let Some(row) = rows.next()? {
                let id: u32 = row.get(0)?;
                let words = row.get_ref(1)?.as_str().map_err(rusqlite::Error::from)?;
                check_row("name", id.into(), 0, words, row.get(2)?)?;
                sink(id, words);
            }
            Ok(())
        })
    }

    /// The passages that hold all of `words`, each with its words in their order.
    ///
    /// # Errors
    /// Where the store cannot be read.
    pub fn passages_with(&self, words: impl IntoIterator<Item = String>) -> Result<Vec<(ChunkId, Vec<u8>)>> {
        const SELECT: &str = "SELECT id, words, checksum FROM orders
             WHERE id IN (SELECT rowid FROM words WHERE words MATCH ?1) ORDER BY id";
        let all: Vec<String> = words.into_iter().map(|word| format!("\"{word}\"")).collect();
        self.run(|connection| {
            let mut statement = connection.prepare_cached(SELECT)?;
            let mut rows = statement.query([all.join(" AND ")])?;
            let mut found = Vec::new();
            while let Some(row) = rows.next()? {
                let (id, words): (u64, Vec<u8>) = (row.get(0)?, row.get(1)?);
                check_order(id, &words, row.get(2)?)?;
                found.push((ChunkId(id), words));
            }
            Ok(found)
        })
    }

    /// The document, if any of its passages is here.
    ///
    /// # Errors
    /// Where the store cannot be read.
    pub fn page(&self, document: DocId) -> Result<Option<GraphPage>> {
        self.run(|connection| page(connection, document))
    }

    /// Writes what is known of a document, before its passages.
    ///
    /// # Errors
    /// Where the store cannot be written.
    pub fn put_page(&mut self, document: DocId, new: &GraphPage) -> Result<()> {
        const PUT: &str = "INSERT INTO pages VALUES (?1, 0, ?2, ?3)
             ON CONFLICT (id) DO UPDATE SET page = excluded.page, checksum = excluded.checksum";
        self.run(|connection| {
            let json = to_json(new)?;
            let sum = row_checksum(document.0, 0, &json);
            connection.prepare_cached(PUT)?.execute((document.0, json, sum))?;
            Ok(())
        })
    }

    /// Writes a passage in the place of the one with this id.
    ///
    /// # Errors
    /// Where the store cannot be written, or the document is not there.
    pub fn put_passage(
        &mut self,
        id: ChunkId,
        document: DocId,
        passage: &GraphPassage,
        words: &PassageWords,
    ) -> Result<()> {
        const WORDS: &str = "INSERT INTO words (rowid, text) VALUES (?1, ?2)";
        const ORDER: &str = "INSERT INTO orders VALUES (?1, ?2, ?3)";
        let old = self.run(|connection| {
            let old = take_out(connection, id)?;
            count(connection, document, 1)?;
            write_passage(connection, id, document, passage)?;
            connection.prepare_cached(WORDS)?.execute((id.0, &words.all))?;
            connection.prepare_cached(ORDER)?.execute((id.0, &words.order, order_checksum(id.0, &words.order)))?;
            old.map(|old| drop_if_empty(connection, old)).transpose()
        })?;
        self.meta.chunks += u64::from(old.is_none());
        Ok(())
    }

    /// Notes that a passage holds a name. Nothing where it is known, or the passage is gone.
    ///
    /// # Errors
    /// Where the store cannot be written.
    pub fn add_name(&mut self, id: ChunkId, name: u32) -> Result<()> {
        self.run(|connection| {
            let Some((document, mut found)) = passage(connection, id)? else { return Ok(()) };
            if let Err(place) = found.names.binary_search(&name) {
                found.names.insert(place, name);
                write_passage(connection, id, document, &found)?;
            }
            Ok(())
        })
    }

    /// Removes a passage, and its document with the last one. Nothing where it was never here.
    ///
    /// # Errors
    /// Where the store cannot be written.
    pub fn remove_passage(&mut self, id: ChunkId) -> Result<bool> {
        let removed = self.run(|connection| {
            let Some(document) = take_out(connection, id)? else { return Ok(false) };
            drop_if_empty(connection, document)?;
            Ok(true)
        })?;
        self.meta.chunks = self.meta.chunks.saturating_sub(u64::from(removed));
        Ok(removed)
    }

    fn run<T>(&self, work: impl FnOnce(&Connection) -> Result<T, Fault>) -> Result<T> {
        work(self.connection).map_err(|fault| fault.told("write graph", self.path))
    }
}

fn page(connection: &Connection, document: DocId) -> Result<Option<GraphPage>, Fault> {
    const SELECT: &str = "SELECT page, checksum FROM pages WHERE id = ?1";
    let read = |row: &rusqlite::Row<'_>| Ok((row.get::<_, String>(0)?, row.get(1)?));
    let found = connection.prepare_cached(SELECT)?.query_row([document.0], read).optional()?;
    let Some((json, stored)) = found else { return Ok(None) };
    check_row("page", document.0, 0, &json, stored)?;
    Ok(Some(parse("page", document.0, &json)?))
}

/// Takes a passage out of its document, and tells which that was.
fn take_out(connection: &Connection, id: ChunkId) -> Result<Option<DocId>, Fault> {
    let Some((document, _)) = passage(connection, id)? else { return Ok(None) };
    connection.prepare_cached("DELETE FROM passages WHERE id = ?1")?.execute([id.0])?;
    connection.prepare_cached("DELETE FROM words WHERE rowid = ?1")?.execute([id.0])?;
    connection.prepare_cached("DELETE FROM orders WHERE id = ?1")?.execute([id.0])?;
    count(connection, document, -1)?;
    Ok(Some(document))
}

fn drop_if_empty(connection: &Connection, document: DocId) -> Result<(), Fault> {
    connection.prepare_cached("DELETE FROM pages WHERE id = ?1 AND chunks = 0")?.execute([document.0])?;
    Ok(())
}

/// Corrects the number of passages of a document.
fn count(connection: &Connection, document: DocId, by: i64) -> Result<(), Fault> {
    let counted =
        connection.prepare_cached("UPDATE pages SET chunks = chunks + ?2 WHERE id = ?1")?.execute((document.0, by))?;
    if counted == 1 { Ok(()) } else { Err(Fault::damaged(format!("there is no page {document}"))) }
}

fn passage(connection: &Connection, id: ChunkId) -> Result<Option<(DocId, GraphPassage)>, Fault> {
    const SELECT: &str = "SELECT document, passage, checksum FROM passages WHERE id = ?1";
    let read = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get::<_, String>(1)?, row.get(2)?));
    let found = connection.prepare_cached(SELECT)?.query_row([id.0], read).optional()?;
    let Some((document, json, stored)) = found else { return Ok(None) };
    check_row("passage", id.0, document, &json, stored)?;
    Ok(Some((DocId(document), parse("passage", id.0, &json)?)))
}

fn write_passage(connection: &Connection, id: ChunkId, document: DocId, passage: &GraphPassage) -> Result<(), Fault> {
    const PUT: &str = "INSERT OR REPLACE INTO passages VALUES (?1, ?2, ?3, ?4)";
    let json = to_json(passage)?;
    let sum = row_checksum(id.0, document.0, &json);
    connection.prepare_cached(PUT)?.execute((id.0, document.0, json, sum))?;
    Ok(())
}
