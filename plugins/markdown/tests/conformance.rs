//! The suites that every reader and every chunker must pass.

use serde_json::{Value, json};
use wikirag_core::{Chunker, Reader, Result};
use wikirag_markdown::PLUGIN;
use wikirag_testkit::chunker::Limits;
use wikirag_testkit::make;
use wikirag_text::estimate_tokens;

type Pair = (Box<dyn Reader>, Box<dyn Chunker>);

fn pair(settings: Value) -> Result<Pair> {
    Ok((make::reader(PLUGIN, json!({}))?, make::chunker(PLUGIN, settings)?))
}

const fn limits(size: usize, overlap: usize) -> Limits {
    Limits { size, overlap, measure: estimate_tokens }
}

wikirag_testkit::reader_suite!(
    reader,
    || make::reader(PLUGIN, json!({})),
    vec![
        ("note.md", b"---\ntitle: A note\n---\n# Note\n\nWith a [[link]].\n".to_vec()),
        ("page.mdx", b"import X from 'x'\n\n# Page\n\n<X>text</X>\n".to_vec()),
    ]
);

wikirag_testkit::chunker_suite!(defaults, || pair(json!({})), limits(512, 0));

wikirag_testkit::chunker_suite!(small_with_overlap, || pair(json!({"max_tokens": 96, "overlap": 32})), limits(96, 32));

wikirag_testkit::chunker_suite!(
    by_heading,
    || pair(json!({"strategy": "heading", "level": 1, "max_tokens": 256})),
    limits(256, 0)
);
