//! The promises of a [`Chunker`].

use fastrand::Rng;
use wikirag_core::{BlockKind, ChunkSpan, Chunker, DocumentText, Reader, Result, Source, Span};

use crate::check::{Broken, Check, Outcome, ensure};
use crate::documents::{self, Document, SHAPES, paragraph};
use crate::passages;
use crate::work;

/// Expands to a module of tests, one for each promise of a [`Chunker`](wikirag_core::Chunker).
///
/// `chunker_suite!(module, make, limits)`, where `make` is a
/// `Fn() -> wikirag_core::Result<(Box<dyn Reader>, Box<dyn Chunker>)>` and `limits` are the
/// [`Limits`](crate::chunker::Limits) that the settings in `make` ask for.
#[macro_export]
macro_rules! chunker_suite {
    ($module:ident, $make:expr, $limits:expr $(,)?) => {
        $crate::__chunker_checks! { __tests ($module, chunker, ($make, $limits)) }
    };
}

/// The one list of checks, handed to the macro `then`.
#[doc(hidden)]
#[macro_export]
macro_rules! __chunker_checks {
    ($then:ident $args:tt) => {
        $crate::$then! { $args
            spans_lie_in_the_text
            starts_and_ends_ascend
            every_character_is_covered
            front_matter_is_no_passage
            no_passage_is_over_the_size
            the_overlap_is_kept
            headings_are_the_innermost
            no_words_give_no_passages
            an_edit_changes_spans_near_it
            equal_documents_get_equal_spans
            huge_documents_are_survived
            the_time_is_linear
        }
    };
}

/// All checks, in the order of the suite.
pub const CHECKS: &[Check<Subject>] = __chunker_checks! { __table () };

/// What the settings of the chunker under test promise about sizes.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// The largest passage, in the unit of `measure`.
    pub size: usize,
    /// The longest text that two neighbours share, in the unit of `measure`: 0, or room for a sentence of twelve words.
    pub overlap: usize,
    /// The size of a text, as the chunker measures it.
    pub measure: fn(&str) -> usize,
}

type Pair = (Box<dyn Reader>, Box<dyn Chunker>);

/// The chunker under test, with the reader whose documents it gets.
pub struct Subject {
    make: Box<dyn Fn() -> Result<Pair>>,
    limits: Limits,
}

impl Subject {
    /// The pair that `make` makes, with the same settings each time, and what those settings promise.
    pub fn new(make: impl Fn() -> Result<Pair> + 'static, limits: Limits) -> Self {
        Self { make: Box::new(make), limits }
    }

    fn make(&self) -> Outcome<Pair> {
        Ok((self.make)()?)
    }
}

fn read(reader: &dyn Reader, text: &str) -> Result<DocumentText> {
    let ending = reader.extensions().first().copied().unwrap_or("md");
    reader.read(Source { path: &format!("notes/document.{ending}"), bytes: text.as_bytes() })
}

/// Calls `look` with every document and its spans.
fn each_document(subject: &Subject, look: impl Fn(&DocumentText, &[ChunkSpan]) -> Outcome) -> Outcome {
    let (reader, chunker) = subject.make()?;
    for Document { name, text } in documents::varied() {
        let at = |broken: Broken| broken.at(format_args!("document {name:?}"));
        let document = read(&*reader, &text).map_err(|error| at(error.into()))?;
        let spans = chunker.chunk(&document).map_err(|error| at(error.into()))?;
        look(&document, &spans).map_err(at)?;
    }
    Ok(())
}

/// Every span lies in the text, is not empty and cuts no character.
///
/// # Errors
/// Where the promise is broken.
pub fn spans_lie_in_the_text(subject: &Subject) -> Outcome {
    each_document(subject, passages::spans_lie_in_the_text)
}

/// Starts ascend strictly, and so do ends.
///
/// # Errors
/// Where the promise is broken.
pub fn starts_and_ends_ascend(subject: &Subject) -> Outcome {
    each_document(subject, passages::starts_and_ends_ascend)
}

/// Every character after the front matter that is not white space lies in a span.
///
/// # Errors
/// Where the promise is broken.
pub fn every_character_is_covered(subject: &Subject) -> Outcome {
    each_document(subject, passages::every_character_is_covered)
}

/// No span reaches into the front matter.
///
/// # Errors
/// Where the promise is broken.
pub fn front_matter_is_no_passage(subject: &Subject) -> Outcome {
    each_document(subject, passages::front_matter_is_no_passage)
}

/// No passage is over the size, save where a single grapheme is.
///
/// # Errors
/// Where the promise is broken.
pub fn no_passage_is_over_the_size(subject: &Subject) -> Outcome {
    each_document(subject, |document, spans| passages::no_passage_is_over_the_size(document, spans, subject.limits))
}

/// Neighbours share no more than the overlap that is set; where one is set, some neighbours in running text do share.
///
/// # Errors
/// Where the promise is broken.
pub fn the_overlap_is_kept(subject: &Subject) -> Outcome {
    let overlap = subject.limits.overlap;
    each_document(subject, |document, spans| {
        passages::no_more_than_the_overlap_is_shared(document, spans, subject.limits)
    })?;
    let (reader, chunker) = subject.make()?;
    let (document, spans) = (&*reader, &*chunker).chunked(&long_text(subject.limits, false).join("\n\n"))?;
    let shares = spans.windows(2).any(|pair| pair[1].span.start < pair[0].span.end);
    ensure!(
        shares || overlap == 0,
        "an overlap of {overlap} is set, and of the {} passages of a text of {} bytes no two share anything",
        spans.len(),
        document.text.len()
    );
    Ok(())
}

/// The heading of a passage is the last one at or before its start; a passage that reaches over a later heading may
/// name one of those instead.
///
/// # Errors
/// Where the promise is broken.
pub fn headings_are_the_innermost(subject: &Subject) -> Outcome {
    each_document(subject, passages::headings_are_the_innermost)
}

/// A document without words, or with nothing but front matter, has no passages.
///
/// # Errors
/// Where the promise is broken.
pub fn no_words_give_no_passages(subject: &Subject) -> Outcome {
    let (reader, chunker) = subject.make()?;
    for Document { name, text } in documents::wordless() {
        let (_, spans) = (&*reader, &*chunker).chunked(&text)?;
        ensure!(spans.is_empty(), "document {name:?} has no words and the passages {spans:?}");
    }
    Ok(())
}

/// A reader with a chunker.
trait Chunked {
    /// The document of a text, with its spans.
    fn chunked(&self, text: &str) -> Outcome<(DocumentText, Vec<ChunkSpan>)>;
}

impl Chunked for (&dyn Reader, &dyn Chunker) {
    fn chunked(&self, text: &str) -> Outcome<(DocumentText, Vec<ChunkSpan>)> {
        let document = read(self.0, text)?;
        let spans = self.1.chunk(&document)?;
        Ok((document, spans))
    }
}

/// Paragraphs for about 120 passages, with a heading before every third if wanted.
fn long_text(limits: Limits, headings: bool) -> Vec<String> {
    let mut random = Rng::with_seed(3);
    let mut paragraphs = Vec::new();
    let mut size = 0;
    while size < 120 * limits.size {
        let heading = if headings && random.usize(0..3) == 0 {
            format!("## Part {}\n\n", paragraphs.len())
        } else {
            String::new()
        };
        let paragraph = format!("{heading}{}", paragraph(&mut random));
        size += (limits.measure)(&paragraph);
        paragraphs.push(paragraph);
    }
    paragraphs
}

/// An edit in the middle of a long document changes spans near it only: all that lie farther away than ten average
/// passages (forty where no heading says where to begin again) are the same before and after it.
///
/// # Errors
/// Where the promise is broken.
pub fn an_edit_changes_spans_near_it(subject: &Subject) -> Outcome {
    let (reader, chunker) = subject.make()?;
    let pair = (&*reader, &*chunker);
    for headings in [true, false] {
        let paragraphs = long_text(subject.limits, headings);
        let middle = paragraphs.len() / 2;
        let edits: [(&str, &[&str]); 4] = [
            ("a paragraph was removed", &[]),
            ("a paragraph was added", &[&paragraphs[middle], "This one was not here before. Now it is."]),
            ("a paragraph was replaced", &["Other words stand here now."]),
            ("a word was put before a paragraph", &[&format!("Indeed: {}", paragraphs[middle])]),
        ];
        let (document, spans) = pair.chunked(&paragraphs.join("\n\n"))?;
        let edit = paragraphs[..middle].iter().map(|paragraph| paragraph.len() + 2).sum::<usize>();
        // Asked of the document: not every reader sees headings in this text.
        let anchored = document.blocks.iter().any(|block| matches!(block.kind, BlockKind::Heading { .. }));
        let reach = document.text.len() / spans.len().max(1) * if anchored { 10 } else { 40 };
        for (what, new) in edits {
            let mut edited: Vec<&str> = paragraphs.iter().map(String::as_str).collect();
            edited.splice(middle..=middle, new.iter().copied());
            let (edited, edited_spans) = pair.chunked(&edited.join("\n\n"))?;
            let (left, right) = (edit.saturating_sub(reach), edit + paragraphs[middle].len() + reach);
            // What lies before the edit is told by its distance from the start, what lies behind by that from the end.
            let right = document.text.len().saturating_sub(right);
            ensure!(
                before(&spans, left) == before(&edited_spans, left)
                    && behind(&document, &spans, right) == behind(&edited, &edited_spans, right),
                "{what} in the middle of a long document {} headings, and spans more than {reach} bytes away changed",
                if anchored { "with" } else { "without" }
            );
        }
    }
    Ok(())
}

fn before(spans: &[ChunkSpan], end: usize) -> Vec<Span> {
    spans.iter().map(|chunk| chunk.span).filter(|span| span.end <= end).collect()
}

/// Start and end of the spans whose distance from the end of the text is at most `distance`, as such distances.
fn behind(document: &DocumentText, spans: &[ChunkSpan], distance: usize) -> Vec<(usize, usize)> {
    let from_end = |place: usize| document.text.len().saturating_sub(place);
    let distances = spans.iter().map(|chunk| (from_end(chunk.span.start), from_end(chunk.span.end)));
    distances.filter(|(start, _)| *start <= distance).collect()
}

/// The same document gets the same spans, each time and from each chunker of the same settings.
///
/// # Errors
/// Where the promise is broken.
pub fn equal_documents_get_equal_spans(subject: &Subject) -> Outcome {
    let (_, other) = subject.make()?;
    each_document(subject, |document, spans| {
        for _ in 0..2 {
            let again = other.chunk(document)?;
            ensure!(again == spans, "the spans were {spans:?}, and another time {again:?}");
        }
        Ok(())
    })
}

/// Documents of a million characters and a hundred thousand levels are chunked without a panic or an error.
///
/// # Errors
/// Where the promise is broken.
pub fn huge_documents_are_survived(subject: &Subject) -> Outcome {
    let (reader, chunker) = subject.make()?;
    for Document { name, text } in documents::huge() {
        // A reader may refuse what is too large; that is for its own suite to judge.
        if let Ok(document) = read(&*reader, &text) {
            chunker.chunk(&document).map_err(|error| Broken::from(error).at(format_args!("document {name:?}")))?;
        }
    }
    Ok(())
}

/// The time of chunking grows in step with the document, whatever its shape.
///
/// # Errors
/// Where the promise is broken.
pub fn the_time_is_linear(subject: &Subject) -> Outcome {
    let (reader, chunker) = subject.make()?;
    for shape in &SHAPES {
        let prepare = |text: String| Ok(read(&*reader, &text)?);
        work::grows_in_step(shape.name, |size| shape.of(size), prepare, |document| chunker.chunk(document))?;
    }
    Ok(())
}
