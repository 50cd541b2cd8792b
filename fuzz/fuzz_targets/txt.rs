//! The reader of plain text, and the passages of what it reads.
#![no_main]

use libfuzzer_sys::fuzz_target;
use wikirag_fuzz::read_and_cut;
use wikirag_txt::TextReader;

fuzz_target!(|bytes: &[u8]| read_and_cut(&TextReader::default(), "notes.txt", bytes));
