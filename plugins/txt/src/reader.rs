//! Bytes of a text file in, text and paragraphs out.

use wikirag_core::{DocumentText, Error, ErrorKind, ReadWarning, Reader, Result, Section, Source};

use crate::blocks;

/// Reads plain text: paragraphs are what stands between empty lines, and nothing else is markup.
///
/// No line is taken for a heading: nothing in plain text tells a title from a short sentence for sure, and a wrong heading
/// stands above every passage after it. The text is the file, decoded, without byte order mark.
#[derive(Debug, Clone, Copy, Default)]
pub struct TextReader(());

impl TextReader {
    /// A reader. There is nothing to set.
    ///
    /// # Errors
    /// [`ErrorKind::Invalid`] for any setting.
    pub fn new(settings: &Section) -> Result<Self> {
        settings.expect_empty()?;
        Ok(Self(()))
    }
}

impl Reader for TextReader {
    fn extensions(&self) -> &[&'static str] {
        &["txt", "text", "log"]
    }

    fn read(&self, source: Source<'_>) -> Result<DocumentText> {
        let decoded = wikirag_text::decode(source.bytes, None).map_err(|not_text| {
            Error::new(ErrorKind::Invalid, "read plain text", not_text.to_string())
                .with("path", source.path)
                .help("save it as text in UTF-8, or exclude it from the wiki")
        })?;
        let warnings = decoded.remarks().map(|message| ReadWarning { line: 1, message }).collect();
        let text = decoded.text.into_owned();
        Ok(DocumentText { blocks: blocks::paragraphs(&text), text, warnings, ..DocumentText::default() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings_that_are_guessed_are_told() {
        let read = |bytes: &[u8]| TextReader::default().read(Source { path: "a.txt", bytes });
        let document = read(b"Gr\xfc\xdfe aus K\xf6ln").unwrap();
        assert_eq!(document.text, "Grüße aus Köln");
        assert!(document.warnings[0].message.contains("windows-1252"));
        assert_eq!(read("\u{feff}Grüße".as_bytes()).unwrap().text, "Grüße");
        let error = read(&[0; 100]).unwrap_err();
        assert!(error.kind() == ErrorKind::Invalid && error.remedy().is_some());
    }

    #[test]
    fn an_empty_file_is_an_empty_document() {
        let document = TextReader::default().read(Source { path: "a.txt", bytes: b"" }).unwrap();
        assert_eq!(document, DocumentText::default());
        assert_eq!(document.title("a"), "a");
    }

    #[test]
    fn nothing_to_set() {
        assert!(TextReader::new(&Section::empty()).is_ok());
        assert!(TextReader::new(&Section::new("x", serde_json::json!({"headings": true}))).is_err());
    }
}
