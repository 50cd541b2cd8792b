//! Bytes of a page in, text and structure out.

use wikirag_core::{DocumentText, Error, ErrorKind, ReadWarning, Reader, Result, Section, Source};
use wikirag_text::decode;

use crate::charset::declared;
use crate::noise::Noise;
use crate::render::render;
use crate::tree::Page;

/// Reads HTML and XHTML: what a page says, without what surrounds it.
#[derive(Debug, Clone, Copy, Default)]
pub struct HtmlReader(());

impl HtmlReader {
    /// A reader. There is nothing to set.
    ///
    /// # Errors
    /// [`ErrorKind::Invalid`] for any setting.
    pub fn new(settings: &Section) -> Result<Self> {
        settings.expect_empty()?;
        Ok(Self(()))
    }
}

impl Reader for HtmlReader {
    fn extensions(&self) -> &[&'static str] {
        &["html", "htm", "xhtml"]
    }

    fn read(&self, source: Source<'_>) -> Result<DocumentText> {
        let decoded = decode(source.bytes, declared(source.bytes).as_deref()).map_err(|fault| {
            Error::new(ErrorKind::Invalid, "read html", fault.to_string())
                .with("path", source.path)
                .help("save the page as UTF-8, or leave the file out with `exclude`")
        })?;
        let is_xml = source.path.ends_with(".xhtml") || decoded.text.trim_start().starts_with("<?xml");
        let page = Page::read(&decoded.text, is_xml);
        let mut document = render(&page, &Noise::of(&page));
        document.meta = page.declared.into_metadata();
        let mut warn = |message: String| document.warnings.push(ReadWarning { line: 1, message });
        decoded.remarks().for_each(&mut warn);
        if document.blocks.is_empty() && !page.nodes.is_empty() {
            warn("the page shows no text; it may be one that a script fills".to_owned());
        }
        Ok(document)
    }
}
