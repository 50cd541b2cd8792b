//! Cited answers: the context of a question, a language model that reads it, and a look at everything it cites.
//!
//! The model sees the passages and the rules of [`Engine::pack`](crate::Engine::pack). Where the passages do not bear an answer out
//! ([`Support`]) and lack words of the question it is not asked at all. What it cites is compared with the passages while it writes: what is not among them is marked and
//! counted. Without a model the context itself is the answer, and says so.

mod cite;
mod claim;
mod generator;
mod names;
mod sources;
mod stream;
mod verify;

use std::collections::BTreeSet;
use std::time::Instant;

use serde::Serialize;
use wikirag_core::{
    Completion, Context, Ended, Error, ErrorKind, Message, Prompt, Result, Sensitivity, Speaker, WikiName,
};

pub use claim::Verdict;
pub use sources::SourcePart;
pub use verify::{CheckedAnswer, CheckedClaim};

use crate::locate::Composition;
use crate::pack::{NOT_FOUND, message, rules};
use crate::questions::Entry;
use crate::search::Conflict;
use crate::{Answer, Degradation, Engine, Hint, PackForm, PackOptions, Packed, Support};
use generator::Writer;
use sources::Sources;
use stream::Marking;

/// How to answer.
#[derive(Debug, Clone)]
pub struct AskOptions {
    /// How the context is packed; its form is that of a prompt.
    pub pack: PackOptions,
    /// Tokens of the model that an answer may have.
    pub max_tokens: usize,
    /// Whether the model is asked as well where the passages hardly bear out an answer.
    pub even_if_weak: bool,
    /// What the question is logged as: `ask`, `http`, ...; `None`: it is not.
    pub surface: Option<&'static str>,
    /// The clearance of whoever asks, for the log.
    pub clearance: Sensitivity,
}

impl Default for AskOptions {
    fn default() -> Self {
        Self {
            pack: PackOptions::default(),
            max_tokens: 1_000,
            even_if_weak: false,
            surface: None,
            clearance: Sensitivity::default(),
        }
    }
}

/// What happens while a question is answered.
#[derive(Debug, Clone, Copy)]
pub enum AskEvent<'a> {
    /// What the model will read. Comes first, and once.
    Context(&'a Packed),
    /// More of the answer, with marks behind invented citations.
    Piece(&'a str),
}

/// Takes what happens.
pub type OnAskEvent<'f> = dyn for<'e> FnMut(AskEvent<'e>) + Send + 'f;

/// An answer with its sources.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Asked {
    /// The question as asked.
    pub query: String,
    /// Name of the composition.
    pub rag: String,
    /// Whether there is an answer. Without a model nobody can tell, and it is `None`.
    pub found: Option<bool>,
    /// The answer, with a mark behind each invented citation; `None` where no model was asked.
    pub answer: Option<String>,
    /// What the answer cites, in the order of the first citation.
    pub sources: Vec<SourcePart>,
    /// Citations that lead to nothing in the context.
    pub invented: usize,
    /// The sentences of the answer, each compared with what it cites.
    pub claims: Vec<CheckedClaim>,
    /// How well the passages bear out an answer.
    pub support: Support,
    /// Where was looked.
    pub searched: Searched,
    /// The model that wrote, if one did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Tokens that the model read, where it tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens_in: Option<u64>,
    /// Tokens that the model wrote, where it tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens_out: Option<u64>,
    /// Where passages of the context disagree. Shown and not resolved.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub conflicts: Vec<Conflict>,
    /// What the model read, or would have.
    pub context: Packed,
    /// What serves less than it could, and why.
    pub degraded: Vec<Degradation>,
    /// What else one may want to know.
    pub hints: Vec<Hint>,
    /// Duration in milliseconds.
    pub took_ms: f64,
}

/// Where was looked for an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Searched {
    /// The wikis that the composition lists.
    pub wikis: Vec<WikiName>,
    /// Layers that gave hits or could have.
    pub layers: Vec<String>,
    /// Passages that were ranked.
    pub passages: usize,
    /// The documents that came nearest, `wiki/path`, at most five.
    pub nearest: Vec<String>,
}

impl Searched {
    fn of(composition: &Composition, answer: &Answer) -> Self {
        let mut seen = BTreeSet::new();
        let nearest = answer.results.iter().map(|result| format!("{}/{}", result.wiki, result.path));
        Self {
            wikis: composition.wikis.iter().map(|wiki| wiki.located.manifest.name.clone()).collect(),
            layers: answer.served_by.clone(),
            passages: answer.total,
            nearest: nearest.filter(|page| seen.insert(page.clone())).take(5).collect(),
        }
    }
}

impl Engine {
    /// Answers a question in words, with citations. What comes is told to `on_event` while it comes.
    ///
    /// A model that fails or cannot be reached is a degradation: the context is the answer. One that fails when a part of its answer was
    /// shown already is an error.
    ///
    /// # Errors
    /// As [`Engine::pack`]; settings of the model that are no good; with `strict`, where no model answers; what the model fails with in
    /// the middle of an answer.
    pub async fn ask(
        &self,
        composition: &Composition,
        question: &str,
        options: &AskOptions,
        on_event: &mut OnAskEvent<'_>,
        context: &Context,
    ) -> Result<Asked> {
        let started = Instant::now();
        let mut pack = options.pack.clone();
        pack.form = PackForm::Prompt;
        let (packed, answer) = self.pack_answer(composition, question, &pack, context).await?;
        let support = self.support(composition, &answer).await?;
        on_event(AskEvent::Context(&packed));
        let mut asked = Asked {
            query: question.to_owned(),
            rag: packed.rag.clone(),
            found: None,
            answer: None,
            sources: Vec::new(),
            invented: 0,
            claims: Vec::new(),
            searched: Searched::of(composition, &answer),
            support,
            model: None,
            tokens_in: None,
            tokens_out: None,
            conflicts: packed.conflicts.clone(),
            degraded: packed.degraded.clone(),
            hints: packed.hints.clone(),
            context: packed,
            took_ms: 0.0,
        };
        if is_hopeless(&asked, options) {
            let text = not_found(&asked);
            on_event(AskEvent::Piece(&text));
            (asked.found, asked.answer) = (Some(false), Some(text));
        } else {
            if asked.support.is_weak {
                let text =
                    "the passages hold the words of the question and hardly speak of it: look at what the answer cites";
                asked.hints.push(Hint { code: "weak-evidence".to_owned(), text: text.to_owned() });
            }
            self.write(&mut asked, options, on_event, context).await?;
        }
        asked.took_ms = started.elapsed().as_secs_f64() * 1e3;
        if let Some(surface) = options.surface {
            let mut entry = Entry::of(&answer, &asked.support, surface, options.clearance);
            if let Some(text) = asked.answer.as_deref().filter(|_| asked.found == Some(true)) {
                entry = entry.answered(text);
            }
            asked.hints.extend(self.log_question(composition, &entry).await);
        }
        Ok(asked)
    }

    /// Has the model write the answer, if there is one.
    async fn write(
        &self,
        asked: &mut Asked,
        options: &AskOptions,
        on_event: &mut OnAskEvent<'_>,
        context: &Context,
    ) -> Result<()> {
        let writer = match Writer::of(self)? {
            Some(writer) => writer,
            None if options.pack.query.strict => {
                return Err(
                    Error::new(ErrorKind::Unavailable, "ask", "there is no language model").help(generator::HOW)
                );
            }
            None => {
                let text = format!("no language model is set, so the passages are the answer; {}", generator::HOW);
                asked.hints.push(Hint { code: "no-generator".to_owned(), text });
                return Ok(());
            }
        };
        let messages = vec![
            Message { speaker: Speaker::System, text: rules() },
            Message {
                speaker: Speaker::User,
                text: message(&asked.query, &asked.context.blocks, &asked.context.conflicts),
            },
        ];
        let prompt = Prompt { messages, max_tokens: options.max_tokens };
        let sources = Sources::of(&asked.context.blocks);
        let mut marking = Marking::new(|target, pages| sources.is_known(target, pages));
        let mut is_shown = false;
        let written = {
            let mut piece = |text: &str| {
                let shown = marking.take(text);
                if !shown.is_empty() {
                    is_shown = true;
                    on_event(AskEvent::Piece(shown));
                }
            };
            writer.generator.generate(&prompt, &mut piece, context).await
        };
        let completion = match written {
            Ok(completion) => completion,
            Err(error) if is_shown || options.pack.query.strict || error.kind() == ErrorKind::Cancelled => {
                return Err(error);
            }
            Err(error) => {
                asked.degraded.push(writer.degradation(&error));
                return Ok(());
            }
        };
        let rest = marking.end();
        if !rest.is_empty() {
            on_event(AskEvent::Piece(rest));
        }
        asked.model = Some(writer.generator.model().to_owned());
        (asked.tokens_in, asked.tokens_out) = (completion.tokens_in, completion.tokens_out);
        asked.hints.extend(ending(&completion));
        asked.invented = marking.invented;
        let is_found = !says_nothing(&completion.text);
        asked.found = Some(is_found);
        if is_found {
            asked.claims = sources.check(&completion.text);
            asked.sources = sources.cited(&completion.text);
        }
        asked.answer = Some(std::mem::take(&mut marking.text));
        Ok(())
    }
}

/// Whether no model need be asked: there is nothing to read, or what there is hardly speaks of the question and lacks words of it. Where every
/// word is there, reading tells more than counting.
fn is_hopeless(asked: &Asked, options: &AskOptions) -> bool {
    let is_lacking = asked.support.is_weak && !asked.support.missing.is_empty();
    asked.context.blocks.is_empty() || is_lacking && !options.even_if_weak
}

/// What is said in place of an answer.
fn not_found(asked: &Asked) -> String {
    let Searched { wikis, layers, passages, nearest } = &asked.searched;
    let names: Vec<&str> = wikis.iter().take(5).map(WikiName::as_str).collect();
    let more =
        if wikis.len() > names.len() { format!(" and {} more", wikis.len() - names.len()) } else { String::new() };
    let layers = if layers.is_empty() { String::new() } else { format!(" by {}", layers.join(", ")) };
    let mut text =
        format!("It could not be found. Searched: {}{more}{layers}; {passages} passages came near.", names.join(", "));
    if !asked.support.missing.is_empty() {
        text += &format!(" No passage holds: {}.", asked.support.missing.join(", "));
    }
    if !nearest.is_empty() {
        text += &format!(" Nearest: {}.", nearest.join(", "));
    }
    text
}

/// Whether the model says that the passages do not hold the answer.
fn says_nothing(text: &str) -> bool {
    let plain = text.trim().trim_matches(['.', '"', '*', ' ']).to_lowercase();
    plain.is_empty() || plain == NOT_FOUND || plain == format!("it {NOT_FOUND}")
}

/// An answer that is no whole one.
fn ending(completion: &Completion) -> Option<Hint> {
    let (code, text) = match completion.ended {
        Ended::Complete | Ended::Unclear => return None,
        Ended::Cut => ("answer-cut", "the answer was cut where it had as many tokens as it may have"),
        Ended::Refused => ("answer-refused", "the model, or a filter of its service, would not go on"),
    };
    Some(Hint { code: code.to_owned(), text: text.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_may_say_that_there_is_nothing() {
        for text in ["could not be found", "Could not be found.", " \"It could not be found.\" ", ""] {
            assert!(says_nothing(text), "{text:?}");
        }
        assert!(!says_nothing("The port could not be found in the table, but [[a]] says 80."));
    }
}
