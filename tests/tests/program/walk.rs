//! The layer `graph` beside `bm25`: answers that share no word with the question, found by names and links.

use std::fs;

use serde_json::{Value, json};
use wikirag_tests::{Run, World};

use crate::world;

/// A vault about films, in which no page answers a question of two steps by itself.
fn films() -> World {
    let mut world = world();
    world.set_variable("WIKIRAG_LAYERS", "bm25,graph");
    world.write("films/.wiki.yaml", "name: films\nlanguage: en\n");
    for (path, text) in [
        ("The Goose Woman.md", "A silent film of 1925, directed by Clarence Brown."),
        ("people/Clarence Brown.md", "Born in Clinton, the son of a cotton manufacturer."),
        ("places/Clinton.md", "A town in the hills, known for its dam."),
        ("people/Louise Dresser.md", "She played the lead in [[The Goose Woman]]."),
        (
            "Sadie.md",
            "---\nrelated: [\"[[Clinton]]\", \"[[people/Louise Dresser|the lead]]\"]\n---\n\nOf another time.",
        ),
        ("Unrelated.md", "Bread is baked at two hundred degrees."),
    ] {
        world.write(&format!("films/{path}"), text);
    }
    world
}

fn ask(world: &World, question: &str) -> Run {
    world.run(&["query", "films", question, "--json"]).ok()
}

/// The score that each layer gave the result for `path`; none where it is no result.
fn parts(run: &Run, path: &str) -> Option<Vec<String>> {
    let result = run.results().into_iter().find(|result| result["path"] == path)?;
    let layers = result["layers"].as_array().unwrap().iter();
    Some(layers.map(|part| part["layer"].as_str().unwrap().to_owned()).collect())
}

#[test]
fn a_question_of_two_steps_finds_what_shares_no_word_with_it() {
    let world = films();
    let run = ask(&world, "who made Goose Woman");
    assert_eq!(run.json()["served_by"], json!(["bm25", "graph"]), "{run}");
    assert_eq!(run.hits()[0], "films/The Goose Woman.md", "{run}");
    assert_eq!(parts(&run, "people/Clarence Brown.md"), Some(vec!["graph".to_owned()]), "{run}");
    assert_eq!(parts(&run, "people/Louise Dresser.md").map(|layers| layers.contains(&"graph".to_owned())), Some(true));
    assert_eq!(parts(&run, "Unrelated.md"), None, "{run}");
    let alone = world.run(&["query", "films", "who made Goose Woman", "--json", "--layers", "bm25"]).ok();
    assert_eq!(parts(&alone, "people/Clarence Brown.md"), None, "{alone}");
    let graph = world.run(&["query", "films", "The Goose Woman", "--json", "--layers", "graph"]).ok();
    assert_eq!(graph.hits()[0], "films/The Goose Woman.md", "by its name alone: {graph}");
}

/// [B21] Wikilinks in a list of the front matter, one of them with an alias.
#[test]
fn links_in_the_front_matter_are_edges() {
    let run = ask(&films(), "another time sadie");
    for path in ["places/Clinton.md", "people/Louise Dresser.md"] {
        assert!(parts(&run, path).is_some(), "{path}: {run}");
    }
}

#[test]
fn an_edited_page_changes_what_it_leads_to() {
    let world = films();
    // Sadie leads from everywhere to everywhere.
    world.remove("films/Sadie.md");
    let leads_to = |person: &str| parts(&ask(&world, "who made Goose Woman"), &format!("people/{person}.md")).is_some();
    assert!(leads_to("Clarence Brown"));
    world.write("films/The Goose Woman.md", "A silent film of 1925, directed by Tod Browning.");
    assert!(!leads_to("Clarence Brown"));
    // The page of a name that others hold already.
    world.write("films/people/Tod Browning.md", "He ran away to join a circus.");
    assert!(leads_to("Tod Browning"));
    let report = world.run(&["verify", "films", "--full"]).ok();
    assert!(report.stdout.contains("graph"), "{report}");
}

/// Words alone answer where the graph cannot, and say so.
#[test]
fn a_graph_that_is_damaged_or_gone_is_a_degradation() {
    let world = films();
    let _ = world.run(&["build", "films"]).ok();
    let file = world.path("films/.index/graph/graph.db");
    for (damage, code) in [(Some("no database"), "damaged"), (None, "index-missing")] {
        match damage {
            Some(text) => fs::write(&file, text).unwrap(),
            None => fs::remove_dir_all(file.parent().unwrap()).unwrap(),
        }
        let asked = ["query", "films", "who made Goose Woman", "--json", "--no-build", "--no-refresh"];
        let run = world.run(&asked).ok();
        let degraded: Vec<Value> = run.json()["degraded"].as_array().unwrap().clone();
        assert_eq!(
            (degraded.len(), &degraded[0]["layer"], &degraded[0]["code"]),
            (1, &json!("graph"), &json!(code)),
            "{run}"
        );
        assert_eq!(run.hits()[0], "films/The Goose Woman.md", "{run}");
        let _ = world.run(&[&asked[..], &["--strict"]].concat()).expect(5);
        let _ = world.run(&["build", "films", "--full"]).ok();
        assert!(parts(&ask(&world, "who made Goose Woman"), "people/Clarence Brown.md").is_some());
    }
}

/// In notes that hardly name each other the layer changes nothing.
#[test]
fn where_pages_are_not_named_the_answer_is_that_of_words() {
    let mut world = world();
    world.set_variable("WIKIRAG_LAYERS", "bm25,graph");
    for number in 0..30 {
        world.write(
            &format!("notes/{number}.md"),
            format!("# Report number {number}\n\nThe herring swims, as seen {number} times.\n"),
        );
    }
    world.append("notes/0.md", "\nSee [[1]].\n");
    let by = |layers: &str| {
        let run = world.run(&["query", "notes", "herring seen 7", "--json", "--layers", layers]).ok();
        run.hits()
    };
    assert_eq!(by("bm25,graph"), by("bm25"));
}
