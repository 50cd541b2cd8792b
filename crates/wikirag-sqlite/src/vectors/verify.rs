//! Checking all that can be checked.

use rusqlite::Connection;

use super::block::{place, record, width};
use super::coarse::changed_blocks;
use super::schema::Meta;
use super::vector::{from_bytes, unit, vector_checksum};
use crate::error::Fault;
use crate::verify::check_pages;

/// Checks every page and every row, and that each compact form is that of the vector it stands for.
pub(super) fn check(connection: &Connection) -> Result<(), Fault> {
    check_pages(connection)?;
    let meta = Meta::load(connection)?;
    check_vectors(connection, meta.dimensions)?;
    check_chunks(connection, &meta)
}

fn check_vectors(connection: &Connection, dimensions: usize) -> Result<(), Fault> {
    let mut statement = connection.prepare("SELECT id, text_hash, vector, checksum FROM vectors")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let (id, text, vector): (u64, [u8; 16], Vec<u8>) = (row.get(0)?, row.get(1)?, row.get(2)?);
        let whole = vector_checksum(id, &text, &vector) == row.get::<_, [u8; 16]>(3)?;
        if !whole || unit(&from_bytes(&vector), dimensions).is_err() {
            return Err(Fault::damaged(format!("vector {id} is not what was written")));
        }
    }
    Ok(())
}

fn check_chunks(connection: &Connection, meta: &Meta) -> Result<(), Fault> {
    const SELECT: &str = "SELECT chunks.id, chunks.slot, vectors.id, vectors.vector
         FROM chunks LEFT JOIN vectors ON vectors.id = chunks.vector";
    let mut blocks: Vec<Vec<u8>> = Vec::new();
    changed_blocks(connection, meta.dimensions, 0, |id, data| {
        if id != blocks.len() as u64 {
            return Err(Fault::damaged(format!("there is no block before block {id}")));
        }
        blocks.push(data.to_vec());
        Ok(())
    })?;
    let width = width(meta.dimensions);
    let records: usize = blocks.iter().map(|block| block.len() / width).sum();
    let mut chunks = 0;
    let mut statement = connection.prepare(SELECT)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let (chunk, slot): (u64, u64) = (row.get(0)?, row.get(1)?);
        let (vector, bytes): (Option<u64>, Option<Vec<u8>>) = (row.get(2)?, row.get(3)?);
        let (block, index) = place(slot);
        let block = usize::try_from(block).ok().and_then(|block| blocks.get(block));
        let kept = block.and_then(|block| block.chunks_exact(width).nth(index));
        let right = vector.zip(bytes).map(|(id, bytes)| record(chunk, id, &from_bytes(&bytes)));
        if kept.is_none() || kept != right.as_deref() {
            return Err(Fault::damaged(format!("chunk {chunk} does not fit its vector")));
        }
        chunks += 1;
    }
    if chunks != records || chunks as u64 != meta.chunks {
        let message = format!("there are {chunks} chunks and {records} vectors of them, {} are stated", meta.chunks);
        return Err(Fault::damaged(message));
    }
    Ok(())
}
