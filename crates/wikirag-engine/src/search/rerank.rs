//! A second look at the pool of best hits: the stages of a composition, one after the other.

use std::borrow::Cow;
use std::cmp::Reverse;

use wikirag_core::{Candidate, Context, Error, ErrorKind, Factor, Reranked, Result, ResultExt, Score};

use super::answer::{Answer, Degradation};
use super::pool::{Pool, Pooled};
use super::relevance::{Curve, on_unit_scale};
use crate::Engine;
use crate::manifest::{DEFAULT_RERANK, PluginChoice};

/// Brings the pool into the order of the stages: those given, else the default where the program has that plugin. A stage
/// that fails is told, and the order before it stays.
///
/// # Errors
/// Where there is no such reranker or it refuses its settings: a mistake in the composition.
pub(super) async fn apply(
    engine: &Engine,
    stages: Option<&[PluginChoice]>,
    answer: &mut Answer,
    pool: &mut Pool,
    context: &Context,
) -> Result<()> {
    for stage in &*stages_of(engine, stages) {
        let setup = engine.setup_of(stage);
        let reranker = engine.registry().reranker(&stage.name, &setup)?;
        let candidates = pool.hits.iter().map(candidate).collect::<Result<Vec<_>>>()?;
        let reranked = reranker.rerank(&answer.query, &candidates, context).await;
        match reranked.and_then(|reranked| checked(reranked, candidates.len())).with("plugin", &stage.name) {
            Ok(Reranked::Scores(scores)) => take_scores(pool, &scores),
            Ok(Reranked::Factors(factors)) => take_factors(pool, factors),
            Err(error) if error.kind() == ErrorKind::Cancelled => return Err(error),
            Err(error) => degrade(answer, stage, &error),
        }
    }
    Ok(())
}

fn stages_of<'a>(engine: &Engine, stages: Option<&'a [PluginChoice]>) -> Cow<'a, [PluginChoice]> {
    match stages {
        Some(stages) => Cow::Borrowed(stages),
        None if engine.registry().names_of("reranker").any(|name| name == DEFAULT_RERANK) => {
            Cow::Owned(vec![PluginChoice::named(DEFAULT_RERANK)])
        }
        None => Cow::Borrowed(&[]),
    }
}

fn candidate(pooled: &Pooled) -> Result<Candidate<'_>> {
    let result = &pooled.result;
    Ok(Candidate {
        key: pooled.key,
        score: Score::new(result.score)?,
        title: &result.title,
        path: &result.path,
        role: &result.role,
        text: &result.text,
        meta: &pooled.meta,
    })
}

/// What came back, if there is one entry for each candidate and each factor is one.
fn checked(reranked: Reranked, candidates: usize) -> Result<Reranked> {
    let (count, is_sound) = match &reranked {
        Reranked::Scores(scores) => (scores.len(), true),
        Reranked::Factors(factors) => {
            let mut values = factors.iter().flatten().map(|factor| factor.value);
            (factors.len(), values.all(|value| value.is_finite() && value > 0.0))
        }
    };
    if count != candidates {
        let message = format!("{count} entries came back for {candidates} results");
        return Err(Error::new(ErrorKind::Internal, "rerank", message));
    }
    if !is_sound {
        return Err(Error::new(ErrorKind::Internal, "rerank", "a factor is not a number above 0"));
    }
    Ok(reranked)
}

/// Scores of a model take the place of all that was before. What is multiplied later must be above 0, so scores that are not
/// become their places between the worst and the best.
fn take_scores(pool: &mut Pool, scores: &[Score]) {
    let scores: Vec<f64> = scores.iter().map(|score| score.get()).collect();
    let relevance = on_unit_scale(&scores);
    let is_ratio = scores.iter().all(|score| *score > 0.0);
    let shown = if is_ratio { &scores } else { &relevance };
    for ((pooled, relevance), score) in pool.hits.iter_mut().zip(&relevance).zip(shown) {
        pooled.relevance = *relevance;
        pooled.rescored = Some(*score);
        pooled.result.score = *score;
        pooled.factors.clear();
    }
    order(&mut pool.hits);
    let relevance: Vec<f64> = pool.hits.iter().map(|pooled| pooled.relevance).collect();
    pool.curve = Curve::new(&relevance, pool.hits.iter().map(|pooled| pooled.result.score));
}

/// Factors multiply the relevance, together with those of the stages before.
fn take_factors(pool: &mut Pool, factors: Vec<Vec<Factor>>) {
    for (pooled, mut more) in pool.hits.iter_mut().zip(factors) {
        pooled.factors.append(&mut more);
        let trust = pooled.factors.iter().map(|factor| factor.value).product();
        pooled.result.score = pool.curve.score(pooled.base(), pooled.relevance, trust);
    }
    order(&mut pool.hits);
}

/// Best first; ties stay in the order that they had.
fn order(pool: &mut [Pooled]) {
    pool.sort_by_key(|pooled| Reverse(Score::new(pooled.result.score).unwrap_or_default()));
}

/// Told once, however often the search goes deeper.
fn degrade(answer: &mut Answer, stage: &PluginChoice, error: &Error) {
    if answer.degraded.iter().any(|known| known.wiki == answer.rag && known.layer == stage.name) {
        return;
    }
    answer.degraded.push(Degradation {
        wiki: answer.rag.clone(),
        layer: stage.name.clone(),
        code: error.kind().code().to_owned(),
        sentence: format!("the results are not reranked: {}", error.statement()),
        remedy: error.remedy().unwrap_or("mend the reranker, or take it out of `rerank` of the composition").to_owned(),
    });
}

#[cfg(test)]
#[path = "rerank_tests.rs"]
mod tests;
