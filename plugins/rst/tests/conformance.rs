//! The suite that every reader must pass.

use serde_json::json;
use wikirag_rst::PLUGIN;
use wikirag_testkit::make;

wikirag_testkit::reader_suite!(
    reader,
    || make::reader(PLUGIN, json!({})),
    vec![
        ("guide.rst", include_bytes!("guide.rst").to_vec()),
        ("proposal.rest", b"PEP: 1\nTitle: A proposal\n\nAbstract\n========\n\nWhat it says::\n\n    code\n".to_vec()),
    ]
);
