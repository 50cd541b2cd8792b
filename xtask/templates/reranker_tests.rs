//! What this reranker promises.

use std::sync::Arc;

use wikirag_core::{
    Candidate, ChunkId, Context, HitKey, Host, Metadata, PluginSetup, Registry, Reranked, Score, Section, WikiSlot,
};
use wikirag_testkit::block_on;

#[test]
fn one_score_for_each_candidate_in_their_order() {
    let host = Arc::new(Host::new(Registry::from_plugins([wikirag___IDENT__::PLUGIN]).unwrap()));
    let setup = PluginSetup { settings: Section::empty(), host: host.clone() };
    let reranker = host.registry().reranker("__NAME__", &setup).unwrap();
    let meta = Metadata::new();
    let candidate = |chunk, text| {
        let key = HitKey { wiki: WikiSlot(0), chunk: ChunkId(chunk) };
        Candidate { key, score: Score::default(), title: "", path: "", role: "", text, meta: &meta }
    };
    let candidates = [candidate(1, "nothing of it"), candidate(2, "Fresh basil"), candidate(3, "basil")];
    let reranked = block_on(reranker.rerank("fresh basil", &candidates, &Context::new())).unwrap();
    let scores = [0.0, 2.0, 1.0].map(|score| Score::new(score).unwrap());
    assert_eq!(reranked, Reranked::Scores(scores.to_vec()));
}
