//! Archives: one digest for equal documents, the same answers elsewhere, and nothing of one that is not what was written.

use std::fs;

use serde_json::{Value, json};
use wikirag_testkit::fakes::embedding_service::EmbeddingService;
use wikirag_tests::{Run, World};

use crate::dense::{use_service, world_with};
use crate::{garden, world, world_of_all_layers};

const QUESTIONS: [&str; 4] = ["when to sow basil", "coffee grounds slugs", "climb poles", "garden"];

/// An archive of the wiki `garden`, and the world that it comes from.
fn exported() -> (World, Vec<u8>) {
    let world = garden();
    let _ = world.run(&["export", "garden", "garden.wri"]).ok();
    let bytes = fs::read(world.path("garden.wri")).unwrap();
    (world, bytes)
}

/// Another machine, with an archive.
fn elsewhere(archive: &[u8]) -> World {
    let world = world();
    world.write("garden.wri", archive);
    world
}

/// What is found, but for what depends on where the documents are.
fn answers(world: &World, wiki: &str) -> Vec<Value> {
    let answer = |question: &&str| {
        let mut answer = world.run(&["query", wiki, question, "--json", "--explain"]).ok().json();
        for key in ["took_ms", "hints"] {
            answer.as_object_mut().unwrap().remove(key);
        }
        for result in answer["results"].as_array_mut().unwrap() {
            result.as_object_mut().unwrap().remove("freshness");
        }
        answer
    };
    QUESTIONS.iter().map(answer).collect()
}

fn freshness(run: &Run) -> Vec<String> {
    run.results().iter().map(|result| result["freshness"].as_str().unwrap().to_owned()).collect()
}

fn codes_of_hints(run: &Run) -> Vec<String> {
    let answer = run.json();
    answer["hints"].as_array().unwrap().iter().map(|hint| hint["code"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn equal_documents_make_one_archive_whatever_was_edited_before() {
    let world = world_of_all_layers();
    world.copy_in(&garden().path("garden"), "a/garden");
    world.copy_in(&garden().path("garden"), "deep/er/b/garden");
    let _ = world.run(&["export", "a/garden", "a.wri"]).ok();
    // The other one has seen much, in an order that nobody would choose.
    let there = "deep/er/b/garden";
    let notes = ["slugs.md", "beans.md", "herbs/basil.md"].map(|name| format!("{there}/{name}"));
    world.write(&format!("{there}/000 first.md"), "# First\n\nGone in the end, with [[basil]].\n");
    for note in &notes {
        let text = world.read(note);
        world.remove(note);
        let _ = world.run(&["build", there]).ok();
        world.write(note, format!("{text}\nTwice.\n"));
        let _ = world.run(&["build", there]).ok();
        world.write(note, text);
    }
    world.remove(&format!("{there}/000 first.md"));
    let _ = world.run(&["export", there, "b.wri"]).ok();
    assert!(fs::read(world.path("a.wri")).unwrap() == fs::read(world.path("b.wri")).unwrap());

    world.append(&notes[0], "One more word.\n");
    let digest = |world: &World, file: &str| {
        world.run(&["export", there, file, "--json"]).ok().json()["digest"].as_str().unwrap().to_owned()
    };
    let changed = digest(&world, "c.wri");
    assert_ne!(fs::read(world.path("b.wri")).unwrap(), fs::read(world.path("c.wri")).unwrap());
    // The name of a wiki is a label on the archive.
    world.rename(there, "renamed");
    world.write("renamed/.wiki.yaml", world.read("renamed/.wiki.yaml").replace("name: garden", "name: yard"));
    assert_eq!(world.run(&["export", "renamed", "d.wri", "--json"]).ok().json()["digest"], json!(changed));
}

#[test]
fn an_import_answers_as_the_original_and_says_what_it_does_not_know() {
    let (world, archive) = exported();
    let other = elsewhere(&archive);
    let _ = other.run(&["import", "garden.wri"]).ok();
    assert_eq!(answers(&other, "garden"), answers(&world, "garden"));
    let run = other.run(&["query", "garden", "basil", "--json"]).ok();
    assert!(freshness(&run).iter().all(|one| one == "unknown") && !run.results().is_empty(), "{run}");
    assert_eq!(codes_of_hints(&run), ["documents-absent"], "{run}");

    // Whatever would look for the documents leaves what is indexed as it is.
    for args in [&["build", "garden"][..], &["build", "garden", "--full"], &["verify", "garden", "--full"]] {
        let _ = other.run(args).ok();
    }
    let status = other.run(&["status", "garden", "--json"]).ok().json()["wikis"][0].clone();
    assert_eq!((&status["has_documents"], &status["documents"]), (&json!(false), &json!(4)), "{status}");
    assert!(other.run(&["get", "garden", "beans.md"]).ok().stdout.contains("climb poles"));
    assert_eq!(answers(&other, "garden"), answers(&world, "garden"));

    let _ = other.run(&["export", "garden", "again.wri"]).ok();
    assert!(fs::read(other.path("again.wri")).unwrap() == archive);
}

#[test]
fn documents_beside_an_import_are_found_unchanged() {
    let (world, archive) = exported();
    let other = elsewhere(&archive);
    other.copy_in(&world.path("garden"), "here");
    other.remove("here/.index");
    other.remove("here/.wiki.yaml");
    let run = other.run(&["import", "garden.wri", "--into", "here", "--json"]).ok();
    assert_eq!((&run.json()["has_documents"], &run.json()["name"]), (&json!(true), &json!("garden")), "{run}");
    assert!(other.read("here/.wiki.yaml").contains("The garden"));

    let report = other.run(&["build", "here", "--json"]).ok().json();
    assert_eq!((&report["indexed"], &report["unchanged"]), (&json!(0), &json!(5)), "{report}");
    assert_eq!((&report["chunks"]["changed"], &report["layers"][0]["upserted"]), (&json!(0), &json!(0)), "{report}");
    let run = other.run(&["query", "here", "basil", "--json"]).ok();
    assert!(freshness(&run).iter().all(|one| one == "fresh") && run.hints().is_empty(), "{run}");

    other.append("here/slugs.md", "Beer traps do.\n");
    other.remove("here/beans.md");
    let report = other.run(&["build", "here", "--json"]).ok().json();
    assert_eq!((&report["indexed"], &report["unchanged"], &report["removed"]), (&json!(1), &json!(3), &json!(1)));
    assert_eq!(other.run(&["query", "here", "beer traps", "--json"]).ok().hits()[0], "garden/slugs.md");
}

#[test]
fn an_index_follows_a_wiki_whose_documents_lie_elsewhere() {
    let (world, archive) = exported();
    let other = elsewhere(&archive);
    other.copy_in(&world.path("garden"), "here");
    other.remove("here/.index");
    let _ = other.run(&["build", "plot", "here"]).ok();
    let refused = other.run(&["import", "garden.wri", "--as", "plot"]).expect(1);
    assert!(refused.stderr.contains("--replace"), "{refused}");
    let run = other.run(&["import", "garden.wri", "--as", "plot", "--replace", "--json"]).ok();
    assert_eq!((&run.json()["has_documents"], &run.json()["replaced"]), (&json!(true), &json!(true)), "{run}");
    let report = other.run(&["build", "plot", "--json"]).ok().json();
    assert_eq!((&report["indexed"], &report["unchanged"]), (&json!(0), &json!(5)), "{report}");
}

#[test]
fn what_is_not_what_was_written_leaves_nothing() {
    let (_, archive) = exported();
    let step = archive.len() / 12;
    for at in (0..archive.len()).step_by(step) {
        let mut altered = archive.clone();
        altered[at] ^= 0x20;
        for broken in [&altered[..], &archive[..at]] {
            let other = elsewhere(broken);
            for args in [&["import", "garden.wri"][..], &["import", "garden.wri", "--into", "new/folder"]] {
                let run = other.run(args);
                assert!(matches!(run.code, 1 | 5) && run.stderr.matches("error: ").count() == 1, "byte {at}: {run}");
            }
            let left = other.snapshot("").paths();
            assert!(left.iter().all(|path| path == "garden.wri" || path.ends_with('/')), "byte {at}: {left:?}");
            assert!(!other.home("data").join("wikirag/wikis/garden").exists(), "byte {at}");
        }
    }
    let later = [b"wrindex9", &archive[8..]].concat();
    let run = elsewhere(&later).run(&["import", "garden.wri"]).expect(5);
    assert!(run.stderr.contains("form '9', this program reads form 1"), "{run}");
}

/// An import that fails leaves the index that is there.
#[test]
fn an_index_is_replaced_as_a_whole_or_not() {
    let (world, archive) = exported();
    let other = elsewhere(&archive);
    let _ = other.run(&["import", "garden.wri"]).ok();
    let before = answers(&other, "garden");
    let mut altered = archive;
    let last = altered.len() - 1;
    altered[last] ^= 1;
    other.write("altered.wri", altered);
    let _ = other.run(&["import", "altered.wri", "--replace"]).expect(5);
    assert_eq!(answers(&other, "garden"), before);

    world.write("garden/mint.md", "# Mint\n\nKeep mint in a pot.\n");
    let _ = world.run(&["export", "garden", "garden.wri"]).ok();
    other.write("garden.wri", fs::read(world.path("garden.wri")).unwrap());
    let _ = other.run(&["import", "garden.wri"]).expect(1);
    let _ = other.run(&["import", "garden.wri", "--replace"]).ok();
    assert_eq!(other.run(&["query", "garden", "mint pot", "--json"]).ok().hits()[0], "garden/mint.md");
    let folder = other.home("data").join("wikirag/wikis/garden");
    let names: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names.len(), 2, "{names:?}");
}

#[test]
fn no_import_lowers_a_level() {
    let world = garden();
    world.write("garden/.wiki.yaml", "name: garden\nsensitivity: confidential\n");
    let clearance = ["--set", "clearance=confidential"];
    let _ = world.run(&["export", "garden", "garden.wri"]).expect(6);
    let run = world.run(&[&["export", "garden", "garden.wri"][..], &clearance].concat()).ok();
    assert!(run.stdout.contains("confidential"), "{run}");
    let other = elsewhere(&fs::read(world.path("garden.wri")).unwrap());

    let _ = other.run(&["import", "garden.wri"]).ok();
    let refused = other.run(&["query", "garden", "basil"]).expect(6);
    assert!(!refused.stderr.contains("basil.md"), "{refused}");
    let _ = other.run(&[&["query", "garden", "basil"][..], &clearance].concat()).ok();

    other.write("open/.wiki.yaml", "name: open\nsensitivity: public\n");
    other.write("open/beans.md", world.read("garden/beans.md"));
    let refused = other.run(&["import", "garden.wri", "--into", "open"]).expect(1);
    assert!(refused.stderr.contains("sensitivity: confidential"), "{refused}");
    assert!(!other.path("open/.index").exists());
    // A folder is as sensitive as the wiki around it, whatever an archive says.
    other.write("vault/.wiki.yaml", "name: vault\nsensitivity: restricted\n");
    let run = other.run(&["import", "garden.wri", "--into", "vault/part", "--json"]).ok();
    assert_eq!(run.json()["sensitivity"], "restricted", "{run}");
    assert!(other.read("vault/part/.wiki.yaml").contains("restricted"));
}

#[test]
fn an_archive_takes_no_place_that_is_not_its_own() {
    let (world, archive) = exported();
    world.write("notes.md", "# Notes that are nobody's to lose\n");
    let run = world.run(&["export", "garden", "notes.md"]).expect(1);
    assert!(run.stderr.contains("no archive"), "{run}");
    assert!(world.read("notes.md").starts_with("# Notes"));
    let _ = world.run(&["export", "garden", "garden.wri"]).ok();
    assert!(fs::read(world.path("garden.wri")).unwrap() == archive);

    // A folder with a manifest and other documents is somebody's: the next build would take those of the archive for deleted.
    let other = elsewhere(&archive);
    other.write("mine/.wiki.yaml", "name: mine\n");
    other.write("mine/other.md", "# Other\n");
    let run = other.run(&["import", "garden.wri", "--into", "mine"]).expect(1);
    assert!(run.stderr.contains("none of the documents"), "{run}");
    assert!(!other.path("mine/.index").exists());
}

/// What a manifest takes out of a wiki is in no archive, whether the index was built since or not.
#[test]
fn nothing_is_exported_that_is_no_part_of_the_wiki() {
    let (world, _) = exported();
    world.write("garden/.wiki.yaml", "name: garden\nexclude: [slugs.md]\n");
    let run = world.run(&["export", "garden", "less.wri", "--no-build"]).expect(5);
    assert!(run.stderr.contains("wikirag build") && !world.path("less.wri").exists(), "{run}");
    let run = world.run(&["export", "garden", "less.wri", "--json"]).ok();
    assert_eq!(run.json()["contents"]["catalog"]["documents"], 4, "{run}");
}

#[test]
fn nothing_is_no_archive() {
    let world = world();
    world.write("empty/a.bin", "");
    let run = world.run(&["export", "empty", "empty.wri"]).expect(5);
    assert!(run.stderr.contains("nothing is indexed") && !world.path("empty.wri").exists(), "{run}");
}

/// Vectors go along, so neither a search nor a build asks the embedder for a passage.
#[test]
fn no_passage_is_embedded_twice() {
    let service = EmbeddingService::new();
    let world = world_with(&service, 6, "");
    let run = world.run(&["export", "wiki", "wiki.wri", "--json"]).ok();
    let layers = run.json()["contents"]["layers"].as_array().unwrap().clone();
    let names: Vec<_> = layers.iter().map(|layer| layer["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["bm25", "dense", "graph"]);
    assert!(layers[1]["index"]["model"].as_str().is_some_and(|model| !model.is_empty()), "{layers:?}");
    let _ = world.run(&["build", "wiki", "--full"]).ok();
    let _ = world.run(&["export", "wiki", "again.wri"]).ok();
    assert!(fs::read(world.path("wiki.wri")).unwrap() == fs::read(world.path("again.wri")).unwrap());

    let other = world_of_all_layers();
    use_service(&other, &service, "");
    other.write("wiki.wri", fs::read(world.path("wiki.wri")).unwrap());
    other.copy_in(&world.path("wiki"), "here");
    other.remove("here/.index");
    let before = service.requests();
    let _ = other.run(&["import", "wiki.wri", "--into", "here"]).ok();
    let _ = other.run(&["build", "here"]).ok();
    assert_eq!(service.requests(), before);
    let question = "herring numberedfish1 swims";
    let (here, there) =
        (other.run(&["query", "here", question, "--json"]), world.run(&["query", "wiki", question, "--json"]));
    assert_eq!(here.json()["served_by"], json!(["bm25", "dense", "graph"]), "{here}");
    assert_eq!(here.json()["results"], there.json()["results"]);
    assert_eq!(other.run(&["verify", "here", "--full"]).ok().code, 0);
}

/// A layer that this machine has no program for, or no model, is told; the rest answers.
#[test]
fn a_model_may_be_missing_where_it_is_imported() {
    let service = EmbeddingService::new();
    let world = world_with(&service, 3, "");
    let _ = world.run(&["export", "wiki", "wiki.wri"]).ok();
    let other = world_of_all_layers();
    other.write("wiki.wri", fs::read(world.path("wiki.wri")).unwrap());
    let _ = other.run(&["import", "wiki.wri"]).ok();
    let run = other.run(&["query", "wiki", "herring numberedfish1 swims", "--json"]).ok();
    assert_eq!(run.json()["served_by"], json!(["bm25", "graph"]), "{run}");
    use_service(&other, &service, "");
    let run = other.run(&["query", "wiki", "herring numberedfish1 swims", "--json"]).ok();
    assert_eq!(run.json()["served_by"], json!(["bm25", "dense", "graph"]), "{run}");
}
