//! Bytes of a Markdown file in, text and structure out.

use serde::Deserialize;
use wikirag_core::{Block, BlockKind, DocumentText, Error, ErrorKind, Reader, Result, Section, Source, Span};

use crate::blocks;
use crate::front_matter::{FrontMatter, front_matter};
use crate::lines::line_number;
use crate::links::front_matter_links;

/// Reads Markdown: CommonMark, the GitHub extensions, front matter and what Obsidian adds.
///
/// The text is the file as it is, so every span is a range of bytes of the file. A byte order mark is kept in the text
/// and stands in the front matter block, or in one of its own where there is no front matter: it is no passage text.
#[derive(Debug, Clone, Copy, Default)]
pub struct MarkdownReader(());

/// The reader has nothing to set; this says so for every word that somebody tries.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NoSettings {}

const BYTE_ORDER_MARK: char = '\u{feff}';

impl MarkdownReader {
    /// A reader. There is nothing to set.
    ///
    /// # Errors
    /// [`ErrorKind::Invalid`] for any setting.
    pub fn new(settings: &Section) -> Result<Self> {
        settings.parse::<NoSettings>()?;
        Ok(Self(()))
    }
}

impl Reader for MarkdownReader {
    fn extensions(&self) -> &[&'static str] {
        &["md", "markdown", "mdown", "mkd", "mdx"]
    }

    fn read(&self, source: Source<'_>) -> Result<DocumentText> {
        let text = decode(source)?;
        let mut document = DocumentText::default();
        let mark = if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len_utf8() } else { 0 };
        let found = front_matter(&text, mark, &mut document.warnings);
        // Where the metadata ends, and where the body begins: between them lies front matter that does not parse.
        let (head, body) = match &found {
            None => (mark, mark),
            Some(FrontMatter { span, meta: Some(_) }) => (span.end, span.end),
            Some(FrontMatter { span, meta: None }) => (span.start, span.end),
        };
        if head > 0 {
            document.blocks.push(block(Span::new(0, head), BlockKind::FrontMatter));
        }
        if head < body {
            // Kept line by line, like code: it is no prose, and its markers are no rules.
            document.blocks.push(block(Span::new(head, body), BlockKind::Code));
        }
        if let Some(FrontMatter { span, meta }) = found {
            document.links = front_matter_links(&text, span);
            document.meta = meta.unwrap_or_default();
        }
        let body = blocks::parse(&text, body);
        document.blocks.extend(body.blocks);
        document.links.extend(body.links);
        document.links.sort_by_key(|link| link.span.start);
        document.text = text;
        Ok(document)
    }
}

const fn block(span: Span, kind: BlockKind) -> Block {
    Block { span, kind, cuts: Vec::new() }
}

fn decode(source: Source<'_>) -> Result<String> {
    let bytes = source.bytes;
    std::str::from_utf8(bytes).map(str::to_owned).map_err(|fault| {
        let at = fault.valid_up_to();
        let byte = bytes.get(at).copied().unwrap_or_default();
        let message =
            format!("the file is not UTF-8: byte {byte:#04x} at offset {at}, line {}", line_number(bytes, at));
        let help = if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
            "it looks like UTF-16; save it as UTF-8"
        } else {
            "save the file as UTF-8"
        };
        Error::new(ErrorKind::Invalid, "read markdown", message).with("path", source.path).help(help)
    })
}

#[cfg(test)]
mod tests {
    use wikirag_core::LinkKind;

    use super::*;

    fn read(bytes: impl AsRef<[u8]>) -> DocumentText {
        MarkdownReader::default().read(Source { path: "note.md", bytes: bytes.as_ref() }).unwrap()
    }

    fn spans_of(document: &DocumentText) -> Vec<&str> {
        document.blocks.iter().map(|block| block.span.slice(&document.text).unwrap()).collect()
    }

    #[test]
    fn front_matter_and_body() {
        let document = read("---\ntitle: T\nrelated: \"[[P]]\"\n---\n# H\n[[q]]\n");
        assert_eq!(document.meta["title"], "T");
        assert_eq!(document.text[document.body_start()..], *"\n# H\n[[q]]\n");
        assert_eq!(spans_of(&document)[1..], ["# H", "[[q]]"]);
        let targets: Vec<_> = document.links.iter().map(|link| (link.kind, link.target.as_str())).collect();
        assert_eq!(targets, [(LinkKind::Wiki, "P"), (LinkKind::Wiki, "q")]);
        assert_eq!(document.title("stem"), "T");
    }

    #[test]
    fn a_byte_order_mark_is_neither_marker_nor_passage() {
        let document = read("\u{feff}---\r\ntitle: BOM\r\n---\r\n# Body\r\n");
        assert_eq!(document.meta["title"], "BOM");
        assert_eq!(spans_of(&document), ["\u{feff}---\r\ntitle: BOM\r\n---", "# Body"]);
        let document = read("\u{feff}# Body\n");
        assert_eq!(spans_of(&document), ["\u{feff}", "# Body"]);
        assert_eq!(document.body_start(), 3);
        assert_eq!(document.title("stem"), "Body");
    }

    #[test]
    fn a_letterhead_between_rules_is_body() {
        let document = read("---\n\n**OSTROWSKI LEGAL PLLC**\n\n---\n\nDear Sir");
        assert!(document.meta.is_empty() && document.warnings.is_empty());
        assert_eq!(spans_of(&document), ["---", "**OSTROWSKI LEGAL PLLC**", "---", "Dear Sir"]);
    }

    #[test]
    fn front_matter_that_does_not_parse_is_text() {
        let document = read("---\ntitle: *Italic*\n---\n# H\n");
        assert!(document.meta.is_empty());
        assert_eq!(document.warnings.len(), 1);
        assert_eq!(document.warnings[0].line, 2);
        assert_eq!(spans_of(&document), ["---\ntitle: *Italic*\n---", "# H"]);
        assert_eq!(document.blocks[0].kind, BlockKind::Code);
        assert_eq!(document.body_start(), 0);
    }

    #[test]
    fn bytes_that_are_no_text_are_named() {
        let reader = MarkdownReader::default();
        let error = reader.read(Source { path: "a/b.md", bytes: b"one\ntwo \xff three" }).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Invalid);
        let said = error.to_string();
        assert!(said.contains("offset 8") && said.contains("line 2") && said.contains("a/b.md"), "{said}");
        let error = reader.read(Source { path: "w.md", bytes: b"\xff\xfea\0" }).unwrap_err();
        assert!(error.remedy().unwrap().contains("UTF-16"));
    }

    #[test]
    fn nothing_to_set() {
        assert!(MarkdownReader::new(&Section::empty()).is_ok());
        assert!(MarkdownReader::new(&Section::new("x", serde_json::json!({"dialect": "gfm"}))).is_err());
    }
}
