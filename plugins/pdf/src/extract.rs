//! From bytes to a document: opening, interpreting, and what is refused.

use hayro_interpret::hayro_syntax::object::dict::keys::CONTENTS;
use hayro_interpret::hayro_syntax::page::Page as PdfPage;
use hayro_interpret::hayro_syntax::{DecryptionError, LoadPdfError, Pdf};
use hayro_interpret::kurbo::{Affine, Rect};
use hayro_interpret::{Context, InterpreterCache, InterpreterSettings, interpret_page};
use wikirag_core::{DocumentText, ReadWarning};

use crate::bombs;
use crate::document::{Page, document};
use crate::fault::Fault;
use crate::fields::add_values;
use crate::glyphs::{Budget, Collector};
use crate::info::metadata;
use crate::layout::lines;
use crate::outline::bookmarks;

/// Where the mark of a file's end is looked for: in its last so many bytes.
const END_WITHIN: usize = 2048;

/// The document that the bytes hold.
///
/// # Errors
/// The reason for which there is none. Limits that are passed within a page unwind with the [`Fault`] instead, and so may
/// panics of the library.
pub(crate) fn extract(bytes: &[u8]) -> Result<DocumentText, Fault> {
    bombs::measure_file(bytes)?;
    let pdf = Pdf::new(bytes.to_vec()).map_err(|error| match error {
        LoadPdfError::Decryption(DecryptionError::PasswordProtected) => Fault::Locked,
        LoadPdfError::Decryption(_) => Fault::UnknownCipher,
        LoadPdfError::Invalid => Fault::Damaged,
    })?;
    bombs::measure_streams(&pdf)?;
    let pages = pages(&pdf)?;
    if pages.is_empty() {
        return Err(Fault::NoPages);
    }
    if pages.iter().all(|page| page.lines.is_empty()) {
        let unknown = pages.iter().any(|page| page.unknown > 0);
        return Err(if unknown { Fault::NoCharacters } else { Fault::NoText(pages.len()) });
    }
    let mut document = document(&pages, &bookmarks(&pdf), metadata(pdf.metadata()));
    let end = &bytes[bytes.len().saturating_sub(END_WITHIN)..];
    if !end.windows(5).any(|window| window == b"%%EOF") {
        let message = "the file has no end: it may be cut short, and pages be missing".into();
        document.warnings.insert(0, ReadWarning { line: pages.len(), message });
    }
    Ok(document)
}

fn pages(pdf: &Pdf) -> Result<Vec<Page>, Fault> {
    let cache = InterpreterCache::new();
    let settings = InterpreterSettings::default();
    let mut budget = Budget::new(pdf.data().as_ref().len());
    let mut pages = Vec::with_capacity(pdf.pages().len());
    for page in pdf.pages().iter() {
        budget.page(page.page_stream().map_or(0, <[u8]>::len))?;
        // The box is what would be visible. Text outside it is read as well.
        let visible = Rect::new(0.0, 0.0, 1.0, 1.0);
        let mut context = Context::new(Affine::IDENTITY, visible, &cache, pdf.xref(), settings.clone());
        let mut collector = Collector::new(&mut budget);
        interpret_page(page, &mut context, &mut collector);
        let drawn = collector.finish();
        let mut lines = lines(&drawn);
        add_values(page, &mut lines);
        pages.push(Page { lines, unknown: drawn.unknown, blank: !drawn.anything && is_readable(page) });
    }
    Ok(pages)
}

/// Whether the content of a page could be unpacked, or there is none.
fn is_readable(page: &PdfPage<'_>) -> bool {
    page.page_stream().is_some() || !page.raw().contains_key(CONTENTS)
}
