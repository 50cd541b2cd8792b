//! The real library and model under odd circumstances. They lie in the data folder that `WIKIRAG_TEST_MODELS` names.

#![expect(clippy::unwrap_used, reason = "a test ends at the first thing that is off")]
#![cfg(unix)] // the files are linked into the data folder of the test

mod place;

use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;

use place::{Place, embed, failing, known_reason, prober};
use serde_json::{Value, json};
use wikirag_core::{Context, ErrorKind, Readiness, Role};
use wikirag_models::Store;
use wikirag_testkit::block_on;

const MODEL: &str = "all-minilm-l6-v2";

fn store() -> Store {
    Store::new(PathBuf::from(std::env::var_os("WIKIRAG_TEST_MODELS").unwrap()).as_path())
}

/// The library.
fn library() -> PathBuf {
    store().runtime().unwrap()
}

/// A data folder with the real model.
fn place() -> Place {
    let (place, store) = (Place::new(), store());
    let recipe = store.recipe(MODEL).unwrap();
    let folder = place.path().join("models").join(MODEL);
    fs::create_dir_all(&folder).unwrap();
    for file in recipe.files() {
        symlink(fs::canonicalize(store.model_file(&recipe, file)).unwrap(), folder.join(&file.name)).unwrap();
    }
    place
}

fn settings() -> Value {
    json!({"runtime": library()})
}

/// A program that does not exist: whoever starts it gets an error.
fn no_prober() -> Option<PathBuf> {
    Some("/no/such/prober".into())
}

#[test]
#[ignore = "needs WIKIRAG_TEST_MODELS"]
fn a_good_verdict_is_asked_for_once() {
    let place = place();
    let vector = embed(&*place.make(settings(), Some(prober())).unwrap()).unwrap();
    let known = place.make(settings(), no_prober()).unwrap();
    assert_eq!(known.readiness(), Readiness::Ready);
    assert_eq!(embed(&*known).unwrap(), vector);
    fs::remove_dir_all(place.path().join("probes")).unwrap();
    let error = embed(&*place.make(settings(), no_prober()).unwrap()).unwrap_err();
    assert!(error.to_string().contains("/no/such/prober"), "{error}");
}

#[test]
#[ignore = "needs WIKIRAG_TEST_MODELS"]
fn a_folder_that_cannot_be_written_to_is_no_hindrance() {
    let place = place();
    place.write("probes", b"a file");
    embed(&*place.make(settings(), Some(prober())).unwrap()).unwrap();
}

#[test]
#[ignore = "needs WIKIRAG_TEST_MODELS"]
fn half_a_library_is_told_before_it_is_loaded() {
    let place = place();
    let whole = fs::read(library()).unwrap();
    let path = place.write("half.so", &whole[..whole.len() / 2]);
    let error = failing(&*place.make(json!({"runtime": path}), no_prober()).unwrap(), "runtime-unusable");
    assert!(error.message().contains("cut short"), "{error}");
}

/// The library is whole by its head and length, and holds nothing.
#[test]
#[ignore = "needs WIKIRAG_TEST_MODELS"]
fn a_library_of_zeros_ends_the_other_process() {
    let place = place();
    let mut bytes = fs::read(library()).unwrap();
    bytes[8192..].fill(0);
    let path = place.write("zeros.so", &bytes);
    let settings = json!({"runtime": path});
    failing(&*place.make(settings.clone(), Some(prober())).unwrap(), "runtime-unusable");
    known_reason(&*place.make(settings, no_prober()).unwrap());
}

/// A recipe that is wrong about the model it names.
#[test]
#[ignore = "needs WIKIRAG_TEST_MODELS"]
fn a_recipe_that_does_not_fit_its_model_is_told() {
    let place = place();
    let recipe = store().recipe(MODEL).unwrap();
    let file = |spec: &wikirag_models::FileSpec| {
        format!("name = {:?}\nbytes = {}\nsha256 = {:?}\n", spec.name, spec.bytes, spec.sha256)
    };
    symlink(place.path().join("models").join(MODEL), place.path().join("models/wrong")).unwrap();
    for (facts, expected) in [
        ("dimensions = 383\npooling = \"none\"\n", "shape"),
        ("dimensions = 384\npooling = \"mean\"\n", "shape"),
        ("dimensions = 384\npooling = \"none\"\noutput = \"vector\"\n", "there is no output `vector`"),
    ] {
        let text = format!(
            "name = \"wrong\"\nsummary = \"x\"\nkind = \"embedder\"\nlicence = \"MIT\"\nmax_tokens = 256\n{facts}\
             [model]\n{}[tokenizer]\n{}",
            file(&recipe.model),
            file(&recipe.tokenizer)
        );
        place.write("recipes/wrong.toml", text.as_bytes());
        let settings = json!({"model": "wrong", "runtime": library()});
        let error = failing(&*place.make(settings, Some(prober())).unwrap(), "model-unusable");
        assert!(error.message().contains(expected), "{error}");
    }
}

/// Bulk work on all sessions does not keep a question waiting until it is over.
#[test]
#[ignore = "needs WIKIRAG_TEST_MODELS"]
fn a_question_is_answered_while_a_build_embeds() {
    let place = place();
    let embedder = place.make(json!({"runtime": library(), "threads": 1}), None).unwrap();
    let (context, passage) = (Context::new(), "the river carries copper ".repeat(40));
    embed(&*embedder).unwrap();
    std::thread::scope(|scope| {
        let bulk = scope.spawn(|| {
            let texts = vec![passage.as_str(); 100_000];
            block_on(embedder.embed(&texts, Role::Passage, &context))
        });
        for question in ["which river?", "which copper?", "which build?"] {
            block_on(embedder.embed(&[question], Role::Query, &Context::new())).unwrap();
        }
        // Hours of work are left: the questions were not answered after it.
        assert!(!bulk.is_finished());
        context.cancel.cancel();
        assert_eq!(bulk.join().unwrap().unwrap_err().kind(), ErrorKind::Cancelled);
    });
}

/// One word of a megabyte, and many words.
#[test]
#[ignore = "needs WIKIRAG_TEST_MODELS"]
fn a_megabyte_is_embedded() {
    let place = place();
    let embedder = place.make(json!({"runtime": library(), "threads": 1}), None).unwrap();
    for text in ["x".repeat(1 << 20), "\0".repeat(1 << 20), "\u{301}".repeat(1 << 19)] {
        block_on(embedder.embed(&[&text], Role::Passage, &Context::new())).unwrap();
    }
}
