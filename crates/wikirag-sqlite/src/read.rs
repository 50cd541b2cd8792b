//! Snapshot documents, chunks and the ledger.

use std::collections::BTreeMap;

use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension, Row};
use serde::de::DeserializeOwned;
use wikirag_core::{ChunkId, ChunkRecord, DocId, Link, PlaceRange, Places, Result, Span};

use crate::catalog::Catalog;
use crate::error::Fault;
use crate::identity::{TextHash, text_hash};
use crate::links;
use crate::model::{
    DocumentStamp, FileEntry, FileStamp, FileState, ReadAttempt, StoredChunk, StoredDocument, StoredSpan,
};

impl Catalog {
    /// Path, stamp and hash of every document, sorted by path.
    ///
    /// # Errors
    /// Where the catalog cannot be read.
    pub fn stamps(&self) -> Result<Vec<DocumentStamp>> {
        const SELECT: &str = "SELECT id, path, size, modified_ns, content_hash, fingerprint FROM documents";
        let mut stamps = self.read("read stamps", |snapshot| {
            let mut statement = snapshot.connection.prepare_cached(SELECT)?;
            let rows = statement.query_map([], |row| {
                Ok(DocumentStamp {
                    document: DocId(row.get(0)?),
                    path: row.get(1)?,
                    stamp: FileStamp { size: row.get(2)?, modified_ns: row.get(3)? },
                    content_hash: row.get(4)?,
                    fingerprint: row.get(5)?,
                })
            })?;
            Ok(rows.collect::<rusqlite::Result<Vec<_>>>()?)
        })?;
        // Sorted here: going through SQLite's index by path would fetch every row on its own.
        stamps.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        Ok(stamps)
    }

    /// A chunk with all that an answer shows of it, or `None` where there is none of this id.
    ///
    /// # Errors
    /// [`ErrorKind::Damaged`](wikirag_core::ErrorKind::Damaged) naming the document where the passage is not the one
    /// that was indexed; and where the catalog cannot be read.
    pub fn chunk(&self, id: ChunkId) -> Result<Option<StoredChunk>> {
        const SELECT: &str = "SELECT role, content_hash, meta FROM documents WHERE id = ?1";
        self.read("read chunk", |snapshot| {
            let connection = snapshot.connection;
            let Some(row) = ChunkRow::find(connection, id)? else { return Ok(None) };
            let source = Source::load(connection, row.document)?;
            let (role, content_hash, meta) = connection
                .prepare_cached(SELECT)?
                .query_row([row.document.0], |row| Ok((row.get(0)?, row.get(1)?, row.get::<_, String>(2)?)))?;
            let meta = parse(&source.path, "front matter", &meta)?;
            // The row is read and cut in place: the passage may be a small part of a large text.
            let text = with_text(connection, row.document, &source.path, |text| row.passage(&source.path, text))?;
            let (span, place) = (row.span, row.place);
            Ok(Some(StoredChunk { record: source.record(row, text)?, span, place, role, content_hash, meta }))
        })
    }

    /// A document with its text and the places of its chunks, or `None` where there is none at this path.
    ///
    /// # Errors
    /// [`ErrorKind::Damaged`](wikirag_core::ErrorKind::Damaged) naming the document where the text is not the one that
    /// was stored; and where the catalog cannot be read.
    pub fn document(&self, path: &str) -> Result<Option<StoredDocument>> {
        self.read("read document", |snapshot| load_document(snapshot.connection, path))
    }

    /// The ledger: every file of the last build, sorted by path. A document is listed as indexed with what is in the
    /// catalog, unless a row written by [`Update::put_file`](crate::Update::put_file) says what is wrong with its file.
    ///
    /// # Errors
    /// Where the catalog cannot be read.
    pub fn files(&self) -> Result<Vec<FileEntry>> {
        self.read("read ledger", |snapshot| load_files(snapshot.connection))
    }
}

impl Catalog {
    /// The files that were read and are no documents, with how they were then.
    ///
    /// # Errors
    /// Where the catalog cannot be read.
    pub fn attempts(&self) -> Result<Vec<FileEntry>> {
        const SELECT: &str = "SELECT path, characters, warnings, state, reason, detail, size, modified_ns, fingerprint
             FROM files WHERE size IS NOT NULL";
        self.read("read ledger", |snapshot| {
            let mut statement = snapshot.connection.prepare_cached(SELECT)?;
            let mut rows = statement.query([])?;
            let mut entries = Vec::new();
            while let Some(row) = rows.next()? {
                entries.push(file_entry(row)?);
            }
            Ok(entries)
        })
    }
}

/// A row of the table `files`: path, characters, warnings, state, reason, detail, size, modified_ns, fingerprint.
fn file_entry(row: &Row<'_>) -> Result<FileEntry, Fault> {
    let path: String = row.get(0)?;
    Ok(FileEntry {
        characters: row.get(1)?,
        chunks: 0,
        warnings: parse(&path, "list of warnings", &row.get::<_, String>(2)?)?,
        state: state_from_code(&path, &row.get::<_, String>(3)?)?,
        reason: row.get(4)?,
        detail: row.get(5)?,
        read: read_attempt(row, 6)?,
        path,
    })
}

fn load_document(connection: &Connection, path: &str) -> Result<Option<StoredDocument>, Fault> {
    const SELECT: &str =
        "SELECT id, title, language, role, navigation, meta, warnings, size, modified_ns, content_hash,
         text_hash FROM documents WHERE path = ?1";
    const CHUNKS: &str = "SELECT id, document, start, end, unit, first, last, text_hash, headings, seq
         FROM chunks WHERE document = ?1";
    let found = connection
        .prepare_cached(SELECT)?
        .query_row([path], |row| {
            let document = StoredDocument {
                document: DocId(row.get(0)?),
                path: path.to_owned(),
                title: row.get(1)?,
                language: row.get(2)?,
                role: row.get(3)?,
                navigation: row.get(4)?,
                meta: wikirag_core::Metadata::new(),
                warnings: Vec::new(),
                text: String::new(),
                places: Places::Same,
                stamp: FileStamp { size: row.get(7)?, modified_ns: row.get(8)? },
                content_hash: row.get(9)?,
                chunks: Vec::new(),
            };
            Ok((document, row.get::<_, String>(5)?, row.get::<_, String>(6)?, row.get::<_, TextHash>(10)?))
        })
        .optional()?;
    let Some((mut document, meta, warnings, hash)) = found else { return Ok(None) };
    document.meta = parse(path, "front matter", &meta)?;
    document.warnings = parse(path, "list of warnings", &warnings)?;
    document.places = places(connection, document.document, path)?;
    document.text = with_text(connection, document.document, path, |text| checked_text(path, text, hash))?;

    let mut statement = connection.prepare_cached(CHUNKS)?;
    let mut rows = statement.query([document.document.0])?;
    while let Some(row) = rows.next()? {
        let chunk = ChunkRow::take(row)?;
        let headings = parse(path, "headings", &chunk.headings)?;
        document.chunks.push(StoredSpan { id: chunk.id, span: chunk.span, place: chunk.place, headings });
    }
    document.chunks.sort_unstable_by_key(|chunk| (chunk.span, chunk.id));
    Ok(Some(document))
}

fn load_files(connection: &Connection) -> Result<Vec<FileEntry>, Fault> {
    const DOCUMENTS: &str = "SELECT path, characters, chunks, warnings FROM documents";
    const FILES: &str =
        "SELECT path, characters, warnings, state, reason, detail, size, modified_ns, fingerprint FROM files";
    let mut entries = BTreeMap::<String, FileEntry>::new();
    let mut statement = connection.prepare_cached(DOCUMENTS)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let path: String = row.get(0)?;
        let entry = FileEntry {
            state: FileState::Indexed,
            reason: String::new(),
            detail: String::new(),
            characters: row.get(1)?,
            chunks: row.get(2)?,
            warnings: parse(&path, "list of warnings", &row.get::<_, String>(3)?)?,
            read: None,
            path,
        };
        entries.insert(entry.path.clone(), entry);
    }
    let mut statement = connection.prepare_cached(FILES)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let mut entry = file_entry(row)?;
        if let Some(document) = entries.get(&entry.path) {
            (entry.characters, entry.chunks) = (document.characters, document.chunks);
        }
        entries.insert(entry.path.clone(), entry);
    }
    Ok(entries.into_values().collect())
}

/// From the columns size, modified_ns, fingerprint, of which `column` is the first.
pub(crate) fn read_attempt(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<ReadAttempt>> {
    let Some(size) = row.get(column)? else { return Ok(None) };
    let stamp = FileStamp { size, modified_ns: row.get(column + 1)? };
    Ok(Some(ReadAttempt { stamp, fingerprint: row.get(column + 2)? }))
}

/// The code by which the state of a file that is no document is stored.
pub(crate) const fn state_code(state: FileState) -> Option<&'static str> {
    match state {
        FileState::Indexed => None,
        FileState::Skipped => Some("skipped"),
        FileState::Failed => Some("failed"),
    }
}

fn state_from_code(path: &str, code: &str) -> Result<FileState, Fault> {
    [FileState::Skipped, FileState::Failed]
        .into_iter()
        .find(|state| state_code(*state) == Some(code))
        .ok_or_else(|| Fault::damaged_in(path, format!("the state {code:?} of the file is unknown")))
}

/// A row of the table `chunks`.
pub(crate) struct ChunkRow {
    pub(crate) id: ChunkId,
    pub(crate) document: DocId,
    pub(crate) span: Span,
    pub(crate) place: PlaceRange,
    pub(crate) text_hash: TextHash,
    /// A JSON list.
    pub(crate) headings: String,
    pub(crate) seq: u64,
}

impl ChunkRow {
    /// Takes the row from a statement that selects all columns in the order of the table.
    pub(crate) fn take(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            id: ChunkId(row.get(0)?),
            document: DocId(row.get(1)?),
            span: Span { start: row.get(2)?, end: row.get(3)? },
            place: place(row, 4)?,
            text_hash: row.get(7)?,
            headings: row.get(8)?,
            seq: row.get(9)?,
        })
    }

    pub(crate) fn find(connection: &Connection, id: ChunkId) -> Result<Option<Self>, Fault> {
        const SELECT: &str = "SELECT id, document, start, end, unit, first, last, text_hash, headings, seq
             FROM chunks WHERE id = ?1";
        // An id from 2^63 on was never given.
        let Ok(id) = i64::try_from(id.0) else { return Ok(None) };
        Ok(connection.prepare_cached(SELECT)?.query_row([id], Self::take).optional()?)
    }

    /// The passage, cut from the text of the document and checked to be the one that was indexed.
    pub(crate) fn passage(&self, path: &str, text: &[u8]) -> Result<String, Fault> {
        text.get(self.span.range())
            .filter(|bytes| text_hash(bytes) == self.text_hash)
            .and_then(|bytes| std::str::from_utf8(bytes).ok())
            .map(str::to_owned)
            .ok_or_else(|| {
                let Span { start, end } = self.span;
                Fault::damaged_in(path, format!("bytes {start} to {end} are not the passage that was indexed"))
            })
    }
}

/// A place from the columns unit, first, last, of which `column` is the first.
pub(crate) fn place(row: &Row<'_>, column: usize) -> rusqlite::Result<PlaceRange> {
    let (first, last) = (row.get(column + 1)?, row.get(column + 2)?);
    Ok(if row.get(column)? { PlaceRange::Pages(first, last) } else { PlaceRange::Lines(first, last) })
}

/// What a document gives to the records of its chunks.
pub(crate) struct Source {
    pub(crate) path: String,
    title: String,
    language: String,
    summary: String,
    aliases: Vec<String>,
    tags: Vec<String>,
    links: Vec<Link>,
    /// Where its first passage begins, if that matters.
    first: Option<usize>,
}

impl Source {
    pub(crate) fn load(connection: &Connection, document: DocId) -> Result<Self, Fault> {
        const SELECT: &str = "SELECT path, title, language, summary, aliases, tags FROM documents WHERE id = ?1";
        let found = connection
            .prepare_cached(SELECT)?
            .query_row([document.0], |row| {
                let source = Self {
                    path: row.get(0)?,
                    title: row.get(1)?,
                    language: row.get(2)?,
                    summary: row.get(3)?,
                    aliases: Vec::new(),
                    tags: Vec::new(),
                    links: Vec::new(),
                    first: None,
                };
                Ok((source, row.get::<_, String>(4)?, row.get::<_, String>(5)?))
            })
            .optional()?;
        let Some((mut source, aliases, tags)) = found else {
            return Err(Fault::damaged(format!("document {document} is missing but its chunks are there")));
        };
        source.aliases = parse(&source.path, "list of aliases", &aliases)?;
        source.tags = parse(&source.path, "list of tags", &tags)?;
        source.links = links::load(connection, document, &source.path)?;
        if !source.links.is_empty() {
            source.first = first_start(connection, document)?;
        }
        Ok(source)
    }

    /// The record of one of its chunks.
    pub(crate) fn record(&self, row: ChunkRow, text: String) -> Result<ChunkRecord, Fault> {
        Ok(ChunkRecord {
            id: row.id,
            document: row.document,
            path: self.path.clone(),
            title: self.title.clone(),
            headings: parse(&self.path, "headings", &row.headings)?,
            aliases: self.aliases.clone(),
            tags: self.tags.clone(),
            summary: self.summary.clone(),
            language: self.language.clone(),
            links: links::of_passage(&self.links, row.span, self.first == Some(row.span.start)),
            text,
        })
    }
}

/// Where the first passage of a document begins.
fn first_start(connection: &Connection, document: DocId) -> Result<Option<usize>, Fault> {
    const SELECT: &str = "SELECT min(start) FROM chunks WHERE document = ?1";
    Ok(connection.prepare_cached(SELECT)?.query_row([document.0], |row| row.get(0))?)
}

/// Hands the text of a document to `work` where SQLite keeps it.
pub(crate) fn with_text<T>(
    connection: &Connection,
    document: DocId,
    path: &str,
    work: impl FnOnce(&[u8]) -> Result<T, Fault>,
) -> Result<T, Fault> {
    let mut statement = connection.prepare_cached("SELECT text FROM texts WHERE document = ?1")?;
    let mut rows = statement.query([document.0])?;
    match rows.next()?.map(|row| row.get_ref(0)).transpose()? {
        Some(ValueRef::Text(text)) => work(text),
        _ => Err(Fault::damaged_in(path, "the text of the document is missing")),
    }
}

fn places(connection: &Connection, document: DocId, path: &str) -> Result<Places, Fault> {
    const SELECT: &str = "SELECT places FROM texts WHERE document = ?1";
    let found: Option<String> =
        connection.prepare_cached(SELECT)?.query_row([document.0], |row| row.get(0)).optional()?;
    match found {
        Some(json) if !json.is_empty() => parse(path, "list of places", &json),
        _ => Ok(Places::Same),
    }
}

/// The whole text, checked to be the one that was stored.
pub(crate) fn checked_text(path: &str, text: &[u8], hash: TextHash) -> Result<String, Fault> {
    Some(text)
        .filter(|text| text_hash(text) == hash)
        .and_then(|text| std::str::from_utf8(text).ok())
        .map(str::to_owned)
        .ok_or_else(|| Fault::damaged_in(path, "the text is not the one that was stored"))
}

/// Parses a column that we wrote as JSON.
pub(crate) fn parse<T: DeserializeOwned>(document: &str, what: &str, json: &str) -> Result<T, Fault> {
    serde_json::from_str(json)
        .map_err(|error| Fault::damaged_in(document, format!("the stored {what} does not parse: {error}")))
}
