//! Front matter in YAML and TOML: whatever stands between the fences, the body behind them is read.
#![no_main]

use libfuzzer_sys::fuzz_target;
use wikirag_fuzz::read_and_cut;
use wikirag_markdown::MarkdownReader;

fuzz_target!(|bytes: &[u8]| {
    for fence in ["---\n", "+++\n"] {
        let file = [fence.as_bytes(), bytes, b"\n", fence.as_bytes(), b"# Heading\n\nText.\n"].concat();
        read_and_cut(&MarkdownReader::default(), "note.md", &file);
    }
});
