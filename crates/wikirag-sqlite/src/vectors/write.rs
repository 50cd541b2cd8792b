//! The store as its one writer sees it.

use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OptionalExtension, TransactionBehavior};
use wikirag_core::{CatalogId, Error, ErrorKind, Result};

use super::block::{SLOTS, ids, place, record, width};
use super::centroids;
use super::coarse::{block_checksum, check_block};
use super::schema::{Meta, VECTORS};
use super::vector::{bytes, from_bytes, unit, vector_checksum};
use super::{VectorBatch, VectorSpace, VectorState};
use crate::TextKey;
use crate::error::Fault;

/// Writes into a store. There is one at a time: the engine holds the lock of the wiki.
pub struct VectorWriter {
    path: PathBuf,
    connection: Connection,
    catalog: CatalogId,
}

impl VectorWriter {
    /// Opens the store at `path` to follow `catalog`, and makes it where there is none. The folder must be there.
    ///
    /// # Errors
    /// [`ErrorKind::StaleIndex`] where the vectors are not those of `space` or the format is another one,
    /// [`ErrorKind::Damaged`]; neither is mended: that takes a new file. [`ErrorKind::Busy`] and [`ErrorKind::Io`].
    pub fn open(path: &Path, space: &VectorSpace, catalog: &CatalogId) -> Result<Self> {
        let open = || {
            let connection = VECTORS.writer(path)?;
            // What a power cut takes back takes the position back with it, so nothing need wait for the disk.
            connection.execute_batch("PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = 8388608;")?;
            let mut meta = Meta::load(&connection)?;
            match meta.clone().state() {
                Some(state) => state.must_be_of(space)?,
                None => {
                    meta.fingerprint.clone_from(&space.fingerprint);
                    meta.dimensions = space.dimensions;
                    meta.store(&connection)?;
                }
            }
            Ok(Self { path: path.to_owned(), connection, catalog: catalog.clone() })
        };
        open().map_err(|fault: Fault| fault.told("open vectors for writing", path))
    }

    /// How the store stands; `None` where nothing was ever committed.
    ///
    /// # Errors
    /// Where the store cannot be read.
    pub fn state(&self) -> Result<Option<VectorState>> {
        Meta::load(&self.connection).map(Meta::state).map_err(|fault| fault.told("read vectors", &self.path))
    }

    /// Those of `texts` that have a vector.
    ///
    /// # Errors
    /// Where the store cannot be read.
    pub fn known(&self, texts: impl IntoIterator<Item = TextKey>) -> Result<HashSet<TextKey>> {
        let look_up = || {
            let mut statement = self.connection.prepare_cached("SELECT 1 FROM vectors WHERE text_hash = ?1")?;
            let mut known = HashSet::new();
            for text in texts {
                if statement.exists([text.0])? {
                    known.insert(text);
                }
            }
            Ok(known)
        };
        look_up().map_err(|fault: Fault| fault.told("look up vectors", &self.path))
    }

    /// Commits a batch: all of it, or nothing where it fails.
    ///
    /// # Errors
    /// [`ErrorKind::Internal`] for a vector that is none (NaN, zero, another width) and for a text without one,
    /// [`ErrorKind::Damaged`], [`ErrorKind::Busy`] and [`ErrorKind::Io`].
    pub fn commit(&mut self, batch: &VectorBatch) -> Result<()> {
        self.try_commit(batch).map_err(|fault| fault.told("write vectors", &self.path))
    }

    /// Removes the vectors of texts that no chunk has any more, and tells how many there were. To be called when the
    /// feed was followed to its end: before that a text may have left one chunk and not have come to the next.
    ///
    /// # Errors
    /// Where the store cannot be written.
    pub fn prune(&mut self) -> Result<usize> {
        const PRUNE: &str = "DELETE FROM vectors WHERE id NOT IN (SELECT vector FROM chunks)";
        let pruned = self.connection.execute(PRUNE, []);
        pruned.map_err(|error| Fault::from(error).told("prune vectors", &self.path))
    }

    /// Writes what [`VectorStore::nearness`](super::VectorStore::nearness) reads. To be called like [`prune`](Self::prune).
    ///
    /// # Errors
    /// Where the store cannot be read or the file cannot be written.
    pub fn summarise(&self) -> Result<()> {
        let summarise = || {
            let meta = Meta::load(&self.connection)?;
            let space = VectorSpace { fingerprint: meta.fingerprint, dimensions: meta.dimensions };
            centroids::write(&self.connection, &space, &self.path)
        };
        summarise().map_err(|fault: Fault| fault.told("write centroids", &self.path))
    }

    fn try_commit(&mut self, batch: &VectorBatch) -> Result<(), Fault> {
        centroids::remove(&self.path)?;
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let mut meta = Meta::load(&transaction)?;
        meta.commits += 1;
        if batch.anew {
            transaction.execute_batch("DELETE FROM chunks; DELETE FROM blocks;")?;
            meta.chunks = 0;
        }
        add_vectors(&transaction, &batch.vectors, meta.dimensions)?;
        let blocks = Blocks { connection: &transaction, dimensions: meta.dimensions, written: BTreeMap::new() };
        let mut slots = Slots { connection: &transaction, blocks, count: meta.chunks };
        for chunk in &batch.deletes {
            slots.remove(chunk.0)?;
        }
        for (chunk, text) in &batch.upserts {
            slots.put(chunk.0, *text)?;
        }
        meta.chunks = slots.count;
        slots.blocks.write(meta.commits)?;
        meta.catalog.clone_from(&self.catalog);
        meta.position = batch.position;
        meta.store(&transaction)?;
        transaction.commit()?;
        Ok(())
    }
}

impl fmt::Debug for VectorWriter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("VectorWriter").field("path", &self.path).finish_non_exhaustive()
    }
}

fn add_vectors(connection: &Connection, vectors: &[(TextKey, Vec<f32>)], dimensions: usize) -> Result<(), Fault> {
    const INSERT: &str = "INSERT INTO vectors VALUES (?1, ?2, ?3, ?4) ON CONFLICT (text_hash) DO NOTHING";
    const LAST: &str = "SELECT coalesce(max(id), 0) FROM vectors";
    let mut last: u64 = connection.prepare_cached(LAST)?.query_row([], |row| row.get(0))?;
    let mut insert = connection.prepare_cached(INSERT)?;
    for (text, vector) in vectors {
        let (id, vector) = (last + 1, bytes(&unit(vector, dimensions)?));
        let inserted = insert.execute((id, text.0, &vector, vector_checksum(id, &text.0, &vector)))?;
        last += inserted as u64;
    }
    Ok(())
}

/// The chunks in their slots, without a gap: the last one moves into the slot of one that goes.
struct Slots<'a> {
    connection: &'a Connection,
    blocks: Blocks<'a>,
    count: u64,
}

impl Slots<'_> {
    fn put(&mut self, chunk: u64, text: TextKey) -> Result<(), Fault> {
        const VECTOR: &str = "SELECT id, vector, checksum FROM vectors WHERE text_hash = ?1";
        const PUT: &str =
            "INSERT INTO chunks VALUES (?1, ?2, ?3) ON CONFLICT (id) DO UPDATE SET vector = excluded.vector";
        let find = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
        let found = self.connection.prepare_cached(VECTOR)?.query_row([text.0], find).optional()?;
        let Some((id, vector, stored)): Option<(u64, Vec<u8>, [u8; 16])> = found else {
            return Err(Error::new(ErrorKind::Internal, "write vectors", "a text has no vector").into());
        };
        if vector_checksum(id, &text.0, &vector) != stored {
            return Err(Fault::damaged(format!("vector {id} is not what was written")));
        }
        let known = self.slot(chunk)?;
        if let Some((slot, _)) = known {
            self.blocks.expect(slot, chunk)?;
        }
        if known.is_some_and(|(_, known)| known == id) {
            return Ok(());
        }
        let slot = known.map_or(self.count, |(slot, _)| slot);
        self.connection.prepare_cached(PUT)?.execute((chunk, slot, id))?;
        self.blocks.put(slot, &record(chunk, id, &from_bytes(&vector)))?;
        self.count = self.count.max(slot + 1);
        Ok(())
    }

    fn remove(&mut self, chunk: u64) -> Result<(), Fault> {
        const DELETE: &str = "DELETE FROM chunks WHERE id = ?1";
        const MOVE: &str = "UPDATE chunks SET slot = ?2 WHERE id = ?1 AND slot = ?3";
        let Some((slot, _)) = self.slot(chunk)? else { return Ok(()) };
        self.blocks.expect(slot, chunk)?;
        self.connection.prepare_cached(DELETE)?.execute([chunk])?;
        let last = self.blocks.pop(self.count - 1)?;
        self.count -= 1;
        if slot < self.count {
            let moved = self.connection.prepare_cached(MOVE)?.execute((ids(&last).0, slot, self.count))?;
            if moved != 1 {
                return Err(Fault::damaged(format!("the chunk in slot {} is not known", self.count)));
            }
            self.blocks.put(slot, &last)?;
        }
        Ok(())
    }

    /// Slot and vector of a chunk.
    fn slot(&self, chunk: u64) -> Result<Option<(u64, u64)>, Fault> {
        const SLOT: &str = "SELECT slot, vector FROM chunks WHERE id = ?1";
        let find = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?));
        let found: Option<(u64, u64)> = self.connection.prepare_cached(SLOT)?.query_row([chunk], find).optional()?;
        match found {
            Some((slot, _)) if slot >= self.count => Err(Fault::damaged(format!("there is no slot {slot}"))),
            found => Ok(found),
        }
    }
}

/// The blocks that a commit touches.
struct Blocks<'a> {
    connection: &'a Connection,
    dimensions: usize,
    written: BTreeMap<u64, Vec<u8>>,
}

impl Blocks<'_> {
    /// The block `id`; empty where there is none yet.
    fn block(&mut self, id: u64) -> Result<&mut Vec<u8>, Fault> {
        const SELECT: &str = "SELECT changed, data, checksum FROM blocks WHERE id = ?1";
        if !self.written.contains_key(&id) {
            let mut statement = self.connection.prepare_cached(SELECT)?;
            let find = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
            let found: Option<(u64, Vec<u8>, [u8; 16])> = statement.query_row([id], find).optional()?;
            if let Some((changed, data, stored)) = &found {
                check_block(id, *changed, data, *stored, self.dimensions)?;
            }
            self.written.insert(id, found.map(|(_, data, _)| data).unwrap_or_default());
        }
        Ok(self.written.entry(id).or_default())
    }

    /// Looks whether the record in `slot` is that of `chunk`.
    fn expect(&mut self, slot: u64, chunk: u64) -> Result<(), Fault> {
        let (id, index) = place(slot);
        let width = width(self.dimensions);
        let record = self.block(id)?.chunks_exact(width).nth(index);
        if record.is_some_and(|record| ids(record).0 == chunk) {
            Ok(())
        } else {
            Err(Fault::damaged(format!("slot {slot} does not hold what it should")))
        }
    }

    /// Writes a record into a slot, or behind the last one.
    fn put(&mut self, slot: u64, record: &[u8]) -> Result<(), Fault> {
        let (id, index) = place(slot);
        let start = index * width(self.dimensions);
        let block = self.block(id)?;
        if block.len() == start {
            block.extend(record);
        } else if let Some(old) = block.get_mut(start..start + record.len()) {
            old.copy_from_slice(record);
        } else {
            return Err(Fault::damaged(format!("there is a gap before slot {slot}")));
        }
        Ok(())
    }

    /// Takes the record out of the last slot, which is `slot`.
    fn pop(&mut self, slot: u64) -> Result<Vec<u8>, Fault> {
        let (id, index) = place(slot);
        let start = index * width(self.dimensions);
        let whole = start + width(self.dimensions);
        let block = self.block(id)?;
        if block.len() == whole {
            Ok(block.split_off(start))
        } else {
            Err(Fault::damaged("there is another last slot"))
        }
    }

    fn write(self, commit: u64) -> Result<(), Fault> {
        const PUT: &str = "INSERT OR REPLACE INTO blocks VALUES (?1, ?2, ?3, ?4)";
        const DELETE: &str = "DELETE FROM blocks WHERE id = ?1";
        for (id, data) in &self.written {
            debug_assert!(data.len() <= SLOTS * width(self.dimensions), "block {id} is too long");
            if data.is_empty() {
                self.connection.prepare_cached(DELETE)?.execute([id])?;
            } else {
                let checksum = block_checksum(*id, commit, data);
                self.connection.prepare_cached(PUT)?.execute((id, commit, data, checksum))?;
            }
        }
        Ok(())
    }
}
