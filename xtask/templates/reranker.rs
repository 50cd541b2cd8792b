//! Plugin `__NAME__`: prefers passages that hold more words of the question.

use std::collections::HashSet;

use async_trait::async_trait;
use serde::Deserialize;
use wikirag_core::{
    Candidate, Capability, Context, Plugin, PluginSetup, Reranked, Reranker, Result, Score, submit,
};

/// The descriptor of this plugin.
pub const PLUGIN: Plugin = Plugin {
    name: "__NAME__",
    version: env!("CARGO_PKG_VERSION"),
    summary: "puts passages with more words of the question first",
    personal: &[],
    provides: &[Capability::Reranker { make }],
};
submit!(PLUGIN);

/// What can be set.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Settings {}

fn make(setup: &PluginSetup) -> Result<Box<dyn Reranker>> {
    let Settings {} = setup.settings.parse()?;
    Ok(Box::new(SharedWords))
}

struct SharedWords;

#[async_trait]
impl Reranker for SharedWords {
    async fn rerank(&self, question: &str, candidates: &[Candidate<'_>], context: &Context) -> Result<Reranked> {
        let wanted = words(question);
        let mut scores = Vec::with_capacity(candidates.len());
        for candidate in candidates {
            context.check("rerank")?;
            let shared = words(candidate.text).intersection(&wanted).count();
            scores.push(Score::new(shared as f64)?);
        }
        Ok(Reranked::Scores(scores))
    }
}

fn words(text: &str) -> HashSet<String> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}
