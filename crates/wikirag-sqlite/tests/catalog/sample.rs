//! Documents for tests: a text of lines, each line a passage.

use std::path::PathBuf;

use tempfile::TempDir;
use wikirag_core::{Link, LinkKind, Metadata, PlaceRange, Places, ReadWarning, Span};
use wikirag_sqlite::{Catalog, FileStamp, NewChunk, NewDocument, PutReport, Update};

/// A folder with a catalog in it.
pub(crate) struct Home {
    pub(crate) folder: TempDir,
}

impl Home {
    pub(crate) fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.folder.path().join("catalog.db")
    }

    /// Opens for writing.
    pub(crate) fn writer(&self) -> Catalog {
        Catalog::open_or_create(&self.path()).unwrap()
    }

    pub(crate) fn reader(&self) -> Catalog {
        Catalog::open(&self.path()).unwrap()
    }
}

/// A document with owned parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Sample {
    pub(crate) path: String,
    pub(crate) stamp: FileStamp,
    pub(crate) fingerprint: String,
    pub(crate) title: String,
    pub(crate) language: String,
    pub(crate) role: String,
    pub(crate) navigation: bool,
    pub(crate) meta: Metadata,
    pub(crate) aliases: Vec<String>,
    pub(crate) tags: Vec<String>,
    pub(crate) summary: String,
    pub(crate) warnings: Vec<ReadWarning>,
    pub(crate) text: String,
    pub(crate) links: Vec<Link>,
    pub(crate) chunks: Vec<NewChunk>,
}

impl Sample {
    /// A document whose passages are the lines that are not empty.
    pub(crate) fn new(path: &str, text: &str) -> Self {
        Self {
            path: path.into(),
            stamp: FileStamp { size: text.len() as u64, modified_ns: 1 },
            fingerprint: "f".into(),
            title: format!("Title of {path}"),
            language: "eng".into(),
            role: "curated".into(),
            navigation: false,
            meta: Metadata::from_iter([("title".to_owned(), path.into())]),
            aliases: vec!["other name".into()],
            tags: vec!["tag".into()],
            summary: String::new(),
            warnings: Vec::new(),
            text: text.into(),
            links: word_links(text),
            chunks: line_chunks(text),
        }
    }

    pub(crate) fn content_hash(&self) -> [u8; 32] {
        *blake3::hash(self.text.as_bytes()).as_bytes()
    }

    pub(crate) fn put(&self, update: &mut Update<'_>) -> PutReport {
        update.put_document(&self.as_new()).unwrap()
    }

    pub(crate) fn as_new(&self) -> NewDocument<'_> {
        NewDocument {
            path: &self.path,
            stamp: self.stamp,
            content_hash: self.content_hash(),
            fingerprint: &self.fingerprint,
            title: &self.title,
            language: &self.language,
            role: &self.role,
            navigation: self.navigation,
            meta: &self.meta,
            aliases: &self.aliases,
            tags: &self.tags,
            summary: &self.summary,
            warnings: &self.warnings,
            text: &self.text,
            places: &Places::Same,
            links: &self.links,
            chunks: &self.chunks,
        }
    }
}

/// The words that begin with `@`.
pub(crate) fn word_links(text: &str) -> Vec<Link> {
    let starts = text.match_indices('@').map(|(start, _)| start);
    starts
        .map(|start| {
            let length = text[start..].find(char::is_whitespace).unwrap_or(text.len() - start);
            let span = Span::new(start, start + length);
            Link { span, kind: LinkKind::Wiki, target: text[start + 1..span.end].to_owned() }
        })
        .collect()
}

/// Each line that is not empty, under a heading named after its first character.
fn line_chunks(text: &str) -> Vec<NewChunk> {
    let mut start = 0;
    let mut chunks = Vec::new();
    for (number, line) in (1..).zip(text.split('\n')) {
        if let Some(first) = line.chars().next() {
            let span = Span::new(start, start + line.len());
            chunks.push(NewChunk { span, place: PlaceRange::Lines(number, number), headings: vec![first.to_string()] });
        }
        start += line.len() + 1;
    }
    chunks
}

/// Puts the documents in one commit.
pub(crate) fn commit(catalog: &Catalog, documents: &[Sample]) {
    let mut update = catalog.update().unwrap();
    for document in documents {
        document.put(&mut update);
    }
    update.commit().unwrap();
}
