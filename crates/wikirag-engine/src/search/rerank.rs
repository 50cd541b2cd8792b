//! A second look at the pool of best hits: the stages of a composition, one after the other.

use std::borrow::Cow;
use std::cmp::Reverse;

use wikirag_core::{Candidate, Context, Error, ErrorKind, Factor, Reranked, Reranker, Result, ResultExt, Score};

use super::answer::{Answer, Degradation};
use super::pool::{Pool, Pooled};
use super::relevance::{Curve, on_unit_scale};
use crate::Engine;
use crate::manifest::{DEFAULT_RERANK, PluginChoice};

/// One stage.
pub(super) struct Stage {
    /// Of its plugin.
    name: String,
    reranker: Box<dyn Reranker>,
}

/// The stages that are given, else the default where the program has that plugin.
///
/// # Errors
/// Where there is no such reranker or it refuses its settings: a mistake in the composition.
pub(super) fn stages(engine: &Engine, given: Option<&[PluginChoice]>) -> Result<Vec<Stage>> {
    let stage = |choice: &PluginChoice| {
        let reranker = engine.registry().reranker(&choice.name, &engine.setup_of(choice))?;
        Ok(Stage { name: choice.name.clone(), reranker })
    };
    choices(engine, given).iter().map(stage).collect()
}

/// How many hits the stages want to look at.
pub(super) fn wanted(stages: &[Stage]) -> usize {
    stages.iter().map(|stage| stage.reranker.wants()).max().unwrap_or(0)
}

/// Brings the pool into the order of the stages. One that fails is told, and the order before it stays.
///
/// # Errors
/// [`ErrorKind::Cancelled`]; where a score is no number.
pub(super) async fn apply(stages: &[Stage], answer: &mut Answer, pool: &mut Pool, context: &Context) -> Result<()> {
    for Stage { name, reranker } in stages {
        let candidates = pool.hits.iter().map(candidate).collect::<Result<Vec<_>>>()?;
        let reranked = reranker.rerank(&answer.query, &candidates, context).await;
        match reranked.and_then(|reranked| checked(reranked, candidates.len())).with("plugin", name) {
            Ok(Reranked::Scores(scores)) => take_scores(pool, &scores, Vec::new()),
            Ok(Reranked::Reasoned { scores, reasons }) => take_scores(pool, &scores, reasons),
            Ok(Reranked::Factors(factors)) => take_factors(pool, factors),
            Err(error) if error.kind() == ErrorKind::Cancelled => return Err(error),
            Err(error) => degrade(answer, name, &error),
        }
    }
    Ok(())
}

fn choices<'a>(engine: &Engine, given: Option<&'a [PluginChoice]>) -> Cow<'a, [PluginChoice]> {
    match given {
        Some(given) => Cow::Borrowed(given),
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
        meta: &pooled.passage.stored.source.meta,
    })
}

/// What came back, if there is one entry for each candidate and each factor is one.
fn checked(reranked: Reranked, candidates: usize) -> Result<Reranked> {
    let (count, is_sound) = match &reranked {
        Reranked::Scores(scores) => (scores.len(), true),
        Reranked::Reasoned { scores, reasons } => (scores.len(), reasons.len() == scores.len()),
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
        return Err(Error::new(
            ErrorKind::Internal,
            "rerank",
            "an entry lacks its reason, or a factor is not a number above 0",
        ));
    }
    Ok(reranked)
}

/// Scores of a model take the place of all that was before. What is multiplied later must be above 0, so scores that are not
/// become their places between the worst and the best. There is a reason for each hit, or none at all.
fn take_scores(pool: &mut Pool, scores: &[Score], reasons: Vec<String>) {
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
    for (pooled, reason) in pool.hits.iter_mut().zip(reasons) {
        pooled.result.reason = Some(reason).filter(|reason| !reason.is_empty());
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
fn degrade(answer: &mut Answer, stage: &str, error: &Error) {
    if answer.degraded.iter().any(|known| known.wiki == answer.rag && known.layer == stage) {
        return;
    }
    answer.degraded.push(Degradation {
        wiki: answer.rag.clone(),
        layer: stage.to_owned(),
        code: error.kind().code().to_owned(),
        sentence: format!("the results are not reranked: {}", error.statement()),
        remedy: error.remedy().unwrap_or("mend the reranker, or take it out of `rerank` of the composition").to_owned(),
    });
}

#[cfg(test)]
#[path = "rerank_tests.rs"]
mod tests;
