//! The suite that every reader must pass.

use serde_json::json;
use wikirag_testkit::make;
use wikirag_txt::PLUGIN;

wikirag_testkit::reader_suite!(
    reader,
    || make::reader(PLUGIN, json!({})),
    vec![
        ("note.txt", b"A first paragraph\non two lines.\n\nA second one.\n".to_vec()),
        ("old.text", b"Stra\xdfe und Gr\xf6\xdfe, wie sie fr\xfcher stand.\r\n".to_vec()),
        ("server.log", b"2026-01-01T00:00:00 started\n2026-01-01T00:00:01 stopped\n".repeat(50)),
    ]
);
