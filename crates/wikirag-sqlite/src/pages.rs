//! All documents at once, as those see them who look at the whole vault.

use rusqlite::types::ValueRef;
use wikirag_core::{DocId, Link, Metadata, Result};

use crate::catalog::Catalog;
use crate::error::Fault;
use crate::read::{checked_text, parse};

/// A document without its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredPage {
    /// The document.
    pub document: DocId,
    /// Path below the root of the wiki, with `/`.
    pub path: String,
    /// Title.
    pub title: String,
    /// Other names.
    pub aliases: Vec<String>,
    /// Tags.
    pub tags: Vec<String>,
    /// ISO 639-3 code, or empty.
    pub language: String,
    /// Role of the path, or empty.
    pub role: String,
    /// Whether it is kept for navigation.
    pub navigation: bool,
    /// Front matter.
    pub meta: Metadata,
    /// Time of the last modification of the file in nanoseconds since 1970, UTC.
    pub modified_ns: i64,
    /// Characters (Unicode scalar values) of the text.
    pub characters: u64,
    /// Links, with their places in the text.
    pub links: Vec<Link>,
}

impl Catalog {
    /// All documents, those kept for navigation among them, sorted by path.
    ///
    /// # Errors
    /// Where the catalog cannot be read.
    pub fn pages(&self) -> Result<Vec<StoredPage>> {
        const SELECT: &str = "SELECT id, path, title, language, role, navigation, modified_ns, characters,
             aliases, tags, meta, links.links FROM documents LEFT JOIN links ON links.document = documents.id";
        let mut pages = self.read("read pages", |snapshot| {
            let mut statement = snapshot.connection.prepare_cached(SELECT)?;
            let mut rows = statement.query([])?;
            let mut pages = Vec::new();
            while let Some(row) = rows.next()? {
                let path: String = row.get(1)?;
                let json = |column| row.get::<_, String>(column);
                let links = row.get::<_, Option<String>>(11)?;
                pages.push(StoredPage {
                    document: DocId(row.get(0)?),
                    title: row.get(2)?,
                    language: row.get(3)?,
                    role: row.get(4)?,
                    navigation: row.get(5)?,
                    modified_ns: row.get(6)?,
                    characters: row.get(7)?,
                    aliases: parse(&path, "list of aliases", &json(8)?)?,
                    tags: parse(&path, "list of tags", &json(9)?)?,
                    meta: parse(&path, "front matter", &json(10)?)?,
                    links: links.map_or(Ok(Vec::new()), |links| parse(&path, "list of links", &links))?,
                    path,
                });
            }
            Ok(pages)
        })?;
        pages.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        Ok(pages)
    }

    /// Hands path and text of each document to `sink`, in the order of their ids, out of one snapshot.
    ///
    /// # Errors
    /// [`ErrorKind::Damaged`](wikirag_core::ErrorKind::Damaged) naming the document where a text is not the one that was
    /// stored; and where the catalog cannot be read.
    pub fn each_text(&self, mut sink: impl FnMut(DocId, &str, &str)) -> Result<()> {
        const SELECT: &str =
            "SELECT id, path, text_hash, text FROM documents JOIN texts ON texts.document = documents.id
             ORDER BY id";
        self.read("read texts", |snapshot| {
            let mut statement = snapshot.connection.prepare_cached(SELECT)?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                let path: String = row.get(1)?;
                let ValueRef::Text(text) = row.get_ref(3)? else {
                    return Err(Fault::damaged_in(&path, "the text of the document is missing"));
                };
                let text = checked_text(&path, text, row.get(2)?)?;
                sink(DocId(row.get(0)?), &path, &text);
            }
            Ok(())
        })
    }
}
