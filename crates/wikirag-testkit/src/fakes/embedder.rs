//! An embedder without a model that keeps account of what it embeds and fails when told to.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use async_trait::async_trait;
use fastrand::Rng;
use serde::Deserialize;
use wikirag_core::{
    Capability, Context, Embedder, Error, ErrorKind, Plugin, PluginSetup, Readiness, Reason, Result, Role, Vectors,
    offload,
};

/// The plugin `hashed-words`: an [`Embedder`] whose vectors are sums of one random direction a word. Texts that share
/// words are near to each other, case and marks do not count, and the same text has the same vector in every process.
///
/// Settings: `dimensions` (default 64) and `name` (default `plain`), which both stand in the fingerprint, and `languages`. All
/// embedders of one name write into one [`EmbedderLog`].
pub const HASHED_WORDS: Plugin = Plugin {
    name: "hashed-words",
    version: env!("CARGO_PKG_VERSION"),
    summary: "embeds by words, for tests",
    personal: &[],
    provides: &[Capability::Embedder { make }],
};

/// What the embedders of one name did, and what they are told to do.
#[derive(Default)]
pub struct EmbedderLog(Mutex<State>);

#[derive(Default)]
struct State {
    passages: Vec<String>,
    questions: u64,
    calls: u64,
    troubles: BTreeMap<u64, Trouble>,
    unready: Option<Reason>,
}

/// What may go wrong with a call that embeds passages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trouble {
    /// It fails, and the same call may succeed later.
    Fails,
    /// It fails, and will each time.
    FailsForGood,
    /// It comes back when the context says stop, and not before.
    Hangs,
    /// All values are zero.
    GivesZeros,
    /// The rows have one dimension more than the embedder says.
    GivesWideRows,
}

impl EmbedderLog {
    /// The log of the embedders named `name` in this process. A test takes a name of its own.
    #[must_use]
    pub fn of(name: &str) -> Arc<Self> {
        static LOGS: LazyLock<Mutex<BTreeMap<String, Arc<EmbedderLog>>>> = LazyLock::new(Mutex::default);
        let mut logs = LOGS.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(logs.entry(name.to_owned()).or_default())
    }

    /// The passages that were embedded, in the order of the calls; those of a call that failed are not among them.
    #[must_use]
    pub fn passages(&self) -> Vec<String> {
        self.state().passages.clone()
    }

    /// [`passages`](Self::passages), and forgets them.
    #[must_use]
    pub fn take_passages(&self) -> Vec<String> {
        std::mem::take(&mut self.state().passages)
    }

    /// How many questions were embedded.
    #[must_use]
    pub fn questions(&self) -> u64 {
        self.state().questions
    }

    /// How many calls with passages there were, failed ones too.
    #[must_use]
    pub fn calls(&self) -> u64 {
        self.state().calls
    }

    /// Of the calls with passages from now on, lets those with these numbers (the next one is 0) go wrong.
    pub fn trouble(&self, calls: Range<u64>, trouble: Trouble) {
        let mut state = self.state();
        let now = state.calls;
        state.troubles.extend(calls.map(|call| (now + call, trouble)));
    }

    /// Forgets all troubles to come.
    pub fn mend(&self) {
        self.state().troubles.clear();
    }

    /// Makes the embedders unavailable for this reason, or available with `None`.
    pub fn set_unready(&self, reason: Option<Reason>) {
        self.state().unready = reason;
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Settings {
    name: String,
    dimensions: usize,
    languages: Vec<String>,
}

impl Default for Settings {
    fn default() -> Self {
        Self { name: "plain".to_owned(), dimensions: 64, languages: Vec::new() }
    }
}

struct HashedWords {
    fingerprint: String,
    dimensions: usize,
    languages: Vec<String>,
    log: Arc<EmbedderLog>,
}

fn make(setup: &PluginSetup) -> Result<Box<dyn Embedder>> {
    let Settings { name, dimensions, languages } = setup.settings.parse()?;
    let dimensions = dimensions.max(1);
    let log = EmbedderLog::of(&name);
    let fingerprint = format!("hashed-words {name} {dimensions}");
    Ok(Box::new(HashedWords { fingerprint, dimensions, languages, log }))
}

#[async_trait]
impl Embedder for HashedWords {
    fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    fn dimensions(&self) -> usize {
        self.dimensions
    }

    fn languages(&self) -> &[String] {
        &self.languages
    }

    fn max_tokens(&self) -> usize {
        usize::MAX
    }

    fn readiness(&self) -> Readiness {
        match &self.log.state().unready {
            Some(reason) => Readiness::Unavailable(vec![reason.clone()]),
            None => Readiness::Ready,
        }
    }

    async fn embed(&self, texts: &[&str], role: Role, context: &Context) -> Result<Vectors> {
        let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
        let (log, dimensions, context) = (Arc::clone(&self.log), self.dimensions, context.clone());
        offload(move || embed(&log, texts, role, dimensions, &context)).await
    }
}

fn embed(log: &EmbedderLog, texts: Vec<String>, role: Role, dimensions: usize, context: &Context) -> Result<Vectors> {
    const OPERATION: &str = "embed by words";
    context.check(OPERATION)?;
    let trouble = {
        let mut state = log.state();
        match role {
            Role::Query => {
                state.questions += texts.len() as u64;
                None
            }
            Role::Passage => {
                let call = state.calls;
                state.calls += 1;
                state.troubles.remove(&call)
            }
        }
    };
    match trouble {
        None => {}
        Some(Trouble::Fails) => {
            return Err(Error::new(ErrorKind::TimedOut, OPERATION, "the embedder was told to fail once"));
        }
        Some(Trouble::FailsForGood) => {
            return Err(Error::new(ErrorKind::Unavailable, OPERATION, "the embedder was told to fail"));
        }
        Some(Trouble::Hangs) => loop {
            context.check(OPERATION)?;
            thread::sleep(Duration::from_millis(1));
        },
        Some(Trouble::GivesZeros) => return Vectors::new(vec![0.0; texts.len() * dimensions], dimensions),
        Some(Trouble::GivesWideRows) => return Vectors::new(vec![1.0; texts.len() * (dimensions + 1)], dimensions + 1),
    }
    let mut data = Vec::with_capacity(texts.len() * dimensions);
    for text in &texts {
        context.check(OPERATION)?;
        data.extend(vector(text, dimensions));
    }
    if role == Role::Passage {
        log.state().passages.extend(texts);
    }
    Vectors::new(data, dimensions)
}

/// The direction of `text`, of unit length.
fn vector(text: &str, dimensions: usize) -> Vec<f32> {
    let mut sum = vec![0.0f32; dimensions];
    for word in text.to_lowercase().split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()) {
        let mut random = Rng::with_seed(hash(word));
        sum.iter_mut().for_each(|value| *value += random.f32() - 0.5);
    }
    let length = sum.iter().map(|value| value * value).sum::<f32>().sqrt();
    if length > 1e-6 {
        sum.iter_mut().for_each(|value| *value /= length);
    } else {
        // A text without words has a direction too.
        sum.fill(0.0);
        sum[0] = 1.0;
    }
    sum
}

/// FNV-1a: the same in every process, unlike the hash of the standard library.
fn hash(word: &str) -> u64 {
    word.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{block_on, json, make as made};

    fn embedder(name: &str) -> Result<Box<dyn Embedder>> {
        let setup = made::setup([HASHED_WORDS], json!({"name": name}))?;
        setup.host.registry().embedder(HASHED_WORDS.name, &setup)
    }

    crate::embedder_suite!(conformance, || embedder("conformance"));

    #[test]
    fn it_keeps_account_and_fails_when_told() {
        let (log, embedder) = (EmbedderLog::of("account"), embedder("account").unwrap());
        let embed = |role| block_on(embedder.embed(&["a", "b"], role, &Context::new()));
        embed(Role::Passage).unwrap();
        log.trouble(1..2, Trouble::Fails);
        embed(Role::Query).unwrap();
        embed(Role::Passage).unwrap();
        assert!(embed(Role::Passage).is_err());
        embed(Role::Passage).unwrap();
        assert_eq!((log.calls(), log.questions()), (4, 2));
        assert_eq!(log.take_passages(), ["a", "b", "a", "b", "a", "b"]);
        assert!(log.passages().is_empty());
    }
}
