//! The tables, and the one row that tells the state of the store.

use rusqlite::Connection;
use wikirag_core::{CatalogId, FeedPosition};

use super::{GraphState, GraphVersion};
use crate::error::Fault;
use crate::file::FileKind;
use crate::identity::{Checksum, checksum};

/// A file of a graph. It is marked by `wgra` in ASCII.
pub(super) static GRAPH: FileKind = FileKind { name: "graph", application_id: 0x7767_7261, format: FORMAT, create };

/// Version of the tables below and of the JSON in them.
pub(super) const FORMAT: u32 = 1;

/// * `meta`: which catalog was followed how far, how the facts are found, and how often something was committed.
/// * `names`: the names that pages have or had, by their words, and the first of them. The number of a name is never given to another. A name whose
///   pages are gone stays until the layer is built anew: passages still hold it, and pages come back.
/// * `pages`: documents with at least one passage, as JSON, and how many.
/// * `passages`: what each passage holds, as JSON.
/// * `words`: which words each passage holds, indexed and not stored.
/// * `orders`: the words of each passage in their order, as the layer writes them.
///
/// Every row but those of `words`, which SQLite checks itself, carries a checksum over its number and its text, which is
/// compared whenever it is read.
const TABLES: &str = "
CREATE TABLE names (
    id       INTEGER PRIMARY KEY,
    words    TEXT NOT NULL UNIQUE,
    first    TEXT NOT NULL,
    checksum BLOB NOT NULL
) STRICT;
CREATE INDEX names_by_first ON names (first);

CREATE TABLE pages (
    id       INTEGER PRIMARY KEY,
    chunks   INTEGER NOT NULL,
    page     TEXT NOT NULL,
    checksum BLOB NOT NULL
) STRICT;

CREATE TABLE passages (
    id       INTEGER PRIMARY KEY,
    document INTEGER NOT NULL,
    passage  TEXT NOT NULL,
    checksum BLOB NOT NULL
) STRICT;

CREATE TABLE orders (
    id       INTEGER PRIMARY KEY,
    words    BLOB NOT NULL,
    checksum BLOB NOT NULL
) STRICT;

CREATE VIRTUAL TABLE words USING fts5(
    text, content = '', contentless_delete = 1, tokenize = 'ascii', detail = 'none'
);
";

/// The table of the state, which both files have.
const META: &str = "
CREATE TABLE meta (
    one      INTEGER PRIMARY KEY CHECK (one = 1),
    id       TEXT NOT NULL,
    catalog  TEXT NOT NULL,
    position INTEGER NOT NULL,
    recipe   TEXT NOT NULL,
    chunks   INTEGER NOT NULL,
    commits  INTEGER NOT NULL,
    checksum BLOB NOT NULL
) STRICT;

INSERT INTO meta VALUES (1, lower(hex(randomblob(16))), '', 0, '', 0, 0, x'');
";

fn create(connection: &Connection) -> Result<(), Fault> {
    create_tables(connection, &GRAPH, TABLES)
}

/// Makes the table of the state and `tables`.
pub(super) fn create_tables(connection: &Connection, kind: &FileKind, tables: &str) -> Result<(), Fault> {
    let FileKind { application_id, format, .. } = kind;
    connection.execute_batch(&format!(
        "BEGIN; PRAGMA application_id = {application_id}; PRAGMA user_version = {format}; {META} {tables} COMMIT;"
    ))?;
    let (meta, _) = Meta::read(connection)?;
    meta.store(connection)
}

/// The row of the table `meta`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Meta {
    /// Drawn when the file was made.
    pub(super) id: String,
    pub(super) catalog: CatalogId,
    pub(super) position: FeedPosition,
    pub(super) recipe: String,
    pub(super) chunks: u64,
    /// How often something was committed. 0: the file was only made.
    pub(super) commits: u64,
}

impl Meta {
    pub(super) fn load(connection: &Connection) -> Result<Self, Fault> {
        let (meta, stored) = Self::read(connection)?;
        if meta.checksum() == *stored { Ok(meta) } else { Err(Fault::damaged("the state is not what was written")) }
    }

    fn read(connection: &Connection) -> Result<(Self, Vec<u8>), Fault> {
        const SELECT: &str = "SELECT id, catalog, position, recipe, chunks, commits, checksum FROM meta WHERE one = 1";
        let read = connection.prepare_cached(SELECT)?.query_row([], |row| {
            let meta = Self {
                id: row.get(0)?,
                catalog: CatalogId(row.get(1)?),
                position: FeedPosition(row.get(2)?),
                recipe: row.get(3)?,
                chunks: row.get(4)?,
                commits: row.get(5)?,
            };
            Ok((meta, row.get(6)?))
        })?;
        Ok(read)
    }

    pub(super) fn store(&self, connection: &Connection) -> Result<(), Fault> {
        const UPDATE: &str = "UPDATE meta SET catalog = ?1, position = ?2, recipe = ?3, chunks = ?4, commits = ?5,
             checksum = ?6 WHERE one = 1";
        connection.prepare_cached(UPDATE)?.execute((
            &self.catalog.0,
            self.position.0,
            &self.recipe,
            self.chunks,
            self.commits,
            self.checksum(),
        ))?;
        Ok(())
    }

    fn checksum(&self) -> Checksum {
        let numbers = [self.position.0, self.chunks, self.commits].map(u64::to_le_bytes);
        checksum(&[self.id.as_bytes(), self.catalog.0.as_bytes(), self.recipe.as_bytes(), numbers.as_flattened()])
    }

    /// What callers see; nothing where nothing was ever committed.
    pub(super) fn state(self) -> Option<GraphState> {
        (self.commits > 0).then_some(GraphState {
            catalog: self.catalog,
            position: self.position,
            recipe: self.recipe,
            chunks: self.chunks,
            version: GraphVersion { id: self.id, commits: self.commits },
        })
    }
}

/// The checksum of words in their order.
pub(super) fn order_checksum(id: u64, words: &[u8]) -> Checksum {
    checksum(&[&id.to_le_bytes(), words])
}

/// Looks whether words are those that were written, in their order.
pub(super) fn check_order(id: u64, words: &[u8], stored: Checksum) -> Result<(), Fault> {
    if order_checksum(id, words) == stored {
        Ok(())
    } else {
        Err(Fault::damaged(format!("the words of passage {id} are not what was written")))
    }
}

/// The checksum of a row that is a number and a text.
pub(super) fn row_checksum(id: u64, number: u64, text: &str) -> Checksum {
    checksum(&[&id.to_le_bytes(), &number.to_le_bytes(), text.as_bytes()])
}

/// Looks whether a row is what was written.
pub(super) fn check_row(what: &str, id: u64, number: u64, text: &str, stored: Checksum) -> Result<(), Fault> {
    if row_checksum(id, number, text) == stored {
        Ok(())
    } else {
        Err(Fault::damaged(format!("{what} {id} is not what was written")))
    }
}
