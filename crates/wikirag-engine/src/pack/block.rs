//! A block: a piece of a document with where it stands and how it is cited.

use serde::Serialize;
use wikirag_core::{PlaceRange, Span, WikiName};

use super::pages::Page;
use crate::brief;
use crate::search::SearchResult;

/// How blocks are printed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum PackForm {
    /// The head names place and content: `[wiki/path:first-last 1a2b3c4d] Title > Section`.
    #[default]
    Text,
    /// The head is what an answer should cite: `[[page]] Title > Section` or `(Source: path) Title > Section`.
    Prompt,
}

/// A piece of a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PackedBlock {
    /// `wiki/path#bytes=START-END`: `get` gives exactly the text of the block for it, as long as the document is what it was.
    pub id: String,
    /// For people, `wiki/path:first-last` in whole lines or pages.
    pub citation: String,
    /// How an answer should cite it: `[[page]]` for a note that is no raw source, else `(Source: path)`, with pages if it has some.
    pub cite: String,
    /// Name of the wiki.
    pub wiki: WikiName,
    /// Below the root of the wiki, with `/`.
    pub path: String,
    /// Of the document.
    pub title: String,
    /// Headings above the beginning of the block, outermost first, without the title.
    pub headings: Vec<String>,
    /// `curated`, `raw`, or empty.
    pub role: String,
    /// Where in the file.
    #[serde(flatten)]
    pub place: PlaceRange,
    /// First byte and one past the last byte in the text of the document.
    pub bytes: [usize; 2],
    /// blake3 of the text of the block in hexadecimal.
    pub hash: String,
    /// Rank of the best passage in it, from 1.
    pub rank: usize,
    /// Tokens of head and text.
    pub tokens: usize,
    /// The text as it stands.
    pub text: String,
}

impl PackedBlock {
    pub(super) fn new(page: &Page, span: Span, rank: usize) -> Self {
        let text = span.slice(&page.text).unwrap_or_default().to_owned();
        let place = page.places.of(span);
        let (wiki, path) = (&page.wiki, &page.path);
        Self {
            id: format!("{wiki}/{path}#bytes={}-{}", span.start, span.end),
            citation: format!("{wiki}/{path}{place}"),
            cite: cite(page, place),
            wiki: wiki.clone(),
            path: path.clone(),
            title: page.title.clone(),
            headings: page.headings(span.start),
            role: page.role.clone(),
            place,
            bytes: [span.start, span.end],
            hash: blake3::hash(text.as_bytes()).to_hex().to_string(),
            rank,
            tokens: 0,
            text,
        }
    }

    /// The line above the text.
    #[must_use]
    pub fn head(&self, form: PackForm) -> String {
        let mut trail = vec![self.title.as_str()];
        trail.extend(self.headings.iter().map(String::as_str));
        let trail = brief::line(&trail.join(" > "));
        let label = match form {
            PackForm::Text => format!("[{} {}]", self.citation, self.hash.get(..8).unwrap_or_default()),
            PackForm::Prompt => self.cite.clone(),
        };
        format!("{} {trail}", label.replace(char::is_control, " "))
    }

    /// The block as it is printed, without the line end behind it.
    pub(super) fn printed(&self, form: PackForm) -> String {
        format!("{}\n{}", self.head(form), self.text)
    }

    /// Whether the passage of a result is part of it.
    pub(super) fn holds(&self, result: &SearchResult) -> bool {
        let [start, end] = result.bytes;
        self.wiki == result.wiki && self.path == result.path && self.bytes[0] <= start && end <= self.bytes[1]
    }
}

/// All blocks as they are printed.
pub(super) fn text(blocks: &[PackedBlock], form: PackForm) -> String {
    blocks.iter().map(|block| format!("{}\n", block.printed(form))).collect::<Vec<_>>().join("\n")
}

/// A note is a page, unless it is said to be a raw source; every other file is a source, which has places to name.
fn cite(page: &Page, place: PlaceRange) -> String {
    let (path, label) = (page.path.as_str(), page.label.as_str());
    if page.role != "raw" && wikirag_vault::is_markdown(path) {
        return format!("[[{}]]", label.rsplit_once('.').map_or(label, |(stem, _)| stem));
    }
    match place {
        PlaceRange::Pages(first, last) if first == last => format!("(Source: {label}, p. {first})"),
        PlaceRange::Pages(first, last) => format!("(Source: {label}, p. {first}-{last})"),
        PlaceRange::Lines(..) => format!("(Source: {label})"),
    }
}
