//! A generator without a model that writes what it is told to and takes offence at a prompt that is none.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use async_trait::async_trait;
use serde::Deserialize;
use wikirag_core::{
    Capability, Completion, Context, Ended, Error, ErrorKind, Generator, Plugin, PluginSetup, Prompt, Result, offload,
};

/// The plugin `script`: a [`Generator`] that writes what its [`GeneratorLog`] says.
///
/// Settings: `name` (default `plain`), which is the model as well. All generators of one name share one log. What is written comes
/// word by word, and whole at the end.
pub const SCRIPT: Plugin = Plugin {
    name: "script",
    version: env!("CARGO_PKG_VERSION"),
    summary: "writes what it is told to, for tests",
    personal: &[],
    provides: &[Capability::Generator { make }],
};

const OPERATION: &str = "write by script";

/// What becomes of one prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// This is written.
    Text(String),
    /// As much of it as `max_tokens` words, and the tokens are counted.
    Cut(String),
    /// This is written, and that it would not go on.
    Refuses(String),
    /// It fails, and the same call may succeed later.
    Fails,
    /// It fails, and will each time.
    FailsForGood,
    /// It comes back when the context says stop, and not before.
    Hangs,
}

/// What is written where no answer is told.
type Writer = Arc<dyn Fn(&Prompt) -> String + Send + Sync>;

/// What the generators of one name were asked, and what they are told to write.
#[derive(Default)]
pub struct GeneratorLog(Mutex<State>);

#[derive(Default)]
struct State {
    prompts: Vec<Prompt>,
    answers: VecDeque<Answer>,
    writer: Option<Writer>,
}

impl GeneratorLog {
    /// The log of the generators named `name` in this process. A test takes a name of its own.
    #[must_use]
    pub fn of(name: &str) -> Arc<Self> {
        static LOGS: LazyLock<Mutex<BTreeMap<String, Arc<GeneratorLog>>>> = LazyLock::new(Mutex::default);
        let mut logs = LOGS.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(logs.entry(name.to_owned()).or_default())
    }

    /// The prompts so far, those of calls that failed too.
    #[must_use]
    pub fn prompts(&self) -> Vec<Prompt> {
        self.state().prompts.clone()
    }

    /// Tells the next answers.
    pub fn tell(&self, answers: impl IntoIterator<Item = Answer>) {
        self.state().answers.extend(answers);
    }

    /// Tells what is written where no answer is told; without that nothing is.
    pub fn always(&self, writer: impl Fn(&Prompt) -> String + Send + Sync + 'static) {
        self.state().writer = Some(Arc::new(writer));
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What becomes of `prompt`, and how it is written where nothing was told.
    fn next(&self, prompt: &Prompt) -> Answer {
        let writer = {
            let mut state = self.state();
            state.prompts.push(prompt.clone());
            if let Some(answer) = state.answers.pop_front() {
                return answer;
            }
            state.writer.clone()
        };
        Answer::Text(writer.map(|writer| writer(prompt)).unwrap_or_default())
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Settings {
    name: String,
}

impl Default for Settings {
    fn default() -> Self {
        Self { name: "plain".to_owned() }
    }
}

struct Script {
    name: String,
    log: Arc<GeneratorLog>,
}

fn make(setup: &PluginSetup) -> Result<Box<dyn Generator>> {
    let Settings { name } = setup.settings.parse()?;
    let log = GeneratorLog::of(&name);
    Ok(Box::new(Script { name, log }))
}

#[async_trait]
impl Generator for Script {
    fn model(&self) -> &str {
        &self.name
    }

    async fn generate(
        &self,
        prompt: &Prompt,
        piece: &mut (dyn for<'t> FnMut(&'t str) + Send),
        context: &Context,
    ) -> Result<Completion> {
        context.check(OPERATION)?;
        prompt.check(OPERATION)?;
        let (text, ended) = match self.log.next(prompt) {
            Answer::Text(text) => (text, Ended::Complete),
            Answer::Cut(text) => (text.split_inclusive(' ').take(prompt.max_tokens).collect(), Ended::Cut),
            Answer::Refuses(text) => (text, Ended::Refused),
            Answer::Fails => return Err(Error::new(ErrorKind::TimedOut, OPERATION, "it was told to fail once")),
            Answer::FailsForGood => return Err(Error::new(ErrorKind::Unavailable, OPERATION, "it was told to fail")),
            Answer::Hangs => return Err(hang(context.clone()).await),
        };
        for word in text.split_inclusive(' ') {
            context.check(OPERATION)?;
            piece(word);
        }
        let tokens_out = (ended == Ended::Cut).then_some(prompt.max_tokens as u64);
        Ok(Completion { text, tokens_in: None, tokens_out, ended })
    }
}

/// Comes back when the context says stop.
async fn hang(context: Context) -> Error {
    offload(move || {
        loop {
            if let Err(stopped) = context.check(OPERATION) {
                return stopped;
            }
            thread::sleep(Duration::from_millis(1));
        }
    })
    .await
}

#[cfg(test)]
mod tests {
    use wikirag_core::{Message, Speaker};

    use super::*;
    use crate::{block_on, json, make as made};

    fn generator(name: &str) -> Box<dyn Generator> {
        make(&made::setup([SCRIPT], json!({"name": name})).unwrap()).unwrap()
    }

    fn prompt(speakers: &[Speaker]) -> Prompt {
        let message = |speaker: &Speaker| Message { speaker: *speaker, text: "a".to_owned() };
        Prompt { messages: speakers.iter().map(message).collect(), max_tokens: 2 }
    }

    #[test]
    fn it_writes_what_it_is_told() {
        let (log, generator) = (GeneratorLog::of("told"), generator("told"));
        log.tell([Answer::Text("one two".to_owned()), Answer::Cut("a b c".to_owned()), Answer::FailsForGood]);
        log.always(|prompt| prompt.max_tokens.to_string());
        let asked = prompt(&[Speaker::System, Speaker::User]);
        let write = || block_on(generator.generate(&asked, &mut |_| (), &Context::new()));
        assert_eq!(write().unwrap().text, "one two");
        let cut = write().unwrap();
        assert_eq!((&*cut.text, cut.tokens_out, cut.ended), ("a b ", Some(2), Ended::Cut));
        assert_eq!(write().unwrap_err().kind(), ErrorKind::Unavailable);
        assert_eq!(write().unwrap().text, "2");
        assert_eq!(log.prompts().len(), 4);
    }
}
