//! The promises of a [`Generator`].
//!
//! The suite knows nothing about the model, which gives no two equal answers: it looks at the form of what is written. It
//! assumes that an answer to [`PROMPT`] has more than [`FEW`] tokens, and comes in more than one piece.

use std::thread;
use std::time::Duration;

use wikirag_core::{Completion, Context, Ended, ErrorKind, Generator, Message, Prompt, Result, Retry, Speaker};

use crate::check::{Broken, Check, Outcome, ensure};
use crate::{block_on, questions};

/// Expands to a module of tests, one for each promise of a [`Generator`].
///
/// `generator_suite!(module, make)`, where `make` is a `Fn() -> wikirag_core::Result<Box<dyn Generator>>` and each generator it
/// makes can write. With a third argument, a literal, the tests are ignored for that reason.
#[macro_export]
macro_rules! generator_suite {
    ($module:ident, $make:expr $(,)?) => {
        $crate::__generator_checks! { __tests ($module, generator, ($make)) }
    };
    ($module:ident, $make:expr, $reason:literal $(,)?) => {
        $crate::__generator_checks! { __tests ($module, generator, ($make), $reason) }
    };
}

/// The one list of checks, handed to the macro `then`.
#[doc(hidden)]
#[macro_export]
macro_rules! __generator_checks {
    ($then:ident $args:tt) => {
        $crate::$then! { $args
            the_model_is_named
            the_pieces_make_the_text
            a_limit_is_kept_and_told
            a_prompt_that_is_none_is_refused
            a_conversation_is_gone_on_with
            any_words_may_be_asked
            a_stopped_call_says_so
            a_call_stops_between_pieces
            many_may_write_at_once
        }
    };
}

/// All checks, in the order of the suite.
pub const CHECKS: &[Check<Subject>] = __generator_checks! { __table () };

/// A question with a long answer that any model has.
pub const PROMPT: &str =
    "Count from one to fifty in words, separated by spaces. Write all of them: one two three and so on.";

/// Fewer tokens than an answer to [`PROMPT`] has.
pub const FEW: usize = 6;

/// Enough tokens for an answer to [`PROMPT`], and few enough for a small model on a small machine.
const ENOUGH: usize = 96;

/// The generator under test.
pub struct Subject {
    make: Box<dyn Fn() -> Result<Box<dyn Generator>>>,
}

impl Subject {
    /// The generator that `make` makes, with the same settings each time.
    pub fn new(make: impl Fn() -> Result<Box<dyn Generator>> + 'static) -> Self {
        Self { make: Box::new(make) }
    }

    fn make(&self) -> Outcome<Box<dyn Generator>> {
        Ok((self.make)()?)
    }
}

fn conversation(turns: &[(Speaker, &str)], max_tokens: usize) -> Prompt {
    let message = |(speaker, text): &(Speaker, &str)| Message { speaker: *speaker, text: (*text).to_owned() };
    Prompt { messages: turns.iter().map(message).collect(), max_tokens }
}

fn question(text: &str, max_tokens: usize) -> Prompt {
    conversation(&[(Speaker::User, text)], max_tokens)
}

/// What is written, and the pieces it came in.
fn write(generator: &dyn Generator, prompt: &Prompt, context: &Context) -> (Result<Completion>, Vec<String>) {
    let mut pieces = Vec::new();
    let written = block_on(generator.generate(prompt, &mut |piece| pieces.push(piece.to_owned()), context));
    (written, pieces)
}

/// An answer is its pieces, none of which is empty.
fn is_sound(completion: &Completion, pieces: &[String]) -> Outcome {
    let joined = pieces.concat();
    ensure!(joined == completion.text, "the pieces make {joined:?}, the text is {:?}", completion.text);
    ensure!(pieces.iter().all(|piece| !piece.is_empty()), "a piece is empty: {pieces:?}");
    Ok(())
}

/// The model is named before anything is written, and stays.
///
/// # Errors
/// Where the promise is broken.
pub fn the_model_is_named(subject: &Subject) -> Outcome {
    let (one, other) = (subject.make()?, subject.make()?);
    let before = one.model().to_owned();
    ensure!(!before.trim().is_empty(), "the model has no name");
    write(&*one, &question(PROMPT, FEW), &Context::new()).0?;
    ensure!(before == one.model(), "the model was {before:?} and is {:?} after a call", one.model());
    ensure!(before == other.model(), "of two equal generators one is {before:?}, the other {:?}", other.model());
    Ok(())
}

/// The pieces, one after the other, are the text; there are several, and none is empty.
///
/// # Errors
/// Where the promise is broken.
pub fn the_pieces_make_the_text(subject: &Subject) -> Outcome {
    let (written, pieces) = write(&*subject.make()?, &question(PROMPT, ENOUGH), &Context::new());
    is_sound(&written?, &pieces)?;
    ensure!(pieces.len() > 1, "an answer that is long comes in one piece, or none: {pieces:?}");
    Ok(())
}

/// What is longer than it may be is cut, and that is told; not more tokens are counted than were allowed.
///
/// # Errors
/// Where the promise is broken.
pub fn a_limit_is_kept_and_told(subject: &Subject) -> Outcome {
    let (written, pieces) = write(&*subject.make()?, &question(PROMPT, FEW), &Context::new());
    let written = written?;
    is_sound(&written, &pieces)?;
    ensure!(written.ended == Ended::Cut, "an answer of {FEW} tokens is said to be {:?}: {written:?}", written.ended);
    let counted = written.tokens_out.unwrap_or_default();
    ensure!(counted <= FEW as u64, "{FEW} tokens were allowed and {counted} are counted");
    Ok(())
}

/// A prompt that is no conversation is refused for good, before anything is written.
///
/// # Errors
/// Where the promise is broken.
pub fn a_prompt_that_is_none_is_refused(subject: &Subject) -> Outcome {
    use Speaker::{Assistant, System, User};
    let generator = subject.make()?;
    for prompt in [
        Prompt::default(),
        question(" \n", FEW),
        question(PROMPT, 0),
        conversation(&[(System, "Be short.")], FEW),
        conversation(&[(User, PROMPT), (Assistant, "one two")], FEW),
        conversation(&[(User, PROMPT), (User, "Now.")], FEW),
    ] {
        let (written, pieces) = write(&*generator, &prompt, &Context::new());
        let told = written.as_ref().err().map(|error| (error.kind(), error.retry()));
        let is_refused = told == Some((ErrorKind::Invalid, Retry::Permanent)) && pieces.is_empty();
        ensure!(is_refused, "{prompt:?} is no conversation, and ends in {told:?} after {pieces:?}");
    }
    Ok(())
}

/// A conversation with a system, and one that goes on, are answered.
///
/// # Errors
/// Where the promise is broken.
pub fn a_conversation_is_gone_on_with(subject: &Subject) -> Outcome {
    use Speaker::{Assistant, System, User};
    let generator = subject.make()?;
    let turns = [(System, "Be short."), (User, PROMPT), (Assistant, "one two"), (User, "Go on.")];
    for turns in [&turns[..2], &turns[1..], &turns[..]] {
        let (written, pieces) = write(&*generator, &conversation(turns, ENOUGH), &Context::new());
        is_sound(&written?, &pieces)?;
        ensure!(!pieces.is_empty(), "a conversation of {} messages has no answer", turns.len());
    }
    Ok(())
}

/// Any words may be asked. Where they are too many that is said, for good; the error does not repeat them.
///
/// # Errors
/// Where the promise is broken.
pub fn any_words_may_be_asked(subject: &Subject) -> Outcome {
    let generator = subject.make()?;
    for text in questions::naughty().iter().filter(|text| !text.trim().is_empty()) {
        let (written, pieces) = write(&*generator, &question(text, FEW), &Context::new());
        let start: String = text.chars().take(60).collect();
        match written {
            Ok(written) => is_sound(&written, &pieces).map_err(|broken| broken.at(format_args!("{start:?}")))?,
            Err(error) => {
                let is_told = error.kind() == ErrorKind::Invalid && error.retry() == Retry::Permanent;
                ensure!(is_told, "a question that begins with {start:?} ends in {error:?}, {:?}", error.retry());
                let is_repeated = start.chars().count() >= 16 && error.to_string().contains(start.trim());
                ensure!(!is_repeated, "the error repeats the question: {error}");
            }
        }
    }
    Ok(())
}

/// A call that was cancelled, or whose deadline passed, says so, and nothing is written.
///
/// # Errors
/// Where the promise is broken.
pub fn a_stopped_call_says_so(subject: &Subject) -> Outcome {
    let generator = subject.make()?;
    let cancelled = Context::new();
    cancelled.cancel.cancel();
    let late = Context::new().with_time_limit(Duration::ZERO);
    for (context, expected) in [(cancelled, ErrorKind::Cancelled), (late, ErrorKind::TimedOut)] {
        let (written, pieces) = write(&*generator, &question(PROMPT, ENOUGH), &context);
        let kind = written.err().map(|error| error.kind());
        if kind != Some(expected) || !pieces.is_empty() {
            let ended = kind.map(ErrorKind::code);
            return Err(Broken::new(format!(
                "a call that was stopped must end with {} and write nothing, it ended with {ended:?} after {pieces:?}",
                expected.code()
            )));
        }
    }
    Ok(())
}

/// A call that is cancelled at the first piece hands on no second one, and says that it was cancelled.
///
/// # Errors
/// Where the promise is broken.
pub fn a_call_stops_between_pieces(subject: &Subject) -> Outcome {
    let generator = subject.make()?;
    let context = Context::new();
    let mut pieces = 0;
    let prompt = question(&format!("{PROMPT} Do not stop before you are there."), ENOUGH);
    let mut take = |_: &str| {
        pieces += 1;
        context.cancel.cancel();
    };
    let kind = block_on(generator.generate(&prompt, &mut take, &context)).err().map(|error| error.kind());
    ensure!(pieces == 1, "{pieces} pieces were handed on, and the call was cancelled at the first");
    let ended = kind.map(ErrorKind::code);
    ensure!(kind == Some(ErrorKind::Cancelled), "a call that was cancelled at its first piece ended with {ended:?}");
    Ok(())
}

/// Several threads may have something written at once, and each gets the pieces of its own answer.
///
/// # Errors
/// Where the promise is broken.
pub fn many_may_write_at_once(subject: &Subject) -> Outcome {
    const THREADS: usize = 4;
    let generator = subject.make()?;
    let generator = &*generator;
    thread::scope(|scope| {
        let write =
            |times| write(generator, &question(&format!("{PROMPT} Do so {times} times."), ENOUGH), &Context::new());
        let threads: Vec<_> = (2..2 + THREADS).map(|times| scope.spawn(move || write(times))).collect();
        for handle in threads {
            let (written, pieces) = handle.join().map_err(|_| Broken::new("a thread that writes panics"))?;
            is_sound(&written?, &pieces).map_err(|broken| broken.at(format_args!("while {THREADS} threads write")))?;
        }
        Ok(())
    })
}
