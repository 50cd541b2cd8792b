//! Bytes of a PDF file in, text by pages out.

use std::panic::resume_unwind;
use std::thread;

use wikirag_core::{DocumentText, Error, ErrorKind, Reader, Result, Section, Source};

use crate::extract::extract;
use crate::fault::Fault;

/// Reads the text layer of PDF files.
///
/// The text is that of all pages, in the order in which each page draws it, and [`Places::Pages`](wikirag_core::Places)
/// tells where each page begins. Paragraphs are told by the distance and size of lines, headings by the bookmarks of the
/// file. A warning's `line` is the number of a page.
#[derive(Debug, Clone, Copy, Default)]
pub struct PdfReader(());

/// Stack of the thread that reads a file, in bytes. The library follows nested forms (50 levels) and nested objects (512)
/// by recursion, and an overflow of the stack would end the process.
const STACK: usize = 64 << 20;

/// The header stands within the first so many bytes: what other programs allow before it.
const HEADER_WITHIN: usize = 1024;

impl PdfReader {
    /// A reader. There is nothing to set.
    ///
    /// # Errors
    /// [`ErrorKind::Invalid`] for any setting.
    pub fn new(settings: &Section) -> Result<Self> {
        settings.expect_empty()?;
        Ok(Self(()))
    }
}

impl Reader for PdfReader {
    fn extensions(&self) -> &[&'static str] {
        &["pdf"]
    }

    fn read(&self, source: Source<'_>) -> Result<DocumentText> {
        let head = &source.bytes[..source.bytes.len().min(HEADER_WITHIN)];
        if !head.windows(5).any(|window| window == b"%PDF-") {
            return Err(Fault::NotPdf.error());
        }
        thread::scope(|scope| {
            let worker = thread::Builder::new()
                .name("pdf".into())
                .stack_size(STACK)
                .spawn_scoped(scope, || extract(source.bytes))
                .map_err(|error| {
                    Error::new(ErrorKind::Io, "read PDF", "no thread to read it on").temporary().caused_by(error)
                })?;
            match worker.join() {
                Ok(read) => read.map_err(Fault::error),
                // What was unwound is either a limit of ours (see `extract::Budget`) or a panic of the library.
                Err(payload) => Err(payload.downcast_ref().copied().unwrap_or(Fault::Crashed).error()),
            }
        })
    }
}

/// Ends the reading from within a callback of the library, which has no other way out.
pub(crate) fn abandon(fault: Fault) -> ! {
    // No panic: the hook, which would write to standard error, is not called.
    resume_unwind(Box::new(fault))
}
