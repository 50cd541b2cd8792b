//! Pages read, and looked at.
#![allow(dead_code, reason = "each test file uses a part")]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use serde_json::json;
use wikirag_core::{BlockKind, DocumentText, Result, Source, Span};
use wikirag_html::PLUGIN;
use wikirag_testkit::make;

/// The document of a file of that name.
pub(crate) fn read_as(path: &str, bytes: &[u8]) -> Result<DocumentText> {
    make::reader(PLUGIN, json!({}))?.read(Source { path, bytes })
}

/// The document of an HTML page.
pub(crate) fn read(page: &str) -> DocumentText {
    read_as("page.html", page.as_bytes()).unwrap()
}

/// The text of a page.
pub(crate) fn text(page: &str) -> String {
    read(page).text
}

/// Kind and text of each block.
pub(crate) fn blocks(page: &str) -> Vec<(String, String)> {
    let document = read(page);
    let name = |kind: &BlockKind| match kind {
        BlockKind::FrontMatter => "front".to_owned(),
        BlockKind::Heading { level, .. } => format!("heading {level}"),
        BlockKind::Paragraph => "paragraph".to_owned(),
        BlockKind::List => "list".to_owned(),
        BlockKind::Table { .. } => "table".to_owned(),
        BlockKind::Code => "code".to_owned(),
        BlockKind::Quote => "quote".to_owned(),
        BlockKind::Other => "other".to_owned(),
    };
    let text = |span: Span| span.slice(&document.text).unwrap().to_owned();
    document.blocks.iter().map(|block| (name(&block.kind), text(block.span))).collect()
}

/// The line that begins at each cut of the first block.
pub(crate) fn cuts(page: &str) -> Vec<String> {
    let document = read(page);
    let line = |cut: &usize| document.text[*cut..].lines().next().unwrap_or_default().to_owned();
    document.blocks[0].cuts.iter().map(line).collect()
}

/// Kind, target and text of each link.
pub(crate) fn links(page: &str) -> Vec<String> {
    let document = read(page);
    let text = |span: Span| span.slice(&document.text).unwrap().to_owned();
    document.links.iter().map(|link| format!("{:?} {}: {}", link.kind, link.target, text(link.span))).collect()
}

/// First and last line of the file that `word` comes from.
pub(crate) fn lines_of(document: &DocumentText, word: &str) -> (u32, u32) {
    let start = document.text.find(word).unwrap();
    document.places.index(&document.text).of(Span::new(start, start + word.len())).ends()
}
