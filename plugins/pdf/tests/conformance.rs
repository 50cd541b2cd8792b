//! The suite that every reader must pass.

mod common;

use serde_json::json;
use wikirag_pdf::PLUGIN;
use wikirag_testkit::make;

wikirag_testkit::reader_suite!(
    reader,
    || make::reader(PLUGIN, json!({})),
    vec![
        ("one.pdf", common::text_file(&[&["The quick brown fox", "jumps over the dog."]])),
        ("three.pdf", common::text_file(&[&["Heading", "", "Text of the first page"], &[], &["The third page"]])),
    ]
);
