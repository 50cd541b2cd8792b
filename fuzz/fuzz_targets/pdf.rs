//! The reader of PDF files, and the passages of what it reads.
#![no_main]

use libfuzzer_sys::fuzz_target;
use wikirag_fuzz::read_and_cut;
use wikirag_pdf::PdfReader;

fuzz_target!(|bytes: &[u8]| read_and_cut(&PdfReader::default(), "paper.pdf", bytes));
