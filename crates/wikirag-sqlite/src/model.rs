//! What goes into the catalog and what comes out of it: plain structs.

use std::sync::Arc;

use serde::Serialize;
use wikirag_core::{
    CatalogId, ChunkId, ChunkRecord, DocId, FeedPosition, Generation, Link, Metadata, PlaceRange, Places, ReadWarning,
    Span,
};

/// The state of a catalog in numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CatalogInfo {
    /// Which catalog this is; drawn when it was made.
    pub id: CatalogId,
    /// Version of the file format.
    pub format: u32,
    /// How many commits have changed it.
    pub generation: Generation,
    /// Position of the newest change in the feed.
    pub head: FeedPosition,
    /// Documents in all, those kept for navigation among them.
    pub documents: u64,
    /// Documents that are kept for navigation and not returned as content.
    pub navigation: u64,
    /// Chunks of all documents.
    pub chunks: u64,
    /// Characters (Unicode scalar values) of the texts of all documents.
    pub characters: u64,
}

/// What the file system says of a file without its content being read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct FileStamp {
    /// Bytes.
    pub size: u64,
    /// Time of the last modification in nanoseconds since 1970, UTC; negative before.
    pub modified_ns: i64,
}

impl FileStamp {
    /// A time that proves nothing: whoever compares stamps must read the file.
    pub const UNKNOWN_TIME: i64 = i64::MIN;
}

/// What a scan compares a file with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentStamp {
    /// The document.
    pub document: DocId,
    /// Path below the root of the wiki, with `/`.
    pub path: String,
    /// Size and time when it was read.
    pub stamp: FileStamp,
    /// blake3 of the bytes of the file.
    pub content_hash: [u8; 32],
    /// How it was read and cut: reader, chunker and their settings, as the engine writes it.
    pub fingerprint: String,
}

/// A document to be put into the catalog.
#[derive(Debug, Clone, Copy)]
pub struct NewDocument<'a> {
    /// Path below the root of the wiki, with `/`. Documents are told apart by it, byte by byte.
    pub path: &'a str,
    /// Size and time of the file.
    pub stamp: FileStamp,
    /// blake3 of the bytes of the file.
    pub content_hash: [u8; 32],
    /// How it was read and cut.
    pub fingerprint: &'a str,
    /// Title.
    pub title: &'a str,
    /// ISO 639-3 code, or empty where unknown.
    pub language: &'a str,
    /// Role of the path, as the manifest names it, or empty.
    pub role: &'a str,
    /// Whether it is kept for navigation and not returned as content.
    pub navigation: bool,
    /// Front matter, nested at most 100 levels deep.
    pub meta: &'a Metadata,
    /// Other names of the document.
    pub aliases: &'a [String],
    /// Tags.
    pub tags: &'a [String],
    /// What the document says it is about, or empty.
    pub summary: &'a str,
    /// What was odd about the file.
    pub warnings: &'a [ReadWarning],
    /// The whole text, which the spans refer to; at most a billion bytes.
    pub text: &'a str,
    /// Where in the file the text comes from.
    pub places: &'a Places,
    /// Links, with their places in the text.
    pub links: &'a [Link],
    /// The passages, in the order of the text.
    pub chunks: &'a [NewChunk],
}

/// A passage of a [`NewDocument`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewChunk {
    /// Where it lies in the text.
    pub span: Span,
    /// Where in the file that is.
    pub place: PlaceRange,
    /// Headings above it, outermost first.
    pub headings: Vec<String>,
}

/// What [`Update::put_document`](crate::Update::put_document) did. Added, changed, moved and kept chunks add up to the
/// chunks of the document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PutReport {
    /// The document.
    pub document: DocId,
    /// Chunks that are new.
    pub added: u64,
    /// Chunks with an id that was there, of which a layer must index something anew.
    pub changed: u64,
    /// Chunks of which only the place in the document changed.
    pub moved: u64,
    /// Chunks that are what they were.
    pub kept: u64,
    /// Chunks that are gone.
    pub removed: u64,
}

/// A chunk with all that an answer shows of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredChunk {
    /// What layers index.
    pub record: ChunkRecord,
    /// Where the passage lies in the document's text.
    pub span: Span,
    /// Where in the file that is.
    pub place: PlaceRange,
    /// Role of the document.
    pub role: String,
    /// blake3 of the bytes of the document's file as it was read.
    pub content_hash: [u8; 32],
    /// Front matter of the document.
    pub meta: Metadata,
}

/// A passage with what an answer shows of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredPassage {
    /// Its chunk.
    pub id: ChunkId,
    /// Its document.
    pub source: Arc<PassageSource>,
    /// Headings above it, outermost first.
    pub headings: Vec<String>,
    /// Where it lies in the document's text.
    pub span: Span,
    /// Where in the file that is.
    pub place: PlaceRange,
    /// Its text.
    pub text: String,
}

/// What the passages of a document have in common.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PassageSource {
    /// The document.
    pub document: DocId,
    /// Path below the root of the wiki, with `/`.
    pub path: String,
    /// Title.
    pub title: String,
    /// ISO 639-3 code, or empty where unknown.
    pub language: String,
    /// Role of the path, or empty.
    pub role: String,
    /// Size and time of the file when it was read.
    pub stamp: FileStamp,
    /// blake3 of the bytes of the file as it was read.
    pub content_hash: [u8; 32],
    /// Front matter.
    pub meta: Metadata,
}

/// A document with its text and the places of its chunks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredDocument {
    /// The document.
    pub document: DocId,
    /// Path below the root of the wiki, with `/`.
    pub path: String,
    /// Title.
    pub title: String,
    /// ISO 639-3 code, or empty.
    pub language: String,
    /// Role of the path, or empty.
    pub role: String,
    /// Whether it is kept for navigation.
    pub navigation: bool,
    /// Front matter.
    pub meta: Metadata,
    /// What was odd about the file.
    pub warnings: Vec<ReadWarning>,
    /// The whole text.
    pub text: String,
    /// Where in the file it comes from.
    pub places: Places,
    /// Size and time of the file when it was read.
    pub stamp: FileStamp,
    /// blake3 of the bytes of the file as it was read.
    pub content_hash: [u8; 32],
    /// Its chunks, in the order of the text.
    pub chunks: Vec<StoredSpan>,
}

/// What filters look at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentFields {
    /// Path below the root of the wiki, with `/`.
    pub path: String,
    /// Title.
    pub title: String,
    /// Tags.
    pub tags: Vec<String>,
    /// Front matter.
    pub meta: Metadata,
}

/// The place of a chunk in its document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredSpan {
    /// The chunk.
    pub id: ChunkId,
    /// Where it lies in the text.
    pub span: Span,
    /// Where in the file that is.
    pub place: PlaceRange,
    /// Headings above it, outermost first.
    pub headings: Vec<String>,
}

/// How a file came out of the last build.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum FileState {
    /// It is a document of the catalog.
    Indexed,
    /// It was left out on purpose.
    Skipped,
    /// It could not be read. What was indexed of it before is still there.
    Failed,
}

/// A line of the ledger.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FileEntry {
    /// Path below the root of the wiki, with `/`.
    pub path: String,
    /// How it came out.
    pub state: FileState,
    /// Stable code of the reason, or empty for an indexed file.
    pub reason: String,
    /// The reason in words, or empty.
    pub detail: String,
    /// Characters of the text: of the document where there is one, else as reported.
    pub characters: u64,
    /// Chunks in the catalog; 0 for a file that is no document.
    pub chunks: u64,
    /// What was odd about it.
    pub warnings: Vec<ReadWarning>,
    /// Of a file that was read and is no document: size and time as it was, and how it was read, so that it need not be read
    /// again while both are the same. `None` for all others.
    #[serde(skip)]
    pub read: Option<ReadAttempt>,
}

/// How a file was when it could not be understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadAttempt {
    /// Size and time.
    pub stamp: FileStamp,
    /// As in [`DocumentStamp::fingerprint`].
    pub fingerprint: String,
}
