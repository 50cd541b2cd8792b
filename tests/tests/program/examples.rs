//! The example wikis, as the README shows them.

use std::path::{Path, PathBuf};

use wikirag_tests::World;

use crate::world;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples")
}

/// A world with a copy of the examples, built.
fn kitchen() -> World {
    let world = world();
    for wiki in ["food", "garden", "house-rules"] {
        world.copy_in(&folder().join(wiki), wiki);
        if world.path(&format!("{wiki}/.index")).exists() {
            world.remove(&format!("{wiki}/.index"));
        }
    }
    for rag in ["kitchen.rag.yaml", "public.rag.yaml"] {
        world.write(rag, std::fs::read(folder().join(rag)).unwrap());
    }
    let _ = world.run(&["build", "kitchen.rag.yaml"]).ok();
    world
}

/// Questions of the README with the notes that answer them.
fn questions() -> Vec<(String, Vec<String>)> {
    let readme = std::fs::read_to_string(folder().join("README.md")).unwrap();
    let rows = readme.lines().filter_map(|line| {
        let (question, notes) = line.strip_prefix("| ")?.split_once(" | ")?;
        let notes: Vec<String> = notes.split('`').filter(|part| part.ends_with(".md")).map(str::to_owned).collect();
        (!notes.is_empty()).then(|| (question.to_owned(), notes))
    });
    rows.collect()
}

#[test]
fn the_questions_of_the_readme_are_answered() {
    let world = kitchen();
    let questions = questions();
    assert!(questions.len() >= 12);
    let mut missed = Vec::new();
    for (question, notes) in &questions {
        let hits = world.run(&["query", "kitchen.rag.yaml", question, "--json", "-k", "3"]).ok().hits();
        if !notes.iter().any(|note| hits.contains(note)) {
            missed.push(format!("{question}: {hits:?}"));
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

/// No two of its pages disagree, so whatever is asked, none may be said to.
#[test]
fn pages_that_agree_are_left_in_peace() {
    let world = kitchen();
    for (question, _) in questions() {
        for limit in ["10", "100"] {
            let run = world.run(&["query", "kitchen.rag.yaml", &question, "--json", "-k", limit]).ok();
            let results = run.results();
            assert!(results.iter().all(|result| result.get("conflicts").is_none()), "{question}\n{run}");
        }
    }
}

/// Fifty questions: those of the README whole and in parts.
#[test]
fn every_score_is_the_sum_of_its_parts() {
    let world = kitchen();
    let whole: Vec<String> = questions().into_iter().map(|(question, _)| question).collect();
    let parts = whole.iter().flat_map(|question| {
        let words: Vec<&str> = question.split(' ').collect();
        [words[..words.len() / 2].join(" "), words[words.len() / 2..].join(" "), format!("{question} {question}")]
    });
    let asked: Vec<String> =
        whole.iter().cloned().chain(parts).filter(|question| !question.is_empty()).take(50).collect();
    assert_eq!(asked.len(), 50);
    let mut seen = 0;
    for question in &asked {
        let run = world.run(&["query", "kitchen.rag.yaml", question, "--json", "--explain", "-k", "100"]).ok();
        for hit in run.results() {
            let number = |value: &serde_json::Value| value.as_f64().unwrap();
            let sum = |list: &serde_json::Value| {
                list.as_array().unwrap().iter().map(|part| number(&part["value"])).sum::<f64>()
            };
            let explanation = &hit["explanation"];
            let factors = explanation["factors"].as_array().into_iter().flatten();
            let product = factors.map(|factor| number(&factor["value"])).product::<f64>();
            assert!((number(&hit["score"]) - sum(&explanation["wikis"]) * product).abs() < 1e-12, "{hit}");
            assert!((number(&explanation["inside"]) - sum(&hit["layers"])).abs() < 1e-12, "{hit}");
            assert!(number(&explanation["wikis"][0]["weight"]) > 0.0, "{hit}");
            seen += 1;
        }
    }
    assert!(seen > 200, "{seen} results are too few to tell");
    let text = world.run(&["query", "kitchen.rag.yaml", "pesto without nuts", "--explain"]).ok().stdout;
    assert!(text.contains("weight") && text.contains("inside food"), "{text}");
}

/// One edited line changes what is asked, and no index.
#[test]
fn a_line_taken_out_takes_a_wiki_out() {
    let world = kitchen();
    let ask = || {
        world.run(&["query", "kitchen.rag.yaml", "who must not eat pesto", "--json", "-k", "100", "--no-build"]).ok()
    };
    let wikis = |run: &wikirag_tests::Run| -> std::collections::BTreeSet<String> {
        run.results().iter().map(|hit| hit["wiki"].as_str().unwrap().to_owned()).collect()
    };
    let with = ask();
    assert_eq!(with.hits()[0], "house-rules/allergies.md");
    let indexes = ["food", "garden", "house-rules"].map(|wiki| format!("{wiki}/.index"));
    // What SQLite shares between its readers is no part of an index.
    let of_indexes = || indexes.clone().map(|index| world.snapshot(&index).without("-shm"));
    let before = of_indexes();
    let text = world.read("kitchen.rag.yaml").replace("  - house-rules\n", "");
    world.write("kitchen.rag.yaml", &text);
    let without = ask();
    assert!(!without.results().is_empty() && !wikis(&without).contains("house-rules"), "{without}");
    world.write("kitchen.rag.yaml", text + "  - house-rules\n");
    assert_eq!(ask().results(), with.results());
    assert!(of_indexes() == before, "an index was written to");
}

#[test]
fn the_public_composition_is_blind_to_the_house() {
    let world = kitchen();
    let run = world.run(&["query", "public.rag.yaml", "who cooks on Wednesday", "--json", "-k", "1000"]).ok();
    assert!(run.hits().iter().all(|hit| !hit.starts_with("house-rules")), "{run}");
    world.append("public.rag.yaml", "  - house-rules\n");
    let run = world.run(&["query", "public.rag.yaml", "who cooks on Wednesday"]).expect(6);
    assert!(run.stderr.contains("`house-rules` may not be read here") && run.stdout.is_empty(), "{run}");
}
