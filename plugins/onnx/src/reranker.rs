//! The reranker: a cross-encoder, which reads question and passage together.

use std::cmp::Reverse;
use std::sync::Arc;

use async_trait::async_trait;
use serde::Deserialize;
use wikirag_core::{Candidate, Context, Error, ErrorKind, PluginSetup, Reranked, Reranker, Result, Score, offload};
use wikirag_models::Kind;

use crate::local::Local;
use crate::pool::Rank;
use crate::pooling::score;
use crate::settings::Settings;
use crate::spread::spread;

const OPERATION: &str = "rerank";

/// What a composition may say: which model. What is loaded and how is for the user to say.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Choice {
    reranker: String,
}

/// Makes the reranker. Reads its recipe and loads nothing.
pub(crate) fn make(setup: &PluginSetup) -> Result<Box<dyn Reranker>> {
    let section = setup.host.section(crate::PLUGIN.name);
    let own = Settings::read(&section)?;
    let name =
        if setup.settings == section { own.reranker.clone() } else { Some(setup.settings.parse::<Choice>()?.reranker) };
    let Some(name) = name else {
        let message = "no model is named that scores question and passage together";
        return Err(Error::new(ErrorKind::Invalid, "make reranker", message)
            .with("in", setup.settings.origin())
            .help("name the recipe of one as `reranker`; `wikirag model list` shows what there is"));
    };
    Ok(Box::new(CrossEncoder { local: Arc::new(Local::new(Some(&name), Kind::Reranker, setup, own)?) }))
}

struct CrossEncoder {
    local: Arc<Local>,
}

/// The score of a passage is that of its best window (MaxP of Dai and Callan 2019).
fn best_window(local: &Local, question: &str, passage: &str, context: &Context) -> Result<Score> {
    let mut best = f32::NEG_INFINITY;
    for window in local.splitter()?.pairs(question, passage)? {
        context.check(OPERATION)?;
        best = best.max(local.run(Rank::Question, &window, score)?);
    }
    Score::new(best.into())
}

#[async_trait]
impl Reranker for CrossEncoder {
    async fn rerank(&self, question: &str, candidates: &[Candidate<'_>], context: &Context) -> Result<Reranked> {
        context.check(OPERATION)?;
        // The title is what an embedder sees of the document as well.
        let passages = candidates.iter().map(|candidate| match candidate.title {
            "" => candidate.text.to_owned(),
            title => format!("{title}\n{}", candidate.text),
        });
        let (passages, question): (Vec<String>, _) = (passages.collect(), question.to_owned());
        let (local, context) = (Arc::clone(&self.local), context.clone());
        let scores = offload(move || {
            let workers = local.workers(passages.iter().map(String::len).sum()).min(passages.len());
            let mut order: Vec<usize> = (0..passages.len()).collect();
            order.sort_by_key(|place| Reverse(passages[*place].len()));
            spread(&order, workers, |place| best_window(&local, &question, &passages[place], &context))
        });
        scores.await.map(Reranked::Scores).map_err(|error| error.with("model", &self.local.recipe().name))
    }
}
