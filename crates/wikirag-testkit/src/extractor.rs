//! The promises of an [`Extractor`].
//!
//! The suite knows nothing about how an extractor works, and a language model gives no two equal answers: it looks at the
//! form of what is found. It assumes that [`PASSAGE`] has two entities at least, and a relation between some of them.

use std::collections::BTreeSet;
use std::time::Duration;

use wikirag_core::{Context, ErrorKind, Extraction, Extractor, Result, Retry};

use crate::check::{Broken, Check, Outcome, ensure};
use crate::{block_on, questions};

/// Expands to a module of tests, one for each promise of an [`Extractor`].
///
/// `extractor_suite!(module, make)`, where `make` is a `Fn() -> wikirag_core::Result<Box<dyn Extractor>>` and each extractor it
/// makes can look at passages. With a third argument, a literal, the tests are ignored for that reason.
#[macro_export]
macro_rules! extractor_suite {
    ($module:ident, $make:expr $(,)?) => {
        $crate::__extractor_checks! { __tests ($module, extractor, ($make)) }
    };
    ($module:ident, $make:expr, $reason:literal $(,)?) => {
        $crate::__extractor_checks! { __tests ($module, extractor, ($make), $reason) }
    };
}

/// The one list of checks, handed to the macro `then`.
#[doc(hidden)]
#[macro_export]
macro_rules! __extractor_checks {
    ($then:ident $args:tt) => {
        $crate::$then! { $args
            the_fingerprint_stays
            a_passage_has_entities_and_relations
            names_are_plain
            no_name_comes_twice
            both_ends_of_a_relation_are_entities
            nothing_is_in_a_passage_without_words
            any_passage_is_valid
            a_stopped_call_says_so
        }
    };
}

/// All checks, in the order of the suite.
pub const CHECKS: &[Check<Subject>] = __extractor_checks! { __table () };

/// A passage with people, places and things that belong together, some of them named twice and in two ways of writing.
pub const PASSAGE: &str = "Marie Curie worked with Pierre Curie in Paris. In Paris Marie Curie found Radium, and Pierre Curie \
                           weighed Radium. Both wrote to Warsaw, and MARIE CURIE named Polonium after Poland.";

/// The extractor under test.
pub struct Subject {
    make: Box<dyn Fn() -> Result<Box<dyn Extractor>>>,
}

impl Subject {
    /// The extractor that `make` makes, with the same settings each time.
    pub fn new(make: impl Fn() -> Result<Box<dyn Extractor>> + 'static) -> Self {
        Self { make: Box::new(make) }
    }

    fn make(&self) -> Outcome<Box<dyn Extractor>> {
        Ok((self.make)()?)
    }

    /// What each of the passages has in it, as far as it is understood.
    fn found(&self) -> Outcome<Vec<Extraction>> {
        let extractor = self.make()?;
        let mut all = vec![block_on(extractor.extract(PASSAGE, &Context::new()))?];
        all.extend(passages().iter().filter_map(|text| block_on(extractor.extract(text, &Context::new())).ok()));
        Ok(all)
    }
}

/// Texts that broke other programs, of a length that passages have, alone and around an ordinary one.
fn passages() -> Vec<String> {
    let naughty = questions::naughty();
    let short = naughty.iter().filter(|text| text.len() < 4_000);
    short.flat_map(|text| [text.clone(), format!("{text}\n{PASSAGE}\n{text}")]).collect()
}

/// The fingerprint is told before anything is extracted, is not empty, stays, and is that of all with the same settings.
///
/// # Errors
/// Where the promise is broken.
pub fn the_fingerprint_stays(subject: &Subject) -> Outcome {
    let (one, other) = (subject.make()?, subject.make()?);
    let before = one.fingerprint().to_owned();
    ensure!(!before.trim().is_empty(), "the fingerprint is empty");
    block_on(one.extract(PASSAGE, &Context::new()))?;
    ensure!(before == one.fingerprint(), "the fingerprint was {before:?} and is {:?} after a call", one.fingerprint());
    ensure!(
        before == other.fingerprint(),
        "of two equal extractors one is {before:?}, the other {:?}",
        other.fingerprint()
    );
    Ok(())
}

/// An ordinary passage has entities in it, and relations.
///
/// # Errors
/// Where the promise is broken.
pub fn a_passage_has_entities_and_relations(subject: &Subject) -> Outcome {
    let found = block_on(subject.make()?.extract(PASSAGE, &Context::new()))?;
    let (entities, relations) = (found.entities.len(), found.relations.len());
    ensure!(entities >= 2 && relations >= 1, "{entities} entities and {relations} relations were found in {PASSAGE:?}");
    Ok(())
}

/// Names are not empty and stand in one line without white space around them.
///
/// # Errors
/// Where the promise is broken.
pub fn names_are_plain(subject: &Subject) -> Outcome {
    for entity in subject.found()?.iter().flat_map(|found| &found.entities) {
        let name = &entity.name;
        ensure!(!name.is_empty() && name.trim() == name, "{name:?} is empty or has white space around it");
        ensure!(!name.contains(char::is_control), "{name:?} has line breaks or control characters");
    }
    Ok(())
}

/// Of a passage no name comes twice, whatever its case.
///
/// # Errors
/// Where the promise is broken.
pub fn no_name_comes_twice(subject: &Subject) -> Outcome {
    for found in subject.found()? {
        let mut names = BTreeSet::new();
        let twice = found.entities.iter().find(|entity| !names.insert(entity.name.to_lowercase()));
        ensure!(twice.is_none(), "two entities have one name: {twice:?}");
    }
    Ok(())
}

/// Both ends of a relation are names of entities, letter by letter, and not the same.
///
/// # Errors
/// Where the promise is broken.
pub fn both_ends_of_a_relation_are_entities(subject: &Subject) -> Outcome {
    for found in subject.found()? {
        let names: BTreeSet<&str> = found.entities.iter().map(|entity| entity.name.as_str()).collect();
        for relation in &found.relations {
            let ends = [&*relation.from, &*relation.to];
            ensure!(ends.iter().all(|end| names.contains(end)), "{relation:?} has an end that is none of {names:?}");
            ensure!(ends[0] != ends[1], "{relation:?} has one end");
        }
    }
    Ok(())
}

/// A passage without a letter or digit has nothing in it, and that is no error.
///
/// # Errors
/// Where the promise is broken.
pub fn nothing_is_in_a_passage_without_words(subject: &Subject) -> Outcome {
    let extractor = subject.make()?;
    for passage in ["", " \r\n\t", "... --- ...", "🦀"] {
        let found = block_on(extractor.extract(passage, &Context::new()))?;
        let is_empty = found.entities.is_empty() && found.relations.is_empty();
        ensure!(is_empty, "in {passage:?} was found {found:?}");
    }
    Ok(())
}

/// Any passage is looked at. Of one that is too long, or whose answer could not be read, that is said, and is for good.
///
/// # Errors
/// Where the promise is broken.
pub fn any_passage_is_valid(subject: &Subject) -> Outcome {
    let extractor = subject.make()?;
    for passage in questions::naughty().iter().chain(&passages()) {
        if let Err(error) = block_on(extractor.extract(passage, &Context::new())) {
            let told = error.kind() == ErrorKind::Invalid && error.retry() == Retry::Permanent;
            let start: String = passage.chars().take(60).collect();
            ensure!(told, "a passage that begins with {start:?} ends in {error:?}, {:?}", error.retry());
        }
    }
    Ok(())
}

/// A call that was cancelled, or whose deadline passed, says so.
///
/// # Errors
/// Where the promise is broken.
pub fn a_stopped_call_says_so(subject: &Subject) -> Outcome {
    let extractor = subject.make()?;
    let cancelled = Context::new();
    cancelled.cancel.cancel();
    let late = Context::new().with_time_limit(Duration::ZERO);
    for (context, expected) in [(cancelled, ErrorKind::Cancelled), (late, ErrorKind::TimedOut)] {
        let kind = block_on(extractor.extract(PASSAGE, &context)).err().map(|error| error.kind());
        if kind != Some(expected) {
            let ended = kind.map(ErrorKind::code);
            let message = format!("a call that was stopped must end with {}, it ended with {ended:?}", expected.code());
            return Err(Broken::new(message));
        }
    }
    Ok(())
}
