//! Passages under a budget of tokens.

use proptest::prelude::*;
use serde_json::Value;
use wikirag_tests::World;

use crate::{garden, world};

fn context(world: &World, target: &str, question: &str, more: &[&str]) -> Value {
    let arguments = [&["context", target, question, "--json"], more].concat();
    world.run(&arguments).ok().json()
}

fn blocks(json: &Value) -> &Vec<Value> {
    json["blocks"].as_array().unwrap()
}

fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value[key].as_str().unwrap()
}

/// Two wikis: curated pages over raw sources.
fn library() -> World {
    let world = world();
    world.write(
        "lib/wiki/.wiki.yaml",
        "name: wiki\nroles:\n  - {paths: \"pages/**\", role: curated}\n  - {paths: \"raw/**\", role: raw}\n",
    );
    world.write("lib/wiki/pages/kiln.md", "# Kiln\n\nThe kiln reaches 1240 degrees for stoneware.\n");
    world.write(
        "lib/wiki/raw/interview.txt",
        "Kiln interview. The kiln, she said, reaches 1240 degrees for stoneware, the kiln.\n",
    );
    world.write("lib/other/log.md", "# Log\n\nThe kiln was repaired in March.\n");
    world.write("lib/all.rag.yaml", "wikis: [wiki, other]\n");
    world
}

#[test]
fn each_block_says_where_it_stands_and_leads_back_to_the_same_bytes() {
    let world = garden();
    let json = context(&world, "garden", "when to sow basil", &["--budget", "300"]);
    assert_eq!((json["version"].as_u64(), text(&json, "counter")), (Some(1), "estimate"));
    let first = &blocks(&json)[0];
    assert_eq!(text(first, "citation"), "garden/herbs/basil.md:1-7");
    assert_eq!((text(first, "cite"), text(first, "title")), ("[[herbs/basil]]", "Basil"));
    for block in blocks(&json) {
        let got = world.run(&["get", "garden", text(block, "id"), "--json"]).ok().json();
        assert_eq!(text(&got, "text"), text(block, "text"));
        assert_eq!(text(block, "hash").len(), 64);
    }
    // The same question gives the same bytes.
    assert_eq!(context(&world, "garden", "when to sow basil", &["--budget", "300"])["blocks"], json["blocks"]);
}

#[test]
fn text_goes_to_stdout_and_what_it_cost_to_stderr() {
    let world = garden();
    let _ = world.run(&["build", "garden"]).ok();
    let run = world.run(&["context", "garden", "when", "to", "sow", "basil", "--budget", "300"]).ok();
    assert!(
        run.stdout.starts_with("[garden/herbs/basil.md:1-7 ") && run.stdout.contains("] Basil\n# Basil\n"),
        "{run}"
    );
    assert!(run.stderr.contains(" of 300 tokens (estimate) in "), "{run}");
    let prompt = world.run(&["context", "garden", "when to sow basil", "--format", "prompt"]).ok();
    assert!(prompt.stdout.contains("[[herbs/basil]] Basil\n# Basil\n"), "{prompt}");
    assert!(prompt.stdout.ends_with("Question: when to sow basil\n"), "{prompt}");
}

#[test]
fn curated_pages_come_first_and_copies_once() {
    let world = library();
    let json = context(&world, "lib/all.rag.yaml", "how hot does the kiln get for stoneware", &[]);
    let cites: Vec<&str> = blocks(&json).iter().map(|block| text(block, "cite")).collect();
    assert_eq!(cites[0], "[[wiki/pages/kiln]]", "{cites:?}");
    assert!(cites.contains(&"[[other/log]]"), "{cites:?}");
    world.write("lib/wiki/raw/copy.txt", world.read("lib/wiki/raw/interview.txt"));
    let json = context(&world, "lib/all.rag.yaml", "how hot does the kiln get for stoneware", &[]);
    let texts: Vec<&str> = blocks(&json).iter().map(|block| text(block, "text")).collect();
    assert_eq!(texts.iter().filter(|text| text.contains("interview")).count(), 1, "{texts:?}");
}

#[test]
fn neighbours_become_one_block() {
    let world = world();
    let sections: String = (0..6)
        .map(|at| format!("## Part {at}\n\n{}\n\n", format!("The kiln of part {at} is hot. ").repeat(12)))
        .collect();
    world.write("w/long.md", format!("# Long\n\n{sections}"));
    let json = context(&world, "w", "kiln part", &["--budget", "2000"]);
    assert_eq!(blocks(&json).len(), 1, "{json:#}");
    assert_eq!(text(&blocks(&json)[0], "text"), world.read("w/long.md").trim_end());
}

#[test]
fn a_tokenizer_counts_where_one_is_named() {
    let world = garden();
    // Each letter is a token.
    let letters: serde_json::Map<String, Value> =
        (0..128_u8).map(|byte| (char::from(byte).to_string(), Value::from(byte))).collect();
    let tokenizer = serde_json::json!({
        "version": "1.0", "truncation": null, "padding": null, "added_tokens": [], "normalizer": null,
        "pre_tokenizer": null, "post_processor": null, "decoder": null,
        "model": {"type": "BPE", "vocab": letters, "merges": [], "unk_token": null}
    });
    world.write("tokenizer.json", tokenizer.to_string());
    let json =
        context(&world, "garden", "when to sow basil", &["--budget", "120", "--model-tokenizer", "tokenizer.json"]);
    assert!(text(&json, "counter").contains("tokenizer.json"), "{json:#}");
    assert!((60..=120).contains(&json["tokens"].as_u64().unwrap()), "{json:#}");
    let printed = world
        .run(&["context", "garden", "when to sow basil", "--budget", "120", "--model-tokenizer", "tokenizer.json"])
        .ok();
    assert_eq!(printed.stdout.chars().count() as u64, json["tokens"].as_u64().unwrap(), "{printed}");
    let absent = world.run(&["context", "garden", "basil", "--model-tokenizer", "none.json"]);
    assert!(absent.code != 0 && absent.stderr.contains("none.json"), "{absent}");
}

#[test]
fn a_budget_for_nothing_says_what_it_takes() {
    let world = garden();
    let run = world.run(&["context", "garden", "when to sow basil", "--budget", "3"]).ok();
    assert!(run.stdout.is_empty() && run.stderr.contains("nothing fits into a budget of 3 tokens"), "{run}");
    let prompt = world.run(&["context", "garden", "basil", "--budget", "20", "--format", "prompt"]).ok();
    assert!(prompt.stderr.contains("nothing fits"), "{prompt}");
}

#[test]
fn disagreement_is_told_in_the_prompt() {
    let world = world();
    world.write("w/a.md", "# Kiln\n\nThe kiln reaches 1240 degrees for stoneware.\n");
    world.write("w/b.md", "# Kiln\n\nThe kiln reaches 1300 degrees for stoneware.\n");
    let run = world.run(&["context", "w", "how hot is the kiln for stoneware", "--format", "prompt"]).ok();
    assert!(run.stdout.contains("These passages disagree:\n- [["), "{run}");
    assert!(run.stdout.contains("1240") && run.stdout.contains("1300"), "{run}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn no_budget_is_overrun(
        words in prop::collection::vec(prop::sample::select(vec!["kiln", "glaze", "basil", "sow", "clay", "the"]), 1..5),
        budget in 1..900_u32,
        prompt in any::<bool>(),
    ) {
        let world = garden();
        let paragraph = "The kiln fires clay. A glaze of ash runs. Sow basil in May; clay dries slowly. ";
        world.write("garden/long.md", format!("# Clay\n\n{}\n\n## Glaze\n\n{}", paragraph.repeat(40), paragraph.repeat(9)));
        let budget = budget.to_string();
        let form = if prompt { "prompt" } else { "text" };
        let run = world.run(&["context", "garden", &words.join(" "), "--budget", &budget, "--format", form]).ok();
        let tokens = wikirag_text::estimate_tokens(&run.stdout);
        let budget = budget.parse::<usize>().unwrap();
        // Of a prompt there is what stands around passages.
        prop_assert!(tokens <= budget || prompt && run.stderr.contains("nothing fits"), "{tokens} {budget} {run}");
        prop_assert!(prompt || budget < 100 || tokens * 10 >= budget * 9, "{tokens} {budget} {run}");
    }
}
