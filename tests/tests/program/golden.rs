//! Indexes that earlier versions wrote, see `tests/golden/README.md`.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};
use wikirag_tests::World;

use crate::world;

/// Folders whose formats this version reads.
const READ: [&str; 1] = ["3"];

/// Folders of formats that are gone.
const STALE: [&str; 2] = ["1", "2"];

const QUESTIONS: [&str; 9] = [
    "basil black",
    "never in fridge",
    "tag:herbs pick",
    "+\"copper tape\" rain",
    "coffee grounds",
    "緑茶",
    "grusse",
    "mint pot runners",
    "what lies about in garden beds",
];

fn golden(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("golden").join(name)
}

fn opened(name: &str) -> World {
    let world = world();
    world.copy_in(&golden(name).join("wiki"), "wiki");
    // What an index answers, and not what is made of it.
    world.write("plain.rag.yaml", "wikis: [wiki]\nrerank: none\nfuse: rrf\n");
    world
}

/// What the index of a world answers to each question.
fn answers(world: &World) -> Value {
    let fields = ["id", "path", "lines", "title", "headings", "bytes", "text", "score", "freshness"];
    let answer = |question: &str| {
        let run =
            world.run(&["query", "plain.rag.yaml", question, "--json", "--no-build", "--no-refresh", "-k", "3"]).ok();
        let results = run.results().into_iter();
        let kept =
            results.map(|result| fields.iter().map(|field| ((*field).to_owned(), result[*field].clone())).collect());
        json!({ "question": question, "results": kept.collect::<Vec<Value>>() })
    };
    QUESTIONS.iter().map(|question| answer(question)).collect()
}

#[test]
fn what_is_read_answers_as_it_did() {
    for name in READ {
        let world = opened(name);
        let file = golden(name).join("answers.json");
        let given = answers(&world);
        if std::env::var_os("WIKIRAG_TEST_WRITE").is_some() {
            fs::write(&file, serde_json::to_string_pretty(&given).unwrap() + "\n").unwrap();
        }
        let expected: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
        assert_eq!(given, expected, "{name}");
        let _ = world.run(&["verify", "wiki", "--full"]).ok();
    }
}

/// An archive of each index that is read, from when archives were first written on, answers like the index.
#[test]
fn archives_of_what_is_read_answer_as_it_did() {
    for name in READ {
        let world = opened(name);
        world.remove("wiki/.index");
        let archive = golden(name).join("wiki.wri").display().to_string();
        let _ = world.run(&["import", &archive, "--into", "wiki"]).ok();
        let expected: Value =
            serde_json::from_str(&fs::read_to_string(golden(name).join("answers.json")).unwrap()).unwrap();
        assert_eq!(answers(&world), expected, "{name}");
        let _ = world.run(&["verify", "wiki", "--full"]).ok();
        // All layers of the archive are in forms that are read.
        assert!(world.path("wiki/.index/bm25").exists() && world.path("wiki/.index/graph").exists(), "{name}");
    }
}

/// The newest folder is of the formats that are written today: whoever raises one adds a folder.
#[test]
fn the_newest_is_of_the_formats_of_today() {
    let world = opened(READ[READ.len() - 1]);
    let old = world.snapshot("wiki/.index").paths();
    world.remove("wiki/.index");
    let _ = world.run(&["build", "wiki"]).ok();
    let folders = |paths: &[String]| -> Vec<String> {
        let mut folders: Vec<String> =
            paths.iter().filter_map(|path| Some(path.rsplit_once('/')?.0.to_owned())).collect();
        folders.dedup();
        folders
    };
    assert_eq!(folders(&world.snapshot("wiki/.index").paths()), folders(&old));
}

#[test]
fn what_is_stale_says_so() {
    for name in STALE {
        let run = opened(name).run(&["query", "wiki", "basil", "--no-build", "--no-refresh"]).expect(5);
        assert!(run.stderr.contains("build --full"), "{name}: {run}");
    }
}
