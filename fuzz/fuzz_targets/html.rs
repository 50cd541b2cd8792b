//! The reader of web pages, and the passages of what it reads.
#![no_main]

use libfuzzer_sys::fuzz_target;
use wikirag_fuzz::read_and_cut;
use wikirag_html::HtmlReader;

fuzz_target!(|bytes: &[u8]| read_and_cut(&HtmlReader::default(), "page.html", bytes));
