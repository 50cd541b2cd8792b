//! What the fuzz targets share: a document read from any bytes, cut into passages, and asked for all promises.

use std::sync::LazyLock;

use wikirag_core::{Chunker, ErrorKind, Reader, Source};
use wikirag_testkit::chunker::Limits;
use wikirag_testkit::{document, json, make, passages};
use wikirag_text::estimate_tokens;

/// Small, so that short files are cut into several passages that share text.
const LIMITS: Limits = Limits { size: 24, overlap: 8, measure: estimate_tokens };

static CHUNKER: LazyLock<Box<dyn Chunker>> = LazyLock::new(|| {
    let settings = json!({"max_tokens": LIMITS.size, "overlap": LIMITS.overlap});
    make::chunker(wikirag_markdown::PLUGIN, settings).unwrap_or_else(|error| panic!("{error}"))
});

/// Reads `bytes` as the file `path` and cuts the document into passages.
///
/// # Panics
/// Where a promise of the reader or of the chunker is broken.
pub fn read_and_cut(reader: &dyn Reader, path: &str, bytes: &[u8]) {
    let document = match reader.read(Source { path, bytes }) {
        Ok(document) => document,
        Err(error) => {
            assert_eq!(error.kind(), ErrorKind::Invalid, "refused as no file may be: {error:?}");
            assert!(!error.message().trim().is_empty(), "refused without a word");
            return;
        }
    };
    document::keeps_promises(&document).unwrap_or_else(|broken| panic!("{broken}\n{document:#?}"));
    let spans = CHUNKER.chunk(&document).unwrap_or_else(|error| panic!("{error:?}\n{document:#?}"));
    passages::keep_promises(&document, &spans, LIMITS)
        .unwrap_or_else(|broken| panic!("{broken}\n{spans:#?}\n{document:#?}"));
}
