//! Judged questions, measured as by hand.

use serde_json::{Value, json};
use wikirag_tests::World;

use crate::world;

/// Writes a set in the layout of BEIR.
pub(crate) fn write_set(
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
    assert_eq!(keys(&result), ["version", "split", "system", "sets", "mean"]);
    assert_eq!(
        (&result["version"], &result["split"], &result["system"]),
        (&json!(1), &json!("all"), &json!("route=auto"))
    );
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
    assert_eq!(lines[0]["system"], "route=auto");
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

#[test]
fn a_half_of_the_questions() {
    let world = world();
    write_animals(&world);
    let half = |split| {
        let run = world.run(&["eval", "--beir", "animals", "--work", "work", "--split", split, "--json"]).ok();
        assert_eq!(run.json()["split"], split);
        run.json()["sets"][0].clone()
    };
    // found and wrong; half and second.
    assert_close(&half("odd"), &json!({ "queries": 2.0, "mrr@10": 0.5, "recall@10": 0.5 }));
    assert_close(&half("even"), &json!({ "queries": 2.0, "mrr@10": 0.75, "recall@10": 0.75 }));
    write_minerals(&world);
    let run =
        world.run(&["eval", "--beir", "animals", "--beir", "minerals", "--work", "work", "--split", "even"]).expect(2);
    assert!(run.stdout.is_empty() && run.stderr.contains("`even`") && run.stderr.contains("minerals"), "{run}");
}

/// Three questions that plain fusion of two wikis answers worse than their own wiki: a noisy wiki answers each of them too.
fn write_noise(world: &World) {
    let corpus = [("n1", "", "A zebra crossing."), ("n2", "", "The okapi cafe."), ("n3", "", "Gnus as a band.")];
    write_set(world, "noise", &corpus, &[("q", "crossing")], &[("q", "n1", 1)]);
}

const COMPARE: [&str; 8] = ["eval", "--beir", "animals", "--beir", "noise", "--work", "work", "--compare"];

#[test]
fn systems_side_by_side() {
    let world = world();
    write_animals(&world);
    write_noise(&world);
    let systems = ["over=own", "over=merged", "route=all", "route=auto,layers=bm25,fuse=rrf,plugins.rrf.k=5"];
    let args: Vec<&str> =
        COMPARE.into_iter().chain(systems).chain(["--json", "--worst", "2", "--per-query", "lines.jsonl"]).collect();
    let run = world.run(&args).ok();
    let result = run.json();
    assert_eq!((&result["version"], &result["measure"]), (&json!(1), &json!("ndcg@10")));
    let found = result["systems"].as_array().unwrap();
    assert_eq!(found.iter().map(|system| system["system"].as_str().unwrap()).collect::<Vec<_>>(), systems);
    // Each in its own wiki: as alone, and the noise answers its question.
    assert_close(&found[0]["sets"][0], &animals());
    assert_close(&found[0]["sets"][1], &json!({ "ndcg@10": 1.0 }));
    assert!(found[0].get("against_baseline").is_none(), "{run}");
    for system in &found[1..] {
        let against = &system["against_baseline"];
        let difference = system["mean"]["ndcg@10"].as_f64().unwrap() - found[0]["mean"]["ndcg@10"].as_f64().unwrap();
        assert_close(against, &json!({ "difference": difference }));
        let figure = |name: &str| against[name].as_f64().unwrap();
        assert!(figure("low") <= difference + 1e-12 && difference <= figure("high") + 1e-12, "{run}");
        assert!(figure("p") > 0.0 && figure("p") <= 1.0, "{run}");
        for (kind, sign) in [("losses", -1.0), ("wins", 1.0)] {
            let changes = against[kind].as_array().unwrap();
            assert!(changes.len() <= 2, "{run}");
            for change in changes {
                let gain = change["system"]["score"].as_f64().unwrap() - change["baseline"]["score"].as_f64().unwrap();
                assert!(gain * sign > 0.0 && change["query"].is_string(), "{change}");
            }
        }
    }
    // A round robin puts documents of the other wiki between those of the own one: `second` falls from rank 2 to 3.
    let losses = &found[2]["against_baseline"]["losses"];
    let lost: Vec<&Value> = losses.as_array().unwrap().iter().filter(|change| change["id"] == "second").collect();
    assert_eq!(lost[0]["query"], "gnus impalas");
    assert!(lost[0]["system"]["ranking"].as_array().unwrap().contains(&json!("noise/n3")), "{run}");

    let lines = world.read("lines.jsonl");
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), systems.len() * 5);
    assert_eq!((&lines[0]["system"], &lines[19]["system"]), (&json!(systems[0]), &json!(systems[3])));
    // One wiki of all sets finds the documents of both under their ids.
    let merged = lines.iter().find(|line| line["system"] == systems[1] && line["id"] == "second").unwrap();
    let found: Vec<&str> = merged["ranking"].as_array().unwrap().iter().map(|id| id.as_str().unwrap()).collect();
    assert!(found.contains(&"animals/d/6") && found.contains(&"noise/n3"), "{found:?}");

    let text: Vec<&str> = COMPARE.into_iter().chain(systems).chain(["--worst", "2"]).collect();
    let text = world.run(&text).ok().stdout;
    for part in ["DIFFERENCE", "95% INTERVAL", "(questions)", "route=all lost most:", "animals/second  gnus impalas"] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    assert_eq!(world.run(&args).ok().stdout, run.stdout);
}

#[test]
fn a_search_for_values() {
    let world = world();
    write_animals(&world);
    // Two questions, so that both halves hold one.
    let corpus = [("n1", "", "A zebra crossing."), ("n2", "", "The okapi cafe."), ("n3", "", "Gnus as a band.")];
    write_set(&world, "noise", &corpus, &[("q", "crossing"), ("r", "cafe")], &[("q", "n1", 1), ("r", "n2", 1)]);
    let args = [
        "eval",
        "--beir",
        "animals",
        "--beir",
        "noise",
        "--work",
        "work",
        "--tune",
        "route=all|top:1",
        "plugins.rrf.k=1|100",
    ];
    let run = world.run(&[&args[..], &["--measure", "mrr@10", "--json"]].concat()).ok();
    let result = run.json();
    assert_eq!((&result["search"], &result["measure"]), (&json!("grid"), &json!("mrr@10")));
    let tried: Vec<&str> =
        result["tried"].as_array().unwrap().iter().map(|tried| tried["system"].as_str().unwrap()).collect();
    assert_eq!(tried.len(), 9);
    assert_eq!((tried[0], tried[1], tried[8]), ("defaults", "plugins.rrf.k=1", "route=top:1,plugins.rrf.k=100"));
    // Three odd questions prove nothing, whatever came of them.
    assert_eq!(result["chosen"], "defaults");
    let best = result["best"].as_str().unwrap();
    assert!(tried[1..].contains(&best), "{run}");
    let reports = result["reports"].as_array().unwrap();
    let splits: Vec<&str> = reports.iter().map(|report| report["split"].as_str().unwrap()).collect();
    assert_eq!(splits, ["odd", "even", "all"]);
    for report in reports {
        assert_eq!((&report["defaults"]["system"], &report["best"]["system"]), (&json!("defaults"), &json!(best)));
        let count = if report["split"] == "all" { 4 } else { 2 };
        assert_eq!(report["best"]["sets"][0]["queries"], count);
        // The report is of the measurement that the same system gives on its own.
        let split = report["split"].as_str().unwrap();
        let alone = ["eval", "--beir", "animals", "--beir", "noise", "--work", "work", "--json", "--split", split];
        assert_eq!(world.run(&alone).ok().json()["mean"], report["defaults"]["mean"], "{run}");
    }
    let text = world.run(&args).ok().stdout;
    for part in ["9 tried", "SYSTEM (odd)", "SYSTEM (even)", "SYSTEM (all)", "chosen: defaults"] {
        assert!(text.contains(part), "{part}\n{text}");
    }
}

#[test]
fn mistakes_are_told_before_anything_is_built() {
    let world = world();
    write_animals(&world);
    let cases: [(&[&str], &str); 20] = [
        (&["--measure", "map", "--compare", "route=all", "route=auto"], "there is no measure"),
        (&["--measure", "mrr@10"], "--compare"),
        (&["--worst", "3"], "--compare"),
        (&["--split", "third"], "odd, even, all"),
        (&["--split", "odd", "--tune", "route=all"], "cannot be used with"),
        (&["--compare", "route=all", "over=own", "--tune", "route=all"], "cannot be used with"),
        (&["--tune", "route=all", "--per-query", "lines.jsonl"], "cannot be used with"),
        (&["--compare", "route=all"], "nothing to compare"),
        (&["--compare", "route=all", "route=all"], "stands twice"),
        (&["--compare", "route=all", "auto"], "`auto` is no KEY=VALUE"),
        (&["--compare", "route=all", "rout=auto"], "did you mean `route`"),
        (&["--compare", "route=all", "telepathy=1"], "there is no setting `telepathy`"),
        (&["--compare", "route=all", "layers=telepathy"], "there is no layer `telepathy`"),
        (&["--compare", "route=all", "fuse=glue"], "there is no fuser `glue`"),
        (&["--compare", "route=all", "fuse=rrf,plugins.rrf.k=-1"], "`k` is -1"),
        (&["--compare", "route=all", "plugins.glue.k=1"], "glue"),
        (&["--compare", "route=all", "plugins.markdown.max_tokens=99"], "acts when an index is built"),
        (&["--compare", "route=all", "limit=3"], "does not act on a question"),
        (&["--tune", "route=all", "route=auto"], "stands twice"),
        (&["--tune", "route=all|all"], "twice"),
    ];
    for (args, said) in cases {
        let run = world.run(&[&["eval", "--beir", "animals", "--work", "work"], args].concat());
        assert!(run.code != 0 && run.stdout.is_empty() && run.stderr.contains(said), "{args:?}\n{run}");
    }
    assert!(!world.path("work").exists());
}
