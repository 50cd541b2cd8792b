//! A copy of a store in one form: equal vectors of equal chunks give equal bytes.

use std::collections::HashMap;
use std::path::Path;

use rusqlite::{Connection, Row};
use wikirag_core::{CatalogId, FeedPosition, Result};

use super::block::{SLOTS, record};
use super::centroids;
use super::coarse::block_checksum;
use super::schema::{FORMAT, Meta, VECTORS};
use super::vector::{from_bytes, vector_checksum};
use super::{VectorSpace, VectorState, VectorStore};
use crate::error::Fault;
use crate::identity::{Checksum, TextHash};

/// The number of the one commit that a copy consists of.
const COMMIT: u64 = 1;

impl VectorStore {
    /// Version of the form of the file.
    pub const FORMAT: u32 = FORMAT;

    /// Writes a copy to `to`, where nothing lies yet, that depends on nothing but the chunks and their vectors: slots in the
    /// order of the ids, no vector that no chunk has. It stands at `position` of `catalog`, which must hold the same chunks.
    /// The vectors are the same to the last bit.
    ///
    /// # Errors
    /// [`ErrorKind::IndexMissing`](wikirag_core::ErrorKind::IndexMissing) where nothing was ever committed,
    /// [`ErrorKind::Damaged`](wikirag_core::ErrorKind::Damaged) where a vector is not what was written, and where the copy
    /// cannot be written; what is written of it then is no store.
    pub fn write_portable(&self, to: &Path, catalog: &CatalogId, position: FeedPosition) -> Result<VectorState> {
        let written = self.readers().read("copy vectors", |snapshot| {
            let meta = Meta::load(snapshot)?;
            if meta.commits == 0 {
                return Ok(None);
            }
            let meta = Meta { id: catalog.0.clone(), catalog: catalog.clone(), position, commits: COMMIT, ..meta };
            let writer = VECTORS.writer(to)?;
            write(snapshot, &writer, &meta)?;
            let space = VectorSpace { fingerprint: meta.fingerprint.clone(), dimensions: meta.dimensions };
            centroids::write(&writer, &space, to)?;
            writer.close().map_err(|(_, error)| error)?;
            Ok(meta.state())
        })?;
        written.flatten().ok_or_else(|| self.missing())
    }
}

fn write(from: &Connection, to: &Connection, meta: &Meta) -> Result<(), Fault> {
    const SELECT: &str = "SELECT chunks.id, vectors.id, vectors.text_hash, vectors.vector, vectors.checksum
         FROM chunks JOIN vectors ON vectors.id = chunks.vector ORDER BY chunks.id";
    to.execute_batch("BEGIN IMMEDIATE")?;
    let mut copy = Copy { to, vectors: HashMap::new(), chunks: 0, block: Vec::new() };
    let mut statement = from.prepare(SELECT)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        copy.take(row)?;
    }
    copy.end_block()?;
    if copy.chunks != meta.chunks {
        return Err(Fault::damaged(format!("there are {} vectors for {} chunks", copy.chunks, meta.chunks)));
    }
    to.execute("UPDATE meta SET id = ?1 WHERE one = 1", [&meta.id])?;
    meta.store(to)?;
    // Pages in the order of the rows, whatever order they were written in.
    to.execute_batch("COMMIT; VACUUM")?;
    Ok(())
}

/// The copy as it grows.
struct Copy<'a> {
    to: &'a Connection,
    /// The number of a vector in the copy, by that in the store.
    vectors: HashMap<u64, u64>,
    chunks: u64,
    /// The records of the last block, which is not written yet.
    block: Vec<u8>,
}

impl Copy<'_> {
    fn take(&mut self, row: &Row<'_>) -> Result<(), Fault> {
        const VECTOR: &str = "INSERT INTO vectors VALUES (?1, ?2, ?3, ?4)";
        const CHUNK: &str = "INSERT INTO chunks VALUES (?1, ?2, ?3)";
        let (chunk, old): (u64, u64) = (row.get(0)?, row.get(1)?);
        let (text, stored): (TextHash, Checksum) = (row.get(2)?, row.get(4)?);
        let vector = row.get_ref(3)?.as_blob().map_err(rusqlite::Error::from)?;
        if vector_checksum(old, &text, vector) != stored {
            return Err(Fault::damaged(format!("vector {old} is not what was written")));
        }
        let next = self.vectors.len() as u64 + 1;
        let new = *self.vectors.entry(old).or_insert(next);
        if new == next {
            self.to.prepare_cached(VECTOR)?.execute((new, text, vector, vector_checksum(new, &text, vector)))?;
        }
        self.to.prepare_cached(CHUNK)?.execute((chunk, self.chunks, new))?;
        self.block.extend(record(chunk, new, &from_bytes(vector)));
        self.chunks += 1;
        if self.chunks.is_multiple_of(SLOTS as u64) {
            self.end_block()?;
        }
        Ok(())
    }

    fn end_block(&mut self) -> Result<(), Fault> {
        const BLOCK: &str = "INSERT INTO blocks VALUES (?1, ?2, ?3, ?4)";
        if self.block.is_empty() {
            return Ok(());
        }
        let id = (self.chunks - 1) / SLOTS as u64;
        let checksum = block_checksum(id, COMMIT, &self.block);
        self.to.prepare_cached(BLOCK)?.execute((id, COMMIT, &self.block, checksum))?;
        self.block.clear();
        Ok(())
    }
}
