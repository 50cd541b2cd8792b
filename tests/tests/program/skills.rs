//! Wikis of skills: which files are entries, and what is found for a task.

use serde_json::Value;
use wikirag_tests::World;

use crate::world;

/// A registry as they are found: skills with resources, rules, commands and agents, and files that are none of these.
fn registry() -> World {
    let world = world();
    world.write("reg/.wiki.yaml", "name: reg\nkind: skills\nlayers: [bm25]\n");
    world.write(
        "reg/skills/webapp/SKILL.md",
        "---\nname: webapp-testing\ndescription: Tests web applications in a browser\n---\n# Web apps\n\nRun `scripts/run.py` and read \
         [the guide](references/guide.md).\n\n```python\nclick_on_everything()\n```\n",
    );
    world.write("reg/skills/webapp/references/guide.md", "# Guide\n\nAbout testing a React application.\n");
    world.write("reg/skills/webapp/scripts/run.py", "print()\n");
    world.write("reg/skills/webapp/agents/grader.md", "# Grader\n");
    world.write(
        "reg/skills/.curated/pdf/SKILL.md",
        "---\nname: pdf\ndescription: Merges and splits PDF files\n---\nMerge them.\n",
    );
    world.write(
        "reg/.cursor/rules/react.mdc",
        "---\ndescription: Style: how React code is written\nglobs: *.tsx\n---\nWrite small components.\n",
    );
    world.write("reg/plugins/git/commands/commit.md", "# Commit\n\nWrite a message for what is staged.\n");
    world.write("reg/plugins/git/commands/README.md", "# Commands\n\nCommit, and more.\n");
    world.write(
        "reg/plugins/git/agents/reviewer.md",
        "---\nname: reviewer\nkind: workflow\ndescription: Reviews changes\n---\nRead.\n",
    );
    world.write("reg/README.md", "# Registry\n\nSkills for PDF files, React and browsers.\n");
    world
}

fn found(world: &World, args: &[&str]) -> Value {
    world.run(&[&["skills", "--json", "-q"], args].concat()).ok().json()
}

fn ids(found: &Value) -> Vec<&str> {
    found["entries"].as_array().unwrap().iter().map(|entry| entry["id"].as_str().unwrap()).collect()
}

#[test]
fn every_file_is_an_entry_or_has_a_reason() {
    let world = registry();
    let report = world.run(&["build", "reg", "--json"]).ok().json();
    assert_eq!((&report["documents"], &report["indexed"]), (&5.into(), &5.into()), "{report}");
    // The rule with a colon in its description and a pattern is no YAML, and an entry all the same.
    assert_eq!(report["warnings"][0]["path"], ".cursor/rules/react.mdc", "{report}");
    let files = world.run(&["status", "reg", "--files", "--json"]).ok().json().to_string();
    for (path, reason) in [
        ("skills/webapp/references/guide.md", "resource"),
        ("skills/webapp/agents/grader.md", "resource"),
        ("skills/webapp/scripts/run.py", "no-reader"),
        ("plugins/git/commands/README.md", "no-entry"),
        ("README.md", "no-entry"),
    ] {
        let at = files.find(&format!("\"{path}\"")).unwrap_or_else(|| panic!("{path} is not told: {files}"));
        let rest: String = files[at..].chars().take(160).collect();
        assert!(rest.contains(&format!("\"{reason}\"")), "{path}: {rest}");
    }
}

#[test]
fn a_task_finds_entries_by_name_description_and_text() {
    let world = registry();
    let all = found(&world, &["best skill for testing a web application", "reg", "--why"]);
    let best = &all["entries"][0];
    assert_eq!(best["id"], "reg/skills/webapp/SKILL.md", "{all}");
    assert_eq!((&best["name"], &best["kind"]), (&"webapp-testing".into(), &"skill".into()));
    assert_eq!(best["description"]["text"], "Tests web applications in a browser");
    assert!(best["why"]["name"].as_array().unwrap().contains(&"testing".into()), "{best}");
    assert!(best["why"]["description"].as_array().unwrap().contains(&"application".into()), "{best}");
    assert!(all["tokens"]["answer"].as_u64().unwrap() > 0);
    assert_eq!(ids(&found(&world, &["merge two PDFs", "reg", "-k", "1"])), ["reg/skills/.curated/pdf/SKILL.md"]);
    // Resources and files about folders are not found.
    let told = found(&world, &["guide grader registry", "reg"]).to_string();
    assert!(!told.contains("guide.md\"") && !told.contains("README"), "{told}");
    let text = world.run(&["skills", "merge two pdf files", "reg", "-k", "1", "--why"]).ok();
    assert!(text.stdout.starts_with("1. pdf (skill, reg): Merges and splits PDF files\n   why: name: pdf; description: merge, pdf, files; text: merge\n"), "{text}");
    assert!(text.stdout.contains("text: *Merge* them.") && text.stderr.contains("tokens (estimate)"), "{text}");
}

#[test]
fn kinds_are_those_of_the_file_else_of_its_place() {
    let world = registry();
    for (kind, task, id) in [
        ("rule", "how React code is written", "reg/.cursor/rules/react.mdc"),
        ("command", "message for the staged commit", "reg/plugins/git/commands/commit.md"),
        ("workflow", "reviews changes", "reg/plugins/git/agents/reviewer.md"),
    ] {
        let found = found(&world, &[task, "reg", "--kind", kind]);
        assert_eq!(ids(&found), [id], "{found}");
    }
    assert_eq!(found(&world, &["reviews changes", "reg", "--kind", "agent"])["entries"], Value::Array(Vec::new()));
    let _ = world.run(&["skills", "x", "reg", "--kind", "recipe"]).expect(2);
    let _ = world.run(&["skills", " ", "reg"]).expect(2);
}

/// More entries of other kinds than are asked for at first stand before the one of the kind.
#[test]
fn an_entry_of_a_kind_is_found_behind_many_others() {
    let world = registry();
    for number in 0..120 {
        let text = format!("---\nname: lint {number}\ndescription: lint lint\n---\nlint lint lint {number}\n");
        world.write(&format!("reg/commands/c{number}.md"), text);
    }
    world.write(
        "reg/rules/late.md",
        "# Late\n\nOnce upon a time, behind a lot of words that say nothing at all of it, there is one lint.\n",
    );
    assert_eq!(ids(&found(&world, &["lint", "reg", "--kind", "rule"])), ["reg/rules/late.md"]);
}

#[test]
fn near_identical_entries_are_one() {
    let world = registry();
    let steps = "Search for the schemas first. Check the connection before a call is made. Never guess the name of a field. \
                 Report each failure with what was sent. Page through results until there are no more of them. ";
    for product in ["alpha", "beta", "gamma", "delta", "epsilon", "zeta"] {
        let text = format!(
            "---\nname: {product}-automation\ndescription: Automate {product}\n---\n{}{product} is done.\n",
            steps.repeat(2)
        );
        world.write(&format!("reg/{product}/SKILL.md"), text);
    }
    let found = found(&world, &["automate gamma", "reg", "-k", "3"]);
    let best = &found["entries"][0];
    assert_eq!(best["name"], "gamma-automation", "{found}");
    assert_eq!((best["alike"].as_array().unwrap().len(), &best["more_alike"]), (3, &2.into()), "{found}");
    assert_eq!(
        found["entries"].as_array().unwrap().iter().filter(|e| e["name"].to_string().contains("automation")).count(),
        1
    );
}

#[test]
fn without_a_wiki_named_all_of_the_kind_are_searched() {
    let world = registry();
    let none = world.run(&["skills", "merge"]).expect(1);
    assert!(none.stderr.contains("wikirag tap add"), "{none}");
    let source = world.path("reg");
    // A name in the data folder, as `wikirag tap add` makes it: the manifest beside the documents says the kind.
    let _ = world.run(&["build", "tools", source.to_str().unwrap()]).ok();
    world.write("notes/pdf.md", "# PDF\n\nMerge them.\n");
    let _ = world.run(&["build", "notes", world.path("notes").to_str().unwrap()]).ok();
    let found = found(&world, &["merge two PDFs"]);
    assert_eq!(ids(&found), ["tools/skills/.curated/pdf/SKILL.md"], "{found}");
    let run = world.run(&["skills", "merge", "tools", "notes", "--json"]).ok();
    assert_eq!(run.json()["hints"][0]["code"], "not-skills");
    let _ = world.run(&["skills", "merge", "notes"]).expect(1);
}

#[test]
fn a_new_skill_takes_what_lies_beside_it() {
    let world = registry();
    world.write("reg/kit/rules/style.md", "# Style\n\nTabs.\n");
    assert_eq!(ids(&found(&world, &["tabs", "reg"])), ["reg/kit/rules/style.md"]);
    world.write("reg/kit/SKILL.md", "# Kit\n\nSee the rules.\n");
    assert_eq!(found(&world, &["tabs", "reg"])["entries"], Value::Array(Vec::new()));
    world.remove("reg/kit/SKILL.md");
    assert_eq!(ids(&found(&world, &["tabs", "reg"])), ["reg/kit/rules/style.md"]);
}

#[test]
fn a_wiki_that_becomes_one_of_skills_is_read_anew() {
    let world = registry();
    world.write("reg/.wiki.yaml", "name: reg\nlayers: [bm25]\n");
    assert!(world.run(&["query", "reg", "guide", "--json"]).ok().json().to_string().contains("references/guide.md"));
    world.write("reg/.wiki.yaml", "name: reg\nkind: skills\nlayers: [bm25]\n");
    assert!(!world.run(&["query", "reg", "guide", "--json"]).ok().json().to_string().contains("references/guide.md\""));
    let _ = world.run(&["verify", "reg"]).ok();
}

#[test]
fn tasks_that_somebody_wrote_down_are_counted() {
    let world = registry();
    world.write(
        "tasks.jsonl",
        "{\"task\": \"merge two PDFs\", \"skills\": [\"pdf\"]}\n\
         {\"task\": \"reviews changes\", \"skills\": [\"reg/plugins/git/agents/reviewer.md\"]}\n\
         {\"task\": \"bake bread\", \"skills\": [\"baker\"]}\n",
    );
    let judged = world.run(&["eval", "--tasks", "tasks.jsonl", "reg", "--json"]).ok().json();
    let hit = judged["hit_at"][1]["entries"].as_f64().unwrap();
    assert!((hit - 2.0 / 3.0).abs() < 1e-9, "{judged}");
    assert_eq!(judged["asked"][2]["rank"], Value::Null);
    let text = world.run(&["eval", "--tasks", "tasks.jsonl", "reg"]).ok();
    assert!(text.stdout.contains("hit@3") && text.stdout.contains("bake bread (rank -)"), "{text}");
    world.write("tasks.jsonl", "{\"task\": 1}\n");
    assert!(world.run(&["eval", "--tasks", "tasks.jsonl", "reg"]).expect(1).stderr.contains("line: 1"));
}

#[test]
fn a_judged_set_is_measured_as_skills() {
    let world = world();
    let corpus = [
        ("a", "pdf-tool", "Merges files."),
        ("b", "weather", "Tells whether it rains."),
        ("c", "music", "Plays songs."),
    ];
    let queries = [("q1", "Can you merge my files for me?"), ("q2", "weather")];
    super::eval::write_set(&world, "set", &corpus, &queries, &[("q1", "a", 1), ("q2", "b", 1)]);
    let measured = world.run(&["eval", "--beir", "set", "--kind", "skills", "--layers", "bm25", "--json"]).ok().json();
    assert_eq!(measured["sets"][0]["ndcg@10"].as_f64(), Some(1.0), "{measured}");
}

#[test]
fn hostile_entries_are_only_text() {
    let world = registry();
    world.write(
        "reg/skills/odd/SKILL.md",
        "---\nname: \"\\e[31mred\\u202e\"\ndescription: [1, 2]\n---\nodd words \u{1b}[2J here\n",
    );
    world.write("reg/skills/empty/SKILL.md", "");
    world.write(
        "reg/skills/deep/SKILL.md",
        format!("---\nname: deep\ndescription: {}\n---\n{}", "x ".repeat(20_000), "[".repeat(20_000)),
    );
    let text = world.run(&["skills", "odd words here", "reg", "--why"]).ok();
    assert!(text.stdout.contains("red") && !text.stdout.contains(['\u{1b}', '\u{202e}']), "{text}");
    let found = found(&world, &["x deep", "reg", "-k", "1"]);
    assert!(found["entries"][0]["description"]["text"].as_str().unwrap().chars().count() <= 201, "{found}");
}
