//! What this reranker promises, made the way a program makes it.

use wikirag_core::{Candidate, ChunkId, Context, ErrorKind, HitKey, Metadata, Reranked, Score, WikiSlot};
use wikirag_testkit::{block_on, json, make};
use wikirag_trust::PLUGIN;

#[test]
fn each_candidate_has_its_factors_in_their_order() {
    let setup = make::setup([PLUGIN], json!({"curated": 2.0, "ceiling": 3.0})).unwrap();
    let reranker = setup.host.registry().reranker("trust", &setup).unwrap();
    let meta = Metadata::new();
    let candidate = |chunk, role| {
        let key = HitKey { wiki: WikiSlot(0), chunk: ChunkId(chunk) };
        Candidate { key, score: Score::default(), title: "", path: "a.md", role, text: "", meta: &meta }
    };
    let candidates = [candidate(1, ""), candidate(2, "curated"), candidate(3, "raw")];
    let Reranked::Factors(factors) = block_on(reranker.rerank("", &candidates, &Context::new())).unwrap() else {
        panic!("it has no scores of its own");
    };
    let values: Vec<Vec<f64>> = factors.iter().map(|all| all.iter().map(|factor| factor.value).collect()).collect();
    assert_eq!(values, [vec![], vec![2.0], vec![0.82]]);
    assert_eq!(factors[1][0].note, "curated");

    let context = Context::new();
    context.cancel.cancel();
    assert_eq!(block_on(reranker.rerank("", &candidates, &context)).unwrap_err().kind(), ErrorKind::Cancelled);
}
