//! What a build reads, keeps and tells.

use std::fs::File;
use std::time::{Duration, SystemTime};

use serde_json::json;
use wikirag_tests::World;

use crate::{garden, world};

/// The report of `wikirag build` of one wiki.
fn built(world: &World, wiki: &str) -> serde_json::Value {
    world.run(&["build", wiki, "--json"]).ok().json()
}

#[test]
fn every_file_is_accounted_for() {
    let world = garden();
    world.write("garden/photo.png", b"\x89PNG");
    world.write("garden/.obsidian/app.json", "{}");
    world.write("garden/drafts/idea.md", "# Idea\n\nA pond.\n");
    world.write("garden/.wiki.yaml", "name: garden\nexclude: [drafts]\n");
    let report = built(&world, "garden");
    assert_eq!((&report["wiki"], &report["indexed"], &report["unchanged"]), (&json!("garden"), &json!(5), &json!(0)));
    assert_eq!(report["skipped"], json!({ "excluded": 1, "hidden": 3, "no-reader": 1 }));
    assert_eq!((&report["failed"], &report["warnings"]), (&json!([]), &json!([])));
    assert_eq!(report["layers"][0]["pending"], 0);

    let status = world.run(&["status", "garden", "--files", "--json"]).ok().json();
    let files = status["wikis"][0]["files"].as_array().unwrap();
    let states: Vec<_> =
        files.iter().map(|file| (file["path"].as_str().unwrap(), file["reason"].as_str().unwrap())).collect();
    let expected = [
        (".index/", "hidden"),
        (".obsidian/", "hidden"),
        (".wiki.yaml", "hidden"),
        ("_index.md", ""),
        ("beans.md", ""),
        ("compost.md", ""),
        ("drafts/", "excluded"),
        ("herbs/basil.md", ""),
        ("photo.png", "no-reader"),
        ("slugs.md", ""),
    ];
    assert_eq!(states, expected);
}

#[test]
fn nothing_changed_reads_nothing() {
    let world = garden();
    let first = built(&world, "garden");
    let second = built(&world, "garden");
    assert_eq!((&second["indexed"], &second["unchanged"], &second["removed"]), (&json!(0), &json!(5), &json!(0)));
    assert_eq!(second["generation"], first["generation"]);
    assert_eq!((&second["layers"][0]["upserted"], &second["layers"][0]["deleted"]), (&json!(0), &json!(0)));
    let log = world.read("garden/.index/log.jsonl");
    assert_eq!(log.lines().count(), 1, "a build that found nothing to do is no history: {log}");
}

#[test]
fn one_edited_note_is_one_note_read() {
    let world = garden();
    let _ = built(&world, "garden");
    world.append(
        "garden/herbs/basil.md",
        "\n## Drought\n\nA thirsty pot droops by noon, and recovers overnight if it is watered.\n",
    );
    let report = built(&world, "garden");
    assert_eq!((&report["indexed"], &report["unchanged"]), (&json!(1), &json!(4)));
    assert_eq!(world.run(&["query", "garden", "droops by noon", "--json"]).ok().hits()[0], "garden/herbs/basil.md");
}

#[test]
fn an_edit_of_the_same_second_and_size_is_seen() {
    let world = garden();
    let _ = built(&world, "garden");
    let text = world.read("garden/beans.md").replace("poles", "nails");
    world.write("garden/beans.md", &text);
    assert_eq!(built(&world, "garden")["indexed"], 1);
    assert_eq!(world.run(&["query", "garden", "nails", "--json"]).ok().hits(), ["garden/beans.md"]);
    assert!(world.run(&["query", "garden", "poles", "--json"]).ok().hits().is_empty());
}

/// As a copy that keeps times does, or an editor that sets them back.
#[cfg(unix)]
#[test]
fn an_edit_under_the_old_time_is_seen() {
    let world = garden();
    let path = world.path("garden/beans.md");
    let old = SystemTime::now() - Duration::from_secs(3_600);
    let set_back = || File::options().append(true).open(&path).unwrap().set_modified(old).unwrap();
    set_back();
    let _ = built(&world, "garden");
    let text = world.read("garden/beans.md").replace("poles", "nails");
    world.write("garden/beans.md", &text);
    set_back();
    assert_eq!(built(&world, "garden")["indexed"], 1);
}

#[test]
fn a_moved_note_is_found_where_it_is_now() {
    let world = garden();
    let _ = built(&world, "garden");
    world.rename("garden/beans.md", "garden/vegetables/climbers.md");
    let report = built(&world, "garden");
    assert_eq!((&report["indexed"], &report["removed"], &report["documents"]), (&json!(1), &json!(1), &json!(5)));
    let hits = world.run(&["query", "garden", "beans climb poles", "--json"]).ok().hits();
    assert_eq!(hits, ["garden/vegetables/climbers.md"]);
}

/// [B49]
#[test]
fn what_a_new_pattern_excludes_leaves_the_index() {
    let world = garden();
    let _ = built(&world, "garden");
    world.write("garden/.wiki.yaml", "name: garden\nexclude: [herbs]\n");
    let run = world.run(&["build", "garden"]).ok();
    assert!(run.stdout.contains("1 removed") && run.stdout.contains("excluded 1"), "{run}");
    assert!(world.run(&["query", "garden", "basil", "--json"]).ok().hits().is_empty());
    world.write("garden/.wiki.yaml", "name: garden\n");
    assert_eq!(built(&world, "garden")["indexed"], 1);
}

/// Whatever the order of files, threads and earlier edits, the answer is the same.
#[test]
fn history_leaves_no_trace() {
    let world = garden();
    let _ = built(&world, "garden");
    world.write("garden/beans.md", "# Peas\n\nPeas climb nets.\n");
    let _ = built(&world, "garden");
    world.remove("garden/slugs.md");
    let _ = built(&world, "garden");
    world.write("garden/slugs.md", "# Slugs\n\nCoffee grounds do not stop slugs.\n");
    world.write("garden/beans.md", "# Runner beans\n\nRunner beans climb poles two metres high.\n");
    let _ = built(&world, "garden");
    for question in ["basil", "coffee grounds", "climb", "the every month"] {
        let edited = world.run(&["query", "garden", question, "--json"]).ok().results();
        let fresh = world.run(&["--set", "index_dir=fresh", "query", "garden", question, "--json"]).ok().results();
        assert_eq!(edited, fresh, "{question}");
    }
}

/// [B70]
#[test]
fn a_build_that_fails_in_part_says_so() {
    let world = garden();
    world.write("garden/broken.md", b"# Broken\n\n\0\x01\x02\0 is no text.\n");
    let run = world.run(&["build", "garden"]).expect(4);
    assert!(run.stderr.contains("garden/broken.md") && run.stderr.contains("no text"), "{run}");
    assert!(run.stdout.contains("1 failed"), "{run}");
    let status = world.run(&["status", "garden", "--files", "--reason", "failed", "--json"]).expect(4).json();
    assert_eq!(status["wikis"][0]["files"][0]["path"], "broken.md");
    // The others are there.
    assert_eq!(world.run(&["query", "garden", "coffee grounds", "--json"]).ok().hits()[0], "garden/slugs.md");
    world.remove("garden/broken.md");
    let _ = world.run(&["build", "garden"]).ok();
}

#[test]
fn a_composition_builds_each_of_its_wikis() {
    let world = garden();
    world.write("food/pesto.md", "# Pesto\n\nCrush basil with pine nuts.\n");
    world.write("all.rag.yaml", "wikis: [garden, food]\n");
    let run = world.run(&["build", "all.rag.yaml", "--json"]).ok();
    let wikis: Vec<serde_json::Value> = run.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(wikis.iter().map(|report| report["wiki"].as_str().unwrap()).collect::<Vec<_>>(), ["garden", "food"]);
}

#[test]
fn sources_are_not_written_to_where_the_index_lies_elsewhere() {
    let world = garden();
    let before = world.snapshot("garden");
    let _ = world.run(&["--set", "index_dir=indexes", "build", "garden"]).ok();
    let _ = world.run(&["--set", "index_dir=indexes", "query", "garden", "basil"]).ok();
    assert!(world.snapshot("garden") == before);
    assert!(!world.snapshot("indexes").paths().is_empty());
}

#[test]
fn a_wiki_without_documents_is_an_error() {
    let world = world();
    world.write("empty/picture.png", b"\x89PNG");
    let run = world.run(&["build", "empty"]).expect(1);
    assert!(run.stderr.contains("no document was found") && run.stderr.contains("empty"), "{run}");
}
