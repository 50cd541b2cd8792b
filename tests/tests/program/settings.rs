//! Where settings come from, and who wins.

use serde_json::{Value, json};
use wikirag_tests::World;

use crate::{garden, world};

fn shown(world: &World, flags: &[&str], key: &str) -> (Value, String) {
    let args: Vec<&str> = flags.iter().chain(&["config", "show", "--json", "--origin"]).copied().collect();
    let setting = world.run(&args).ok().json()[key].clone();
    (setting["value"].clone(), setting["origin"].as_str().unwrap().to_owned())
}

#[test]
fn defaults_user_project_environment_flag() {
    let mut world = world();
    assert_eq!(shown(&world, &[], "limit"), (json!(10), "default".to_owned()));
    world.write_user_settings("limit = 3\n[build]\nthreads = 1\n");
    let (value, origin) = shown(&world, &[], "limit");
    assert!(value == 3 && origin.starts_with("user file"), "{origin}");
    world.write("wikirag.toml", "limit = 4\n");
    let (value, origin) = shown(&world, &[], "limit");
    assert!(value == 4 && origin.starts_with("project file"), "{origin}");
    world.set_variable("WIKIRAG_LIMIT", "5");
    assert_eq!(shown(&world, &[], "limit"), (json!(5), "environment WIKIRAG_LIMIT".to_owned()));
    assert_eq!(shown(&world, &["--set", "limit=6"], "limit"), (json!(6), "flag".to_owned()));
    // Each key goes its own way.
    let (value, origin) = shown(&world, &["--set", "limit=6"], "build.threads");
    assert!(value == 1 && origin.starts_with("user file"), "{origin}");
}

#[test]
fn a_setting_takes_effect() {
    let mut world = garden();
    let ask = |world: &World, more: &[&str]| {
        let args: Vec<&str> =
            ["query", "garden", "basil beans compost slugs", "--json"].iter().chain(more).copied().collect();
        world.run(&args).ok().results().len()
    };
    assert_eq!(ask(&world, &[]), 4);
    world.write("wikirag.toml", "limit = 3\n");
    assert_eq!(ask(&world, &[]), 3);
    world.set_variable("WIKIRAG_LIMIT", "2");
    assert_eq!(ask(&world, &[]), 2);
    assert_eq!(ask(&world, &["--set", "limit=1"]), 1);
    // A composition knows better than settings, and the asker better than both.
    world.write("r.rag.yaml", "wikis: [garden]\nlimit: 3\n");
    assert_eq!(world.run(&["query", "r.rag.yaml", "basil beans compost slugs", "--json"]).ok().results().len(), 3);
    assert_eq!(ask(&world, &["-k", "4"]), 4);
}

#[test]
fn settings_of_plugins_reach_them() {
    let world = garden();
    let score = |set: &[&str]| {
        let args: Vec<&str> = set.iter().chain(&["query", "garden", "basil", "--json"]).copied().collect();
        world.run(&args).ok().results()[0]["layers"][0]["score"].as_f64().unwrap()
    };
    assert!((score(&[]) - score(&["--set", "plugins.bm25.k1=5"])).abs() > 1e-6);
    let run = world.run(&["--set", "plugins.bm25.kl=5", "query", "garden", "basil"]);
    assert_ne!(run.code, 0);
    assert!(run.stderr.contains("kl") && run.stderr.contains("k1"), "{run}");
}

#[test]
fn a_mistake_is_named_with_its_place_and_the_right_word() {
    let mut world = world();
    world.write("wikirag.toml", "limit = 4\n\n[biuld]\nthreads = 1\n");
    let run = world.run(&["config", "show"]).expect(1);
    assert!(run.stderr.contains("wikirag.toml") && run.stderr.contains("`build`"), "{run}");
    world.write("wikirag.toml", "limit = \"many\"\n");
    let run = world.run(&["config", "show"]).expect(1);
    assert!(run.stderr.contains("wikirag.toml") && run.stderr.contains("limit"), "{run}");
    world.write("wikirag.toml", "limit = [\n");
    let run = world.run(&["config", "show"]).expect(1);
    assert!(run.stderr.contains("wikirag.toml") && run.stderr.contains("line"), "{run}");
    world.remove("wikirag.toml");
    let run = world.run(&["--set", "limt=4", "config", "show"]).expect(2);
    assert!(run.stderr.contains("`limit`"), "{run}");
    let run = world.run(&["--set", "limit", "config", "show"]).expect(2);
    assert!(run.stderr.contains("KEY=VALUE"), "{run}");
    world.set_variable("WIKIRAG_LIMT", "4");
    let run = world.run(&["config", "show"]).expect(1);
    assert!(run.stderr.contains("WIKIRAG_LIMT"), "{run}");
}

#[test]
fn the_project_file_is_found_from_below_and_its_paths_are_its_own() {
    let world = garden();
    world.write("wikirag.toml", "index_dir = \"indexes\"\nwiki_path = [\".\"]\n");
    let mut command = world.command(&["query", "garden", "basil", "--json"]);
    world.write("elsewhere/deep/x", "");
    command.current_dir(world.path("elsewhere/deep"));
    let run = wikirag_tests::Run::of(&mut command).ok();
    assert_eq!(run.hits()[0], "garden/herbs/basil.md");
    assert!(!world.snapshot("indexes").paths().is_empty());
    assert!(!world.holds(".index"));
}

/// A project may come from a stranger: where texts and keys are sent and what code is loaded is for the user alone to say.
#[test]
fn a_project_cannot_send_texts_away_or_have_code_loaded() {
    let world = garden();
    for (key, line) in [
        ("plugins.embed-api.url", "[plugins.embed-api]\nurl = \"https://example.org/v1\"\n"),
        ("plugins.embed-api.key_env", "[plugins.embed-api]\nkey_env = \"SOME_KEY\"\n"),
        ("plugins.embed-api.key_file", "[plugins.embed-api]\nkey_file = \"/etc/hostname\"\n"),
        ("plugins.llm-api.url", "[plugins.llm-api]\nurl = \"https://example.org/v1\"\n"),
        ("plugins.llm-api.key_file", "[plugins.llm-api]\nkey_file = \"/etc/hostname\"\n"),
        ("plugins.llm-api.headers", "[plugins.llm-api]\nheaders = {\"x-a\" = \"b\"}\n"),
        ("plugins.onnx.runtime", "[plugins.onnx]\nruntime = \"evil.so\"\n"),
    ] {
        world.write("wikirag.toml", line);
        let run = world.run(&["query", "garden", "basil"]).expect(1);
        assert!(run.stderr.contains(key) && run.stderr.contains("wikirag.toml"), "{run}");
        world.remove("wikirag.toml");
        world.write_user_settings(line);
        let _ = world.run(&["query", "garden", "basil"]).ok();
    }
    world.write_user_settings("");
    // Nor does it move the folder that code is loaded from.
    world.write("wikirag.toml", "data_dir = \"here\"\n");
    let listed = world.run(&["model", "path", "all-minilm-l6-v2"]);
    assert!(!listed.stdout.contains("/here/") && !listed.stderr.contains("/here/"), "{listed}");
}
