//! Putting a document into the catalog and taking it out.

use std::collections::{HashMap, HashSet};

use rusqlite::{Connection, OptionalExtension};
use serde::Serialize;
use serde_json::Value;
use wikirag_core::{ChunkId, DocId, Error, ErrorKind, PlaceRange, Places, Span};

use crate::error::Fault;
use crate::identity::{TextHash, candidate_ids, text_hash};
use crate::links;
use crate::model::{FileStamp, NewDocument, PutReport};
use crate::read::place;
use crate::schema::Meta;
use crate::update::{Draft, delete_file};

/// How deep front matter may be nested. The JSON parser that reads it back stops at 128.
const MAX_META_DEPTH: usize = 100;

/// What is checked before anything is written.
pub(crate) fn check(new: &NewDocument<'_>) -> Result<(), Error> {
    const OPERATION: &str = "store document";
    for chunk in new.chunks {
        let Span { start, end } = chunk.span;
        if chunk.span.slice(new.text).is_none_or(str::is_empty) {
            let message = format!("bytes {start} to {end} are no passage of the text of {} bytes", new.text.len());
            return Err(Error::new(ErrorKind::Internal, OPERATION, message));
        }
    }
    if new.meta.values().any(|value| !is_within_depth(value, MAX_META_DEPTH - 1)) {
        let message = format!("the front matter is nested more than {MAX_META_DEPTH} levels deep");
        return Err(Error::new(ErrorKind::Invalid, OPERATION, message));
    }
    Ok(())
}

fn is_within_depth(value: &Value, levels: usize) -> bool {
    match value {
        Value::Array(values) => levels > 0 && values.iter().all(|value| is_within_depth(value, levels - 1)),
        Value::Object(values) => levels > 0 && values.values().all(|value| is_within_depth(value, levels - 1)),
        _ => true,
    }
}

pub(crate) fn put_document(
    connection: &Connection,
    draft: &mut Draft,
    new: &NewDocument<'_>,
) -> Result<PutReport, Fault> {
    delete_file(connection, draft, new.path)?;
    let row = DocumentRow::new(new)?;
    let old = DocumentRow::find(connection, new.path)?;
    let (document, reindex) = match &old {
        Some((document, old)) => (*document, !old.gives_the_same_records(&row)),
        None => (draft.meta.next_document()?, false),
    };
    let old = old.map(|(_, row)| row);

    if old.as_ref() != Some(&row) {
        row.write(connection, document, new.path)?;
        if old.as_ref().is_none_or(|old| !old.has_the_same_text(&row)) {
            write_text(connection, document, new)?;
        }
        draft.changed |= old.as_ref().is_none_or(|old| DocumentRow { stamp: row.stamp, ..old.clone() } != row);
    }
    let known = if old.is_some() { ChunkPlace::of_document(connection, document)? } else { HashMap::new() };
    count(&mut draft.meta, old.as_ref(), Some(&row))?;

    let links = links::put(connection, document, new, old.is_some())?;
    draft.changed |= links.differ();

    let report = put_chunks(connection, &mut draft.meta, document, new, known, &links, reindex)?;
    draft.changed |= report.added + report.changed + report.moved + report.removed > 0;
    Ok(report)
}

pub(crate) fn remove_document(connection: &Connection, draft: &mut Draft, path: &str) -> Result<u64, Fault> {
    const CHUNKS: &str = "SELECT id FROM chunks WHERE document = ?1 ORDER BY id";
    let Some((document, row)) = DocumentRow::find(connection, path)? else { return Ok(0) };
    let ids = connection
        .prepare_cached(CHUNKS)?
        .query_map([document.0], |row| Ok(ChunkId(row.get(0)?)))?
        .collect::<rusqlite::Result<Vec<_>>>()?;
    for id in &ids {
        delete_chunk(connection, &mut draft.meta, *id)?;
    }
    connection.prepare_cached("DELETE FROM texts WHERE document = ?1")?.execute([document.0])?;
    links::remove(connection, document)?;
    connection.prepare_cached("DELETE FROM documents WHERE id = ?1")?.execute([document.0])?;
    count(&mut draft.meta, Some(&row), None)?;
    draft.changed = true;
    Ok(ids.len() as u64)
}

/// Corrects the totals for a document that was `old` and is `new`.
fn count(meta: &mut Meta, old: Option<&DocumentRow>, new: Option<&DocumentRow>) -> Result<(), Fault> {
    let correct = |total: &mut u64, of: fn(&DocumentRow) -> u64| {
        let corrected = total.checked_sub(old.map_or(0, of)).and_then(|rest| rest.checked_add(new.map_or(0, of)));
        *total = corrected.ok_or_else(|| Fault::damaged("the totals do not fit the documents"))?;
        Ok::<_, Fault>(())
    };
    correct(&mut meta.documents, |_| 1)?;
    correct(&mut meta.navigation, |row| u64::from(row.navigation))?;
    correct(&mut meta.chunks, |row| row.chunks)?;
    correct(&mut meta.characters, |row| row.characters)
}

/// A row of the table `documents` without id and path.
#[derive(Debug, Clone, PartialEq, Eq)]
struct DocumentRow {
    stamp: FileStamp,
    content_hash: [u8; 32],
    fingerprint: String,
    title: String,
    language: String,
    role: String,
    navigation: bool,
    characters: u64,
    chunks: u64,
    text_hash: TextHash,
    aliases: String,
    tags: String,
    summary: String,
    warnings: String,
    meta: String,
}

impl DocumentRow {
    fn new(new: &NewDocument<'_>) -> Result<Self, Fault> {
        Ok(Self {
            stamp: new.stamp,
            content_hash: new.content_hash,
            fingerprint: new.fingerprint.to_owned(),
            title: new.title.to_owned(),
            language: new.language.to_owned(),
            role: new.role.to_owned(),
            navigation: new.navigation,
            characters: new.text.chars().count() as u64,
            chunks: new.chunks.len() as u64,
            text_hash: text_hash(new.text.as_bytes()),
            aliases: to_json(new.aliases)?,
            tags: to_json(new.tags)?,
            summary: new.summary.to_owned(),
            warnings: to_json(new.warnings)?,
            meta: to_json(new.meta)?,
        })
    }

    fn find(connection: &Connection, path: &str) -> Result<Option<(DocId, Self)>, Fault> {
        const SELECT: &str =
            "SELECT id, size, modified_ns, content_hash, fingerprint, title, language, role, navigation,
             characters, chunks, text_hash, aliases, tags, summary, warnings, meta FROM documents WHERE path = ?1";
        let found = connection.prepare_cached(SELECT)?.query_row([path], |row| {
            let found = Self {
                stamp: FileStamp { size: row.get(1)?, modified_ns: row.get(2)? },
                content_hash: row.get(3)?,
                fingerprint: row.get(4)?,
                title: row.get(5)?,
                language: row.get(6)?,
                role: row.get(7)?,
                navigation: row.get(8)?,
                characters: row.get(9)?,
                chunks: row.get(10)?,
                text_hash: row.get(11)?,
                aliases: row.get(12)?,
                tags: row.get(13)?,
                summary: row.get(14)?,
                warnings: row.get(15)?,
                meta: row.get(16)?,
            };
            Ok((DocId(row.get(0)?), found))
        });
        Ok(found.optional()?)
    }

    fn write(&self, connection: &Connection, document: DocId, path: &str) -> Result<(), Fault> {
        const UPSERT: &str = "INSERT INTO documents (id, path, size, modified_ns, content_hash, fingerprint, title,
             language, role, navigation, characters, chunks, text_hash, aliases, tags, summary, warnings, meta)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18)
             ON CONFLICT (id) DO UPDATE SET size = excluded.size, modified_ns = excluded.modified_ns,
             content_hash = excluded.content_hash, fingerprint = excluded.fingerprint, title = excluded.title,
             language = excluded.language, role = excluded.role, navigation = excluded.navigation,
             characters = excluded.characters, chunks = excluded.chunks, text_hash = excluded.text_hash,
             aliases = excluded.aliases, tags = excluded.tags, summary = excluded.summary,
             warnings = excluded.warnings, meta = excluded.meta";
        connection.prepare_cached(UPSERT)?.execute(rusqlite::params![
            document.0,
            path,
            self.stamp.size,
            self.stamp.modified_ns,
            self.content_hash,
            self.fingerprint,
            self.title,
            self.language,
            self.role,
            self.navigation,
            self.characters,
            self.chunks,
            self.text_hash,
            self.aliases,
            self.tags,
            self.summary,
            self.warnings,
            self.meta,
        ])?;
        Ok(())
    }

    /// Whether chunks of equal text and headings give layers the same record in both.
    fn gives_the_same_records(&self, other: &Self) -> bool {
        self.indexed() == other.indexed()
    }

    /// Whether text and places are the same: both come out of the bytes of the file and the way it was read.
    fn has_the_same_text(&self, other: &Self) -> bool {
        let of = |row: &Self| (row.text_hash, row.content_hash);
        of(self) == of(other) && self.fingerprint == other.fingerprint
    }

    /// What of the document goes into the records of its chunks; the path is what it was found by.
    fn indexed(&self) -> [&str; 5] {
        [&self.title, &self.language, &self.aliases, &self.tags, &self.summary]
    }
}

fn write_text(connection: &Connection, document: DocId, new: &NewDocument<'_>) -> Result<(), Fault> {
    const UPSERT: &str = "INSERT INTO texts (document, text, places) VALUES (?1, ?2, ?3)
         ON CONFLICT (document) DO UPDATE SET text = excluded.text, places = excluded.places";
    let places = if *new.places == Places::Same { String::new() } else { to_json(new.places)? };
    connection.prepare_cached(UPSERT)?.execute((document.0, new.text, places))?;
    Ok(())
}

/// A row of the table `chunks` without id, document and number.
#[derive(Debug, PartialEq, Eq)]
struct ChunkPlace {
    span: Span,
    place: PlaceRange,
    text_hash: TextHash,
    headings: String,
}

impl ChunkPlace {
    fn of_document(connection: &Connection, document: DocId) -> Result<HashMap<ChunkId, Self>, Fault> {
        const SELECT: &str = "SELECT id, start, end, unit, first, last, text_hash, headings
             FROM chunks WHERE document = ?1";
        let mut statement = connection.prepare_cached(SELECT)?;
        let rows = statement.query_map([document.0], |row| {
            let place = Self {
                span: Span { start: row.get(1)?, end: row.get(2)? },
                place: place(row, 3)?,
                text_hash: row.get(6)?,
                headings: row.get(7)?,
            };
            Ok((ChunkId(row.get(0)?), place))
        })?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }
}

/// Compares the chunks of a document with those that are there and writes the difference.
fn put_chunks(
    connection: &Connection,
    meta: &mut Meta,
    document: DocId,
    new: &NewDocument<'_>,
    mut known: HashMap<ChunkId, ChunkPlace>,
    links: &links::Put<'_>,
    reindex: bool,
) -> Result<PutReport, Fault> {
    let mut report = PutReport { document, ..PutReport::default() };
    let chunks = name_chunks(connection, new, &known)?;
    let first_known = known.values().map(|place| place.span.start).min();
    let first = chunks.iter().map(|(_, place)| place.span.start).min();
    let links_differ =
        |old: Span, new: Span| links.differ_in((old, Some(old.start) == first_known), (new, Some(new.start) == first));

    // Deletions come first in the feed, so that a follower who begins with the new chunks has them behind it. In an
    // order that does not depend on the hash map.
    let ids: HashSet<_> = chunks.iter().map(|(id, _)| *id).collect();
    let mut gone: Vec<_> = known.keys().copied().filter(|id| !ids.contains(id)).collect();
    gone.sort_unstable();
    for id in gone {
        delete_chunk(connection, meta, id)?;
        report.removed += 1;
    }

    for (id, place) in chunks {
        match known.remove(&id) {
            None => {
                write_chunk(connection, id, document, &place, meta.next_seq()?)?;
                connection.prepare_cached("DELETE FROM tombstones WHERE chunk_id = ?1")?.execute([id.0])?;
                report.added += 1;
            }
            Some(old)
                if reindex
                    || old.headings != place.headings
                    || old.text_hash != place.text_hash
                    || links_differ(old.span, place.span) =>
            {
                write_chunk(connection, id, document, &place, meta.next_seq()?)?;
                report.changed += 1;
            }
            Some(old) if old != place => {
                move_chunk(connection, id, &place)?;
                report.moved += 1;
            }
            Some(_) => report.kept += 1,
        }
    }
    Ok(report)
}

/// Finds the id of each chunk of the document.
fn name_chunks(
    connection: &Connection,
    new: &NewDocument<'_>,
    known: &HashMap<ChunkId, ChunkPlace>,
) -> Result<Vec<(ChunkId, ChunkPlace)>, Fault> {
    let mut texts_before = HashMap::<TextHash, u64>::new();
    let mut taken = HashSet::with_capacity(new.chunks.len());
    let mut named = Vec::with_capacity(new.chunks.len());
    for chunk in new.chunks {
        let text = chunk.span.slice(new.text).unwrap_or_default();
        let place = ChunkPlace {
            span: chunk.span,
            place: chunk.place,
            text_hash: text_hash(text.as_bytes()),
            headings: to_json(&chunk.headings)?,
        };
        let count = texts_before.entry(place.text_hash).or_default();
        let id = free_id(connection, candidate_ids(new.path, text, *count), known, &taken)?;
        *count += 1;
        taken.insert(id);
        named.push((id, place));
    }
    Ok(named)
}

/// The first of the candidates that no other chunk has.
fn free_id(
    connection: &Connection,
    mut candidates: impl Iterator<Item = ChunkId>,
    known: &HashMap<ChunkId, ChunkPlace>,
    taken: &HashSet<ChunkId>,
) -> Result<ChunkId, Fault> {
    let mut chunk_is_there = connection.prepare_cached("SELECT 1 FROM chunks WHERE id = ?1")?;
    loop {
        // The candidates never end, and there are far fewer chunks than ids.
        let Some(id) = candidates.next() else { return Err(Fault::damaged("there is no free chunk id")) };
        if taken.contains(&id) {
            continue;
        }
        if known.contains_key(&id) {
            return Ok(id);
        }
        if !chunk_is_there.exists([id.0])? {
            return Ok(id);
        }
    }
}

fn write_chunk(
    connection: &Connection,
    id: ChunkId,
    document: DocId,
    place: &ChunkPlace,
    seq: u64,
) -> Result<(), Fault> {
    const UPSERT: &str =
        "INSERT INTO chunks (id, document, start, end, unit, first, last, text_hash, headings, seq)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
         ON CONFLICT (id) DO UPDATE SET start = excluded.start, end = excluded.end, unit = excluded.unit, first = excluded.first,
         last = excluded.last, text_hash = excluded.text_hash, headings = excluded.headings,
         seq = excluded.seq";
    let Span { start, end } = place.span;
    let (first, last) = place.place.ends();
    connection.prepare_cached(UPSERT)?.execute((
        id.0,
        document.0,
        start,
        end,
        unit(place.place),
        first,
        last,
        place.text_hash,
        &place.headings,
        seq,
    ))?;
    Ok(())
}

/// How the unit of a place is stored.
const fn unit(place: PlaceRange) -> bool {
    matches!(place, PlaceRange::Pages(..))
}

fn move_chunk(connection: &Connection, id: ChunkId, place: &ChunkPlace) -> Result<(), Fault> {
    const UPDATE: &str = "UPDATE chunks SET start = ?2, end = ?3, unit = ?4, first = ?5, last = ?6 WHERE id = ?1";
    let Span { start, end } = place.span;
    let (first, last) = place.place.ends();
    connection.prepare_cached(UPDATE)?.execute((id.0, start, end, unit(place.place), first, last))?;
    Ok(())
}

fn delete_chunk(connection: &Connection, meta: &mut Meta, id: ChunkId) -> Result<(), Fault> {
    connection.prepare_cached("DELETE FROM chunks WHERE id = ?1")?.execute([id.0])?;
    connection
        .prepare_cached("INSERT OR REPLACE INTO tombstones (chunk_id, seq) VALUES (?1, ?2)")?
        .execute((id.0, meta.next_seq()?))?;
    Ok(())
}

/// A column as JSON.
pub(crate) fn to_json<T: Serialize + ?Sized>(value: &T) -> Result<String, Fault> {
    serde_json::to_string(value).map_err(|error| {
        Error::new(ErrorKind::Internal, "store document", "a value cannot be written as JSON").caused_by(error).into()
    })
}
