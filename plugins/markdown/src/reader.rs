//! Bytes of a Markdown file in, text and structure out.

use wikirag_core::{
    Block, BlockKind, DocumentText, Error, ErrorKind, ReadWarning, Reader, Result, Section, Source, Span,
};
use wikirag_text::Basis;

use crate::blocks;
use crate::front_matter::{FrontMatter, front_matter};
use crate::links::front_matter_links;

/// Reads Markdown: CommonMark, the GitHub extensions, front matter and what Obsidian adds.
///
/// The text of a file in UTF-8 is the file as it is, so every span is a range of bytes of the file; files in other encodings
/// are decoded. The byte order mark of UTF-8 is kept in the text and stands in the front matter block, or in one of its own
/// where there is no front matter: it is no passage text.
#[derive(Debug, Clone, Copy, Default)]
pub struct MarkdownReader(());

const BYTE_ORDER_MARK: char = '\u{feff}';

impl MarkdownReader {
    /// A reader. There is nothing to set.
    ///
    /// # Errors
    /// [`ErrorKind::Invalid`] for any setting.
    pub fn new(settings: &Section) -> Result<Self> {
        settings.expect_empty()?;
        Ok(Self(()))
    }
}

impl Reader for MarkdownReader {
    fn extensions(&self) -> &[&'static str] {
        &["md", "markdown", "mdown", "mkd", "mdx", "mdc"]
    }

    fn read(&self, source: Source<'_>) -> Result<DocumentText> {
        let (text, warnings) = decode(source)?;
        let mut document = DocumentText { warnings, ..DocumentText::default() };
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

/// The text of the file, with what is odd about its encoding.
fn decode(source: Source<'_>) -> Result<(String, Vec<ReadWarning>)> {
    let decoded = wikirag_text::decode(source.bytes, None).map_err(|not_text| {
        Error::new(ErrorKind::Invalid, "read markdown", not_text.to_string())
            .with("path", source.path)
            .help("save it as text in UTF-8, or exclude it from the wiki")
    })?;
    let warnings = decoded.remarks().map(|message| ReadWarning { line: 1, message }).collect();
    let is_marked_utf8 = decoded.basis == Basis::Mark && decoded.encoding == "UTF-8";
    // The text of a file in UTF-8 is the file, byte for byte, and so are the places in it.
    let mark = if is_marked_utf8 { String::from(BYTE_ORDER_MARK) } else { String::new() };
    Ok((if mark.is_empty() { decoded.text.into_owned() } else { mark + &decoded.text }, warnings))
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
    fn other_encodings_are_read_with_a_warning_where_they_are_a_guess() {
        let marked: Vec<u8> = "\u{feff}# Größe\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let document = read(marked);
        assert_eq!((document.text.as_str(), document.title("stem")), ("# Größe\n", "Größe"));
        assert_eq!(document.warnings, []);
        let document = read(b"# Gr\xf6\xdfe\n");
        assert_eq!(document.title("stem"), "Größe");
        let warning = &document.warnings[0];
        assert!(warning.line == 1 && warning.message.contains("windows-1252"), "{warning:?}");
        assert_eq!(read("Größe: 世界, Привет".as_bytes().strip_suffix(b"\x82").unwrap()).warnings.len(), 2);
    }

    #[test]
    fn bytes_that_are_no_text_are_named() {
        let reader = MarkdownReader::default();
        let error = reader.read(Source { path: "a/b.md", bytes: b"\x7fELF\x02\x01\x01\0\0\0\0\0\x03\0>" }).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Invalid);
        assert!(error.to_string().contains("a/b.md") && error.remedy().unwrap().contains("UTF-8"), "{error}");
    }

    #[test]
    fn nothing_to_set() {
        assert!(MarkdownReader::new(&Section::empty()).is_ok());
        assert!(MarkdownReader::new(&Section::new("x", serde_json::json!({"dialect": "gfm"}))).is_err());
    }
}
