//! The promises of every chunker, kept by this one.

use wikirag_core::{Block, BlockKind, DocumentText, Reader, Result, Source, Span};
use wikirag_testkit::chunker::Limits;
use wikirag_testkit::{chunker_suite, json, make};

/// A plugin does not use another one, so the documents come from the simplest reader there is.
struct OneBlock;

impl Reader for OneBlock {
    fn extensions(&self) -> &[&'static str] {
        &["txt"]
    }

    fn read(&self, source: Source<'_>) -> Result<DocumentText> {
        let text = String::from_utf8_lossy(source.bytes).into_owned();
        let span = Span::new(0, text.len());
        let blocks = if text.trim().is_empty() {
            Vec::new()
        } else {
            vec![Block { span, kind: BlockKind::Paragraph, cuts: Vec::new() }]
        };
        Ok(DocumentText { text, blocks, ..DocumentText::default() })
    }
}

chunker_suite!(
    with_a_small_size,
    || {
        let chunker = make::chunker(wikirag___IDENT__::PLUGIN, json!({ "size": 200 }))?;
        Ok((Box::new(OneBlock) as Box<dyn Reader>, chunker))
    },
    Limits { size: 200, overlap: 0, measure: |text| text.chars().count() },
);
