//! The suite for generators over generators that are broken on purpose.

#![expect(clippy::unwrap_used, reason = "a test may end where something is not as it must be")]

mod broken;

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use wikirag_core::{Completion, Context, Ended, Error, ErrorKind, Generator, Prompt, Result, Speaker};
use wikirag_testkit::generator::{CHECKS, PROMPT, Subject};
use wikirag_testkit::generator_suite;

generator_suite!(the_reference, || Ok(Box::new(Reference::new(None))));

#[derive(Debug, Clone, Copy, PartialEq)]
enum Fault {
    HasNoName,
    IsAnotherEachTime,
    RenamesItself,
    LosesAPiece,
    SendsNothing,
    SendsAllAtOnce,
    HidesTheCut,
    CountsTooMany,
    TakesEmptyPrompts,
    TakesNoLimit,
    RefusesForNow,
    WritesBeforeItRefuses,
    KnowsNoSystem,
    KnowsNoAssistant,
    RefusesNul,
    RepeatsTheQuestion,
    GoesOnWhenStopped,
    GoesOnBetweenPieces,
    MixesAnswers,
}

const FAULTS: &[(Fault, &str)] = &[
    (Fault::HasNoName, "the_model_is_named"),
    (Fault::IsAnotherEachTime, "the_model_is_named"),
    (Fault::RenamesItself, "the_model_is_named"),
    (Fault::LosesAPiece, "the_pieces_make_the_text"),
    (Fault::SendsNothing, "the_pieces_make_the_text"),
    (Fault::SendsAllAtOnce, "the_pieces_make_the_text"),
    (Fault::HidesTheCut, "a_limit_is_kept_and_told"),
    (Fault::CountsTooMany, "a_limit_is_kept_and_told"),
    (Fault::TakesEmptyPrompts, "a_prompt_that_is_none_is_refused"),
    (Fault::TakesNoLimit, "a_prompt_that_is_none_is_refused"),
    (Fault::RefusesForNow, "a_prompt_that_is_none_is_refused"),
    (Fault::WritesBeforeItRefuses, "a_prompt_that_is_none_is_refused"),
    (Fault::KnowsNoSystem, "a_conversation_is_gone_on_with"),
    (Fault::KnowsNoAssistant, "a_conversation_is_gone_on_with"),
    (Fault::RefusesNul, "any_words_may_be_asked"),
    (Fault::RepeatsTheQuestion, "any_words_may_be_asked"),
    (Fault::GoesOnWhenStopped, "a_stopped_call_says_so"),
    (Fault::GoesOnBetweenPieces, "a_call_stops_between_pieces"),
    (Fault::MixesAnswers, "many_may_write_at_once"),
];

#[test]
fn each_fault_fails_its_own_check() {
    broken::each_fault_fails_its_own_check(CHECKS, FAULTS, |fault| {
        Subject::new(move || Ok(Box::new(Reference::new(fault))))
    });
}

/// Counts, a token a word.
struct Reference {
    fault: Option<Fault>,
    name: String,
    used: AtomicBool,
    /// Calls under way, for one that waits until there is another.
    under_way: Mutex<usize>,
    changed: Condvar,
}

impl Reference {
    fn new(fault: Option<Fault>) -> Self {
        static INSTANCES: AtomicUsize = AtomicUsize::new(0);
        let instance = INSTANCES.fetch_add(1, Ordering::Relaxed);
        let name = match fault {
            Some(Fault::HasNoName) => " ".to_owned(),
            Some(Fault::IsAnotherEachTime) => format!("counter {instance}"),
            _ => "counter".to_owned(),
        };
        let (under_way, changed) = (Mutex::new(0), Condvar::new());
        Self { fault, name, used: AtomicBool::new(false), under_way, changed }
    }

    fn has(&self, fault: Fault) -> bool {
        self.fault == Some(fault)
    }

    fn check(&self, prompt: &Prompt) -> Result<()> {
        let tolerated = match self.fault {
            Some(Fault::TakesEmptyPrompts) => prompt.messages.is_empty(),
            Some(Fault::TakesNoLimit) => prompt.max_tokens == 0,
            _ => false,
        };
        if tolerated {
            return Ok(());
        }
        let checked = prompt.check("count");
        if self.has(Fault::RefusesForNow) { checked.map_err(Error::temporary) } else { checked }
    }

    fn refuses(&self, prompt: &Prompt) -> Option<Error> {
        let text = &prompt.messages.last()?.text;
        let invalid = |message: String| Error::new(ErrorKind::Invalid, "count", message);
        match self.fault {
            Some(Fault::RefusesNul) => {
                text.contains('\0').then(|| Error::new(ErrorKind::Unavailable, "count", "no NUL"))
            }
            Some(Fault::RepeatsTheQuestion) => (text.len() > 100_000).then(|| invalid(format!("too long: {text}"))),
            _ => (text.len() > 100_000).then(|| invalid("too long".to_owned())),
        }
    }

    /// Whether another call is under way, for which it waits a while.
    fn has_company(&self) -> bool {
        let mut under_way = self.under_way.lock().unwrap();
        *under_way += 1;
        self.changed.notify_all();
        let limit = Duration::from_millis(300);
        let (mut under_way, _) = self.changed.wait_timeout_while(under_way, limit, |calls| *calls < 2).unwrap();
        let has_company = *under_way > 1;
        if !has_company {
            *under_way -= 1;
        }
        has_company
    }
}

#[async_trait]
impl Generator for Reference {
    fn model(&self) -> &str {
        let renamed = self.has(Fault::RenamesItself) && self.used.load(Ordering::Relaxed);
        if renamed { "another" } else { &self.name }
    }

    async fn generate(
        &self,
        prompt: &Prompt,
        piece: &mut (dyn for<'t> FnMut(&'t str) + Send),
        context: &Context,
    ) -> Result<Completion> {
        if self.has(Fault::WritesBeforeItRefuses) && prompt.check("count").is_err() {
            piece("Well, ");
        }
        self.check(prompt)?;
        if !self.has(Fault::GoesOnWhenStopped) {
            context.check("count")?;
        }
        self.used.store(true, Ordering::Relaxed);
        if let Some(refused) = self.refuses(prompt) {
            return Err(refused);
        }
        let speaks = |speaker| prompt.messages.iter().any(|message| message.speaker == speaker);
        if self.has(Fault::KnowsNoSystem) && speaks(Speaker::System)
            || self.has(Fault::KnowsNoAssistant) && speaks(Speaker::Assistant)
        {
            return Ok(Completion::default());
        }
        let mixes = self.has(Fault::MixesAnswers) && prompt.messages[0].text.ends_with("times.") && self.has_company();
        let numbers = "one two three four five six seven eight nine ten ";
        let words: Vec<_> = numbers.split_inclusive(' ').take(prompt.max_tokens).collect();
        let text = words.concat();
        // The question of the checks that look at one whole answer: others must not see what is wrong with it.
        let is_plain = prompt.max_tokens > 10 && prompt.messages.len() == 1 && prompt.messages[0].text == PROMPT;
        match self.fault {
            Some(Fault::SendsNothing) if is_plain => return Ok(Completion::default()),
            Some(Fault::SendsAllAtOnce) if is_plain => piece(&text),
            _ => {
                for (place, word) in words.iter().enumerate() {
                    if place > 0 && !self.has(Fault::GoesOnBetweenPieces) {
                        context.check("count")?;
                    }
                    let is_lost = self.has(Fault::LosesAPiece) && place == 8 && is_plain;
                    if !is_lost {
                        piece(if mixes && place == 1 { "seven " } else { word });
                    }
                }
            }
        }
        let counted = words.len() as u64 + u64::from(self.has(Fault::CountsTooMany));
        let is_cut = words.len() < 10 && !self.has(Fault::HidesTheCut);
        let ended = if is_cut { Ended::Cut } else { Ended::Complete };
        Ok(Completion { text, tokens_in: None, tokens_out: Some(counted), ended })
    }
}
