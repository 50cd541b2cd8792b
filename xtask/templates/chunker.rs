//! Plugin `__NAME__`: one passage for each section, over-long ones cut at lines.

use serde::Deserialize;
use wikirag_core::{
    BlockKind, Capability, ChunkSpan, Chunker, DocumentText, Error, ErrorKind, Plugin, PluginSetup, Result, Span, submit,
};

/// The descriptor of this plugin.
pub const PLUGIN: Plugin = Plugin {
    name: "__NAME__",
    version: env!("CARGO_PKG_VERSION"),
    summary: "cuts documents into sections",
    personal: &[],
    provides: &[Capability::Chunker { format: 1, make }],
};
submit!(PLUGIN);

/// What can be set.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Settings {
    /// The longest passage, in characters.
    size: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self { size: 2000 }
    }
}

fn make(setup: &PluginSetup) -> Result<Box<dyn Chunker>> {
    let Settings { size } = setup.settings.parse()?;
    if size == 0 {
        return Err(Error::new(ErrorKind::Invalid, "read settings", "`size` is 0")
            .with("in", setup.settings.origin())
            .help("set `size` to a number of characters above 0"));
    }
    Ok(Box::new(Sections { size }))
}

struct Sections {
    size: usize,
}

impl Chunker for Sections {
    fn chunk(&self, document: &DocumentText) -> Result<Vec<ChunkSpan>> {
        let mut found = Vec::new();
        let mut start = document.body_start();
        let mut heading = None;
        for (index, block) in document.blocks.iter().enumerate() {
            if matches!(block.kind, BlockKind::Heading { .. }) {
                self.cut(&document.text, Span::new(start, block.span.start), heading, &mut found)?;
                start = block.span.start;
                heading = Some(index);
            }
        }
        self.cut(&document.text, Span::new(start, document.text.len()), heading, &mut found)?;
        Ok(found)
    }
}

impl Sections {
    /// Cuts one section: after the last whole line that fits or, in a line that is too long, wherever it is full.
    fn cut(&self, text: &str, section: Span, heading: Option<usize>, found: &mut Vec<ChunkSpan>) -> Result<()> {
        let words = section
            .slice(text)
            .ok_or_else(|| Error::new(ErrorKind::Invalid, "chunk document", "a block leaves the text"))?;
        let mut push = |start: usize, end: usize| found.extend(trimmed(text, start, end, heading));
        let mut begin = section.start;
        let mut size = 0;
        // Where the last whole line ended, and the size up to there.
        let mut line_end = (begin, 0);
        for (at, c) in words.char_indices() {
            let at = section.start + at;
            if size == self.size {
                let (cut, size_before) = if line_end.0 > begin { line_end } else { (at, size) };
                push(begin, cut);
                begin = cut;
                size -= size_before;
            }
            size += 1;
            if c == '\n' {
                line_end = (at + c.len_utf8(), size);
            }
        }
        push(begin, section.end);
        Ok(())
    }
}

/// The passage without the white space around it, if any words are left.
fn trimmed(text: &str, start: usize, end: usize, heading: Option<usize>) -> Option<ChunkSpan> {
    let words = text.get(start..end)?;
    let start = start + words.len() - words.trim_start().len();
    let length = words.trim().len();
    (length > 0).then(|| ChunkSpan { span: Span::new(start, start + length), heading })
}
