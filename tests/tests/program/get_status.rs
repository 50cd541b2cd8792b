//! Reading what was cited, and how wikis stand.

use serde_json::{Value, json};

use crate::{garden, world};

#[test]
fn documents_lines_and_passages() {
    let world = garden();
    let _ = world.run(&["build", "garden"]).ok();
    let basil = world.read("garden/herbs/basil.md");
    for what in ["herbs/basil.md", "garden/herbs/basil.md"] {
        assert_eq!(world.run(&["get", "garden", what]).ok().stdout, basil);
    }
    assert_eq!(world.run(&["get", "garden", "herbs/basil.md:5"]).ok().stdout, "## Pinching\n");
    assert_eq!(
        world.run(&["get", "garden", "herbs/basil.md:1-3"]).ok().stdout,
        "# Basil\n\nSow basil in May, when nights stay warm.\n"
    );
    let end = world.run(&["get", "garden", "herbs/basil.md:7-999", "--json"]).ok().json();
    assert_eq!((&end["lines"], &end["freshness"]), (&json!([7, 7]), &json!("fresh")));
    let keys: Vec<&str> = end.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys, ["version", "wiki", "sensitivity", "path", "title", "meta", "lines", "text", "freshness"]);
}

#[test]
fn what_is_not_there_is_told() {
    let world = garden();
    let _ = world.run(&["build", "garden"]).ok();
    for (what, code, said) in [
        ("herbs/mint.md", 1, "herbs/mint.md"),
        ("garden#00000000000000ff", 1, "garden#00000000000000ff"),
        ("attic#00000000000000ff", 1, "attic#00000000000000ff"),
        ("herbs/basil.md:99", 1, "7 lines"),
        ("herbs/basil.md#page=1", 1, "7 lines and no pages"),
        ("herbs/basil.md:9-3", 2, "9-3"),
        ("", 2, "nothing to get"),
    ] {
        let run = world.run(&["get", "garden", what]).expect(code);
        assert!(run.stderr.contains(said) && run.stdout.is_empty(), "{what}\n{run}");
    }
}

#[test]
fn a_path_of_two_wikis_wants_a_name() {
    let world = garden();
    world.write("food/beans.md", "# Beans\n\nSoak them overnight.\n");
    world.write("all.rag.yaml", "wikis: [garden, food]\n");
    let _ = world.run(&["build", "all.rag.yaml"]).ok();
    let run = world.run(&["get", "all.rag.yaml", "beans.md"]).expect(2);
    assert!(run.stderr.contains("garden/beans.md") && run.stderr.contains("food/beans.md"), "{run}");
    assert_eq!(world.run(&["get", "all.rag.yaml", "food/beans.md"]).ok().stdout, world.read("food/beans.md"));
}

/// A citation means what it says, whatever folders are called.
#[test]
fn a_citation_goes_before_a_path_that_looks_like_one() {
    let world = world();
    world.write("one/a.md", "# Cited\n");
    world.write("one/one/a.md", "# Folder\n\nIt has\n\nmore lines.\n");
    world.write("two/one/a.md", "# Other\n");
    world.write("two/one/b.md", "# B\n");
    world.write("all.rag.yaml", "wikis: [two, one]\n");
    let _ = world.run(&["build", "all.rag.yaml"]).ok();
    for (what, file) in [
        ("one/a.md", "one/a.md"),
        ("one/one/a.md", "one/one/a.md"),
        ("two/one/a.md", "two/one/a.md"),
        ("one/b.md", "two/one/b.md"),
    ] {
        assert_eq!(world.run(&["get", "all.rag.yaml", what]).ok().stdout, world.read(file), "{what}");
    }
    assert_eq!(world.run(&["get", "one", "one/a.md"]).ok().stdout, "# Cited\n");
    // What has so many lines is what was meant.
    assert_eq!(world.run(&["get", "all.rag.yaml", "one/a.md:5"]).ok().stdout, "more lines.\n");
    let run = world.run(&["get", "all.rag.yaml", "one/a.md:50"]).expect(1);
    assert!(run.stderr.contains("line 50"), "{run}");
}

#[test]
fn a_wiki_that_cannot_be_read_hides_no_other() {
    let world = garden();
    world.write("aside/a.md", "# A\n");
    world.write("aside/beans.md", "# Beans\n");
    world.write("lost/b.md", "# B\n");
    world.write("all.rag.yaml", "wikis: [lost, aside, garden]\n");
    let _ = world.run(&["build", "garden"]).ok();
    let _ = world.run(&["build", "aside"]).ok();
    for damage in [false, true] {
        if damage {
            world.write("lost/.index/catalog.db", "no database");
        }
        assert_eq!(world.run(&["get", "all.rag.yaml", "slugs.md"]).ok().stdout, world.read("garden/slugs.md"));
        assert_eq!(world.run(&["get", "all.rag.yaml", "garden/slugs.md:1"]).ok().stdout, "# Slugs\n");
        // One of the two has so many lines.
        let run = world.run(&["get", "all.rag.yaml", "beans.md:3"]).ok();
        assert!(run.stdout.contains("climb poles"), "{run}");
        for what in ["nowhere.md", "lost/b.md"] {
            let run = world.run(&["get", "all.rag.yaml", what]).expect(5);
            assert!(run.stderr.contains("lost"), "{run}");
        }
    }
}

#[test]
fn what_was_indexed_is_returned_and_its_age_told() {
    let world = garden();
    let _ = world.run(&["build", "garden"]).ok();
    let old = world.read("garden/beans.md");
    world.append("garden/beans.md", "New.\n");
    let run = world.run(&["get", "garden", "beans.md"]).ok();
    assert_eq!(run.stdout, old);
    assert!(run.stderr.contains("has changed since"), "{run}");
    world.remove("garden/beans.md");
    let run = world.run(&["get", "garden", "beans.md"]).ok();
    assert_eq!(run.stdout, old);
    assert!(run.stderr.contains("is gone"), "{run}");
}

#[test]
fn status_counts_what_is_there() {
    let world = garden();
    let run = world.run(&["status", "garden"]).expect(5);
    assert!(run.stderr.contains("never built"), "{run}");
    let _ = world.run(&["build", "garden"]).ok();
    let status = world.run(&["status", "garden", "--json"]).ok().json();
    assert_eq!(status["version"], 1);
    let wiki = &status["wikis"][0];
    assert_eq!(
        (&wiki["wiki"], &wiki["title"], &wiki["sensitivity"]),
        (&json!("garden"), &json!("The garden"), &json!("public"))
    );
    assert_eq!((&wiki["documents"], &wiki["navigation"], &wiki["failed"]), (&json!(4), &json!(1), &json!(0)));
    assert_eq!(
        wiki["layers"],
        json!([{ "layer": "bm25", "readiness": "ready", "reasons": [], "pending": 0, "chunks": 4, "required": true }])
    );
    let text = world.run(&["status", "garden"]).ok().stdout;
    assert!(text.contains("4 documents") && text.contains("bm25"), "{text}");
    world.append("garden/beans.md", "New.\n");
    world.remove("garden/slugs.md");
    assert_eq!(world.run(&["status", "garden", "--json"]).ok().json()["wikis"][0]["changed"], 2);
}

#[test]
fn doctor_says_what_is_sound() {
    let world = garden();
    let run = world.run(&["doctor"]).ok();
    assert!(run.stdout.lines().all(|line| line.starts_with("ok ")), "{run}");
    let run = world.run(&["doctor", "garden"]).ok();
    assert!(run.stdout.contains("missing garden: index: never built"), "{run}");
    let _ = world.run(&["build", "garden"]).ok();
    let run = world.run(&["doctor", "garden"]).ok();
    assert!(run.stdout.contains("garden: catalog.db") && run.stdout.contains("garden: bm25"), "{run}");
}

#[test]
fn verify_compares_index_and_documents() {
    let world = garden();
    let _ = world.run(&["build", "garden"]).ok();
    for depth in [&[][..], &["--full"]] {
        let verify = |code| world.run(&[&["verify", "garden", "--json"], depth].concat()).expect(code).json();
        let states = |report: &Value| -> Vec<String> {
            let parts = report["parts"].as_array().unwrap();
            parts.iter().map(|part| format!("{} {}", part["part"], part["state"]).replace('"', "")).collect()
        };
        assert_eq!(states(&verify(0)), ["catalog.db ok", "bm25 ok", "documents ok"]);
        let before = world.read("garden/beans.md");
        let after =
            if before.contains("EANS") { before.replace("EANS", "eans") } else { before.replace("eans", "EANS") };
        world.write("garden/beans.md", &after);
        world.write("garden/new.md", "# New\n");
        world.remove("garden/slugs.md");
        let report = verify(4);
        assert_eq!(states(&report), ["catalog.db ok", "bm25 ok", "documents behind"]);
        let said = &report["parts"][2];
        // Of what has the same size only the content tells that it is another.
        let differ = if depth.is_empty() { "2 files" } else { "3 files" };
        assert!(
            said["message"].as_str().unwrap().contains(differ) && said["remedy"] == "run `wikirag build`",
            "{said}"
        );
        let _ = world.run(&["build", "garden"]).ok();
        world.write("garden/slugs.md", "# Slugs\n\nThey are back.\n");
        world.remove("garden/new.md");
        let _ = world.run(&["build", "garden"]).ok();
    }
}

#[test]
fn an_unknown_target_is_told_with_near_names() {
    let world = garden();
    let _ = world.run(&["build", "kitchen", "garden"]).ok();
    let run = world.run(&["status", "kitchn"]).expect(1);
    assert!(run.stderr.contains("did you mean `kitchen`"), "{run}");
    let run = world.run(&["query", "nowhere.rag.yaml", "basil"]).expect(1);
    assert!(run.stderr.contains("nowhere.rag.yaml"), "{run}");
    let run = world.run(&["query", "garden/beans.md", "basil"]).expect(1);
    assert!(run.stderr.contains("neither a wiki nor a composition"), "{run}");
}

#[test]
fn a_layer_that_is_not_linked_is_told() {
    let world = world();
    world.write("wiki/.wiki.yaml", "name: wiki\nlayers: [bm25, telepathy]\n");
    world.write("wiki/a.md", "# A\n\nThe heron waits.\n");
    let run = world.run(&["build", "wiki"]);
    assert_ne!(run.code, 0);
    assert!(run.stderr.contains("telepathy"), "{run}");
}
