//! The compact forms of all chunks in memory, as one commit left them.

use std::sync::Arc;

use rusqlite::Connection;
use wikirag_core::Context;

use super::block::{Block, Question, SLOTS, width};
use super::schema::Meta;
use crate::error::Fault;
use crate::identity::{Checksum, checksum};

/// The blocks of one commit. Those that a later commit leaves as they are it shares.
pub(super) struct Coarse {
    of: Meta,
    blocks: Vec<Arc<Block>>,
}

impl Coarse {
    /// Reads the blocks, in a transaction in which `meta` was read; of those in `known` only what has changed since.
    pub(super) fn read(
        connection: &Connection,
        meta: Meta,
        known: Option<&Arc<Self>>,
        context: &Context,
    ) -> Result<Arc<Self>, Fault> {
        let known = known.filter(|known| known.of.id == meta.id && known.of.commits <= meta.commits);
        if let Some(known) = known
            && known.of == meta
        {
            return Ok(Arc::clone(known));
        }
        let mut blocks = known.map(|known| known.blocks.clone()).unwrap_or_default();
        blocks.truncate(usize::try_from(meta.chunks.div_ceil(SLOTS as u64)).unwrap_or(usize::MAX));
        let since = known.map_or(0, |known| known.of.commits);
        changed_blocks(connection, meta.dimensions, since, |id, data| {
            context.check("read vectors")?;
            let block = Arc::new(Block::new(data, meta.dimensions));
            match usize::try_from(id).ok().filter(|id| *id <= blocks.len()) {
                Some(end) if end == blocks.len() => blocks.push(block),
                Some(id) => blocks[id] = block,
                None => return Err(Fault::damaged(format!("a block before block {id} is missing"))),
            }
            Ok(())
        })?;
        let full = blocks.iter().rev().skip(1).all(|block| block.len() == SLOTS);
        let chunks: usize = blocks.iter().map(|block| block.len()).sum();
        if !full || chunks as u64 != meta.chunks {
            return Err(Fault::damaged(format!("there are {chunks} vectors for {} chunks", meta.chunks)));
        }
        Ok(Arc::new(Self { of: meta, blocks }))
    }

    /// For each slot the most that its cosine to the question can be.
    pub(super) fn bounds(&self, question: &Question, context: &Context) -> Result<Vec<(f32, u64)>, Fault> {
        let mut bounds = Vec::with_capacity(self.blocks.iter().map(|block| block.len()).sum());
        let mut slot = 0;
        for block in &self.blocks {
            context.check("search vectors")?;
            bounds.extend(block.bounds(question).zip(slot..));
            slot += block.len() as u64;
        }
        Ok(bounds)
    }

    /// Chunk and vector in a slot.
    pub(super) fn ids(&self, slot: u64) -> Option<(u64, u64)> {
        let (block, index) = super::block::place(slot);
        self.blocks.get(usize::try_from(block).ok()?)?.ids(index)
    }
}

/// Calls `take` with the id and the records of each block that a commit after `since` wrote, in the order of the ids.
pub(super) fn changed_blocks(
    connection: &Connection,
    dimensions: usize,
    since: u64,
    mut take: impl FnMut(u64, &[u8]) -> Result<(), Fault>,
) -> Result<(), Fault> {
    const SELECT: &str = "SELECT id, changed, data, checksum FROM blocks WHERE changed > ?1 ORDER BY id";
    let mut statement = connection.prepare_cached(SELECT)?;
    let mut rows = statement.query([since])?;
    while let Some(row) = rows.next()? {
        let (id, changed): (u64, u64) = (row.get(0)?, row.get(1)?);
        let data = row.get_ref(2)?.as_blob().map_err(rusqlite::Error::from)?;
        check_block(id, changed, data, row.get(3)?, dimensions)?;
        take(id, data)?;
    }
    Ok(())
}

/// Looks whether a block is what was written.
pub(super) fn check_block(
    id: u64,
    changed: u64,
    data: &[u8],
    stored: Checksum,
    dimensions: usize,
) -> Result<(), Fault> {
    let whole =
        !data.is_empty() && data.len().is_multiple_of(width(dimensions)) && data.len() / width(dimensions) <= SLOTS;
    if whole && block_checksum(id, changed, data) == stored {
        Ok(())
    } else {
        Err(Fault::damaged(format!("block {id} is not what was written")))
    }
}

/// The checksum of a block.
pub(super) fn block_checksum(id: u64, changed: u64, data: &[u8]) -> Checksum {
    checksum(&[&id.to_le_bytes(), &changed.to_le_bytes(), data])
}
