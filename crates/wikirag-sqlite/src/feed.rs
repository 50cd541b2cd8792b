//! The change feed: chunks and tombstones in the order of their numbers.

use wikirag_core::{CatalogId, Change, ChangeFeed, ChunkId, Error, ErrorKind, FeedBatch, FeedPosition, Result};

use crate::catalog::{Catalog, Snapshot};
use crate::error::{Fault, REBUILD};
use crate::read::{ChunkRow, Source, with_text};
use crate::schema::Meta;

/// The document that the feed read last. Chunks of one document have neighbouring numbers, so its text is fetched
/// once for all of them, across batches too: cutting a large document into many small batches stays linear.
pub(crate) struct CachedSource {
    generation: u64,
    document: wikirag_core::DocId,
    source: Source,
    text: Vec<u8>,
}

impl ChangeFeed for Catalog {
    fn catalog(&self) -> &CatalogId {
        self.id()
    }

    fn head(&self) -> Result<FeedPosition> {
        Ok(self.info()?.head)
    }

    fn pending(&self, position: FeedPosition) -> Result<u64> {
        const COUNT: &str = "SELECT (SELECT count(*) FROM chunks WHERE seq > ?1)
             + (SELECT count(*) FROM tombstones WHERE seq > ?1)";
        self.read("count changes", |snapshot| {
            let meta = Meta::load(snapshot.connection)?;
            check_position(&meta, position)?;
            if position.0 == 0 {
                return Ok(meta.chunks);
            }
            if position.0 == meta.head {
                return Ok(0);
            }
            Ok(snapshot.connection.prepare_cached(COUNT)?.query_row([position.0], |row| row.get(0))?)
        })
    }

    fn after(&self, position: FeedPosition, limit: usize) -> Result<FeedBatch> {
        self.read("read changes", |snapshot| changes_after(snapshot, position, limit))
    }
}

/// A layer that is ahead of the catalog has indexed what the catalog has lost: an older copy was put back.
fn check_position(meta: &Meta, position: FeedPosition) -> Result<(), Fault> {
    if position.0 <= meta.head {
        return Ok(());
    }
    let message = format!("the index stands at change {position} and the catalog at {}", meta.head);
    Err(Error::new(ErrorKind::StaleIndex, "follow changes", message).help(REBUILD).into())
}

fn changes_after(snapshot: &mut Snapshot<'_>, position: FeedPosition, limit: usize) -> Result<FeedBatch, Fault> {
    let meta = Meta::load(snapshot.connection)?;
    check_position(&meta, position)?;
    if limit == 0 || position.0 == meta.head {
        return Ok(FeedBatch { changes: Vec::new(), position });
    }
    // A follower that begins has nothing that could be deleted.
    let tombstones = if position.0 == 0 { Vec::new() } else { tombstones_after(snapshot, position, limit)? };
    let chunks = chunks_after(snapshot, position, limit)?;

    let mut batch = FeedBatch { changes: Vec::with_capacity(limit.min(chunks.len() + tombstones.len())), position };
    let mut tombstones = tombstones.into_iter().peekable();
    let mut chunks = chunks.into_iter().peekable();
    while batch.changes.len() < limit {
        let deleted_first = match (tombstones.peek(), chunks.peek()) {
            (Some((seq, _)), Some(chunk)) => *seq < chunk.seq,
            (Some(_), None) => true,
            (None, _) => false,
        };
        if deleted_first && let Some((seq, id)) = tombstones.next() {
            batch.changes.push(Change::Delete(id));
            batch.position = FeedPosition(seq);
        } else if let Some(chunk) = chunks.next() {
            batch.position = FeedPosition(chunk.seq);
            batch.changes.push(upsert(snapshot, meta.generation, chunk)?);
        } else {
            // The end: numbers up to the head may belong to changes that later ones replaced.
            batch.position = FeedPosition(meta.head);
            break;
        }
    }
    Ok(batch)
}

fn tombstones_after(
    snapshot: &Snapshot<'_>,
    position: FeedPosition,
    limit: usize,
) -> Result<Vec<(u64, ChunkId)>, Fault> {
    const SELECT: &str = "SELECT seq, chunk_id FROM tombstones WHERE seq > ?1 ORDER BY seq LIMIT ?2";
    let mut statement = snapshot.connection.prepare_cached(SELECT)?;
    let rows = statement.query_map((position.0, sql_limit(limit)), |row| Ok((row.get(0)?, ChunkId(row.get(1)?))))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

fn chunks_after(snapshot: &Snapshot<'_>, position: FeedPosition, limit: usize) -> Result<Vec<ChunkRow>, Fault> {
    const SELECT: &str = "SELECT id, document, start, end, unit, first, last, text_hash, headings, seq
         FROM chunks WHERE seq > ?1 ORDER BY seq LIMIT ?2";
    let mut statement = snapshot.connection.prepare_cached(SELECT)?;
    let rows = statement.query_map((position.0, sql_limit(limit)), ChunkRow::take)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

fn sql_limit(limit: usize) -> i64 {
    i64::try_from(limit).unwrap_or(i64::MAX)
}

fn upsert(snapshot: &mut Snapshot<'_>, generation: u64, chunk: ChunkRow) -> Result<Change, Fault> {
    let cached = snapshot
        .last_source
        .take()
        .filter(|cached| (cached.generation, cached.document) == (generation, chunk.document));
    let cached = match cached {
        Some(cached) => cached,
        None => {
            let source = Source::load(snapshot.connection, chunk.document)?;
            let text = with_text(snapshot.connection, chunk.document, &source.path, |text| Ok(text.to_vec()))?;
            CachedSource { generation, document: chunk.document, source, text }
        }
    };
    let cached = snapshot.last_source.insert(cached);
    let text = chunk.passage(&cached.source.path, &cached.text)?;
    Ok(Change::Upsert(cached.source.record(chunk, text)?))
}
