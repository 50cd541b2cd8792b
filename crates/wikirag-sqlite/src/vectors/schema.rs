//! The tables, and the one row that tells the state of the store.

use rusqlite::Connection;
use wikirag_core::{CatalogId, FeedPosition};

use super::VectorState;
use crate::error::Fault;
use crate::file::FileKind;
use crate::identity::{Checksum, checksum};

/// A file of vectors. It is marked by `wvec` in ASCII.
pub(super) static VECTORS: FileKind =
    FileKind { name: "store of vectors", application_id: 0x7776_6563, format: FORMAT, create };

/// Version of the tables below and of what stands in their blobs (see `block.rs`).
pub(super) const FORMAT: u32 = 1;

/// * `meta`: which catalog was followed how far, whose vectors these are, and how often something was committed.
/// * `vectors`: the cache. A vector by the hash of the text it was made of: little-endian `f32` as sqlite-vec takes
///   them, of unit length. A row that no chunk uses waits for its text to come back until the next complete sync.
/// * `chunks`: which vector a chunk has, and the slot in the blocks where its compact form lies. The slots are 0 to
///   the number of chunks, without a gap.
/// * `blocks`: the compact forms, a fixed number of slots a row, with the number of the commit that wrote the row
///   last: what a reader has seen is not read again.
///
/// Every row but those of `chunks`, which no search reads, carries a checksum that is compared whenever it is read.
///
/// Pages of 16 KiB: a vector of 384 dimensions fits ten times, and a block of them is read in four pages.
const TABLES: &str = "
CREATE TABLE meta (
    one         INTEGER PRIMARY KEY CHECK (one = 1),
    id          TEXT NOT NULL,
    catalog     TEXT NOT NULL,
    position    INTEGER NOT NULL,
    fingerprint TEXT NOT NULL,
    dimensions  INTEGER NOT NULL,
    chunks      INTEGER NOT NULL,
    commits     INTEGER NOT NULL,
    checksum    BLOB NOT NULL
) STRICT;

CREATE TABLE vectors (
    id        INTEGER PRIMARY KEY,
    text_hash BLOB NOT NULL UNIQUE,
    vector    BLOB NOT NULL,
    checksum  BLOB NOT NULL
) STRICT;

CREATE TABLE chunks (
    id     INTEGER PRIMARY KEY,
    slot   INTEGER NOT NULL UNIQUE,
    vector INTEGER NOT NULL
) STRICT;

CREATE TABLE blocks (
    id       INTEGER PRIMARY KEY,
    changed  INTEGER NOT NULL,
    data     BLOB NOT NULL,
    checksum BLOB NOT NULL
) STRICT;

INSERT INTO meta VALUES (1, lower(hex(randomblob(16))), '', 0, '', 0, 0, 0, x'');
";

fn create(connection: &Connection) -> Result<(), Fault> {
    let FileKind { application_id, format, .. } = VECTORS;
    connection.execute_batch(&format!(
        "PRAGMA page_size = 16384;
         BEGIN; PRAGMA application_id = {application_id}; PRAGMA user_version = {format}; {TABLES} COMMIT;"
    ))?;
    let (meta, _) = Meta::read(connection)?;
    meta.store(connection)
}

/// The row of the table `meta`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Meta {
    /// Drawn when the file was made: what was read of one file is never taken for that of another in its place.
    pub(super) id: String,
    pub(super) catalog: CatalogId,
    pub(super) position: FeedPosition,
    pub(super) fingerprint: String,
    pub(super) dimensions: usize,
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
        const SELECT: &str = "SELECT id, catalog, position, fingerprint, dimensions, chunks, commits, checksum
             FROM meta WHERE one = 1";
        let read = connection.prepare_cached(SELECT)?.query_row([], |row| {
            let meta = Self {
                id: row.get(0)?,
                catalog: CatalogId(row.get(1)?),
                position: FeedPosition(row.get(2)?),
                fingerprint: row.get(3)?,
                dimensions: row.get(4)?,
                chunks: row.get(5)?,
                commits: row.get(6)?,
            };
            Ok((meta, row.get(7)?))
        })?;
        Ok(read)
    }

    pub(super) fn store(&self, connection: &Connection) -> Result<(), Fault> {
        const UPDATE: &str = "UPDATE meta SET catalog = ?1, position = ?2, fingerprint = ?3, dimensions = ?4,
             chunks = ?5, commits = ?6, checksum = ?7 WHERE one = 1";
        connection.prepare_cached(UPDATE)?.execute((
            &self.catalog.0,
            self.position.0,
            &self.fingerprint,
            self.dimensions,
            self.chunks,
            self.commits,
            self.checksum(),
        ))?;
        Ok(())
    }

    fn checksum(&self) -> Checksum {
        let numbers = [self.position.0, self.dimensions as u64, self.chunks, self.commits].map(u64::to_le_bytes);
        checksum(&[self.id.as_bytes(), self.catalog.0.as_bytes(), self.fingerprint.as_bytes(), numbers.as_flattened()])
    }

    /// What callers see; nothing where nothing was ever committed.
    pub(super) fn state(self) -> Option<VectorState> {
        (self.commits > 0).then_some(VectorState {
            catalog: self.catalog,
            position: self.position,
            fingerprint: self.fingerprint,
            dimensions: self.dimensions,
            chunks: self.chunks,
        })
    }
}
