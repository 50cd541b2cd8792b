//! The extractor: asks, reads, and says what could not be read.

use std::sync::Arc;

use async_trait::async_trait;
use serde_json::json;
use wikirag_core::{
    Completion, Context, Ended, Error, ErrorKind, Extraction, Extractor, Generator, Message, PluginSetup, Prompt,
    Result,
};
use wikirag_text::estimate_tokens;

use crate::prompt::{self, FORMAT};
use crate::read::read;
use crate::{OPERATION, Settings};

pub(crate) fn make(setup: &PluginSetup) -> Result<Box<dyn Extractor>> {
    let settings = Settings::read(&setup.settings)?;
    let generator = setup.host.generator(&settings.generator)?;
    // Another limit of passages gives no other extraction of those that are under both.
    let Settings { generator: name, types, gleanings, max_tokens, max_passage_tokens: _ } = &settings;
    let fingerprint =
        format!("extract-llm {FORMAT} {}", json!([name, generator.model(), types, gleanings, max_tokens]));
    Ok(Box::new(LanguageModel { fingerprint, generator, settings }))
}

struct LanguageModel {
    fingerprint: String,
    generator: Arc<dyn Generator>,
    settings: Settings,
}

#[async_trait]
impl Extractor for LanguageModel {
    fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    async fn extract(&self, passage: &str, context: &Context) -> Result<Extraction> {
        if !passage.contains(char::is_alphanumeric) {
            return Ok(Extraction::default());
        }
        self.check_length(passage)?;
        let mut messages = prompt::question(&self.settings.types, passage);
        let mut answer = self.ask(&messages, context).await?;
        let mut found = read(&answer.text);
        if !found.is_understood() {
            return Err(self.unreadable(&answer, found.unreadable));
        }
        for _ in 0..self.settings.gleanings {
            prompt::ask_again(&mut messages, answer.text);
            answer = self.ask(&messages, context).await?;
            let more = read(&answer.text);
            let is_done = more.len() == 0;
            found.extend(more);
            if is_done {
                break;
            }
        }
        Ok(found.extraction(prompt::copied_from_example(passage)))
    }
}

impl LanguageModel {
    async fn ask(&self, messages: &[Message], context: &Context) -> Result<Completion> {
        // Not every generator looks before it begins, and what it begins costs. An answer that came is kept.
        context.check(OPERATION)?;
        let prompt = Prompt { messages: messages.to_vec(), max_tokens: self.settings.max_tokens };
        let answer = self.generator.generate(&prompt, &mut |_| (), context).await;
        answer.map_err(|error| error.with("model", self.generator.model()))
    }

    fn check_length(&self, passage: &str) -> Result<()> {
        let (tokens, most) = (estimate_tokens(passage), self.settings.max_passage_tokens);
        if tokens <= most {
            return Ok(());
        }
        let message = format!("the passage has about {tokens} tokens, {most} are allowed");
        Err(Error::new(ErrorKind::Invalid, OPERATION, message)
            .help("raise `extract-llm.max_passage_tokens`, or let the chunker make shorter passages"))
    }

    /// That nothing in an answer could be read. What it says is not repeated: it may hold the passage.
    fn unreadable(&self, answer: &Completion, lines: usize) -> Error {
        let (message, help) = if answer.ended == Ended::Refused {
            ("the model, or a filter of its service, refuses to answer".to_owned(), "try another model")
        } else if answer.text.trim().is_empty() {
            ("the model wrote nothing".to_owned(), "try another model")
        } else if answer.ended == Ended::Cut {
            let message = format!("no line of the answer could be read (of {lines}), and it was cut at `max_tokens`");
            (message, "raise `extract-llm.max_tokens`; a model that thinks aloud needs more of them")
        } else {
            let message = format!("no line that the model wrote could be read (of {lines})");
            (message, "smaller models often do not keep to a format; try a larger one")
        };
        Error::new(ErrorKind::Invalid, OPERATION, message).with("model", self.generator.model()).help(help)
    }
}
