//! The tables.

use rusqlite::Connection;

use super::super::schema::create_tables;
use crate::error::Fault;
use crate::file::FileKind;
use crate::identity::{Checksum, TextHash, checksum};

/// A file of extractions. It is marked by `wext` in ASCII.
pub(super) static EXTRACTIONS: FileKind =
    FileKind { name: "store of extractions", application_id: 0x7765_7874, format: FORMAT, create };

/// Version of the tables below and of the JSON in them.
const FORMAT: u32 = 1;

/// Beside the state:
///
/// * `extractions`: the cache. By fingerprint and text what was found, as JSON, or why nothing could be.
/// * `passages`: the file that each passage is of, and its text.
/// * `waiting`: texts of passages that are not in `extractions`, in the order in which they are to be sent.
///
/// Every row carries a checksum, which is compared whenever it is read.
const TABLES: &str = "
CREATE TABLE extractions (
    text     BLOB PRIMARY KEY,
    found    TEXT NOT NULL,
    failure  TEXT NOT NULL,
    checksum BLOB NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE passages (
    id       INTEGER PRIMARY KEY,
    text     BLOB NOT NULL,
    path     TEXT NOT NULL,
    checksum BLOB NOT NULL
) STRICT;
CREATE INDEX passages_by_text ON passages (text);

CREATE TABLE waiting (
    id       INTEGER PRIMARY KEY,
    text     BLOB NOT NULL UNIQUE,
    passage  TEXT NOT NULL,
    checksum BLOB NOT NULL
) STRICT;
";

fn create(connection: &Connection) -> Result<(), Fault> {
    create_tables(connection, &EXTRACTIONS, TABLES)
}

/// The checksum of a row of `extractions`.
pub(super) fn extraction_checksum(text: &TextHash, found: &str, failure: &str) -> Checksum {
    checksum(&[text, found.as_bytes(), failure.as_bytes()])
}

/// The checksum of a row of `passages`.
pub(super) fn passage_checksum(id: u64, text: &TextHash, path: &str) -> Checksum {
    checksum(&[&id.to_le_bytes(), text, path.as_bytes()])
}

/// The checksum of a row of `waiting`. Its place in the order may change.
pub(super) fn waiting_checksum(text: &TextHash, passage: &str) -> Checksum {
    checksum(&[text, passage.as_bytes()])
}

/// Looks whether a row is what was written.
pub(super) fn check(what: &str, expected: Checksum, stored: Checksum) -> Result<(), Fault> {
    if expected == stored { Ok(()) } else { Err(Fault::damaged(format!("{what} is not what was written"))) }
}
