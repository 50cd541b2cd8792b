//! Plugin `__NAME__`: reads files that end in `.__NAME__` as paragraphs of plain text.

use serde::Deserialize;
use wikirag_core::{
    Block, BlockKind, Capability, DocumentText, Plugin, PluginSetup, ReadWarning, Reader, Result, Source, Span, submit,
};

/// The descriptor of this plugin.
pub const PLUGIN: Plugin = Plugin {
    name: "__NAME__",
    version: env!("CARGO_PKG_VERSION"),
    summary: "reads plain text",
    personal: &[],
    provides: &[Capability::Reader { format: 1, make }],
};
submit!(PLUGIN);

/// What can be set, under `plugins.__NAME__`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Settings {}

fn make(setup: &PluginSetup) -> Result<Box<dyn Reader>> {
    let Settings {} = setup.settings.parse()?;
    Ok(Box::new(PlainText))
}

struct PlainText;

impl Reader for PlainText {
    fn extensions(&self) -> &[&'static str] {
        &["__NAME__"]
    }

    fn read(&self, source: Source<'_>) -> Result<DocumentText> {
        let text = String::from_utf8_lossy(source.bytes).into_owned();
        let mut warnings = Vec::new();
        if let Err(error) = std::str::from_utf8(source.bytes) {
            let before = source.bytes.iter().take(error.valid_up_to());
            let line = 1 + before.filter(|byte| **byte == b'\n').count();
            warnings.push(ReadWarning { line, message: "what is no UTF-8 was replaced by U+FFFD".into() });
        }
        Ok(DocumentText { blocks: paragraphs(&text), text, warnings, ..DocumentText::default() })
    }
}

/// Paragraphs are parted by lines of white space.
fn paragraphs(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut begin = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let is_blank = line.trim().is_empty();
        match begin {
            Some(start) if is_blank => {
                blocks.push(paragraph(start, at));
                begin = None;
            }
            None if !is_blank => begin = Some(at),
            _ => {}
        }
        at += line.len();
    }
    blocks.extend(begin.map(|start| paragraph(start, at)));
    blocks
}

fn paragraph(start: usize, end: usize) -> Block {
    Block { span: Span::new(start, end), kind: BlockKind::Paragraph, cuts: Vec::new() }
}
