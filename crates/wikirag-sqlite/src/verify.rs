//! Checking all that can be checked.

use rusqlite::Connection;
use wikirag_core::{DocId, Result};

use crate::catalog::Catalog;
use crate::error::Fault;
use crate::identity::TextHash;
use crate::read::{ChunkRow, Source, checked_text, parse, with_text};
use crate::schema::Meta;

/// Questions about the tables whose answer is a count of rows that should not be.
const CONTRADICTIONS: [(&str, &str); 7] = [
    ("chunks without a document", "SELECT count(*) FROM chunks WHERE document NOT IN (SELECT id FROM documents)"),
    ("texts without a document", "SELECT count(*) FROM texts WHERE document NOT IN (SELECT id FROM documents)"),
    ("links without a document", "SELECT count(*) FROM links WHERE document NOT IN (SELECT id FROM documents)"),
    ("chunks that are deleted as well", "SELECT count(*) FROM chunks WHERE id IN (SELECT chunk_id FROM tombstones)"),
    ("numbers given twice", "SELECT count(*) FROM chunks WHERE seq IN (SELECT seq FROM tombstones)"),
    (
        "changes after the newest",
        "SELECT (SELECT count(*) FROM chunks WHERE seq > (SELECT head FROM meta))
             + (SELECT count(*) FROM tombstones WHERE seq > (SELECT head FROM meta))",
    ),
    (
        "documents with another number of chunks than stated",
        "SELECT count(*) FROM documents WHERE chunks <> (SELECT count(*) FROM chunks WHERE document = documents.id)",
    ),
];

impl Catalog {
    /// Checks every page, every text and every passage, and that the tables agree with one another.
    ///
    /// # Errors
    /// [`ErrorKind::Damaged`](wikirag_core::ErrorKind::Damaged) naming what is wrong, and the document where it is one.
    pub fn verify(&self) -> Result<()> {
        self.read("verify catalog", |snapshot| {
            check_pages(snapshot.connection)?;
            check_tables(snapshot.connection)?;
            check_documents(snapshot.connection)
        })
    }
}

/// Checks the pages of a file as far as SQLite can.
pub(crate) fn check_pages(connection: &Connection) -> Result<(), Fault> {
    let verdict: String = connection.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))?;
    if verdict == "ok" { Ok(()) } else { Err(Fault::damaged(format!("SQLite finds: {verdict}"))) }
}

fn check_tables(connection: &Connection) -> Result<(), Fault> {
    const TOTALS: &str = "SELECT count(*), coalesce(sum(navigation), 0), coalesce(sum(chunks), 0),
         coalesce(sum(characters), 0) FROM documents";
    for (what, count) in CONTRADICTIONS {
        let found: u64 = connection.query_row(count, [], |row| row.get(0))?;
        if found > 0 {
            return Err(Fault::damaged(format!("there are {found} {what}")));
        }
    }
    let meta = Meta::load(connection)?;
    let counted: (u64, u64, u64, u64) =
        connection.query_row(TOTALS, [], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))?;
    if counted != (meta.documents, meta.navigation, meta.chunks, meta.characters) {
        return Err(Fault::damaged("the totals do not fit the documents"));
    }
    Ok(())
}

fn check_documents(connection: &Connection) -> Result<(), Fault> {
    const DOCUMENTS: &str = "SELECT id, text_hash, warnings, meta FROM documents";
    const CHUNKS: &str = "SELECT id, document, start, end, unit, first, last, text_hash, headings, seq
         FROM chunks WHERE document = ?1";
    let mut documents = connection.prepare(DOCUMENTS)?;
    let mut chunks = connection.prepare(CHUNKS)?;
    let mut rows = documents.query([])?;
    while let Some(row) = rows.next()? {
        let document = DocId(row.get(0)?);
        let hash: TextHash = row.get(1)?;
        let source = Source::load(connection, document)?;
        let path = &source.path;
        let _: Vec<wikirag_core::ReadWarning> = parse(path, "list of warnings", &row.get::<_, String>(2)?)?;
        let _: wikirag_core::Metadata = parse(path, "front matter", &row.get::<_, String>(3)?)?;
        let text = with_text(connection, document, path, |text| checked_text(path, text, hash))?;
        let mut chunks = chunks.query([document.0])?;
        while let Some(row) = chunks.next()? {
            let chunk = ChunkRow::take(row)?;
            let passage = chunk.passage(path, text.as_bytes())?;
            source.record(chunk, passage)?;
        }
    }
    Ok(())
}
