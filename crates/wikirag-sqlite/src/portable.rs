//! A copy of the catalog in one form: equal documents give equal bytes, wherever they lay and whatever was edited before.

use std::path::Path;

use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, Row, Statement};
use wikirag_core::{CatalogId, Result};

use crate::catalog::Catalog;
use crate::error::Fault;
use crate::model::{CatalogInfo, FileStamp};
use crate::open;
use crate::schema::{FORMAT, Meta};

/// A row of a document: what is read of it, and what is written. The first parameter of both is the number of the document,
/// which is another one on each side.
const ROWS: [(&str, &str); 3] = [
    (
        "SELECT path, size, content_hash, fingerprint, title, language, role, navigation, characters, chunks, text_hash,
             aliases, tags, summary, warnings, meta FROM documents WHERE id = ?1",
        "INSERT INTO documents (id, modified_ns, path, size, content_hash, fingerprint, title, language, role, navigation,
             characters, chunks, text_hash, aliases, tags, summary, warnings, meta)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18)",
    ),
    (
        "SELECT text, places FROM texts WHERE document = ?1",
        "INSERT INTO texts (document, text, places) VALUES (?1, ?2, ?3)",
    ),
    ("SELECT links FROM links WHERE document = ?1", "INSERT INTO links (document, links) VALUES (?1, ?2)"),
];

/// The chunks of a document, in the order of the text.
const CHUNKS: (&str, &str) = (
    "SELECT id, start, end, unit, first, last, text_hash, headings FROM chunks WHERE document = ?1 ORDER BY start, id",
    "INSERT INTO chunks (document, seq, id, start, end, unit, first, last, text_hash, headings)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
);

impl Catalog {
    /// Version of the form of the file.
    pub const FORMAT: u32 = FORMAT;

    /// Writes a copy to `to`, where nothing lies yet, in a form that depends on nothing but the documents and their chunks:
    ///
    /// * documents are numbered in the order of their paths, the feed has the chunks in the order of documents and text, and
    ///   nothing that was deleted;
    /// * times of files are [`FileStamp::UNKNOWN_TIME`], so that whoever has the files compares their content;
    /// * the ledger of files that are no documents is left out: it tells of one folder on one machine;
    /// * the id is a sum over all of that, and the generation is 1.
    ///
    /// Chunks keep their ids.
    ///
    /// # Errors
    /// Where the catalog cannot be read, or the copy cannot be written; what is written of it then is no catalog.
    pub fn write_portable(&self, to: &Path) -> Result<CatalogInfo> {
        self.read("copy catalog", |snapshot| {
            let writer = open::for_writing(to)?;
            writer.execute_batch("BEGIN IMMEDIATE")?;
            let meta = copy(snapshot.connection, &writer)?;
            // Pages in the order of the rows, and none free, whatever order they were written in.
            writer.execute_batch("COMMIT; VACUUM")?;
            writer.close().map_err(|(_, error)| error)?;
            Ok(meta.info())
        })
    }
}

fn copy(from: &Connection, to: &Connection) -> Result<Meta, Fault> {
    const RENAME: &str = "UPDATE meta SET id = ?1 WHERE one = 1";
    let documents = from
        .prepare("SELECT id FROM documents ORDER BY path")?
        .query_map([], |row| row.get(0))?
        .collect::<rusqlite::Result<Vec<u64>>>()?;
    let mut copy = Copy { from, to, sum: blake3::Hasher::new(), seq: 0 };
    for (new, old) in (1..).zip(&documents) {
        copy.document(*old, new)?;
    }
    let (seq, sum) = (copy.seq, copy.sum.finalize().to_hex());
    let id = CatalogId(sum.chars().take(32).collect());
    let known = Meta::load(from)?;
    let last_document = documents.len() as u64;
    let meta = Meta { id, generation: 1, head: seq, last_document, ..known };
    to.execute(RENAME, [&meta.id.0])?;
    meta.store(to)?;
    Ok(meta)
}

/// The copy as it grows.
struct Copy<'a> {
    from: &'a Connection,
    to: &'a Connection,
    /// Over all values written.
    sum: blake3::Hasher,
    /// The last number of the feed.
    seq: u64,
}

impl Copy<'_> {
    fn document(&mut self, old: u64, new: i64) -> Result<(), Fault> {
        let (from, to) = (self.from, self.to);
        for (select, insert) in ROWS {
            let (mut select, mut insert) = (from.prepare_cached(select)?, to.prepare_cached(insert)?);
            let is_stamped = insert.parameter_count() > select.column_count() + 1;
            let lead = [new, FileStamp::UNKNOWN_TIME];
            let lead = if is_stamped { &lead[..] } else { &lead[..1] };
            let mut rows = select.query([old])?;
            if let Some(row) = rows.next()? {
                self.row(row, &mut insert, lead)?;
            }
        }
        let (mut select, mut insert) = (from.prepare_cached(CHUNKS.0)?, to.prepare_cached(CHUNKS.1)?);
        let mut rows = select.query([old])?;
        while let Some(row) = rows.next()? {
            self.seq += 1;
            let seq = i64::try_from(self.seq).map_err(|_| Fault::damaged("the catalog has run out of numbers"))?;
            self.row(row, &mut insert, &[new, seq])?;
        }
        Ok(())
    }

    /// Writes the values of `lead` and then those of `row`.
    fn row(&mut self, row: &Row<'_>, insert: &mut Statement<'_>, lead: &[i64]) -> Result<(), Fault> {
        for (place, value) in (1..).zip(lead) {
            self.sum.update(&value.to_le_bytes());
            insert.raw_bind_parameter(place, value)?;
        }
        for column in 0..row.as_ref().column_count() {
            let value = row.get_ref(column)?;
            add(&mut self.sum, value);
            insert.raw_bind_parameter(lead.len() + column + 1, ToSqlOutput::Borrowed(value))?;
        }
        insert.raw_execute()?;
        Ok(())
    }
}

/// Adds a value to a sum. Its kind and length are part of it, so that no byte can move from one value to the next.
fn add(sum: &mut blake3::Hasher, value: ValueRef<'_>) {
    let mut part = |kind: u8, bytes: &[u8]| {
        sum.update(&[kind]).update(&(bytes.len() as u64).to_le_bytes()).update(bytes);
    };
    match value {
        ValueRef::Null => part(0, &[]),
        ValueRef::Integer(number) => part(1, &number.to_le_bytes()),
        ValueRef::Real(number) => part(2, &number.to_le_bytes()),
        ValueRef::Text(text) => part(3, text),
        ValueRef::Blob(bytes) => part(4, bytes),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use wikirag_core::{ChangeFeed, FeedPosition, Metadata, PlaceRange, Places, Span};

    use super::*;
    use crate::model::{NewChunk, NewDocument};

    fn put(catalog: &Catalog, path: &str, text: &str, modified_ns: i64) {
        let mut update = catalog.update().unwrap();
        let chunks: Vec<NewChunk> = text
            .match_indices('\n')
            .scan(0, |start, (end, _)| {
                let span = Span::new(*start, end + 1);
                *start = end + 1;
                Some(NewChunk { span, place: PlaceRange::Lines(1, 1), headings: Vec::new() })
            })
            .collect();
        let put = update.put_document(&NewDocument {
            path,
            stamp: FileStamp { size: text.len() as u64, modified_ns },
            content_hash: *blake3::hash(text.as_bytes()).as_bytes(),
            fingerprint: "f",
            title: path,
            language: "eng",
            role: "",
            navigation: false,
            meta: &Metadata::new(),
            aliases: &[],
            tags: &[],
            summary: "",
            warnings: &[],
            text,
            places: &Places::Same,
            links: &[],
            chunks: &chunks,
        });
        put.unwrap();
        update.commit().unwrap();
    }

    #[test]
    fn equal_documents_make_equal_copies() {
        let dir = tempfile::tempdir().unwrap();
        let made = |name: &str| Catalog::open_or_create(&dir.path().join(name)).unwrap();
        let (first, second) = (made("first"), made("second"));
        put(&first, "a.md", "one\ntwo\n", 7);
        put(&first, "b.md", "one\n", 8);
        for (path, text) in [("b.md", "else\n"), ("0.md", "gone\n"), ("a.md", "two\none\nthree\n")] {
            put(&second, path, text, 1);
        }
        second.update().unwrap().commit().unwrap();
        let mut update = second.update().unwrap();
        update.remove_document("0.md").unwrap();
        update.commit().unwrap();
        put(&second, "a.md", "one\ntwo\n", 3);
        put(&second, "b.md", "one\n", 3);

        let copied = |catalog: &Catalog, name: &str| {
            let path = dir.path().join(name);
            let info = catalog.write_portable(&path).unwrap();
            assert!(!dir.path().join(format!("{name}-wal")).exists());
            (fs::read(&path).unwrap(), info, Catalog::open(&path).unwrap())
        };
        let (bytes, info, copy) = copied(&first, "copy-1");
        let (others, ..) = copied(&second, "copy-2");
        assert!(bytes == others);
        copy.verify().unwrap();
        assert_eq!(copy.info().unwrap(), info);
        assert_eq!((info.documents, info.chunks, info.head, info.generation.0), (2, 3, FeedPosition(3), 1));
        let stamps = copy.stamps().unwrap();
        assert!(stamps.iter().all(|stamp| stamp.stamp.modified_ns == FileStamp::UNKNOWN_TIME));
        let chunks = |catalog: &Catalog| {
            let document = catalog.document("a.md").unwrap().unwrap();
            (document.text, document.chunks)
        };
        assert_eq!(chunks(&copy), chunks(&first));
        assert_eq!(copy.after(FeedPosition(0), 10).unwrap().changes.len(), 3);
        // A copy of a copy is the same, and another document is another copy.
        assert!(copied(&copy, "copy-3").0 == bytes);
        put(&first, "b.md", "One\n", 8);
        let (_, other, _) = copied(&first, "copy-4");
        assert_ne!(other.id, info.id);
    }
}
