//! The promises of a [`Reader`].

use std::collections::BTreeSet;

use fastrand::Rng;
use wikirag_core::{BlockKind, DocumentText, ErrorKind, Places, Reader, Result, Source, Span};

use crate::check::{Broken, Check, Outcome, ensure};
use crate::documents::{self, Document, SHAPES};
use crate::work;

/// Expands to a module of tests, one for each promise of a [`Reader`](wikirag_core::Reader).
///
/// `reader_suite!(module, make, samples)`, where `make` is a `Fn() -> wikirag_core::Result<Box<dyn Reader>>` and
/// `samples` a `Vec<(&'static str, Vec<u8>)>`: paths and bytes of files that it must be able to read.
#[macro_export]
macro_rules! reader_suite {
    ($module:ident, $make:expr, $samples:expr $(,)?) => {
        $crate::__reader_checks! { __tests ($module, reader, ($make, $samples)) }
    };
}

/// The one list of checks, handed to the macro `then`.
#[doc(hidden)]
#[macro_export]
macro_rules! __reader_checks {
    ($then:ident $args:tt) => {
        $crate::$then! { $args
            extensions_are_plain
            samples_are_read
            spans_lie_in_the_text
            blocks_come_in_order
            blocks_are_well_formed
            every_word_lies_in_a_block
            links_come_in_order
            places_come_in_order
            warnings_name_a_line
            equal_bytes_give_equal_documents
            damaged_files_are_read_or_refused
            huge_files_are_read_or_refused
            the_time_is_linear
        }
    };
}

/// All checks, in the order of the suite.
pub const CHECKS: &[Check<Subject>] = __reader_checks! { __table () };

/// The reader under test, with files that it must be able to read.
pub struct Subject {
    make: Box<dyn Fn() -> Result<Box<dyn Reader>>>,
    samples: Vec<(&'static str, Vec<u8>)>,
}

impl Subject {
    /// The reader that `make` makes, with the same settings each time, and `samples` of its formats, at least one.
    pub fn new(make: impl Fn() -> Result<Box<dyn Reader>> + 'static, samples: Vec<(&'static str, Vec<u8>)>) -> Self {
        Self { make: Box::new(make), samples }
    }

    fn make(&self) -> Outcome<Box<dyn Reader>> {
        Ok((self.make)()?)
    }
}

/// A path with the first ending that the reader reads.
fn path(reader: &dyn Reader) -> String {
    format!("notes/document.{}", reader.extensions().first().copied().unwrap_or("txt"))
}

/// Calls `look` with every document that the reader makes of the samples and of the suite's own texts.
fn each_document(subject: &Subject, look: impl Fn(&DocumentText) -> Outcome) -> Outcome {
    let reader = subject.make()?;
    let own_path = path(&*reader);
    let own = documents::varied();
    let own = own.iter().map(|document| (own_path.as_str(), document.name, document.text.as_bytes()));
    let samples = subject.samples.iter().map(|(path, bytes)| (*path, *path, bytes.as_slice()));
    for (path, name, bytes) in samples.chain(own) {
        // Refusing one of the suite's texts is no fault: they need not be of the reader's format.
        if let Ok(document) = reader.read(Source { path, bytes }) {
            look(&document).map_err(|broken| broken.at(format_args!("file {name:?}")))?;
        }
    }
    Ok(())
}

/// There are endings; they are in lower case, without a dot, and each comes once.
///
/// # Errors
/// Where the promise is broken.
pub fn extensions_are_plain(subject: &Subject) -> Outcome {
    let reader = subject.make()?;
    let endings = reader.extensions();
    let distinct: BTreeSet<_> = endings.iter().collect();
    ensure!(!endings.is_empty() && distinct.len() == endings.len(), "none, or one twice: {endings:?}");
    let plain = |ending: &&str| !ending.is_empty() && !ending.contains('.') && ending.to_lowercase() == **ending;
    ensure!(endings.iter().all(plain), "an ending is empty, has a dot or a capital letter: {endings:?}");
    Ok(())
}

/// Every sample is read, and some text comes of it.
///
/// # Errors
/// Where the promise is broken.
pub fn samples_are_read(subject: &Subject) -> Outcome {
    let reader = subject.make()?;
    ensure!(!subject.samples.is_empty(), "the suite was given no samples");
    for (path, bytes) in &subject.samples {
        let document = reader
            .read(Source { path, bytes })
            .map_err(|error| Broken::from(error).at(format_args!("sample {path:?}")))?;
        ensure!(!document.text.trim().is_empty(), "sample {path:?} gives no text");
    }
    Ok(())
}

/// Every span of a block, a link or a table's header lies in the text and cuts no character, and so does every cut.
///
/// # Errors
/// Where the promise is broken.
pub fn spans_lie_in_the_text(subject: &Subject) -> Outcome {
    each_document(subject, |document| {
        let headers = document.blocks.iter().filter_map(|block| match block.kind {
            BlockKind::Table { header } => header,
            _ => None,
        });
        let blocks = document.blocks.iter().map(|block| block.span);
        let links = document.links.iter().map(|link| link.span);
        for span in blocks.chain(links).chain(headers) {
            ensure!(span.slice(&document.text).is_some(), "{span:?} leaves the text or cuts a character");
        }
        let mut cuts = document.blocks.iter().flat_map(|block| &block.cuts);
        let cut = cuts.find(|cut| !document.text.is_char_boundary(**cut));
        ensure!(cut.is_none(), "the cut at {cut:?} leaves the text or cuts a character");
        Ok(())
    })
}

/// Blocks come in order, do not overlap and are not empty.
///
/// # Errors
/// Where the promise is broken.
pub fn blocks_come_in_order(subject: &Subject) -> Outcome {
    each_document(subject, |document| {
        let empty = document.blocks.iter().find(|block| block.span.is_empty());
        ensure!(empty.is_none(), "a block is empty: {empty:?}");
        let pair = document.blocks.windows(2).find(|pair| pair[0].span.end > pair[1].span.start);
        ensure!(pair.is_none(), "two blocks overlap or are out of order: {pair:?}");
        Ok(())
    })
}

/// Front matter comes first and once; headings have levels 1 to 6; the header of a table lies in it; cuts lie inside their
/// block and ascend.
///
/// # Errors
/// Where the promise is broken.
pub fn blocks_are_well_formed(subject: &Subject) -> Outcome {
    each_document(subject, |document| {
        for (place, block) in document.blocks.iter().enumerate() {
            let fault = match &block.kind {
                BlockKind::FrontMatter if place > 0 => Some("front matter that is not the first block"),
                BlockKind::Heading { level, .. } if !(1..=6).contains(level) => Some("a heading of no known level"),
                BlockKind::Table { header: Some(header) } if !block.span.contains(*header) => {
                    Some("a table whose header lies outside")
                }
                _ => None,
            };
            ensure!(fault.is_none(), "{}: {block:?}", fault.unwrap_or_default());
            let inside = block.cuts.iter().all(|cut| block.span.range().contains(cut));
            let ascend = block.cuts.windows(2).all(|pair| pair[0] < pair[1]);
            ensure!(inside && ascend, "the cuts of a block lie outside or do not ascend: {block:?}");
        }
        Ok(())
    })
}

/// Between the blocks stands nothing but white space and marks: every word lies in a block.
///
/// # Errors
/// Where the promise is broken.
pub fn every_word_lies_in_a_block(subject: &Subject) -> Outcome {
    each_document(subject, |document| {
        let mut covered = 0;
        let end = Span::new(document.text.len(), document.text.len());
        for span in document.blocks.iter().map(|block| block.span).chain([end]) {
            let gap = Span::new(covered, span.start).slice(&document.text).unwrap_or_default();
            ensure!(!gap.contains(char::is_alphanumeric), "no block holds {gap:?}, before byte {}", span.start);
            covered = covered.max(span.end);
        }
        Ok(())
    })
}

/// Links come in the order of their places.
///
/// # Errors
/// Where the promise is broken.
pub fn links_come_in_order(subject: &Subject) -> Outcome {
    each_document(subject, |document| {
        let pair = document.links.windows(2).find(|pair| pair[0].span.start > pair[1].span.start);
        ensure!(pair.is_none(), "two links are out of order: {pair:?}");
        Ok(())
    })
}

/// The places that lead back to the file lie in the text and come in order; lines count from 1.
///
/// # Errors
/// Where the promise is broken.
pub fn places_come_in_order(subject: &Subject) -> Outcome {
    each_document(subject, |document| {
        let (offsets, ascend): (Vec<usize>, bool) = match &document.places {
            Places::Same => (Vec::new(), true),
            Places::Lines(lines) => {
                let first = lines.first().is_none_or(|first| first.1 > 0);
                let rest = lines.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 <= pair[1].1);
                (lines.iter().map(|line| line.0).collect(), first && rest)
            }
            Places::Pages(pages) => (pages.clone(), pages.is_sorted() && pages.first() == Some(&0)),
        };
        ensure!(ascend, "places do not ascend, or do not begin where they must: {:?}", document.places);
        let outside = offsets.iter().find(|offset| !document.text.is_char_boundary(**offset));
        ensure!(outside.is_none(), "a place lies outside of the text or in a character: {outside:?}");
        Ok(())
    })
}

/// A warning says something, and names a line of the file.
///
/// # Errors
/// Where the promise is broken.
pub fn warnings_name_a_line(subject: &Subject) -> Outcome {
    each_document(subject, |document| {
        let wrong = document.warnings.iter().find(|warning| warning.line == 0 || warning.message.trim().is_empty());
        ensure!(wrong.is_none(), "a warning has no line (they count from 1) or says nothing: {wrong:?}");
        Ok(())
    })
}

/// The same bytes give the same document, each time and from each reader of the same settings.
///
/// # Errors
/// Where the promise is broken.
pub fn equal_bytes_give_equal_documents(subject: &Subject) -> Outcome {
    let (one, other) = (subject.make()?, subject.make()?);
    let path = path(&*one);
    let own = documents::varied();
    let own = own.iter().map(|document| (path.as_str(), document.text.as_bytes()));
    let samples = subject.samples.iter().map(|(path, bytes)| (*path, bytes.as_slice()));
    for (path, bytes) in samples.chain(own) {
        let (once, again) = (one.read(Source { path, bytes }), other.read(Source { path, bytes }));
        ensure!(once.is_ok() == again.is_ok(), "{path:?} was read once and refused once");
        ensure!(once.ok() == again.ok(), "the same bytes of {path:?} gave two documents");
    }
    Ok(())
}

/// Files cut short, with bytes changed, and of nothing but random bytes are read or refused: an error is of the kind
/// [`ErrorKind::Invalid`], and there is no panic.
///
/// # Errors
/// Where the promise is broken.
pub fn damaged_files_are_read_or_refused(subject: &Subject) -> Outcome {
    let reader = subject.make()?;
    let mut random = Rng::with_seed(51);
    for (path, bytes) in &subject.samples {
        for _ in 0..40 {
            let mut damaged = bytes.clone();
            for _ in 0..random.usize(0..8) {
                let place = random.usize(0..=damaged.len());
                damaged.get_mut(place).into_iter().for_each(|byte| *byte = random.u8(..));
            }
            damaged.truncate(random.usize(0..=damaged.len() * 2));
            read_or_refused(&*reader, path, &damaged)?;
        }
    }
    let path = path(&*reader);
    for length in [1, 2, 3, 4, 16, 100, 5_000] {
        let bytes: Vec<u8> = (0..length).map(|_| random.u8(..)).collect();
        read_or_refused(&*reader, &path, &bytes)?;
    }
    let utf16: Vec<u8> = "\u{feff}text in UTF-16".encode_utf16().flat_map(u16::to_le_bytes).collect();
    read_or_refused(&*reader, &path, &utf16)
}

/// Files of a million characters and a hundred thousand levels are read or refused.
///
/// # Errors
/// Where the promise is broken.
pub fn huge_files_are_read_or_refused(subject: &Subject) -> Outcome {
    let reader = subject.make()?;
    for Document { name, text } in documents::huge() {
        read_or_refused(&*reader, &path(&*reader), text.as_bytes())
            .map_err(|broken| broken.at(format_args!("file {name:?}")))?;
    }
    Ok(())
}

fn read_or_refused(reader: &dyn Reader, path: &str, bytes: &[u8]) -> Outcome {
    if let Err(error) = reader.read(Source { path, bytes }) {
        ensure!(error.kind() == ErrorKind::Invalid, "a file of {} bytes was refused as {error:?}", bytes.len());
        ensure!(!error.message().trim().is_empty(), "a file of {} bytes was refused without a word", bytes.len());
    }
    Ok(())
}

/// The time of reading grows in step with the file, whatever its shape.
///
/// # Errors
/// Where the promise is broken.
pub fn the_time_is_linear(subject: &Subject) -> Outcome {
    let reader = subject.make()?;
    let path = path(&*reader);
    for shape in &SHAPES {
        let work = |text: &String| reader.read(Source { path: &path, bytes: text.as_bytes() });
        work::grows_in_step(shape.name, |size| shape.of(size), Ok, work)?;
    }
    Ok(())
}
