//! The reranker, over a cross-encoder of three operators. ONNX Runtime lies in the data folder that `WIKIRAG_TEST_MODELS`
//! names.

#![expect(clippy::unwrap_used, reason = "a test ends at the first thing that is off")]

mod protobuf;

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tempfile::TempDir;
use wikirag_core::{
    Candidate, ChunkId, Context, ErrorKind, HitKey, Host, Metadata, PluginSetup, Registry, Reranked, Reranker, Result,
    Score, Section, WikiSlot,
};
use wikirag_models::Store;
use wikirag_testkit::block_on;

/// Letters as tokens; the score of a pair is the sum of the numbers of the passage's tokens, and of the 2 that ends it.
fn place() -> TempDir {
    let vocabulary = json!({"[UNK]": 0, "[CLS]": 1, "[SEP]": 2, "a": 3, "b": 4, "c": 5});
    let tokenizer = json!({
        "version": "1.0", "truncation": null, "padding": null, "added_tokens": [], "normalizer": null,
        "pre_tokenizer": {"type": "WhitespaceSplit"}, "decoder": null,
        "post_processor": {"type": "BertProcessing", "cls": ["[CLS]", 1], "sep": ["[SEP]", 2]},
        "model": {"type": "WordLevel", "vocab": vocabulary, "unk_token": "[UNK]"}
    });
    let place = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| {
        let path = place.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    };
    let mut recipe = "name = \"judge\"\nsummary = \"Adds up letters\"\nkind = \"reranker\"\nlicence = \"MIT\"\n\
                      max_tokens = 8\npooling = \"none\"\n"
        .to_owned();
    for (table, name, bytes) in [
        ("model", "model.onnx", protobuf::cross_encoder()),
        ("tokenizer", "tokenizer.json", tokenizer.to_string().into_bytes()),
    ] {
        write(&format!("models/judge/{name}"), &bytes);
        let hash: String = Sha256::digest(&bytes).iter().fold(String::new(), |mut hash, byte| {
            write!(hash, "{byte:02x}").unwrap();
            hash
        });
        write!(recipe, "[{table}]\nname = \"{name}\"\nbytes = {}\nsha256 = \"{hash}\"\n", bytes.len()).unwrap();
    }
    write("recipes/judge.toml", recipe.as_bytes());
    place
}

/// The reranker in a program whose user has these settings for the plugin, as a composition with those asks for it.
fn make(place: &TempDir, user: Value, composition: Option<Value>) -> Result<Box<dyn Reranker>> {
    let user = Section::new("wikirag.toml", user);
    let settings = composition.map_or_else(|| user.clone(), |asked| Section::new("a.rag.yaml", asked));
    let host = Host::new(Registry::from_plugins([wikirag_onnx::PLUGIN])?)
        .with_data_dir(place.path())
        .with_sections([("onnx".to_owned(), user)].into());
    let setup = PluginSetup { settings, host: Arc::new(host) };
    setup.host.registry().reranker("onnx", &setup)
}

fn library() -> PathBuf {
    Store::new(PathBuf::from(std::env::var_os("WIKIRAG_TEST_MODELS").unwrap()).as_path()).runtime().unwrap()
}

fn scores(reranker: &dyn Reranker, passages: &[(&str, &str)], context: &Context) -> Result<Vec<f64>> {
    let meta = Metadata::default();
    let key = |chunk| HitKey { wiki: WikiSlot(0), chunk: ChunkId(chunk) };
    let candidates: Vec<_> = (0..)
        .zip(passages)
        .map(|(chunk, (title, text))| Candidate {
            key: key(chunk),
            score: Score::default(),
            title,
            path: "",
            role: "",
            text,
            meta: &meta,
        })
        .collect();
    match block_on(reranker.rerank("a", &candidates, context))? {
        Reranked::Scores(scores) => Ok(scores.into_iter().map(Score::get).collect()),
        Reranked::Reasoned { .. } | Reranked::Factors(_) => panic!("a cross-encoder gives neither reasons nor factors"),
    }
}

#[test]
fn what_is_loaded_is_for_the_user_to_say() {
    let place = place();
    assert!(make(&place, json!({}), Some(json!({"reranker": "judge"}))).is_ok());
    assert!(make(&place, json!({"reranker": "judge", "threads": 1}), None).is_ok());
    for (user, composition, kind) in [
        (json!({}), None, ErrorKind::Invalid),
        (json!({"reranker": "none"}), None, ErrorKind::NotFound),
        (json!({"reranker": "all-minilm-l6-v2"}), None, ErrorKind::Invalid),
        (json!({}), Some(json!({"reranker": "judge", "runtime": "/evil.so"})), ErrorKind::Invalid),
        (json!({}), Some(json!({"reranker": "judge", "probe": "off"})), ErrorKind::Invalid),
    ] {
        let error = make(&place, user, composition).err().unwrap();
        assert_eq!(error.kind(), kind, "{error}");
    }
}

#[test]
fn without_its_files_there_is_a_reason() {
    let place = place();
    fs::remove_dir_all(place.path().join("models/judge")).unwrap();
    let reranker = make(&place, json!({"reranker": "judge"}), None).unwrap();
    let error = scores(&*reranker, &[("", "b")], &Context::new()).unwrap_err();
    assert_eq!(error.context("reason"), Some("model-missing"), "{error}");
}

#[test]
#[ignore = "needs WIKIRAG_TEST_MODELS"]
fn each_passage_is_scored_by_itself() {
    let place = place();
    let reranker = make(&place, json!({"reranker": "judge", "runtime": library()}), None).unwrap();
    let context = Context::new();
    let passages = [("", "a"), ("", "c c"), ("", ""), ("b", "a"), ("", "c c c a a a")];
    // The last one is cut in two: its better half counts.
    assert_eq!(scores(&*reranker, &passages, &context).unwrap(), [5.0, 12.0, 2.0, 9.0, 17.0]);
    assert_eq!(scores(&*reranker, &[], &context).unwrap(), [0.0; 0]);
    context.cancel.cancel();
    assert_eq!(scores(&*reranker, &passages, &context).unwrap_err().kind(), ErrorKind::Cancelled);
}
