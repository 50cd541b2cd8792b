//! Plugin `rerank-llm`: a language model reads the best passages, orders them, and says in a line why each stands where it does.
//!
//! The method is listwise reranking by a prompt (Sun et al. 2023, *Is ChatGPT Good at Search?*, arXiv 2304.09542) in one window: the
//! model sees numbered passages and writes numbers, each with a reason.
//!
//! * **Off** unless a composition lists it under `rerank` and `generator` names a plugin that writes. Question and passages are sent to
//!   that plugin, and so to whatever service it talks to.
//! * **What the model writes** is read as leniently as it can be understood: a line with a number that was shown, the first time that
//!   it comes. Passages that it leaves out follow in the order that they had.
//! * **Scores** are those that the passages had, dealt out in the new order, so that what comes later (trust) acts on the scale that it
//!   knows.
//! * **A model that is absent, slow or writes nothing readable** is an error of the stage: the program keeps the order and says so.

mod prompt;
mod read;
mod settings;

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use wikirag_core::{
    Candidate, Capability, Context, Error, ErrorKind, Generator, Plugin, PluginSetup, Prompt, Reranked, Reranker,
    Result, Score, submit,
};

pub use settings::Settings;

/// The descriptor of this plugin.
pub const PLUGIN: Plugin = Plugin {
    name: "rerank-llm",
    version: env!("CARGO_PKG_VERSION"),
    summary: "a language model orders the best passages, with a reason for each",
    // A generator may be a service that texts are sent to.
    personal: &["generator"],
    provides: &[Capability::Reranker { make }],
};
submit!(PLUGIN);

const OPERATION: &str = "rerank";

fn make(setup: &PluginSetup) -> Result<Box<dyn Reranker>> {
    let settings = Settings::read(&setup.settings)?;
    let generator = setup.host.generator(&settings.generator)?;
    Ok(Box::new(Listwise { generator, settings }))
}

struct Listwise {
    generator: Arc<dyn Generator>,
    settings: Settings,
}

#[async_trait]
impl Reranker for Listwise {
    fn wants(&self) -> usize {
        self.settings.candidates
    }

    async fn rerank(&self, question: &str, candidates: &[Candidate<'_>], context: &Context) -> Result<Reranked> {
        context.check(OPERATION)?;
        let shown = candidates.len().min(self.settings.candidates);
        if shown < 2 {
            return Ok(Reranked::Scores(candidates.iter().map(|candidate| candidate.score).collect()));
        }
        let messages = prompt::messages(question, &candidates[..shown], self.settings.passage_tokens);
        let prompt = Prompt { messages, max_tokens: self.settings.max_tokens };
        let limited = context.clone().with_time_limit(Duration::from_secs(self.settings.seconds));
        let completion = self.generator.generate(&prompt, &mut |_| (), &limited).await;
        if let Ok(completion) = &completion {
            context.tokens.add(completion);
        }
        // Whoever has no time left for the whole answer gets none by half of it.
        context.check(OPERATION)?;
        let completion = completion.map_err(|error| self.told(error))?;
        let placed = read::placed(&completion.text, shown);
        if placed.is_empty() {
            let message = "nothing that the model wrote could be read as an order";
            return Err(Error::new(ErrorKind::Invalid, OPERATION, message).with("model", self.generator.model()).help(
                "smaller models often do not keep to a format; try a larger one, or take `rerank-llm` out of `rerank`",
            ));
        }
        Ok(dealt(candidates, &placed))
    }
}

impl Listwise {
    fn told(&self, error: Error) -> Error {
        let error = if error.kind() == ErrorKind::TimedOut {
            let message = format!("the model did not answer within {} s", self.settings.seconds);
            Error::new(ErrorKind::Unavailable, OPERATION, message)
                .help("raise `seconds` of `rerank-llm`, or take a faster model")
        } else {
            error
        };
        error.with("model", self.generator.model())
    }
}

/// The scores that there are, the best first, for those that were placed in their order and then for all others.
fn dealt(candidates: &[Candidate<'_>], placed: &[read::Placed]) -> Reranked {
    let mut scores: Vec<Score> = candidates.iter().map(|candidate| candidate.score).collect();
    scores.sort_by(|one, other| other.cmp(one));
    let mut order: Vec<usize> = placed.iter().map(|one| one.place).collect();
    order.extend((0..candidates.len()).filter(|place| !placed.iter().any(|one| one.place == *place)));
    let mut dealt = vec![Score::default(); candidates.len()];
    for (place, score) in order.into_iter().zip(scores) {
        dealt[place] = score;
    }
    let mut reasons = vec![String::new(); candidates.len()];
    for one in placed {
        reasons[one.place].clone_from(&one.reason);
    }
    Reranked::Reasoned { scores: dealt, reasons }
}
