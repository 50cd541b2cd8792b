//! Passages with what an answer shows of them, many in one snapshot.

use std::collections::HashMap;
use std::sync::Arc;

use rusqlite::Connection;
use wikirag_core::{ChunkId, DocId, Generation, PlaceRange, Result, Span};

use crate::catalog::Catalog;
use crate::error::Fault;
use crate::model::{FileStamp, PassageSource, StoredPassage};
use crate::read::{ChunkRow, parse, with_text};
use crate::schema::Meta;

impl Catalog {
    /// Passages, in the order in which `choose` names their chunks; `None` for an id that no chunk has.
    ///
    /// `choose` is shown the generation that the snapshot is of, so that who remembers passages of it need not read them again.
    ///
    /// # Errors
    /// [`ErrorKind::Damaged`](wikirag_core::ErrorKind::Damaged) naming the document where a passage is not the one
    /// that was indexed; and where the catalog cannot be read.
    pub fn passages(&self, choose: impl FnOnce(Generation) -> Vec<ChunkId>) -> Result<Vec<Option<StoredPassage>>> {
        self.read("read passages", |snapshot| {
            let connection = snapshot.connection;
            let ids = choose(Meta::load(connection)?.info().generation);
            let mut rows = Vec::with_capacity(ids.len());
            for (place, id) in ids.iter().enumerate() {
                rows.extend(ChunkRow::find(connection, *id)?.map(|row| (place, row)));
            }
            // Passages of one document come together: its text may be large, and is looked at once.
            let mut documents = HashMap::<DocId, Vec<(usize, ChunkRow)>>::new();
            for (place, row) in rows {
                documents.entry(row.document).or_default().push((place, row));
            }
            let mut passages: Vec<Option<StoredPassage>> = ids.iter().map(|_| None).collect();
            for (document, rows) in documents {
                let source = Arc::new(source(connection, document)?);
                with_text(connection, document, &source.path, |text| {
                    for (place, row) in rows {
                        passages[place] = Some(passage(&source, &row, text)?);
                    }
                    Ok(())
                })?;
            }
            Ok(passages)
        })
    }
}

fn passage(source: &Arc<PassageSource>, row: &ChunkRow, text: &[u8]) -> Result<StoredPassage, Fault> {
    let (span, place): (Span, PlaceRange) = (row.span, row.place);
    Ok(StoredPassage {
        id: row.id,
        source: Arc::clone(source),
        headings: parse(&source.path, "headings", &row.headings)?,
        span,
        place,
        text: row.passage(&source.path, text)?,
    })
}

fn source(connection: &Connection, document: DocId) -> Result<PassageSource, Fault> {
    const SELECT: &str = "SELECT path, title, language, role, size, modified_ns, content_hash, meta
         FROM documents WHERE id = ?1";
    let (mut source, meta) = connection.prepare_cached(SELECT)?.query_row([document.0], |row| {
        let source = PassageSource {
            document,
            path: row.get(0)?,
            title: row.get(1)?,
            language: row.get(2)?,
            role: row.get(3)?,
            stamp: FileStamp { size: row.get(4)?, modified_ns: row.get(5)? },
            content_hash: row.get(6)?,
            meta: wikirag_core::Metadata::new(),
        };
        Ok((source, row.get::<_, String>(7)?))
    })?;
    source.meta = parse(&source.path, "front matter", &meta)?;
    Ok(source)
}
