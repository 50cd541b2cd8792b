//! Bytes of a reStructuredText file in, text and structure out.

use wikirag_core::{Block, BlockKind, DocumentText, Error, ErrorKind, ReadWarning, Reader, Result, Section, Source};

use crate::{blocks, head, links};

/// Reads reStructuredText: what docutils defines, the directives of Sphinx, and the headers of Python enhancement proposals.
///
/// The text is the file, decoded, without byte order mark, so every span is a place of the file.
#[derive(Debug, Clone, Copy, Default)]
pub struct RstReader(());

impl RstReader {
    /// A reader. There is nothing to set.
    ///
    /// # Errors
    /// [`ErrorKind::Invalid`] for any setting.
    pub fn new(settings: &Section) -> Result<Self> {
        settings.expect_empty()?;
        Ok(Self(()))
    }
}

impl Reader for RstReader {
    fn extensions(&self) -> &[&'static str] {
        &["rst", "rest"]
    }

    fn read(&self, source: Source<'_>) -> Result<DocumentText> {
        let decoded = wikirag_text::decode(source.bytes, None).map_err(|not_text| {
            Error::new(ErrorKind::Invalid, "read reStructuredText", not_text.to_string())
                .with("path", source.path)
                .help("save it as text in UTF-8, or exclude it from the wiki")
        })?;
        let warnings = decoded.remarks().map(|message| ReadWarning { line: 1, message }).collect();
        let mut document = DocumentText { warnings, ..DocumentText::default() };
        let text = decoded.text.into_owned();
        let mut start = 0;
        if let Some((span, meta)) = head::header(&text) {
            document.blocks.push(Block { span, kind: BlockKind::FrontMatter, cuts: Vec::new() });
            (document.meta, start) = (meta, span.end);
        }
        let body = blocks::parse(&text, start);
        document.blocks.extend(body.blocks);
        document.meta.extend(body.meta);
        document.links = document.blocks.iter().flat_map(|block| links::in_block(&text, block)).collect();
        document.text = text;
        Ok(document)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: impl AsRef<[u8]>) -> DocumentText {
        RstReader::default().read(Source { path: "a.rst", bytes: bytes.as_ref() }).unwrap()
    }

    #[test]
    fn the_title_is_the_first_section_or_declared() {
        assert_eq!(read("=====\n A ``b``\n=====\n\nC\n---\n").title("stem"), "A b");
        assert_eq!(read("PEP: 1\nTitle: Declared\n\nAbstract\n========\n").title("stem"), "Declared");
        assert_eq!(read("A\n===\n\n:Title: Declared\n:Version: 2\n\ntext\n").title("stem"), "Declared");
        assert_eq!(read("text\n").title("stem"), "stem");
    }

    #[test]
    fn metadata_at_the_head_is_no_passage() {
        let document = read(":tags: a\n:status: stable\n\nTitle\n=====\n");
        assert_eq!(document.meta["status"], "stable");
        assert_eq!(document.text[document.body_start()..].trim_start(), "Title\n=====\n");
        assert_eq!(read("text\n\n:status: stable\n").meta.len(), 0);
    }

    #[test]
    fn other_encodings_are_told() {
        let document = read(b"Gr\xf6\xdfe\n=====\n");
        assert_eq!((document.title("stem"), document.warnings.len()), ("Größe", 1));
        assert_eq!(read("\u{feff}A\n==\n").title("stem"), "A");
        let error = RstReader::default().read(Source { path: "a.rst", bytes: &[0; 64] }).unwrap_err();
        assert!(error.kind() == ErrorKind::Invalid && error.remedy().is_some());
    }

    #[test]
    fn nothing_to_set() {
        assert!(RstReader::new(&Section::empty()).is_ok());
        assert!(RstReader::new(&Section::new("x", serde_json::json!({"sphinx": true}))).is_err());
    }
}
