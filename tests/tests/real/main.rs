//! The program with the real model and the real library that runs it. `cargo xtask test` makes both where it can, and names
//! these tests as skipped where it cannot.

#![expect(clippy::unwrap_used, reason = "the helpers of tests fail like tests")]

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use wikirag_tests::{Run, World};

/// Where the tests find the model: a data folder.
const MODELS: &str = "WIKIRAG_TEST_MODELS";

/// A world with the data folder of somebody who pulled the default model, and a wiki of four notes.
fn world() -> World {
    let world = World::new(env!("CARGO_BIN_EXE_wikirag-under-test"));
    let models = PathBuf::from(std::env::var_os(MODELS).unwrap());
    copy(&models.join("models"), &data(&world).join("models"));
    copy(&models.join("runtime"), &data(&world).join("runtime"));
    world.write("wiki/cats.md", "# Cats\n\nFelines sleep for most of the day.\n");
    world.write("wiki/cars.md", "# Cars\n\nAn automobile needs its oil changed every year.\n");
    world.write("wiki/bread.md", "# Bread\n\nLet the dough rise overnight before baking.\n");
    world.write("wiki/error.md", "# Errors\n\nThe code E4711 means that the disk is full.\n");
    world
}

fn data(world: &World) -> PathBuf {
    world.home("data").join("wikirag")
}

/// Copies files, so that a test may damage its own.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

fn ask(world: &World, question: &str) -> Run {
    world.run(&["query", "wiki", question, "--json", "-k", "3"]).ok()
}

fn codes(run: &Run) -> Vec<String> {
    let answer = run.json();
    answer["degraded"].as_array().unwrap().iter().map(|reason| reason["code"].as_str().unwrap().to_owned()).collect()
}

fn model(world: &World) -> PathBuf {
    data(world).join("models/all-minilm-l6-v2/model.onnx")
}

fn library(world: &World) -> PathBuf {
    let version = fs::read_dir(data(world).join("runtime")).unwrap().next().unwrap().unwrap().path();
    fs::read_dir(version).unwrap().next().unwrap().unwrap().path()
}

/// BM25 answers, with this reason among those given; with `--strict` that is an error; and `build` leaves the layer out or
/// lets the vectors that are there be.
#[track_caller]
fn is_degraded(world: &World, code: &str) {
    let run = ask(world, "E4711");
    assert_eq!(codes(&run), [code], "{run}");
    assert_eq!(
        (&run.json()["served_by"], run.hits()[0].as_str()),
        (&json!(["bm25", "graph"]), "wiki/error.md"),
        "{run}"
    );
    let strict = world.run(&["query", "wiki", "E4711", "--strict"]).expect(5);
    assert!(strict.stderr.contains(code), "{strict}");
}

#[test]
#[ignore = "needs WIKIRAG_TEST_MODELS"]
fn meaning_finds_what_words_do_not() {
    let world = world();
    let _ = world.run(&["build", "wiki"]).ok();
    for (question, path) in [
        ("how long do kittens nap", "wiki/cats.md"),
        ("vehicle maintenance", "wiki/cars.md"),
        ("making a loaf", "wiki/bread.md"),
        ("E4711", "wiki/error.md"),
    ] {
        let run = ask(&world, question);
        assert_eq!(run.hits()[0], path, "{run}");
        assert_eq!((&run.json()["served_by"], codes(&run)), (&json!(["bm25", "dense", "graph"]), Vec::new()), "{run}");
    }
}

#[test]
#[ignore = "needs WIKIRAG_TEST_MODELS"]
fn one_edited_section_is_one_text() {
    let world = world();
    let _ = world.run(&["build", "wiki"]).ok();
    world.append("wiki/bread.md", "\n## Rye\n\nRye wants a sourdough.\n");
    let report = world.run(&["build", "wiki", "--json"]).ok().json();
    let dense = report["layers"].as_array().unwrap().iter().find(|layer| layer["layer"] == "dense").cloned();
    let written = |layer: Option<Value>| layer.map(|layer| layer["upserted"].clone());
    assert!(written(dense).unwrap().as_u64().unwrap() <= 2, "{report}");
    assert_eq!(ask(&world, "grain of sour loaves").hits()[0], "wiki/bread.md");
}

/// Two builds by the model make one archive, and whoever imports it makes no vector again.
#[test]
#[ignore = "needs WIKIRAG_TEST_MODELS"]
fn vectors_go_along_with_an_archive() {
    let world = world();
    let _ = world.run(&["export", "wiki", "a.wri"]).ok();
    let before = ask(&world, "how long do kittens nap").json()["results"].clone();
    let _ = world.run(&["build", "wiki", "--full"]).ok();
    let _ = world.run(&["export", "wiki", "b.wri"]).ok();
    assert!(fs::read(world.path("a.wri")).unwrap() == fs::read(world.path("b.wri")).unwrap());
    world.remove("wiki/.index");
    let _ = world.run(&["import", "a.wri", "--into", "wiki"]).ok();
    let report = world.run(&["build", "wiki", "--json"]).ok().json();
    assert!(report["layers"].as_array().unwrap().iter().all(|layer| layer["upserted"] == 0), "{report}");
    assert_eq!(ask(&world, "how long do kittens nap").json()["results"], before);
}

/// [B74] Words of no meaning find nothing, by a whole index of vectors too.
#[test]
#[ignore = "needs WIKIRAG_TEST_MODELS"]
fn nonsense_finds_nothing() {
    let world = world();
    let _ = world.run(&["build", "wiki"]).ok();
    for question in ["zxqv blorptang", "florp gnarble wibble"] {
        let run = ask(&world, question);
        assert_eq!((run.results().len(), run.hints()), (0, vec!["nothing-found".to_owned()]), "{run}");
    }
}

/// [B54] Files that are not there, half there, empty, or of another machine.
#[test]
#[ignore = "needs WIKIRAG_TEST_MODELS"]
fn whatever_is_wrong_with_its_files_words_answer() {
    let world = world();
    let _ = world.run(&["build", "wiki"]).ok();
    let whole = fs::read(model(&world)).unwrap();
    for (damaged, code) in
        [(None, "model-missing"), (Some(&[][..]), "model-damaged"), (Some(&whole[..whole.len() / 2]), "model-damaged")]
    {
        fs::remove_file(model(&world)).unwrap();
        if let Some(bytes) = damaged {
            fs::write(model(&world), bytes).unwrap();
        }
        is_degraded(&world, code);
        fs::write(model(&world), &whole).unwrap();
    }
    let native = fs::read(library(&world)).unwrap();
    let mut foreign = native.clone();
    // The machine in the head of an ELF file.
    foreign[18] ^= 0xff;
    for damaged in [&native[..native.len() / 3], &foreign[..], b"text"] {
        fs::write(library(&world), damaged).unwrap();
        let run = ask(&world, "E4711");
        assert!(codes(&run).iter().all(|code| code.starts_with("runtime-")) && !codes(&run).is_empty(), "{run}");
        is_degraded(&world, &codes(&run)[0]);
    }
    fs::write(library(&world), &native).unwrap();
    assert_eq!(codes(&ask(&world, "making a loaf")), Vec::<String>::new(), "all is well again");
}

/// A library that ends the process that loads it must not end ours.
#[test]
#[ignore = "needs WIKIRAG_TEST_MODELS"]
fn a_library_that_crashes_does_so_elsewhere() {
    let world = world();
    let _ = world.run(&["build", "wiki"]).ok();
    let crash = world.path("crash.so");
    let source = world.path("crash.rs");
    let text = "#[unsafe(no_mangle)] pub extern \"C\" fn OrtGetApiBase() -> *const u8 { std::process::abort() }";
    fs::write(&source, text).unwrap();
    let compiled = std::process::Command::new("rustc")
        .args(["--edition", "2024", "--crate-type", "cdylib", "-o"])
        .args([&crash, &source])
        .status();
    assert!(compiled.unwrap().success());
    world.write_user_settings(&format!("[plugins.onnx]\nruntime = \"{}\"\n", crash.display()));
    is_degraded(&world, "runtime-unusable");
}
