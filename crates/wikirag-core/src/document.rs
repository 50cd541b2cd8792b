//! What a reader makes of a file: one text, and where its parts lie.

use serde::{Deserialize, Serialize};

use crate::{Places, Span};

/// The front matter of a document, in its own order.
pub type Metadata = serde_json::Map<String, serde_json::Value>;

/// A document as read: every span in it and in all that follows refers to `text`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DocumentText {
    /// The whole text. For formats that are text themselves, the bytes of the file.
    pub text: String,
    /// Front matter, empty where there is none or where it does not parse.
    pub meta: Metadata,
    /// The block structure: in order, not overlapping, each not empty. What lies between two blocks is white
    /// space or markup without words.
    pub blocks: Vec<Block>,
    /// Links to other documents, in order of their place.
    pub links: Vec<Link>,
    /// What was odd about the file. It was read all the same.
    pub warnings: Vec<ReadWarning>,
    /// Where in the file the text comes from.
    pub places: Places,
}

/// One top-level block of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// Where it lies.
    pub span: Span,
    /// What it is.
    pub kind: BlockKind,
    /// Byte offsets inside the span, ascending, at which it may be cut if it must be: the starts of list items or
    /// of paragraphs of a quote. Empty where lines or sentences are the natural cuts.
    pub cuts: Vec<usize>,
}

/// The kinds of blocks that a chunker treats differently.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BlockKind {
    /// Metadata at the head of the file: no passage text.
    FrontMatter,
    /// A heading; `level` 1 (highest) to 6.
    Heading {
        /// 1 to 6.
        level: u8,
        /// The words of the heading without markup.
        title: String,
    },
    /// Running text.
    Paragraph,
    /// A list, with all its items.
    List,
    /// A table. `header` spans the rows that name its columns.
    Table {
        /// The header rows, where the format has them.
        header: Option<Span>,
    },
    /// Code or other text that must be kept line by line.
    Code,
    /// A quotation or a callout.
    Quote,
    /// Anything else with words in it: raw HTML, footnotes, definitions.
    Other,
}

impl BlockKind {
    /// Whether the block loses its meaning when cut: it is cut only if it alone is over the size, and then at lines.
    #[must_use]
    pub const fn is_atomic(&self) -> bool {
        matches!(self, Self::FrontMatter | Self::Table { .. } | Self::Code)
    }
}

/// A link from this document to another place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Link {
    /// Where the whole link stands.
    pub span: Span,
    /// How it was written.
    pub kind: LinkKind,
    /// The target as written, without alias; may hold `#heading` or `#^block`.
    pub target: String,
}

/// How a link was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum LinkKind {
    /// `[[target]]`
    Wiki,
    /// `![[target]]` or an image.
    Embed,
    /// `[text](target)` and its kin.
    Inline,
}

/// Something odd about a file that did not keep it from being read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadWarning {
    /// Line, from 1.
    pub line: usize,
    /// What is odd and what was done about it.
    pub message: String,
}

impl DocumentText {
    /// The title: front matter `title`, else the first heading of level 1, else `stem` (the file name without its ending).
    #[must_use]
    pub fn title<'a>(&'a self, stem: &'a str) -> &'a str {
        let declared = self.meta.get("title").and_then(serde_json::Value::as_str).map(str::trim);
        let heading = || {
            self.blocks.iter().find_map(|block| match &block.kind {
                BlockKind::Heading { level: 1, title } => Some(title.trim()),
                _ => None,
            })
        };
        declared
            .filter(|title| !title.is_empty())
            .or_else(|| heading().filter(|title| !title.is_empty()))
            .unwrap_or(stem)
    }

    /// Reads off heading paths, in linear time for headings asked in order.
    #[must_use]
    pub fn headings(&self) -> HeadingPaths<'_> {
        HeadingPaths { blocks: &self.blocks, next: 0, open: Vec::new() }
    }

    /// Where the passage text begins: after the front matter, if there is one.
    #[must_use]
    pub fn body_start(&self) -> usize {
        match self.blocks.first() {
            Some(Block { span, kind: BlockKind::FrontMatter, .. }) => span.end,
            _ => 0,
        }
    }
}

/// See [`DocumentText::headings`].
#[derive(Debug, Clone)]
pub struct HeadingPaths<'a> {
    blocks: &'a [Block],
    next: usize,
    /// The headings that are open before `blocks[next]`: levels ascend.
    open: Vec<(u8, &'a str)>,
}

impl<'a> HeadingPaths<'a> {
    /// The headings above and including the one at `blocks[heading]`, outermost first: `["Install", "On Linux"]`.
    /// Empty for `None` and for an index that is no heading.
    pub fn path(&mut self, heading: Option<usize>) -> Vec<&'a str> {
        let Some(heading) = heading else { return Vec::new() };
        if !matches!(self.blocks.get(heading), Some(Block { kind: BlockKind::Heading { .. }, .. })) {
            return Vec::new();
        }
        if heading < self.next.saturating_sub(1) {
            (self.next, self.open) = (0, Vec::new());
        }
        while self.next <= heading {
            if let BlockKind::Heading { level, title } = &self.blocks[self.next].kind {
                self.open.retain(|(above, _)| above < level);
                self.open.push((*level, title));
            }
            self.next += 1;
        }
        self.open.iter().map(|(_, title)| *title).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heading(level: u8, title: &str) -> Block {
        Block { span: Span::new(0, 1), kind: BlockKind::Heading { level, title: title.into() }, cuts: Vec::new() }
    }

    #[test]
    fn heading_path_climbs_outwards_only() {
        let document = DocumentText {
            blocks: vec![heading(1, "a"), heading(3, "b"), heading(2, "c"), heading(4, "d"), heading(3, "e")],
            ..DocumentText::default()
        };
        let mut headings = document.headings();
        assert_eq!(headings.path(Some(1)), ["a", "b"]);
        assert_eq!(headings.path(Some(1)), ["a", "b"]);
        assert_eq!(headings.path(Some(4)), ["a", "c", "e"]);
        assert_eq!(headings.path(Some(3)), ["a", "c", "d"]);
        assert!(headings.path(None).is_empty() && headings.path(Some(usize::MAX)).is_empty());
    }

    #[test]
    fn title_prefers_front_matter_then_h1_then_stem() {
        let mut document = DocumentText::default();
        assert_eq!(document.title("stem"), "stem");
        document.blocks.push(heading(2, "section"));
        assert_eq!(document.title("stem"), "stem");
        document.blocks.push(heading(1, "H1"));
        assert_eq!(document.title("stem"), "H1");
        document.meta.insert("title".into(), "declared".into());
        assert_eq!(document.title("stem"), "declared");
    }
}
