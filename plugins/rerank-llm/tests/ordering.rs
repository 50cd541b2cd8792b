//! Orders by a generator that writes by script.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use wikirag_core::{
    Candidate, ChunkId, Context, ErrorKind, HitKey, Host, Metadata, PluginSetup, Registry, Reranked, Reranker, Result,
    Score, Section, WikiSlot,
};
use wikirag_rerank_llm::PLUGIN;
use wikirag_testkit::fakes::{Answer, GeneratorLog, SCRIPT};
use wikirag_testkit::{block_on, json};

fn reranker(name: &str, more: serde_json::Value) -> Result<Box<dyn Reranker>> {
    let mut settings = json!({"generator": "script"});
    settings.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let registry = Registry::from_plugins([PLUGIN, SCRIPT])?;
    let sections = [("script".to_owned(), Section::new("test", json!({"name": name})))].into();
    let host = Host::new(registry.clone()).with_sections(sections).into();
    registry.reranker("rerank-llm", &PluginSetup { settings: Section::new("test", settings), host })
}

/// Five candidates with falling scores; the last is no better than its number.
fn rerank(reranker: &dyn Reranker, context: &Context) -> Result<(Vec<f64>, Vec<String>)> {
    let meta = Metadata::new();
    let candidate = |number: u64| Candidate {
        key: HitKey { wiki: WikiSlot(0), chunk: ChunkId(number) },
        score: Score::new(1.0 / number as f64).unwrap(),
        title: "Kiln",
        path: "kiln.md",
        role: "",
        text: "The kiln\nis hot.",
        meta: &meta,
    };
    let candidates: Vec<_> = (1..=5).map(candidate).collect();
    match block_on(reranker.rerank("how hot", &candidates, context))? {
        Reranked::Reasoned { scores, reasons } => Ok((scores.into_iter().map(Score::get).collect(), reasons)),
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_scores_are_dealt_out_in_the_order_of_the_model() {
    let log = GeneratorLog::of("order");
    let reranker = reranker("order", json!({})).unwrap();
    log.tell([Answer::Text("4 | names it\n2 | near\n".to_owned())]);
    let (scores, reasons) = rerank(reranker.as_ref(), &Context::new()).unwrap();
    // 4, 2, then those that it left out.
    assert_eq!(scores, [1.0 / 3.0, 0.5, 0.25, 1.0, 0.2]);
    assert_eq!(reasons, ["", "near", "", "names it", ""]);
    let prompts = log.prompts();
    assert!(prompts[0].messages[1].text.contains("[5] Kiln (kiln.md)\nThe kiln is hot.\n"), "{prompts:?}");
    assert_eq!(reranker.wants(), 60);
}

#[test]
fn what_cannot_be_read_and_what_is_slow_is_an_error_of_the_stage() {
    let log = GeneratorLog::of("bad");
    let reranker = reranker("bad", json!({"seconds": 1})).unwrap();
    log.tell([Answer::Text("I would rather not.".to_owned()), Answer::FailsForGood, Answer::Hangs]);
    let kinds: Vec<ErrorKind> =
        (0..3).map(|_| rerank(reranker.as_ref(), &Context::new()).unwrap_err().kind()).collect();
    assert_eq!(kinds, [ErrorKind::Invalid, ErrorKind::Unavailable, ErrorKind::Unavailable]);
    let context = Context::new();
    context.cancel.cancel();
    assert_eq!(rerank(reranker.as_ref(), &context).unwrap_err().kind(), ErrorKind::Cancelled);
}

#[test]
fn settings_are_checked() {
    for (settings, word) in [
        (json!({"generator": ""}), "`generator` is not set"),
        (json!({"candidates": 1}), "`candidates` is 1"),
        (json!({"secnds": 1}), "secnds"),
        (json!({"generator": "none"}), "there is no generator `none`"),
    ] {
        let error = reranker("settings", settings).err().unwrap();
        assert!(error.to_string().contains(word), "{error}");
    }
}
