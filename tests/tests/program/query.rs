//! The answer and its formats.

use serde_json::Value;
use wikirag_tests::World;

use crate::garden;

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

/// The world of `garden` with a question that several notes answer.
fn asked(args: &[&str]) -> (World, wikirag_tests::Run) {
    let world = garden();
    let _ = world.run(&["build", "garden"]).ok();
    let all: Vec<&str> = ["query", "garden", "basil beans compost slugs flowers"].iter().chain(args).copied().collect();
    let run = world.run(&all).ok();
    (world, run)
}

#[test]
fn the_envelope_has_exactly_these_keys() {
    let (_, run) = asked(&["--json"]);
    let answer = run.json();
    let expected = ["version", "query", "rag", "results", "total", "served_by", "degraded", "hints", "took_ms"];
    assert_eq!(keys(&answer), expected);
    assert_eq!((&answer["version"], &answer["rag"]), (&1.into(), &"garden".into()));
    assert_eq!(answer["query"], "basil beans compost slugs flowers");
    assert_eq!(answer["served_by"], serde_json::json!(["bm25"]));
    assert_eq!((&answer["degraded"], &answer["hints"]), (&serde_json::json!([]), &serde_json::json!([])));
    assert!(answer["took_ms"].as_f64().unwrap() > 0.0);
    assert!(answer["total"].as_u64().unwrap() >= 4);
    let result = [
        "rank",
        "id",
        "wiki",
        "sensitivity",
        "path",
        "title",
        "headings",
        "role",
        "lines",
        "bytes",
        "text",
        "snippet",
        "score",
        "layers",
        "freshness",
    ];
    for (index, hit) in run.results().iter().enumerate() {
        assert_eq!(keys(hit), result);
        assert_eq!(hit["rank"], index + 1);
        assert_eq!((&hit["wiki"], &hit["sensitivity"]), (&"garden".into(), &"public".into()));
        assert_eq!((&hit["freshness"], &hit["role"]), (&"fresh".into(), &"curated".into()));
        assert_eq!(keys(&hit["layers"][0]), ["layer", "rank", "score", "weight", "value"]);
    }
}

#[test]
fn a_passage_is_the_bytes_it_names_and_get_returns_it() {
    let (world, run) = asked(&["--json"]);
    assert!(run.results().len() >= 4);
    for hit in run.results() {
        let file = world.read(&format!("garden/{}", hit["path"].as_str().unwrap()));
        let [from, to] = [0, 1].map(|end| hit["bytes"][end].as_u64().unwrap() as usize);
        let text = hit["text"].as_str().unwrap();
        assert_eq!(&file[from..to], text);
        let [first, last] = [0, 1].map(|end| hit["lines"][end].as_u64().unwrap() as usize);
        let line_of = |byte: usize| file[..byte].matches('\n').count() + 1;
        assert_eq!((first, last), (line_of(from), line_of(to)), "{hit}");

        let got = world.run(&["get", "garden", hit["id"].as_str().unwrap(), "--json"]).ok().json();
        assert_eq!((&got["path"], &got["lines"], &got["title"]), (&hit["path"], &hit["lines"], &hit["title"]));
        assert!(got["text"].as_str().unwrap().contains(text), "{got}");
    }
}

#[test]
fn results_are_best_first_and_cut_at_the_limit() {
    let (world, run) = asked(&["--json", "-k", "2"]);
    assert_eq!(run.results().len(), 2);
    let all = world.run(&["query", "garden", "basil beans compost slugs flowers", "--json", "-k", "1000"]).ok();
    assert_eq!(all.results()[..2], run.results()[..]);
    assert_eq!(all.json()["total"], all.results().len());
    let scores: Vec<f64> = all.results().iter().map(|hit| hit["score"].as_f64().unwrap()).collect();
    assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
    let ids: std::collections::HashSet<_> = all.results().iter().map(|hit| hit["id"].to_string()).collect();
    assert_eq!(ids.len(), all.results().len());
}

#[test]
fn each_format_says_the_same() {
    let (world, json) = asked(&["--format", "json"]);
    let expected = json.results();
    let ask = |format: &str| {
        world.run(&["query", "garden", "basil beans compost slugs flowers", "--format", format]).ok().stdout
    };
    let lines: Vec<Value> = ask("jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines, expected);

    let table = ask("csv");
    let mut table = csv::Reader::from_reader(table.as_bytes());
    let head: Vec<String> = table.headers().unwrap().iter().map(str::to_owned).collect();
    let column = |name: &str| head.iter().position(|known| known == name).unwrap();
    let rows: Vec<csv::StringRecord> = table.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), expected.len());
    for (row, hit) in rows.iter().zip(&expected) {
        for name in ["id", "wiki", "path", "title", "text"] {
            assert_eq!(row[column(name)], *hit[name].as_str().unwrap());
        }
        assert_eq!(row[column("first")], hit["lines"][0].to_string());
        assert!((row[column("score")].parse::<f64>().unwrap() - hit["score"].as_f64().unwrap()).abs() < 1e-12);
    }

    for format in ["text", "md"] {
        let text = ask(format);
        let mut places = expected.iter().map(|hit| format!("garden/{}:", hit["path"].as_str().unwrap()));
        let mut rest = text.as_str();
        assert!(
            places.all(|place| rest.split_once(&place).inspect(|(_, after)| rest = after).is_some()),
            "{format}: {text}"
        );
        assert!(text.contains("*basil*") || text.contains("*Basil*"), "words of the question are marked: {text}");
    }
}

#[test]
fn the_index_page_is_no_answer() {
    let (_, run) = asked(&["--json", "-k", "1000"]);
    assert!(run.hits().iter().all(|hit| hit != "garden/_index.md"), "{run}");
}

#[test]
fn a_wiki_that_was_never_built_is_built_at_the_first_question() {
    let world = garden();
    let run = world.run(&["query", "garden", "basil", "--no-build", "--json"]).expect(5);
    assert!(run.stderr.contains("wiki: garden") && run.stderr.contains("wikirag build"), "{run}");
    assert_eq!(run.stdout, "");
    assert!(!world.holds(".index"));
    let run = world.run(&["query", "garden", "basil", "--json"]).ok();
    assert_eq!((run.hits()[0].as_str(), run.hints()), ("garden/herbs/basil.md", vec!["built".to_owned()]));
    assert!(run.stderr.contains("never built"), "{run}");
    let run = world.run(&["query", "garden", "basil", "--no-build", "--json"]).ok();
    assert_eq!(run.stderr, "");
}

#[test]
fn layers_are_chosen_by_name() {
    let (world, _) = asked(&["--layers", "bm25", "--strict"]);
    let run = world.run(&["query", "garden", "basil", "--layers", "bm52"]);
    assert_ne!(run.code, 0);
    assert!(run.stderr.contains("bm52") && run.stderr.contains("bm25"), "{run}");
    let run = world.run(&["query", "garden", "basil", "--layers", "bm25,bm52", "--strict"]);
    assert_ne!(run.code, 0);
    assert!(run.stderr.contains("bm52"), "{run}");
}
