//! The promises of a [`Reader`].

use std::collections::BTreeSet;

use fastrand::Rng;
use wikirag_core::{DocumentText, ErrorKind, Reader, Result, Source};

use crate::check::{Broken, Check, Outcome, ensure};
use crate::document;
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
    each_document(subject, document::spans_lie_in_the_text)
}

/// Blocks come in order, do not overlap and are not empty.
///
/// # Errors
/// Where the promise is broken.
pub fn blocks_come_in_order(subject: &Subject) -> Outcome {
    each_document(subject, document::blocks_come_in_order)
}

/// Front matter comes first and once; headings have levels 1 to 6; the header of a table lies in it; cuts lie inside their
/// block and ascend.
///
/// # Errors
/// Where the promise is broken.
pub fn blocks_are_well_formed(subject: &Subject) -> Outcome {
    each_document(subject, document::blocks_are_well_formed)
}

/// Between the blocks stands nothing but white space and marks: every word lies in a block.
///
/// # Errors
/// Where the promise is broken.
pub fn every_word_lies_in_a_block(subject: &Subject) -> Outcome {
    each_document(subject, document::every_word_lies_in_a_block)
}

/// Links come in the order of their places.
///
/// # Errors
/// Where the promise is broken.
pub fn links_come_in_order(subject: &Subject) -> Outcome {
    each_document(subject, document::links_come_in_order)
}

/// The places that lead back to the file lie in the text and come in order; lines count from 1.
///
/// # Errors
/// Where the promise is broken.
pub fn places_come_in_order(subject: &Subject) -> Outcome {
    each_document(subject, document::places_come_in_order)
}

/// A warning says something, and names a line of the file.
///
/// # Errors
/// Where the promise is broken.
pub fn warnings_name_a_line(subject: &Subject) -> Outcome {
    each_document(subject, document::warnings_name_a_line)
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
