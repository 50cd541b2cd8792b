//! The tables, and the one row that tells the state of the catalog.

use rusqlite::Connection;
use wikirag_core::{CatalogId, DocId, FeedPosition, Generation};

use crate::error::Fault;
use crate::model::CatalogInfo;

/// Marks a SQLite file as a catalog: `wrag` in ASCII.
pub(crate) const APPLICATION_ID: i32 = 0x7772_6167;

/// Version of the tables below. A catalog of another version is rebuilt, never converted.
pub(crate) const FORMAT: u32 = 2;

/// The places of a text are empty where it is the file. Those of a chunk are lines in unit 0, pages in unit 1.
///
/// Texts and links lie in tables of their own, so that a scan of the documents (every build begins with one) does not page
/// through megabytes of them. A document without links has no row among the links.
const TABLES: &str = "
CREATE TABLE meta (
    one           INTEGER PRIMARY KEY CHECK (one = 1),
    id            TEXT NOT NULL,
    generation    INTEGER NOT NULL,
    head          INTEGER NOT NULL,
    last_document INTEGER NOT NULL,
    documents     INTEGER NOT NULL,
    navigation    INTEGER NOT NULL,
    chunks        INTEGER NOT NULL,
    characters    INTEGER NOT NULL
) STRICT;

CREATE TABLE documents (
    id           INTEGER PRIMARY KEY,
    path         TEXT NOT NULL UNIQUE,
    size         INTEGER NOT NULL,
    modified_ns  INTEGER NOT NULL,
    content_hash BLOB NOT NULL,
    fingerprint  TEXT NOT NULL,
    title        TEXT NOT NULL,
    language     TEXT NOT NULL,
    role         TEXT NOT NULL,
    navigation   INTEGER NOT NULL,
    characters   INTEGER NOT NULL,
    chunks       INTEGER NOT NULL,
    text_hash    BLOB NOT NULL,
    aliases      TEXT NOT NULL,
    tags         TEXT NOT NULL,
    summary      TEXT NOT NULL,
    warnings     TEXT NOT NULL,
    meta         TEXT NOT NULL
) STRICT;

CREATE TABLE texts (
    document INTEGER PRIMARY KEY,
    text     TEXT NOT NULL,
    places   TEXT NOT NULL
) STRICT;

CREATE TABLE links (
    document INTEGER PRIMARY KEY,
    links    TEXT NOT NULL
) STRICT;

CREATE TABLE chunks (
    id         INTEGER PRIMARY KEY,
    document   INTEGER NOT NULL,
    start      INTEGER NOT NULL,
    end        INTEGER NOT NULL,
    unit       INTEGER NOT NULL,
    first      INTEGER NOT NULL,
    last       INTEGER NOT NULL,
    text_hash  BLOB NOT NULL,
    headings   TEXT NOT NULL,
    seq        INTEGER NOT NULL
) STRICT;
CREATE INDEX chunks_by_document ON chunks (document);
CREATE UNIQUE INDEX chunks_by_seq ON chunks (seq);

CREATE TABLE tombstones (
    chunk_id INTEGER PRIMARY KEY,
    seq      INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX tombstones_by_seq ON tombstones (seq);

CREATE TABLE files (
    path       TEXT PRIMARY KEY,
    state      TEXT NOT NULL,
    reason     TEXT NOT NULL,
    detail     TEXT NOT NULL,
    characters INTEGER NOT NULL,
    warnings   TEXT NOT NULL,
    size        INTEGER,
    modified_ns INTEGER,
    fingerprint TEXT
) STRICT, WITHOUT ROWID;

INSERT INTO meta VALUES (1, lower(hex(randomblob(16))), 0, 0, 0, 0, 0, 0, 0);
";

/// Makes the tables in an empty database. The id of the catalog is drawn from SQLite's generator, which is seeded by
/// the operating system.
pub(crate) fn create(connection: &Connection) -> Result<(), Fault> {
    connection.execute_batch(&format!(
        "BEGIN; PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {FORMAT}; {TABLES} COMMIT;"
    ))?;
    Ok(())
}

/// The row of the table `meta`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Meta {
    pub(crate) id: CatalogId,
    pub(crate) generation: u64,
    /// The number of the newest change.
    pub(crate) head: u64,
    /// The highest document id ever given: ids are not used twice.
    pub(crate) last_document: u64,
    pub(crate) documents: u64,
    pub(crate) navigation: u64,
    pub(crate) chunks: u64,
    pub(crate) characters: u64,
}

/// No catalog counts to 2^63 by honest means.
fn take_next(last: &mut u64) -> Result<u64, Fault> {
    *last += 1;
    if i64::try_from(*last).is_ok() { Ok(*last) } else { Err(Fault::damaged("the catalog has run out of numbers")) }
}

impl Meta {
    pub(crate) fn load(connection: &Connection) -> Result<Self, Fault> {
        const SELECT: &str = "SELECT id, generation, head, last_document, documents, navigation, chunks, characters
             FROM meta WHERE one = 1";
        let meta = connection.prepare_cached(SELECT)?.query_row([], |row| {
            Ok(Self {
                id: CatalogId(row.get(0)?),
                generation: row.get(1)?,
                head: row.get(2)?,
                last_document: row.get(3)?,
                documents: row.get(4)?,
                navigation: row.get(5)?,
                chunks: row.get(6)?,
                characters: row.get(7)?,
            })
        })?;
        Ok(meta)
    }

    pub(crate) fn store(&self, connection: &Connection) -> Result<(), Fault> {
        const UPDATE: &str = "UPDATE meta SET generation = ?1, head = ?2, last_document = ?3, documents = ?4,
             navigation = ?5, chunks = ?6, characters = ?7 WHERE one = 1";
        connection.prepare_cached(UPDATE)?.execute((
            self.generation,
            self.head,
            self.last_document,
            self.documents,
            self.navigation,
            self.chunks,
            self.characters,
        ))?;
        Ok(())
    }

    /// Takes the next number of the change feed.
    pub(crate) fn next_seq(&mut self) -> Result<u64, Fault> {
        take_next(&mut self.head)
    }

    /// Takes the next document id.
    pub(crate) fn next_document(&mut self) -> Result<DocId, Fault> {
        take_next(&mut self.last_document).map(DocId)
    }

    pub(crate) fn info(self) -> CatalogInfo {
        CatalogInfo {
            id: self.id,
            format: FORMAT,
            generation: Generation(self.generation),
            head: FeedPosition(self.head),
            documents: self.documents,
            navigation: self.navigation,
            chunks: self.chunks,
            characters: self.characters,
        }
    }
}
