//! Documents by what they say of themselves.

use std::collections::HashSet;

use rusqlite::OptionalExtension;
use wikirag_core::{ChunkId, DocId, Result};

use crate::catalog::Catalog;
use crate::model::DocumentFields;
use crate::read::parse;

impl Catalog {
    /// The documents of which `keep` says yes. Looks at each of them, but at no text.
    ///
    /// # Errors
    /// Where the catalog cannot be read.
    pub fn documents_where(&self, mut keep: impl FnMut(&DocumentFields) -> bool) -> Result<HashSet<DocId>> {
        const SELECT: &str = "SELECT id, path, title, tags, meta FROM documents";
        self.read("filter documents", |snapshot| {
            let mut statement = snapshot.connection.prepare_cached(SELECT)?;
            let mut rows = statement.query([])?;
            let mut kept = HashSet::new();
            while let Some(row) = rows.next()? {
                let path: String = row.get(1)?;
                let tags = parse(&path, "list of tags", &row.get::<_, String>(3)?)?;
                let meta = parse(&path, "front matter", &row.get::<_, String>(4)?)?;
                if keep(&DocumentFields { path, title: row.get(2)?, tags, meta }) {
                    kept.insert(DocId(row.get(0)?));
                }
            }
            Ok(kept)
        })
    }

    /// Whether some document has a field of this name in its front matter.
    ///
    /// # Errors
    /// Where the catalog cannot be read.
    pub fn has_field(&self, name: &str) -> Result<bool> {
        const SELECT: &str = "SELECT 1 FROM documents, json_each(documents.meta) WHERE key = ?1 LIMIT 1";
        self.read("look for field", |snapshot| Ok(snapshot.connection.prepare_cached(SELECT)?.exists([name])?))
    }

    /// The document that a chunk is part of.
    ///
    /// # Errors
    /// Where the catalog cannot be read.
    pub fn document_of(&self, chunk: ChunkId) -> Result<Option<DocId>> {
        const SELECT: &str = "SELECT document FROM chunks WHERE id = ?1";
        let Ok(id) = i64::try_from(chunk.0) else { return Ok(None) };
        self.read("look up chunk", |snapshot| {
            let mut statement = snapshot.connection.prepare_cached(SELECT)?;
            Ok(statement.query_row([id], |row| row.get(0).map(DocId)).optional()?)
        })
    }
}
