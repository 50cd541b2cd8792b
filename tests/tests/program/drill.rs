//! Loading into a budget of tokens.

use serde_json::Value;
use wikirag_tests::World;

use crate::{garden, world};

/// What each level says of itself: name, tokens, why it ended.
fn levels(json: &Value) -> Vec<(String, u64, String)> {
    let text = |level: &Value, key: &str| level[key].as_str().unwrap().to_owned();
    let levels = json["levels"].as_array().unwrap().iter();
    levels.map(|level| (text(level, "level"), level["tokens"].as_u64().unwrap(), text(level, "stopped"))).collect()
}

/// Citation and text of all blocks.
fn blocks(json: &Value) -> Vec<(String, String)> {
    let levels = json["levels"].as_array().unwrap().iter();
    let blocks = levels.flat_map(|level| level["blocks"].as_array().unwrap());
    blocks.map(|block| (block["citation"].as_str().unwrap().into(), block["text"].as_str().unwrap().into())).collect()
}

fn drill(world: &World, question: &str, budget: &str) -> Value {
    world.run(&["drill", "garden", question, "--budget", budget, "--format", "json"]).ok().json()
}

#[test]
fn a_question_loads_what_its_kind_calls_for() {
    let world = garden();
    world.write("garden/hot.md", "# Hot\n\nThe slugs came back last night.\n");
    let json = drill(&world, "what changed lately with the slugs", "500");
    assert_eq!((json["version"].as_u64(), json["kind"].as_str()), (Some(1), Some("recent")));
    let found = levels(&json);
    assert_eq!((found[0].0.as_str(), found[0].1 > 0), ("hot", true));
    let json = drill(&world, "why do slugs eat basil", "500");
    assert_eq!(json["kind"], "reason");
    let citations: Vec<String> = blocks(&json).into_iter().map(|(citation, _)| citation).collect();
    assert!(citations.contains(&"garden/_index.md:1-3".to_owned()), "{citations:?}");
    assert!(citations.contains(&"garden/slugs.md:1-3".to_owned()), "{citations:?}");
    let json = drill(&world, "pinching", "500");
    assert_eq!(json["kind"], "lookup");
    assert_eq!(levels(&json).len(), 1);
}

#[test]
fn text_goes_to_stdout_and_the_costs_to_stderr() {
    let world = garden();
    let _ = world.run(&["build", "garden"]).ok();
    let run = world.run(&["drill", "garden", "when", "to", "sow", "basil", "--budget", "400"]).ok();
    assert!(run.stdout.contains("[garden/herbs/basil.md:1-7] Basil\n# Basil\n\nSow basil in May"), "{run}");
    assert!(!run.stdout.contains("level ") && run.stderr.contains("level 3 page: "), "{run}");
    assert!(run.stderr.contains("kind topic (no mark of another kind): "), "{run}");
    let quiet = world.run(&["--quiet", "drill", "garden", "when to sow basil", "--budget", "400"]).ok();
    assert_eq!((quiet.stdout, quiet.stderr.as_str()), (run.stdout, ""));
    // Each citation leads back to what was loaded.
    for (citation, text) in blocks(&drill(&world, "why sow basil", "2000")) {
        let got = world.run(&["get", "garden", &citation]);
        assert!(!citation.contains(':') || got.ok().stdout.contains(&text), "{citation}");
    }
}

#[test]
fn a_budget_for_nothing_loads_nothing_and_says_so() {
    let world = garden();
    let run = world.run(&["drill", "garden", "when to sow basil", "--budget", "3"]).ok();
    assert!(run.stdout.is_empty() && run.stderr.contains("nothing fits into a budget of 3 tokens"), "{run}");
    let json = drill(&world, "zebra", "500");
    assert_eq!(
        (json["tokens"].as_u64(), json["hints"][0]["code"].as_str()),
        (Some(0), Some("nothing-found")),
        "{json}"
    );
    for budget in ["0", "-1", "x", "1000001"] {
        let _ = world.run(&["drill", "garden", "basil", "--budget", budget]).expect(2);
    }
    let _ = world.run(&["drill", "garden", " "]).expect(2);
}

#[test]
fn another_table_takes_the_place_of_the_own_one() {
    let world = garden();
    world.write("kinds.toml", "[[kind]]\nname = \"mine\"\nsteps = [{ level = \"index\", share = 1.0 }]\n");
    let args = ["drill", "garden", "basil", "--kinds", "kinds.toml", "--format", "json"];
    let json = world.run(&args).ok().json();
    assert_eq!((json["kind"].as_str(), levels(&json).len()), (Some("mine"), 1));
    world.write("kinds.toml", "[[kind]]\nname = \"mine\"\nsteps = [{ levle = \"index\", share = 1.0 }]\n");
    let run = world.run(&args).expect(1);
    assert!(run.stderr.contains("levle") && run.stderr.contains("kinds.toml"), "{run}");
    let _ = world.run(&["drill", "garden", "basil", "--kinds", "none.toml"]).expect(1);
}

/// [B60]
#[test]
fn nothing_above_the_clearance_is_loaded() {
    let world = garden();
    world.write("garden/vault/.wiki.yaml", "name: vault\nsensitivity: confidential\n");
    world.write("garden/vault/plan.md", "# Nightingale\n\nBasil flies at midnight.\n");
    world.write("r.rag.yaml", "wikis: [garden, garden/vault]\n");
    let run = world.run(&["drill", "r.rag.yaml", "basil"]).expect(6);
    assert!(run.stdout.is_empty(), "{run}");
    let _ = world.run(&["drill", "garden/vault", "basil"]).expect(6);
    for question in ["overview of basil", "basil midnight", "why basil"] {
        let run = world.run(&["drill", "garden", question, "--budget", "20000", "--format", "json"]).ok();
        assert!(!run.stdout.contains("ightingale") && !run.stdout.contains("vault"), "{run}");
    }
}

#[test]
fn what_was_taken_out_of_a_wiki_is_not_loaded_from_its_index() {
    let world = garden();
    let _ = world.run(&["build", "garden"]).ok();
    world.write("garden/.wiki.yaml", "name: garden\nlanguage: en\nexclude: [herbs/]\n");
    let run = world.run(&["drill", "garden", "overview of everything", "--budget", "9000", "--no-refresh"]).ok();
    assert!(!run.stdout.contains("herbs") && !run.stdout.contains("Pinch"), "{run}");
}

#[test]
fn odd_files_and_questions_do_no_harm() {
    let world = world();
    world.write(
        "odd/a\u{1f33f} b.md",
        "---\ntitle: \"a [x] | b\\n\\u0007\"\n---\n\u{1b}[31mred\u{1b}[0m basil\u{202e}lisab\n",
    );
    world.write("odd/index.md", "---\na: 1\n---\n");
    world.write("odd/hot.md", "");
    for question in ["basil", "\u{1f33f}", "why \"", "overview of `", "what changed", "-", "basil\u{0301} red: x"] {
        let run = world.run(&["drill", "odd", "--budget", "300", "--", question]).ok();
        assert!(!run.stdout.contains(|c: char| c.is_control() && c != '\n'), "{run}");
    }
}
