//! The log of questions, what is asked for and missing, and a log asked once more.

use serde_json::{Value, json};
use wikirag_tests::{Run, World};

use crate::{garden, world};

/// An entry as a surface writes it. Weak ones are what `gaps` looks at.
fn entry(question: &str, clearance: &str, is_weak: bool) -> Value {
    json!({
        "version": 1, "at": "2026-11-28T10:00:00Z", "rag": "garden", "surface": "ask", "clearance": clearance,
        "question": question, "strength": if is_weak { 0.1 } else { 0.9 }, "is_weak": is_weak, "took_ms": 1.0,
        "results": [], "served_by": ["bm25"], "degraded": [],
    })
}

fn lines(entries: &[Value]) -> String {
    entries.iter().map(|entry| format!("{entry}\n")).collect()
}

/// A world with the composition `garden.rag.yaml`, built, and this log beside it.
fn logged(entries: &[Value]) -> World {
    let world = garden();
    world.write("garden.rag.yaml", "clearance: internal\nwikis: [garden]\n");
    let _ = world.run(&["build", "garden.rag.yaml"]).ok();
    world.write("garden.queries.jsonl", lines(entries));
    world
}

/// Each topic as its questions.
fn topics(run: &Run) -> Vec<Vec<String>> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let questions =
        |topic: &Value| topic["questions"].as_array().unwrap().iter().map(|asked| text(&asked["question"])).collect();
    run.json()["topics"].as_array().unwrap().iter().map(questions).collect()
}

const WASPS: [&str; 3] = ["how to get rid of a wasp nest", "wasp nests in the attic", "Is a wasp nest dangerous?"];
const MORTGAGE: &str = "which mortgage has the lowest interest";

fn sample() -> Vec<Value> {
    let mut entries: Vec<Value> = WASPS.iter().map(|question| entry(question, "internal", true)).collect();
    entries.insert(1, entry(MORTGAGE, "internal", true));
    entries.push(entry("when to sow basil", "internal", false));
    entries
}

#[test]
fn weak_questions_become_topics() {
    let world = logged(&sample());
    let run = world.run(&["gaps", "garden.rag.yaml", "--json"]).ok();
    let json = run.json();
    assert_eq!((&json["version"], &json["questions"], &json["total"]), (&json!(1), &json!(5), &json!(2)));
    let found = topics(&run);
    assert_eq!((found[0].len(), &found[1]), (3, &vec![MORTGAGE.to_owned()]), "{run}");
    assert_eq!(json["topics"][0]["asked"], 3);
    let label = json["topics"][0]["label"].as_str().unwrap();
    assert!(label.contains("wasp") && label.contains("nest") && !label.contains("how"), "{label}");
    assert!(json["topics"][0]["strength"].as_f64().unwrap() < 0.5, "{run}");

    let text = world.run(&["gaps", "garden.rag.yaml"]).ok();
    let rows: Vec<&str> = text.stdout.lines().collect();
    assert!(
        rows.len() == 3 && rows[0].starts_with("TOPIC") && rows[1].contains("wasp") && rows[2].contains(MORTGAGE),
        "{text}"
    );
    assert!(text.stderr.contains("5 questions of garden: 2 missing topics"), "{text}");
    let one = world.run(&["gaps", "garden.rag.yaml", "--limit", "1", "--json"]).ok();
    assert_eq!((topics(&one).len(), &one.json()["total"]), (1, &json!(2)));
}

#[test]
fn the_order_of_the_log_does_not_matter() {
    let world = logged(&sample());
    let first = world.run(&["gaps", "garden.rag.yaml", "--json"]).ok().stdout;
    let mut entries = sample();
    entries.reverse();
    entries.swap(0, 2);
    world.write("garden.queries.jsonl", lines(&entries));
    assert_eq!(world.run(&["gaps", "garden.rag.yaml", "--json"]).ok().stdout, first);
}

#[test]
fn what_was_written_since_is_filled() {
    let world = logged(&sample());
    world.write(
        "garden/wasps.md",
        "# Wasps\n\nHow to get rid of a wasp nest in the attic: call the fire brigade. A wasp nest is dangerous.\n",
    );
    let run = world.run(&["gaps", "garden.rag.yaml", "--json"]).ok();
    assert_eq!(topics(&run), [[MORTGAGE]], "{run}");
    let filled = run.json()["filled"].clone();
    assert_eq!(filled.as_array().unwrap().len(), 3, "{run}");
    assert_eq!(filled[0]["page"], json!({"wiki": "garden", "path": "wasps.md", "title": "Wasps"}));
    let text = world.run(&["gaps", "garden.rag.yaml"]).ok();
    assert!(text.stdout.contains("\nFILLED") && text.stdout.contains("garden/wasps.md"), "{text}");
    assert!(text.stderr.contains("filled: 3"), "{text}");
}

#[test]
fn one_question_asked_often_comes_first() {
    let mut entries = sample();
    for question in ["which MORTGAGE has the lowest interest", "which  mortgage has the lowest interest"] {
        entries.extend([entry(question, "internal", true), entry(question, "internal", true)]);
    }
    let world = logged(&entries);
    let run = world.run(&["gaps", "garden.rag.yaml", "--json"]).ok();
    assert_eq!(topics(&run)[0].len(), 1, "{run}");
    assert_eq!(run.json()["topics"][0]["questions"][0]["asked"], 5, "{run}");
}

/// A question is weak or not as it was when it was asked last, and only what was asked since a day counts.
#[test]
fn days_and_the_last_time_count() {
    let mut entries = sample();
    let mut again = entry(MORTGAGE, "internal", false);
    again["at"] = json!("2026-11-29T10:00:00.5Z");
    entries.push(again);
    let world = logged(&entries);
    let run = world.run(&["gaps", "garden.rag.yaml", "--json"]).ok();
    assert_eq!(topics(&run).len(), 1, "{run}");
    let run = world.run(&["gaps", "garden.rag.yaml", "--since", "2026-11-29", "--json"]).ok();
    assert_eq!((topics(&run).len(), &run.json()["questions"]), (0, &json!(1)), "{run}");
    let run = world.run(&["gaps", "garden.rag.yaml", "--since", "soon"]).expect(2);
    assert!(run.stderr.contains("`soon` is no date"), "{run}");
}

/// Nothing that was asked at a higher clearance is shown, or counted, to somebody of a lower one.
#[test]
fn a_question_from_above_is_not_there() {
    let mut entries = sample();
    let plain = logged(&entries);
    let expected = plain.run(&["gaps", "garden.rag.yaml", "--json"]).ok();
    entries.insert(0, entry("who is laid off in zanzibar", "restricted", true));
    entries.insert(3, entry("who is laid off in zanzibar", "confidential", true));
    let world = logged(&entries);
    let run = world.run(&["gaps", "garden.rag.yaml", "--json"]).ok();
    assert_eq!((&run.stdout, &run.stderr), (&expected.stdout, &expected.stderr));
    // Whoever may read it is shown it.
    world.write("garden.rag.yaml", "clearance: restricted\nwikis: [garden]\n");
    assert!(world.run(&["gaps", "garden.rag.yaml"]).ok().stdout.contains("zanzibar"));
    // A log of such questions alone is none.
    world.write("garden.rag.yaml", "clearance: internal\nwikis: [garden]\n");
    world.write("garden.queries.jsonl", lines(&entries[..1]));
    let above = world.run(&["gaps", "garden.rag.yaml"]).expect(1);
    world.remove("garden.queries.jsonl");
    let none = world.run(&["gaps", "garden.rag.yaml"]).expect(1);
    assert_eq!((&above.stdout, &above.stderr), (&none.stdout, &none.stderr));
    assert!(none.stderr.contains("no question has been logged yet"), "{none}");
}

#[test]
fn compositions_of_one_folder_have_their_own_logs() {
    let world = logged(&sample());
    world.write("all.rag.yaml", "clearance: confidential\nwikis: [garden]\n");
    let run = world.run(&["gaps", "all.rag.yaml"]).expect(1);
    assert!(run.stderr.contains("no question has been logged yet"), "{run}");
    // A wiki that is asked on its own keeps its log with its index.
    world.write("garden/.index/queries.jsonl", lines(&sample()[..1]));
    let run = world.run(&["gaps", "garden", "--json"]).ok();
    assert_eq!(topics(&run), [[WASPS[0]]]);
}

#[test]
fn damage_is_told_and_passed_over() {
    let world = logged(&sample());
    let expected = topics(&world.run(&["gaps", "garden.rag.yaml", "--json"]).ok());
    let whole = lines(&sample());
    world.write("garden.queries.jsonl", format!("not JSON\n{whole}\n{}", &whole[..90]));
    let run = world.run(&["gaps", "garden.rag.yaml", "--json"]).ok();
    assert_eq!((topics(&run), run.hints()), (expected, vec!["log-damaged".to_owned()]));
    assert!(run.stderr.contains("lines that cannot be read"), "{run}");
}

#[test]
fn a_log_that_was_moved_aside_is_read_as_well() {
    let entries = sample();
    let world = logged(&entries[2..]);
    let rest = topics(&world.run(&["gaps", "garden.rag.yaml", "--json"]).ok());
    world.write("garden.queries.jsonl.1", lines(&entries[..2]));
    let all = topics(&world.run(&["gaps", "garden.rag.yaml", "--json"]).ok());
    assert_eq!((rest.concat().len(), all.concat().len()), (2, 4));
}

#[test]
fn settings_of_the_log_are_checked() {
    let world = world();
    let run = world.run(&["--set", "questions.log=maybe", "config", "show"]).expect(2);
    assert!(run.stderr.contains("takes `true` or `false`"), "{run}");
    let run = world.run(&["--set", "questions.max_bytes=9", "config", "show"]).expect(2);
    assert!(run.stderr.contains("is at least 65536"), "{run}");
    let run = world.run(&["--set", "questions.log=false", "config", "show", "--json"]).ok();
    assert!(run.stdout.contains("questions.log"), "{run}");
}

/// The questions of a log as they stand in the file.
fn asked(world: &World, file: &str) -> Vec<String> {
    let lines = world.read(file);
    let question = |line: &str| serde_json::from_str::<Value>(line).unwrap()["question"].as_str().unwrap().to_owned();
    lines.lines().map(question).collect()
}

#[test]
fn what_is_asked_is_logged_once_and_found_again() {
    let world = logged(&[]);
    let _ = world.run(&["ask", "garden.rag.yaml", WASPS[0]]).ok();
    let _ = world.run(&["query", "garden.rag.yaml", MORTGAGE]).ok();
    assert_eq!(asked(&world, "garden.queries.jsonl"), [WASPS[0]]);
    assert_eq!(topics(&world.run(&["gaps", "garden.rag.yaml", "--json"]).ok()), [[WASPS[0]]]);
    let _ = world.run(&["--set", "questions.log=false", "ask", "garden.rag.yaml", MORTGAGE]).ok();
    let _ = world.run(&["ask", "garden", MORTGAGE]).ok();
    assert_eq!(asked(&world, "garden.queries.jsonl"), [WASPS[0]]);
    assert_eq!(asked(&world, "garden/.index/queries.jsonl"), [MORTGAGE]);
}

#[test]
fn a_full_log_makes_room() {
    let world = logged(&[]);
    let mut large = entry(WASPS[1], "internal", true);
    large["answer"] = json!("x".repeat(66_000));
    world.write("garden.queries.jsonl", lines(&[large]));
    let _ = world.run(&["--set", "questions.max_bytes=65536", "ask", "garden.rag.yaml", WASPS[0]]).ok();
    assert_eq!(asked(&world, "garden.queries.jsonl"), [WASPS[0]]);
    assert_eq!(asked(&world, "garden.queries.jsonl.1"), [WASPS[1]]);
    assert_eq!(topics(&world.run(&["gaps", "garden.rag.yaml", "--json"]).ok()).concat().len(), 2);
}

#[test]
fn processes_that_ask_at_once_log_each() {
    let world = logged(&[]);
    let questions: Vec<String> = (0..6).map(|number| format!("what is topic number {number}")).collect();
    let children: Vec<_> =
        questions.iter().map(|question| world.spawn(&["ask", "garden.rag.yaml", question])).collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    let mut found = asked(&world, "garden.queries.jsonl");
    found.sort();
    assert_eq!(found, questions);
}

/// An answer is no worse for not being logged.
#[test]
fn a_log_that_cannot_be_written_is_a_hint() {
    let world = garden();
    world.write("garden.rag.yaml", "wikis: [garden]\n");
    world.write("garden.queries.jsonl/in-the-way", "");
    let run = world.run(&["ask", "garden.rag.yaml", "--json", "when to sow basil"]).ok();
    assert!(run.hints().contains(&"not-logged".to_owned()) && run.stderr.contains("no plain file"), "{run}");
    let run = world.run(&["gaps", "garden.rag.yaml"]).expect(1);
    assert!(run.stderr.contains("no plain file"), "{run}");
}

const REPLAY: [&str; 6] = ["eval", "--replay", "garden.queries.jsonl", "garden.rag.yaml", "--compare", "route=auto"];

#[test]
fn a_log_asked_of_two_systems() {
    let mut entries = sample();
    entries.push(entry("turn the heap every month", "internal", false));
    entries.push(entry("climb poles in May or stop slugs", "restricted", false));
    let world = logged(&entries);
    let same = world.run(&[&REPLAY[..], &["route=all", "--json"]].concat()).ok().json();
    assert_eq!((&same["questions"], &same["k"], &same["rag"]), (&json!(6), &json!(10), &json!("garden")));
    let [first, second] = [0, 1].map(|place| same["systems"][place].clone());
    assert_eq!((&first["system"], first.get("against_baseline")), (&json!("route=auto"), None));
    assert_eq!(second["against_baseline"], json!({"overlap@k": 1.0, "top-1": 1.0, "changes": []}));
    for system in [&first, &second] {
        let (half, most) = (system["p50_ms"].as_f64().unwrap(), system["p95_ms"].as_f64().unwrap());
        assert!(0.0 < half && half <= most, "{system}");
    }

    // A weight that lets headings alone decide changes answers.
    let other = "plugins.bm25.k1=0,plugins.bm25.b=0,per_document=1";
    let run = world.run(&[&REPLAY[..], &[other, "--worst", "9", "--json"]].concat()).ok();
    let against = run.json()["systems"][1]["against_baseline"].clone();
    let overlap = against["overlap@k"].as_f64().unwrap();
    let changes = against["changes"].as_array().unwrap().clone();
    assert_eq!(overlap < 1.0, changes.iter().any(|change| change["overlap@k"].as_f64().unwrap() < 1.0), "{run}");
    assert!(changes.iter().all(|change| change["baseline"] != json!([])), "{run}");

    let text = world.run(&[&REPLAY[..], &["route=all"]].concat()).ok().stdout;
    assert!(
        text.starts_with("6 questions of garden, against route=auto\nSYSTEM") && text.contains("OVERLAP@10"),
        "{text}"
    );
    assert!(!text.contains("climb poles in May"), "{text}");
}

/// [B70] What is missing ends with an error, and never with a table.
#[test]
fn a_replay_of_nothing_is_no_table() {
    let world = logged(&sample());
    world.write("empty.jsonl", "");
    world.write("above.jsonl", lines(&[entry("who is laid off", "restricted", true)]));
    world.write("nowhere.rag.yaml", "wikis: [nowhere]\n");
    let compare = ["--compare", "route=auto", "route=all"];
    let cases: [(&[&str], &[&str], &str); 10] = [
        (&["--replay", "gone.jsonl", "garden.rag.yaml"], &compare, "there is no such file"),
        (&["--replay", "empty.jsonl", "garden.rag.yaml"], &compare, "no question that may be read"),
        (&["--replay", "above.jsonl", "garden.rag.yaml"], &compare, "no question that may be read"),
        (&["--replay", "garden.queries.jsonl", "nowhere.rag.yaml"], &compare, "nowhere"),
        (&["--replay", "garden.queries.jsonl"], &compare, "RAG|WIKI"),
        (&["--replay", "garden.queries.jsonl", "garden.rag.yaml"], &[], "--compare"),
        (&["--replay", "garden.queries.jsonl", "garden.rag.yaml"], &["--compare", "route=auto"], "nothing to compare"),
        (
            &["--replay", "garden.queries.jsonl", "garden.rag.yaml"],
            &["--compare", "route=auto", "over=own"],
            "`over` has no meaning",
        ),
        (&["--replay", "garden.queries.jsonl", "garden.rag.yaml", "--beir", "x"], &compare, "cannot be used with"),
        (&[], &compare, "--beir"),
    ];
    for (args, compare, said) in cases {
        let run = world.run(&[&["eval"], args, compare].concat());
        assert!(run.code != 0 && run.stdout.is_empty() && run.stderr.contains(said), "{args:?}\n{run}");
    }
}
