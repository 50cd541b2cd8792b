use std::sync::Arc;

use async_trait::async_trait;
use futures_lite::future::block_on;
use serde_json::{Value, json};
use wikirag_core::{
    Capability, ChunkId, HitKey, Plugin, PluginSetup, Registry, Reranker, Section, Sensitivity, WikiName, WikiSlot,
};

use super::*;
use crate::fresh::Freshness;
use crate::locate::Composition;
use crate::passages::KnownPassage;
use crate::search::answer::{SearchResult, Snippet};
use crate::settings::{LoadOptions, Settings};

/// Says what its settings say: a number for each candidate, or a list of factors.
struct Told(Value);

#[async_trait]
impl Reranker for Told {
    async fn rerank(&self, _: &str, _: &[Candidate<'_>], _: &Context) -> Result<Reranked> {
        let numbers =
            |value: &Value| value.as_array().unwrap().iter().map(|one| one.as_f64().unwrap()).collect::<Vec<_>>();
        if let Some(scores) = self.0.get("scores") {
            return Ok(Reranked::Scores(numbers(scores).into_iter().map(|score| Score::new(score).unwrap()).collect()));
        }
        if let Some(factors) = self.0.get("factors") {
            let factor = |value| Factor { name: "told".into(), value, note: "so".into() };
            let factors = numbers(factors).into_iter().map(|value| vec![factor(value)]);
            return Ok(Reranked::Factors(factors.collect()));
        }
        Err(Error::new(ErrorKind::Unavailable, "rerank", "the service does not answer"))
    }
}

fn make(setup: &PluginSetup) -> Result<Box<dyn Reranker>> {
    Ok(Box::new(Told(setup.settings.value().clone())))
}

const TOLD: Plugin =
    Plugin { name: "told", version: "0", summary: "", personal: &[], provides: &[Capability::Reranker { make }] };

/// A hit of the pool with nothing but its number and its place on the curve.
fn hit(chunk: u64, fused: f64, relevance: f64) -> Pooled {
    let result = SearchResult {
        rank: 0,
        id: chunk.to_string(),
        wiki: WikiName::new("w").unwrap(),
        sensitivity: Sensitivity::Public,
        path: String::new(),
        title: String::new(),
        headings: Vec::new(),
        role: String::new(),
        place: wikirag_core::PlaceRange::Lines(1, 1),
        bytes: [0, 0],
        text: String::new(),
        snippet: Snippet::default(),
        score: fused,
        reason: None,
        layers: Vec::new(),
        same: Vec::new(),
        passages: Vec::new(),
        more: 0,
        conflicts: Vec::new(),
        freshness: Freshness::Unknown,
        explanation: None,
        file: std::path::PathBuf::new(),
    };
    let key = HitKey { wiki: WikiSlot(0), chunk: ChunkId(chunk) };
    Pooled {
        key,
        passage: Arc::new(KnownPassage::of_text(key.chunk, String::new())),
        relevance,
        fused,
        rescored: None,
        factors: Vec::new(),
        result,
    }
}

/// Three hits, of which the second is nearly as relevant as the first, after these stages; and the answer so far.
fn after(stages: &[Value]) -> Result<(Vec<Pooled>, Answer)> {
    let hits = [(1, 0.3, 1.0), (2, 0.2, 0.9), (3, 0.1, 0.1)];
    let hits: Vec<Pooled> = hits.iter().map(|(chunk, fused, relevance)| hit(*chunk, *fused, *relevance)).collect();
    let curve = Curve::new(&[1.0, 0.9, 0.1], [0.3, 0.2, 0.1]);
    let mut pool = Pool { hits, curve, gone: 0, refused: 0, is_cut: false };
    let stage = |settings: &Value| PluginChoice {
        name: "told".to_owned(),
        settings: Section::new("a.rag.yaml: rerank", settings.clone()),
    };
    let stages: Vec<PluginChoice> = stages.iter().map(stage).collect();
    let composition = Composition::plain("all", Sensitivity::Public, Vec::new());
    let settings = Settings::load(&LoadOptions::new("/")).unwrap();
    let engine = Engine::new(Registry::from_plugins([TOLD]).unwrap(), settings).unwrap();
    let mut answer = Answer::new("question", &composition);
    let stages = super::stages(&engine, Some(&stages))?;
    block_on(apply(&stages, &mut answer, &mut pool, &Context::new()))?;
    for hit in &pool.hits {
        let product: f64 = hit.explained().iter().map(|factor| factor.value).product();
        assert!((hit.base() * product - hit.result.score).abs() < 1e-9, "the factors do not make the score");
    }
    Ok((pool.hits, answer))
}

fn order_after(stages: &[Value]) -> Vec<u64> {
    after(stages).unwrap().0.iter().map(|hit| hit.key.chunk.0).collect()
}

#[test]
fn factors_decide_between_hits_that_are_nearly_as_relevant() {
    assert_eq!(order_after(&[json!({"factors": [0.8, 1.0, 1.0]})]), [2, 1, 3]);
    assert_eq!(order_after(&[json!({"factors": [0.8, 1.0, 1.2]})]), [2, 1, 3], "the third is far less relevant");
    let (hits, _) = after(&[json!({"factors": [1.0, 1.0, 1.0]})]).unwrap();
    assert_eq!(hits.iter().map(|hit| hit.result.score).collect::<Vec<_>>(), [0.3, 0.2, 0.1]);
}

#[test]
fn factors_of_several_stages_are_multiplied() {
    let half = json!({"factors": [0.95, 1.0, 1.0]});
    assert_eq!(order_after(std::slice::from_ref(&half)), [1, 2, 3]);
    // After the first stage the order is the same, so the second one says it of the same hit.
    assert_eq!(order_after(&[half.clone(), half]), [1, 2, 3]);
    assert_eq!(order_after(&[json!({"factors": [0.9, 1.0, 1.0]}), json!({"factors": [1.0, 1.02, 1.0]})]), [2, 1, 3]);
}

#[test]
fn scores_of_a_model_are_a_new_scale_that_factors_work_on() {
    assert_eq!(order_after(&[json!({"scores": [1.0, 3.0, 2.0]})]), [2, 3, 1]);
    // Below 0 as well: the places between the worst and the best are multiplied.
    let (hits, _) = after(&[json!({"scores": [-7.0, -2.0, -2.1]}), json!({"factors": [0.7, 1.0, 1.0]})]).unwrap();
    assert_eq!(hits.iter().map(|hit| hit.key.chunk.0).collect::<Vec<_>>(), [3, 2, 1]);
    assert!(hits.iter().all(|hit| hit.result.score > 0.0));
    // What was before a model is forgotten.
    assert_eq!(order_after(&[json!({"factors": [0.1, 1.0, 1.0]}), json!({"scores": [1.0, 3.0, 2.0]})]), [1, 3, 2]);
}

#[test]
fn a_stage_that_fails_keeps_the_order_and_is_told_once() {
    for (settings, said) in [
        (json!({"fail": true}), "does not answer"),
        (json!({"scores": [1.0]}), "1 entries came back for 3 results"),
        (json!({"factors": [1.0, 0.0, 1.0]}), "a factor is not a number above 0"),
        (json!({"factors": [1.0, -1.0, 1.0]}), "a factor is not a number above 0"),
    ] {
        let (hits, answer) = after(&[settings.clone(), settings]).unwrap();
        assert_eq!(hits.iter().map(|hit| hit.key.chunk.0).collect::<Vec<_>>(), [1, 2, 3]);
        assert_eq!(answer.degraded.len(), 1);
        assert!(answer.degraded[0].sentence.contains(said), "{}", answer.degraded[0]);
    }
}
