//! The promises of an [`Embedder`].
//!
//! The suite knows nothing about how an embedder works. It assumes one thing only: texts that share most of their words are
//! nearer to each other than texts that share none.

use std::thread;
use std::time::Duration;

use wikirag_core::{Context, Embedder, ErrorKind, Readiness, Result, Role, Vectors};

use crate::check::{Broken, Check, Outcome, ensure};
use crate::{block_on, questions};

/// Expands to a module of tests, one for each promise of an [`Embedder`].
///
/// `embedder_suite!(module, make)`, where `make` is a `Fn() -> wikirag_core::Result<Box<dyn Embedder>>` and each embedder it
/// makes is ready to embed. With a third argument, a literal, the tests are ignored for that reason: they stand in the list
/// of a test run as skipped, by name, and run only when ignored tests are asked for.
#[macro_export]
macro_rules! embedder_suite {
    ($module:ident, $make:expr $(,)?) => {
        $crate::__embedder_checks! { __tests ($module, embedder, ($make)) }
    };
    ($module:ident, $make:expr, $reason:literal $(,)?) => {
        $crate::__embedder_checks! { __tests ($module, embedder, ($make), $reason) }
    };
}

/// The one list of checks, handed to the macro `then`.
#[doc(hidden)]
#[macro_export]
macro_rules! __embedder_checks {
    ($then:ident $args:tt) => {
        $crate::$then! { $args
            the_space_is_named
            it_is_ready
            there_is_a_row_for_each_text
            rows_come_in_the_order_of_the_texts
            rows_have_unit_length
            a_vector_depends_on_its_text_alone
            equal_embedders_embed_equally
            like_texts_are_near
            any_text_is_embedded
            no_text_is_cut
            a_repeated_question_has_its_vector
            many_may_embed_at_once
            a_stopped_call_says_so
        }
    };
}

/// All checks, in the order of the suite.
pub const CHECKS: &[Check<Subject>] = __embedder_checks! { __table () };

/// The embedder under test.
pub struct Subject {
    make: Box<dyn Fn() -> Result<Box<dyn Embedder>>>,
}

impl Subject {
    /// The embedder that `make` makes, with the same settings each time.
    pub fn new(make: impl Fn() -> Result<Box<dyn Embedder>> + 'static) -> Self {
        Self { make: Box::new(make) }
    }

    fn make(&self) -> Outcome<Box<dyn Embedder>> {
        Ok((self.make)()?)
    }
}

const ROLES: [Role; 2] = [Role::Query, Role::Passage];

/// How far two values of a vector of unit length may lie apart and be called equal. Rounding alone stays a hundred times
/// below it; one scale of quantisation shared by a batch is a thousand times above it.
const TOLERANCE: f32 = 1e-5;

/// Texts of three subjects, in several lengths, one in another script and one that is nothing but marks.
const TEXTS: [&str; 8] = [
    "The river carries copper from the hills to the sea.",
    "river",
    "How is bread baked in a stone oven? The dough rests for a night, is folded twice, rests again under a cloth, and goes \
     onto the hot stone when the flames are down; steam from a wet brush gives the crust its shine.",
    "A copper mine lies at the river.",
    "Zebras and giraffes graze on the plain.",
    "漢字と仮名の文書。",
    "... --- ...",
    "The oven of stone bakes bread for the night.",
];

fn embed(embedder: &dyn Embedder, texts: &[&str], role: Role) -> Outcome<Vectors> {
    block_on(embedder.embed(texts, role, &Context::new()))
        .map_err(|error| Broken::from(error).at(format_args!("{} texts as {role:?}", texts.len())))
}

/// The vector of one text, embedded by itself.
fn alone(embedder: &dyn Embedder, text: &str, role: Role) -> Outcome<Vec<f32>> {
    let vectors = embed(embedder, &[text], role).map_err(|broken| broken.at(format_args!("{:?}", shortened(text))))?;
    let first = vectors.rows().next().map(<[f32]>::to_vec);
    first.ok_or_else(|| Broken::new(format!("no row came for the text {:?}", shortened(text))))
}

/// Whether two vectors are the same but for rounding.
fn same(one: &[f32], other: &[f32]) -> bool {
    one.len() == other.len() && one.iter().zip(other).all(|(one, other)| (one - other).abs() < TOLERANCE)
}

fn cosine(one: &[f32], other: &[f32]) -> f32 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

fn shortened(text: &str) -> String {
    let mut short: String = text.chars().take(60).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

/// Fingerprint, dimensions and longest text are told before anything is embedded, are not empty, and stay.
///
/// # Errors
/// Where the promise is broken.
pub fn the_space_is_named(subject: &Subject) -> Outcome {
    let embedder = subject.make()?;
    let told =
        |embedder: &dyn Embedder| (embedder.fingerprint().to_owned(), embedder.dimensions(), embedder.max_tokens());
    let before = told(&*embedder);
    ensure!(!before.0.trim().is_empty(), "the fingerprint is empty");
    ensure!(before.1 > 0 && before.2 > 0, "{} dimensions and at most {} tokens are told", before.1, before.2);
    for role in ROLES {
        alone(&*embedder, TEXTS[0], role)?;
    }
    let after = told(&*embedder);
    ensure!(before == after, "fingerprint, dimensions and tokens were {before:?} and are {after:?} after embedding");
    Ok(())
}

/// An embedder that can embed says that it is ready, before and after.
///
/// # Errors
/// Where the promise is broken.
pub fn it_is_ready(subject: &Subject) -> Outcome {
    let embedder = subject.make()?;
    for moment in ["before", "after"] {
        let readiness = embedder.readiness();
        ensure!(readiness == Readiness::Ready, "{moment} a call that works it is {readiness:?}");
        alone(&*embedder, TEXTS[0], Role::Passage)?;
    }
    Ok(())
}

/// No texts give no rows, and any number of texts as many rows, all of the width that was told.
///
/// # Errors
/// Where the promise is broken.
pub fn there_is_a_row_for_each_text(subject: &Subject) -> Outcome {
    let embedder = subject.make()?;
    for role in ROLES {
        for count in [0, 1, 2, 3, 17, 64] {
            let texts: Vec<_> = TEXTS.iter().cycle().take(count).copied().collect();
            let vectors = embed(&*embedder, &texts, role)?;
            ensure!(vectors.rows().len() == count, "{count} texts went in, {} rows came", vectors.rows().len());
            let (told, width) = (embedder.dimensions(), vectors.dimensions());
            ensure!(width == told, "{told} dimensions are told, rows have {width}");
        }
    }
    Ok(())
}

/// Row number n is that of text number n, in whatever order the texts come.
///
/// # Errors
/// Where the promise is broken.
pub fn rows_come_in_the_order_of_the_texts(subject: &Subject) -> Outcome {
    let embedder = subject.make()?;
    let backwards: Vec<_> = TEXTS.iter().rev().copied().collect();
    for role in ROLES {
        let (there, back) = (embed(&*embedder, &TEXTS, role)?, embed(&*embedder, &backwards, role)?);
        let back: Vec<_> = back.rows().collect();
        for (place, (one, other)) in there.rows().zip(back.iter().rev()).enumerate() {
            ensure!(
                same(one, other),
                "{:?} has another vector when the texts come in the other order",
                shortened(TEXTS[place])
            );
        }
    }
    Ok(())
}

/// Every row has length 1.
///
/// # Errors
/// Where the promise is broken.
pub fn rows_have_unit_length(subject: &Subject) -> Outcome {
    let embedder = subject.make()?;
    let long = "stone and copper ".repeat(2 * embedder.max_tokens().min(2_000));
    let texts: Vec<_> = TEXTS.into_iter().chain(["", " ", &long]).collect();
    for role in ROLES {
        for (text, row) in texts.iter().zip(embed(&*embedder, &texts, role)?.rows()) {
            let length = cosine(row, row).sqrt();
            ensure!((0.999..1.001).contains(&length), "the vector of {:?} has length {length}", shortened(text));
        }
    }
    Ok(())
}

/// The vector of a text is the same alone and among others, shorter and longer ones.
///
/// # Errors
/// Where the promise is broken.
pub fn a_vector_depends_on_its_text_alone(subject: &Subject) -> Outcome {
    let embedder = subject.make()?;
    for role in ROLES {
        let together = embed(&*embedder, &TEXTS, role)?;
        for (text, row) in TEXTS.iter().zip(together.rows()) {
            let lone = alone(&*embedder, text, role)?;
            ensure!(
                same(row, &lone),
                "the vector of {:?} among others has cosine {} to its vector alone (a batch may share its padding, or the \
                 scale of a quantised model)",
                shortened(text),
                cosine(row, &lone)
            );
        }
    }
    Ok(())
}

/// Two embedders of the same settings have one fingerprint and the same vectors.
///
/// # Errors
/// Where the promise is broken.
pub fn equal_embedders_embed_equally(subject: &Subject) -> Outcome {
    let (one, other) = (subject.make()?, subject.make()?);
    let (first, second) = (one.fingerprint(), other.fingerprint());
    ensure!(first == second, "of two equal embedders one calls its space {first:?}, the other {second:?}");
    for role in ROLES {
        let (rows, others) = (embed(&*one, &TEXTS, role)?, embed(&*other, &TEXTS, role)?);
        for ((text, row), other) in TEXTS.iter().zip(rows.rows()).zip(others.rows()) {
            ensure!(same(row, other), "two equal embedders do not agree on {:?}", shortened(text));
        }
    }
    Ok(())
}

/// A text is nearer to one that shares its words than to one that shares none, passages with passages and questions with
/// passages.
///
/// # Errors
/// Where the promise is broken.
pub fn like_texts_are_near(subject: &Subject) -> Outcome {
    let embedder = subject.make()?;
    // By place in `TEXTS`: a text, one that is like it, one that is not.
    for (text, like, unlike) in [(0, 3, 4), (3, 0, 7), (7, 2, 4), (2, 7, 4)] {
        for role in ROLES {
            let asked = alone(&*embedder, TEXTS[text], role)?;
            let near = cosine(&asked, &alone(&*embedder, TEXTS[like], Role::Passage)?);
            let far = cosine(&asked, &alone(&*embedder, TEXTS[unlike], Role::Passage)?);
            let in_order = near > far;
            ensure!(
                in_order,
                "{:?} as {role:?} lies at {near} from {:?} and at {far} from {:?}",
                shortened(TEXTS[text]),
                shortened(TEXTS[like]),
                shortened(TEXTS[unlike])
            );
        }
    }
    Ok(())
}

/// Any text has a vector: an empty one, control characters, every script, one word of 200,000 characters.
///
/// # Errors
/// Where the promise is broken.
pub fn any_text_is_embedded(subject: &Subject) -> Outcome {
    let embedder = subject.make()?;
    let texts = questions::naughty();
    for text in &texts {
        alone(&*embedder, text, Role::Passage)?;
    }
    // As questions the short ones will do: what is special about a long text is its length.
    for text in texts.iter().filter(|text| text.len() < 1_000) {
        alone(&*embedder, text, Role::Query)?;
    }
    Ok(())
}

/// Of a text longer than the model takes, the first words, the last and those in between all count.
///
/// # Errors
/// Where the promise is broken.
pub fn no_text_is_cut(subject: &Subject) -> Outcome {
    let embedder = subject.make()?;
    // A word is a token at least, so these are more than three times as many as fit. A service that takes very long texts
    // is asked for less: the suite would not come to an end.
    let count = 3 * embedder.max_tokens().min(8_192) + 10;
    let words = |place: Option<usize>| -> String {
        let word = |at| if place.is_some_and(|place| (place..place + 8).contains(&at)) { "zebra " } else { "copper " };
        (0..count).map(word).collect()
    };
    let plain = alone(&*embedder, &words(None), Role::Passage)?;
    for (name, place) in [("first", 0), ("middle", count / 2), ("last", count - 8)] {
        let other = alone(&*embedder, &words(Some(place)), Role::Passage)?;
        ensure!(
            !same(&plain, &other),
            "a text of {count} words has the same vector whatever its {name} words are: it is cut"
        );
    }
    Ok(())
}

/// A question that was just asked has the vector it had, and the one before it has its own.
///
/// # Errors
/// Where the promise is broken.
pub fn a_repeated_question_has_its_vector(subject: &Subject) -> Outcome {
    let embedder = subject.make()?;
    let passage = alone(&*embedder, TEXTS[0], Role::Passage)?;
    let first: Vec<_> = TEXTS.iter().map(|text| alone(&*embedder, text, Role::Query)).collect::<Outcome<_>>()?;
    for (text, known) in TEXTS.iter().zip(&first).rev() {
        let again = alone(&*embedder, text, Role::Query)?;
        ensure!(same(known, &again), "asked again, {:?} has another vector", shortened(text));
    }
    // What is kept for questions must not be given out for passages.
    let after = alone(&*embedder, TEXTS[0], Role::Passage)?;
    ensure!(same(&passage, &after), "after it was asked, a text has another vector as a passage");
    Ok(())
}

/// Several threads may embed at once, and each gets the vectors of its own texts.
///
/// # Errors
/// Where the promise is broken.
pub fn many_may_embed_at_once(subject: &Subject) -> Outcome {
    const THREADS: usize = 4;
    let embedder = subject.make()?;
    let embedder = &*embedder;
    let expected = embed(embedder, &TEXTS, Role::Passage)?;
    let expected: Vec<_> = expected.rows().collect();
    thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS)
            .map(|thread| {
                scope.spawn(move || {
                    let mut texts = TEXTS;
                    texts.rotate_left(thread);
                    embed(embedder, &texts, Role::Passage)
                })
            })
            .collect();
        for (thread, handle) in threads.into_iter().enumerate() {
            let vectors = handle.join().map_err(|_| Broken::new("a thread that embeds panics"))??;
            for (place, row) in vectors.rows().enumerate() {
                let place = (place + thread) % TEXTS.len();
                ensure!(
                    same(row, expected[place]),
                    "{:?} has another vector while {THREADS} threads embed",
                    shortened(TEXTS[place])
                );
            }
        }
        Ok(())
    })
}

/// A call that was cancelled, or whose deadline passed, says so.
///
/// # Errors
/// Where the promise is broken.
pub fn a_stopped_call_says_so(subject: &Subject) -> Outcome {
    let embedder = subject.make()?;
    let cancelled = Context::new();
    cancelled.cancel.cancel();
    let late = Context::new().with_time_limit(Duration::ZERO);
    for (context, expected) in [(cancelled, ErrorKind::Cancelled), (late, ErrorKind::TimedOut)] {
        for role in ROLES {
            let result = block_on(embedder.embed(&TEXTS, role, &context));
            let kind = result.err().map(|error| error.kind());
            ensure!(
                kind == Some(expected),
                "a call that was stopped must end with the error {}, it ended with {:?}",
                expected.code(),
                kind.map(ErrorKind::code)
            );
        }
    }
    Ok(())
}
