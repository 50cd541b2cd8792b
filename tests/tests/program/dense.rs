//! The dense layer: vectors are kept and never made twice, and whatever is missing, BM25 answers and says so.
//!
//! The embedder is `embed-api` against the service of the testkit, which counts. Tests with the real model are in `tests/real`.

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;
use wikirag_testkit::fakes::embedding_service::{DIMENSIONS, EmbeddingService, MODEL, Play, unit_vector};
use wikirag_tests::{Run, World};

use crate::eval::write_set;
use crate::world_of_all_layers;

/// A world with a wiki of `notes` notes of two sections, and the settings for `service`.
pub(crate) fn world_with(service: &EmbeddingService, notes: usize, settings: &str) -> World {
    let world = world_of_all_layers();
    use_service(&world, service, settings);
    world.write(
        "wiki/.wiki.yaml",
        "name: wiki\nlanguage: en\nchunker: {name: markdown, strategy: heading, min_chars: 0}\n",
    );
    for number in 0..notes {
        let first = format!("The herring numberedfish{number} swims in the northern sea.");
        let second = format!("Its recipe{number} asks for vinegar and onions.");
        world.write(
            &format!("wiki/{number}.md"),
            format!("# Note {number}\n\nOf sea and stove{number}.\n\n## Fish\n\n{first}\n\n## Kitchen\n\n{second}\n"),
        );
    }
    world
}

pub(crate) fn use_service(world: &World, service: &EmbeddingService, more: &str) {
    let url = service.url();
    world.write_user_settings(&format!(
        "[plugins.dense]\nembedder = \"embed-api\"\nbatch = {BATCH}\n[plugins.embed-api]\nurl = \"{url}\"\nmodel = \"{MODEL}\"\n\
         dimensions = {DIMENSIONS}\npause_seconds = 0.001\nbatch = 4\nparallel = 1\n{more}"
    ));
}

/// Every text that was sent, as often as it was.
fn sent(service: &EmbeddingService) -> Vec<String> {
    service.seen().into_iter().flat_map(|request| request.input).collect()
}

fn ask(world: &World) -> Run {
    world.run(&["query", "wiki", "herring numberedfish1 swims", "--json"])
}

/// The codes of what is degraded in the layer `dense`.
fn codes(run: &Run) -> Vec<String> {
    let answer = run.json();
    let of_dense = answer["degraded"].as_array().unwrap().iter().filter(|reason| reason["layer"] == "dense");
    of_dense.map(|reason| reason["code"].as_str().unwrap().to_owned()).collect()
}

/// BM25 answers, says `code` and what to do, and with `--strict` that is an error.
#[track_caller]
fn is_degraded(world: &World, code: &str) {
    let run = ask(world).ok();
    assert_eq!(codes(&run), [code], "{run}");
    assert_eq!(run.json()["served_by"], serde_json::json!(["bm25", "graph"]), "{run}");
    assert_eq!(run.hits()[0], "wiki/1.md", "{run}");
    let remedy = run.json()["degraded"][0]["remedy"].as_str().unwrap().to_owned();
    assert!(!remedy.is_empty() && run.stderr.matches(&remedy).count() == 1, "{run}");
    let strict = world.run(&["query", "wiki", "herring numberedfish1 swims", "--strict"]).expect(5);
    assert!(strict.stderr.contains(code), "{strict}");
}

fn dense_status(world: &World) -> Value {
    let run = world.run(&["status", "wiki", "--json"]);
    let layers = run.json()["wikis"][0]["layers"].as_array().unwrap().clone();
    layers.into_iter().find(|layer| layer["layer"] == "dense").unwrap()
}

#[test]
fn an_answer_comes_by_both_layers() {
    let service = EmbeddingService::new();
    let world = world_with(&service, 6, "");
    let _ = world.run(&["build", "wiki"]).ok();
    let run = ask(&world).ok();
    assert_eq!(run.json()["served_by"], serde_json::json!(["bm25", "dense", "graph"]));
    assert_eq!((run.json()["degraded"].as_array().unwrap().len(), run.hits()[0].as_str()), (0, "wiki/1.md"), "{run}");
    let layers: BTreeSet<String> = run.results()[0]["layers"]
        .as_array()
        .unwrap()
        .iter()
        .map(|part| part["layer"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(layers, BTreeSet::from(["bm25".to_owned(), "dense".to_owned()]));
    let status = dense_status(&world);
    assert_eq!((&status["readiness"], &status["pending"]), (&"ready".into(), &0.into()));
    assert_eq!(world.run(&["verify", "wiki", "--full"]).ok().code, 0);
}

#[test]
fn what_was_embedded_once_is_never_embedded_again() {
    let service = EmbeddingService::new();
    let world = world_with(&service, 6, "");
    let _ = world.run(&["build", "wiki"]).ok();
    let before = service.requests();
    world.rename("wiki/3.md", "wiki/elsewhere.md");
    let moved = world.read("wiki/4.md");
    let (head, fish) = moved.split_once("## Fish").unwrap();
    let (fish, kitchen) = fish.split_once("## Kitchen").unwrap();
    world.write("wiki/4.md", format!("{head}## Kitchen{}\n\n## Fish{}\n", kitchen.trim_end(), fish.trim_end()));
    let _ = world.run(&["build", "wiki"]).ok();
    assert_eq!(service.requests(), before, "{:?}", sent(&service).split_off(before));
    world.append("wiki/5.md", "And salt.\n");
    let _ = world.run(&["build", "wiki"]).ok();
    let new = service.seen().split_off(before);
    assert_eq!(new.iter().map(|request| request.input.len()).sum::<usize>(), 1, "{new:?}");
    assert!(new[0].input[0].ends_with("And salt."), "{new:?}");
}

/// [B44] [B56] A batch that fails keeps the others, is counted, and is made up for by the next build.
#[test]
fn a_batch_that_fails_is_made_up_for() {
    let refused = Play::Refuse(503, Vec::new(), "{}");
    let service = EmbeddingService::new().plays([Play::Answer, refused]);
    let world = world_with(&service, 200, "retries = 0");
    let run = world.run(&["build", "wiki"]).expect(4);
    assert!(run.stderr.contains("503"), "{run}");
    let status = dense_status(&world);
    assert!(status["pending"].as_u64().unwrap() > 0 && status["chunks"].as_u64().unwrap() > 0, "{status}");
    let run = world.run(&["query", "wiki", "herring", "--json", "--no-build", "--no-refresh"]).ok();
    assert_eq!(codes(&run), ["behind"], "{run}");
    let _ = world.run(&["build", "wiki"]).ok();
    assert_eq!(
        (dense_status(&world)["pending"].as_u64(), dense_status(&world)["readiness"].as_str()),
        (Some(0), Some("ready"))
    );
    let texts = sent(&service);
    let distinct: BTreeSet<_> = texts.iter().collect();
    assert!(
        texts.len() as u64 <= distinct.len() as u64 + BATCH,
        "{} texts were sent, {} are distinct",
        texts.len(),
        distinct.len()
    );
}

/// [B44] Killed twenty times while it embeds, a build goes on where it stood.
#[test]
fn a_killed_build_goes_on() {
    let service = EmbeddingService::new();
    let world = world_with(&service, 600, "");
    let (mut kills, mut commits) = (0, 0);
    for round in 0..20 {
        let mut build = world.spawn(&["build", "wiki"]);
        let wanted = service.requests() + 1 + round % 5 * 3;
        while service.requests() < wanted && build.try_wait().unwrap().is_none() {
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        kills += u64::from(build.try_wait().unwrap().is_none());
        build.kill().unwrap();
        build.wait().unwrap();
        let chunks = dense_status(&world)["chunks"].as_u64().unwrap();
        assert!(chunks >= commits, "{chunks} chunks after {commits}");
        commits = chunks;
    }
    assert!(kills > 0 && commits > 0, "{kills} kills, {commits} chunks");
    let _ = world.run(&["build", "wiki"]).ok();
    assert_eq!(dense_status(&world)["pending"], 0);
    let texts = sent(&service);
    let distinct: BTreeSet<_> = texts.iter().collect();
    // One batch of changes is lost with a kill at most.
    let most = distinct.len() as u64 + kills * BATCH;
    assert!(texts.len() as u64 <= most, "{} texts were sent for {} in {kills} kills", texts.len(), distinct.len());
}

/// Changes that the layer commits together.
const BATCH: u64 = 8;

#[test]
fn a_service_that_is_gone_or_hangs() {
    let service = EmbeddingService::new();
    let world = world_with(&service, 3, "retries = 0\nquestion_seconds = 0.8");
    let _ = world.run(&["build", "wiki"]).ok();
    let hangs = EmbeddingService::new().plays([Play::Hang, Play::Hang]);
    // The address is part of the fingerprint: the same service must hang.
    drop(hangs);
    let service = service.plays([Play::Hang, Play::Hang]);
    is_degraded(&world, "timed-out");
    let service = service.plays([Play::Refuse(500, Vec::new(), "{}"), Play::Refuse(500, Vec::new(), "{}")]);
    is_degraded(&world, "unavailable");
    let run = ask(&world).ok();
    assert_eq!(codes(&run), Vec::<String>::new(), "it is there again: {run}");
    drop(service);
}

/// [B53] Another model: BM25 answers, and only a full build changes over.
#[test]
fn another_model_needs_a_full_build() {
    let service = EmbeddingService::new();
    let world = world_with(&service, 3, "");
    let _ = world.run(&["build", "wiki"]).ok();
    use_service(&world, &service, "query_prefix = \"query: \"");
    is_degraded(&world, "stale-index");
    let before = service.requests();
    let run = world.run(&["build", "wiki"]).expect(5);
    assert!(run.stderr.contains("build --full"), "{run}");
    assert_eq!(service.requests(), before, "nothing is embedded in silence");
    let _ = world.run(&["build", "wiki", "--full"]).ok();
    assert_eq!(codes(&ask(&world).ok()), Vec::<String>::new());
}

#[test]
fn vectors_that_are_damaged_or_gone() {
    let service = EmbeddingService::new();
    let world = world_with(&service, 3, "");
    let _ = world.run(&["build", "wiki"]).ok();
    let folder = world.path("wiki/.index/dense");
    let file = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .find(|path| path.extension().is_some_and(|end| end == "db"));
    let file = file.unwrap();
    fs::write(&file, "no database").unwrap();
    is_degraded(&world, "damaged");
    let _ = world.run(&["build", "wiki", "--full"]).ok();
    assert_eq!(codes(&ask(&world).ok()), Vec::<String>::new());
    fs::remove_dir_all(&folder).unwrap();
    let run = world.run(&["query", "wiki", "herring numberedfish1", "--json", "--no-build"]).ok();
    assert_eq!(
        (codes(&run), run.json()["served_by"].clone()),
        (vec!["index-missing".to_owned()], serde_json::json!(["bm25", "graph"]))
    );
    let _ = world.run(&["build", "wiki"]).ok();
    assert_eq!(codes(&ask(&world).ok()), Vec::<String>::new());
}

/// A new user has no model: everything works, and each answer says what is missing and how to get it.
#[test]
fn without_a_model() {
    let world = world_of_all_layers();
    for number in 0..3 {
        world.write(&format!("wiki/{number}.md"), format!("# Note\n\nThe herring numberedfish{number} swims.\n"));
    }
    let run = world.run(&["build", "wiki"]).ok();
    assert!(run.stdout.contains("dense left out (") && run.stderr.contains("wikirag model pull"), "{run}");
    let run = ask(&world).ok();
    assert!(codes(&run).iter().all(|code| code == "model-missing" || code == "runtime-missing"), "{run}");
    is_degraded(&world, &codes(&run)[0]);
    let status = world.run(&["status", "wiki"]).ok();
    assert!(status.stdout.contains("unavailable (0 of 3)"), "{status}");
    assert_eq!(world.run(&["verify", "wiki", "--full"]).ok().code, 0);
    // Whoever names the layer means it.
    world.write("wiki/.wiki.yaml", "name: wiki\nlayers: [bm25, dense]\n");
    let run = world.run(&["build", "wiki"]).expect(5);
    assert!(run.stderr.contains("wikirag model pull"), "{run}");
    assert_eq!(ask(&world).ok().hits()[0], "wiki/1.md");
    assert_eq!(world.run(&["status", "wiki"]).expect(4).code, 4);
    // And whoever names the other alone does not hear of this one.
    world.write("wiki/.wiki.yaml", "name: wiki\nlayers: [bm25]\n");
    assert_eq!(codes(&ask(&world).ok()), Vec::<String>::new());
}

/// A first question on a wiki of many passages is answered by words at once, and says how far the vectors are.
#[test]
fn a_question_does_not_wait_for_all_vectors() {
    let service = EmbeddingService::new();
    let world = world_with(&service, 30, "");
    // The service takes longer than a question has: the first request is answered when a second one comes.
    let service = service.plays([Play::AnswerAfter(2)]);
    let run = ask(&world).ok();
    assert_eq!(run.hits()[0], "wiki/1.md");
    assert!(!codes(&run).is_empty(), "{run}");
    let _ = world.run(&["build", "wiki"]).ok();
    assert_eq!(codes(&ask(&world).ok()), Vec::<String>::new());
    drop(service);
}

/// [B09] Two questions whose vectors are nearly the same, in one process: each has its own answer.
#[test]
fn a_question_of_nearly_the_same_vector_is_asked_anew() {
    let service = EmbeddingService::new();
    let world = world_of_all_layers();
    use_service(&world, &service, "");
    let ships = ["ada", "eve"];
    let about = |ship: &str| format!("inspection certificate of the international association for schooner {ship}");
    let [one, other] = ships.map(|ship| unit_vector(&about(ship)));
    let cosine: f32 = one.iter().zip(&other).map(|(a, b)| a * b).sum();
    assert!((0.92..0.9999).contains(&cosine), "{cosine} is not what this is about");
    let (ada, eve) = (about("ada"), about("eve"));
    let corpus = [("ada", "", ada.as_str()), ("eve", "", &eve)];
    let questions = [("first", ada.as_str()), ("second", &eve), ("third", &ada)];
    write_set(&world, "ships", &corpus, &questions, &[("first", "ada", 1), ("second", "eve", 1), ("third", "ada", 1)]);
    let args = ["eval", "--beir", "ships", "--work", "work", "--layers", "dense", "--per-query", "lines.jsonl"];
    let _ = world.run(&args).ok();
    let lines = world.read("lines.jsonl");
    let first = |line: &str| serde_json::from_str::<Value>(line).unwrap()["ranking"][0].clone();
    let firsts: Vec<Value> = lines.lines().map(first).collect();
    assert_eq!(firsts, ["ships/ada", "ships/eve", "ships/ada"], "{lines}");
}
