//! Judged questions, measured as by hand.

use serde_json::{Value, json};
use wikirag_tests::World;

use crate::world;

/// Writes a set in the layout of BEIR.
fn write_set(
    world: &World,
    name: &str,
    corpus: &[(&str, &str, &str)],
    queries: &[(&str, &str)],
    grades: &[(&str, &str, i64)],
) {
    let lines = |values: Vec<Value>| values.iter().map(|value| format!("{value}\n")).collect::<String>();
    let corpus = corpus.iter().map(|(id, title, text)| json!({ "_id": id, "title": title, "text": text }));
    let queries = queries.iter().map(|(id, text)| json!({ "_id": id, "text": text }));
    world.write(&format!("{name}/corpus.jsonl"), lines(corpus.collect()));
    world.write(&format!("{name}/queries.jsonl"), lines(queries.collect()));
    let rows: String =
        grades.iter().map(|(query, document, grade)| format!("{query}\t{document}\t{grade}\n")).collect();
    world.write(&format!("{name}/qrels.tsv"), format!("query-id\tcorpus-id\tscore\n{rows}"));
}

/// A set whose rankings are certain: which documents hold which words leaves no choice.
fn write_animals(world: &World) {
    let corpus = [
        ("d1", "", "The zebra grazes."),
        ("d2", "", "Stripes are a riddle."),
        ("d3", "", "An okapi hides among leaves."),
        ("d4", "", "Tapirs swim."),
        ("d5", "Capybara", "A capybara bathes."),
        ("d/6", "", "Both gnus and impalas migrate."),
        ("d7", "", "Only gnus stay."),
    ];
    let queries = [
        ("found", "zebra"),
        ("half", "okapi"),
        ("wrong", "capybara"),
        ("second", "gnus impalas"),
        ("unjudged", "tapirs"),
        ("hopeless", "tapirs swim"),
    ];
    let grades = [
        ("found", "d1", 1),
        ("half", "d2", 2),
        ("half", "d3", 1),
        ("wrong", "d4", 1),
        ("second", "d7", 1),
        ("second", "d/6", 0),
        // No relevant document: not asked.
        ("hopeless", "d4", 0),
    ];
    write_set(world, "animals", &corpus, &queries, &grades);
}

/// Means over the four questions of `animals`:
///
/// * found: d1 at rank 1, the only relevant one: all measures 1;
/// * half: d3 (grade 1) at rank 1, d2 (grade 2) nowhere: DCG 1, ideal 2 + 1 / log2(3);
/// * wrong: nothing relevant found: 0;
/// * second: d7 at rank 2: nDCG 1 / log2(3), reciprocal rank 1/2.
fn animals() -> Value {
    let log3 = 3_f64.log2();
    let mean = |values: [f64; 4]| values.iter().sum::<f64>() / 4.0;
    let recall = mean([1.0, 0.5, 0.0, 1.0]);
    json!({
        "ndcg@10": mean([1.0, 1.0 / (2.0 + 1.0 / log3), 0.0, 1.0 / log3]),
        "recall@2": recall, "recall@5": recall, "recall@10": recall, "recall@100": recall,
        "mrr@10": mean([1.0, 1.0, 0.0, 0.5]),
    })
}

/// A set of other words, with one question answered in full.
fn write_minerals(world: &World) {
    let corpus = [("m1", "", "Feldspar weathers to clay."), ("m2", "", "Obsidian is glass.")];
    write_set(world, "minerals", &corpus, &[("q", "feldspar")], &[("q", "m1", 3)]);
}

#[track_caller]
fn assert_close(measured: &Value, expected: &Value) {
    for (name, value) in expected.as_object().unwrap() {
        let (got, wanted) = (measured[name].as_f64().unwrap(), value.as_f64().unwrap());
        assert!((got - wanted).abs() < 1e-12, "{name} is {got}, not {wanted}\n{measured}");
    }
}

const MEASURES: [&str; 6] = ["ndcg@10", "recall@2", "recall@5", "recall@10", "recall@100", "mrr@10"];

#[test]
fn one_set() {
    let world = world();
    write_animals(&world);
    let run = world.run(&["eval", "--beir", "animals", "--work", "work", "--json"]).ok();
    let result = run.json();
    let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(keys(&result), ["sets", "mean"]);
    assert_eq!(keys(&result["sets"][0]), ["name", "queries"].into_iter().chain(MEASURES).collect::<Vec<_>>());
    assert_eq!(keys(&result["mean"]), MEASURES);
    assert_eq!((&result["sets"][0]["name"], &result["sets"][0]["queries"]), (&json!("animals"), &json!(4)));
    assert_close(&result["sets"][0], &animals());
    assert_close(&result["mean"], &animals());

    let table = world.run(&["eval", "--beir", "animals", "--work", "work"]).ok().stdout;
    assert!(table.starts_with("SET") && table.contains("nDCG@10") && table.contains("0.5028"), "{table}");
}

#[test]
fn two_sets_composed() {
    let world = world();
    write_animals(&world);
    write_minerals(&world);
    let run = world.run(&["eval", "--beir", "animals", "--beir", "minerals", "--work", "work", "--json"]).ok();
    let result = run.json();
    assert_close(&result["sets"][0], &animals());
    assert_close(&result["sets"][1], &json!({ "ndcg@10": 1.0, "recall@2": 1.0, "mrr@10": 1.0 }));
    let mean = (animals()["ndcg@10"].as_f64().unwrap() + 1.0) / 2.0;
    assert_close(&result["mean"], &json!({ "ndcg@10": mean }));
}

#[test]
fn each_question_has_its_line() {
    let world = world();
    write_animals(&world);
    let _ = world.run(&["eval", "--beir", "animals", "--work", "work", "--per-query", "questions.jsonl"]).ok();
    let lines: Vec<Value> =
        world.read("questions.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let ids: Vec<&str> = lines.iter().map(|line| line["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["found", "half", "wrong", "second"]);
    assert_eq!((&lines[0]["set"], &lines[0]["query"]), (&json!("animals"), &json!("zebra")));
    assert_eq!(lines[3]["ranking"], json!(["animals/d/6", "animals/d7"]));
    assert_close(&lines[3], &json!({ "ndcg@10": 1.0 / 3_f64.log2(), "mrr@10": 0.5, "recall@2": 1.0 }));
}

#[test]
fn what_is_built_is_used_again() {
    let world = world();
    write_animals(&world);
    let args = ["eval", "--beir", "animals", "--work", "work", "--json"];
    let first = world.run(&args).ok();
    let log = world.read("work/animals/.index/log.jsonl");
    let second = world.run(&args).ok();
    assert_eq!(first.json(), second.json());
    assert_eq!(world.read("work/animals/.index/log.jsonl"), log);
}

/// [B70]
#[test]
fn no_table_of_zeros() {
    let world = world();
    write_animals(&world);
    write_minerals(&world);
    world.write("half/queries.jsonl", "{\"_id\": \"q\", \"text\": \"zebra\"}\n");
    world.write("half/qrels.tsv", "query-id\tcorpus-id\tscore\nq\td\t1\n");
    write_set(&world, "unjudged", &[("d", "", "A zebra.")], &[("q", "zebra")], &[]);
    write_set(&world, "twice", &[("d", "", "A zebra."), ("d", "", "A gnu.")], &[("q", "zebra")], &[("q", "d", 1)]);
    world.remove("minerals/qrels.tsv");
    let cases: [(&[&str], &str); 7] = [
        (&["nowhere"], "nowhere"),
        (&["animals", "nowhere"], "nowhere"),
        (&["minerals"], "qrels.tsv"),
        (&["half"], "corpus.jsonl"),
        (&["unjudged"], "no question has a relevant document"),
        (&["twice"], "stands twice"),
        (&["animals", "animals"], "animals"),
    ];
    for (sets, said) in cases {
        let args: Vec<&str> =
            ["eval", "--work", "work"].into_iter().chain(sets.iter().flat_map(|set| ["--beir", set])).collect();
        let run = world.run(&args);
        assert_ne!(run.code, 0, "{run}");
        assert!(run.stdout.is_empty() && run.stderr.contains(said), "{run}");
    }
    let run = world.run(&["eval", "--beir", "animals", "--work", "work", "--layers", "telepathy"]);
    assert_ne!(run.code, 0, "{run}");
    assert!(run.stdout.is_empty(), "{run}");
    let _ = world.run(&["eval", "--beir", "animals", "--work", "work", "--route", "best"]).expect(2);
}
