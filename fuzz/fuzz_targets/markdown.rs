//! The reader of Markdown files, and the passages of what it reads.
#![no_main]

use libfuzzer_sys::fuzz_target;
use wikirag_fuzz::read_and_cut;
use wikirag_markdown::MarkdownReader;

fuzz_target!(|bytes: &[u8]| read_and_cut(&MarkdownReader::default(), "note.md", bytes));
