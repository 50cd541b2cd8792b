//! A second look at the results, where the composition names a reranker.

use wikirag_core::{Candidate, Context, Error, ErrorKind, Result, ResultExt, Score};

use super::answer::{Answer, Degradation};
use super::results::Loaded;
use crate::Engine;
use crate::manifest::PluginChoice;

/// Orders the results by the scores of the reranker; ties keep the fused order. A reranker that fails is told, and the
/// fused order stays.
///
/// # Errors
/// Where there is no such reranker or it refuses its settings: a mistake in the composition.
pub(super) async fn apply(
    engine: &Engine,
    choice: &PluginChoice,
    answer: &mut Answer,
    loaded: &mut Vec<Loaded>,
    context: &Context,
) -> Result<()> {
    let setup = engine.setup_of(choice);
    let reranker = engine.registry().reranker(&choice.name, &setup)?;
    let mut candidates = Vec::with_capacity(loaded.len());
    for Loaded { key, meta, result } in &*loaded {
        let score = Score::new(result.score)?;
        candidates.push(Candidate { key: *key, score, title: &result.title, text: &result.text, meta });
    }
    let scores = reranker.rerank(&answer.query, &candidates, context).await.and_then(|scores| {
        if scores.len() == candidates.len() {
            return Ok(scores);
        }
        let message = format!("{} scores came back for {} results", scores.len(), candidates.len());
        Err(Error::new(ErrorKind::Internal, "rerank", message))
    });
    match scores.with("plugin", &choice.name) {
        Ok(scores) => {
            let mut scored: Vec<(Score, Loaded)> = scores.into_iter().zip(loaded.drain(..)).collect();
            scored.sort_by(|(a, _), (b, _)| b.cmp(a));
            for (score, mut one) in scored {
                one.result.score = score.get();
                if let Some(explanation) = &mut one.result.explanation {
                    explanation.reranked = Some(score.get());
                }
                loaded.push(one);
            }
            Ok(())
        }
        Err(error) if error.kind() == ErrorKind::Cancelled => Err(error),
        Err(error) => {
            answer.degraded.push(Degradation {
                wiki: answer.rag.clone(),
                layer: choice.name.clone(),
                code: error.kind().code().to_owned(),
                sentence: format!("the results are not reranked: {}", error.statement()),
                remedy: error
                    .remedy()
                    .unwrap_or("mend the reranker, or take `rerank` out of the composition")
                    .to_owned(),
            });
            Ok(())
        }
    }
}
