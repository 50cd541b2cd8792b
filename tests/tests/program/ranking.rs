//! Which of the hits are shown and in which order: trust, copies, long documents. How scores are made is
//! tested in `crates/wikirag/tests/explain.rs`, where a thousand questions take little time.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use fastrand::Rng;
use serde_json::Value;
use wikirag_tests::{Run, World, notes};

use crate::world;

/// Pairs of pages of each of the two promises.
const PAIRS: usize = 100;

/// A word that no other number gives and no generated note holds.
fn subject(number: usize) -> String {
    let letter = |number: usize| char::from(b'a' + u8::try_from(number % 26).unwrap());
    ['x', letter(number / 26), 'x', letter(number), 'x'].iter().collect()
}

/// A wiki `pages` with the folders `curated` and `raw`, the first of which holds what its name says, a hundred notes about other things, and two compositions:
/// one with the reranking of a new user, one without any.
fn pages() -> World {
    let world = world();
    world.write("pages/.wiki.yaml", "language: en\nroles:\n  - {paths: [raw/], role: raw}\n");
    let mut rng = Rng::with_seed(23);
    for number in 0..100 {
        let folder = if number % 2 == 0 { "curated" } else { "raw" };
        let text = notes::note(&format!("Log {number}"), &mut rng);
        world.write(&format!("pages/{folder}/log-{number}.md"), text + "The valve of the pump has a filter.\n");
    }
    world.write("pages.rag.yaml", "wikis: [pages]\n");
    world.write("plain.rag.yaml", "wikis: [pages]\nrerank: none\n");
    world
}

fn hits(world: &World, rag: &str, question: &str) -> Run {
    world.run(&["query", rag, question, "--json", "--no-refresh", "--explain"]).ok()
}

/// The declarations of the most trusted page there can be.
const TRUSTED: &str = "---\nstatus: stable\nconfidence: high\nverified: true\nstale_after: 9999-01-01\n---\n";

/// How many questions find the page of this folder first.
fn first_of(world: &World, rag: &str, folder: &str) -> usize {
    (0..PAIRS)
        .filter(|number| {
            let question = format!("how often is the filter of the valve of the {} cleaned", subject(*number));
            hits(world, rag, &question).hits()[0].starts_with(&format!("pages/{folder}/{}", subject(*number)))
        })
        .count()
}

/// Both say it in one sentence, among others of their own.
#[test]
fn of_two_equally_relevant_pages_the_curated_one_is_first() {
    let world = pages();
    let mut rng = Rng::with_seed(5);
    for number in 0..PAIRS {
        let subject = subject(number);
        for folder in ["curated", "raw"] {
            let often = notes::word(&mut rng);
            let statement = match rng.bool() {
                true => format!("The filter of the valve of the {subject} is cleaned every {often}. "),
                false => format!("Every {often} the filter of the valve of the {subject} is cleaned. "),
            };
            let others: String = (0..3).map(|_| notes::sentence(&mut rng)).collect();
            let text = format!("# {}\n\n{statement}{others}\n", notes::word(&mut rng));
            world.write(&format!("pages/{folder}/{subject}.md"), text);
        }
    }
    let _ = world.run(&["build", "pages"]).ok();
    let curated = first_of(&world, "pages.rag.yaml", "curated");
    assert!(curated >= 95, "{curated} of {PAIRS}");
    let without = first_of(&world, "plain.rag.yaml", "curated");
    assert!((20..80).contains(&without), "the pages are not equally relevant: {without} of {PAIRS}");
}

/// The curated page names the subject; the raw one says what is asked.
#[test]
fn a_clearly_better_raw_page_is_first_all_the_same() {
    let world = pages();
    let mut rng = Rng::with_seed(6);
    for number in 0..PAIRS {
        let subject = subject(number);
        let others = |rng: &mut Rng| (0..3).map(|_| notes::sentence(rng)).collect::<String>();
        let head = if number % 2 == 0 { TRUSTED } else { "" };
        let curated =
            format!("{head}# {}\n\nThe {subject} stands in the yard. {}\n", notes::word(&mut rng), others(&mut rng));
        world.write(&format!("pages/curated/{subject}.md"), curated);
        let statement = format!("The filter of the valve of the {subject} is cleaned every week. ");
        let raw = format!("# {}\n\n{statement}{}\n", notes::word(&mut rng), others(&mut rng));
        world.write(&format!("pages/raw/{subject}.md"), raw);
    }
    let _ = world.run(&["build", "pages"]).ok();
    let raw = first_of(&world, "pages.rag.yaml", "raw");
    assert!(raw >= 99, "{raw} of {PAIRS}");
}

/// The declared state of a page decides between copies that differ in nothing else, and each reason is told.
#[test]
fn what_a_page_declares_is_a_factor_with_a_name() {
    let world = world();
    let mut rng = Rng::with_seed(4);
    for (name, head) in [
        ("plain", ""),
        ("stable", "status: stable\n"),
        ("draft", "status: draft\n"),
        ("superseded", "status: superseded\n"),
        ("sure", "confidence: 1\n"),
        ("unsure", "confidence: low\n"),
        ("checked", "verified: 2001-01-01\n"),
        ("old", "last_updated: 2001-01-01\nstale_after: 90d\n"),
        ("odd", "status: [1]\nconfidence: {}\nverified: perhaps\nstale_after: never\n"),
    ] {
        let text = format!("---\ntitle: Page\n{head}---\nThe heron nests here. {}\n", notes::sentence(&mut rng));
        world.write(&format!("pages/{name}.md"), text);
    }
    let run = world.run(&["query", "pages", "heron", "--json", "--explain"]).ok();
    let told: BTreeMap<String, Vec<String>> = run
        .results()
        .iter()
        .map(|result| {
            let factors = result["explanation"]["factors"].as_array().into_iter().flatten();
            let names = factors.map(|factor| factor["name"].as_str().unwrap().to_owned());
            (result["path"].as_str().unwrap().replace(".md", ""), names.filter(|name| name != "scale").collect())
        })
        .collect();
    for (page, factor) in [
        ("stable", "status"),
        ("draft", "status"),
        ("superseded", "status"),
        ("sure", "confidence"),
        ("unsure", "confidence"),
        ("checked", "verified"),
        ("old", "stale"),
    ] {
        assert_eq!(told[page], [factor], "{run}");
    }
    assert!(told["plain"].is_empty() && told["odd"].is_empty(), "{run}");
    let text = world.run(&["query", "pages", "heron", "--explain"]).ok().stdout;
    assert!(text.contains("for status (superseded)") && text.contains("for stale (stale since 2001-04-01)"), "{text}");
}

/// A page as three editions of a book have it.
fn editions() -> World {
    let world = world();
    let page = "# Ownership\n\nOwnership is a set of rules that govern how a program manages memory. All programs have to \
        manage the way they use the memory of a computer while running. Some languages look regularly for memory that is unused; \
        in others the programmer must allocate it and free it. This is edition NUMBER of the rules.\n";
    world.write("first/ownership.md", page.replace("NUMBER", "1"));
    world.write("second/ownership.md", page.replace("NUMBER", "1").replace("unused", "idle"));
    world.write("third/chapters/ownership.md", format!("---\nstatus: stable\n---\n{}", page.replace("NUMBER", "1")));
    world.write("other/ownership.md", page.replace("NUMBER", "2"));
    world.write("denial/ownership.md", page.replace("must allocate", "must not allocate").replace("NUMBER", "1"));
    world.write("book.rag.yaml", "wikis: [first, second, third]\n");
    world.write("all.rag.yaml", "wikis: [first, second, third, other, denial]\n");
    world
}

#[test]
fn editions_of_a_page_are_one_result() {
    let world = editions();
    let run = hits(&world, "book.rag.yaml", "rules of memory");
    assert_eq!(run.hits(), ["third/chapters/ownership.md"], "{run}");
    let result = &run.results()[0];
    let same: Vec<&str> =
        result["same"].as_array().unwrap().iter().map(|same| same["wiki"].as_str().unwrap()).collect();
    assert!(same.contains(&"first") && same.contains(&"second") && same.len() == 2, "{run}");
    for same in result["same"].as_array().unwrap() {
        assert!((0.8..=1.0).contains(&same["similarity"].as_f64().unwrap()), "{run}");
        assert_eq!(same["path"], "ownership.md");
        assert!(same["lines"].is_array() && same["id"].as_str().unwrap().contains('#'), "{run}");
    }
    let text = world.run(&["query", "book.rag.yaml", "rules of memory"]).ok().stdout;
    assert!(text.contains("also in first/ownership.md:1-3") && text.contains("also in second/ownership.md"), "{text}");
}

#[test]
fn pages_that_contradict_each_other_are_no_copies() {
    let world = editions();
    let run = hits(&world, "all.rag.yaml", "rules of memory");
    let mut shown = run.hits();
    shown.sort_unstable();
    assert_eq!(shown, ["denial/ownership.md", "other/ownership.md", "third/chapters/ownership.md"], "{run}");
}

/// Where the file of the best copy is gone the next one stands in for it, and no copy that is gone is listed.
#[test]
fn a_copy_that_is_gone_is_neither_shown_nor_listed() {
    let world = editions();
    let _ = world.run(&["build", "book.rag.yaml"]).ok();
    world.remove("third/chapters/ownership.md");
    world.remove("second/ownership.md");
    let run = hits(&world, "book.rag.yaml", "rules of memory");
    assert_eq!(run.hits(), ["first/ownership.md"], "{run}");
    assert!(run.results()[0].get("same").is_none(), "{run}");
    assert_eq!(run.hints(), ["gone"]);
}

/// A document of twelve sections about one thing, and three others that name it once.
fn long_and_short() -> World {
    let world = world();
    let mut rng = Rng::with_seed(9);
    let mut long = "# Heron\n\n".to_owned();
    for number in 0..12 {
        write!(long, "## Part {number}\n\nThe heron and the heron. ").unwrap();
        (0..18).for_each(|_| long.push_str(&notes::sentence(&mut rng)));
        long.push_str("\n\n");
    }
    world.write("birds/long.md", long);
    for name in ["a", "b", "c"] {
        let sentences: String = (0..30).map(|_| notes::sentence(&mut rng)).collect();
        world.write(&format!("birds/{name}.md"), format!("# {name}\n\n{sentences} A heron was seen.\n"));
    }
    world
}

fn of(run: &Run, path: &str) -> usize {
    run.hits().iter().filter(|hit| *hit == path).count()
}

#[test]
fn a_long_document_leaves_room_for_others() {
    let world = long_and_short();
    let ask = |more: &[&str]| world.run(&[&["query", "birds", "heron", "--json"], more].concat()).ok();
    let run = ask(&["-k", "5"]);
    assert_eq!((run.hits().len(), of(&run, "birds/long.md")), (5, 2), "{run}");
    assert!(run.results()[0]["more"].as_u64().unwrap() > 0, "{run}");
    let scores: Vec<f64> = run.results().iter().map(|result| result["score"].as_f64().unwrap()).collect();
    assert!(scores.is_sorted_by(|a, b| a >= b), "{run}");
    // Where the others have nothing more, it fills up.
    let run = ask(&["-k", "10"]);
    assert_eq!((run.hits().len(), of(&run, "birds/long.md")), (10, 7), "{run}");
    assert_eq!(of(&ask(&["-k", "5", "--per-document", "1"]), "birds/long.md"), 2);
    world.write("wide.rag.yaml", "wikis: [birds]\nper_document: 5\n");
    let wide = world.run(&["query", "wide.rag.yaml", "heron", "--json", "-k", "5"]).ok();
    assert_eq!(of(&wide, "birds/long.md"), 5, "{wide}");
    assert_eq!(of(&ask(&["-k", "5", "--set", "per_document=4"]), "birds/long.md"), 4);
}

#[test]
fn hits_are_folded_into_documents() {
    let world = long_and_short();
    let run = world.run(&["query", "birds", "heron", "--json", "--by", "document", "-k", "4"]).ok();
    let mut paths = run.hits();
    assert_eq!(paths[0], "birds/long.md");
    paths.sort_unstable();
    assert_eq!(paths, ["birds/a.md", "birds/b.md", "birds/c.md", "birds/long.md"], "{run}");
    let passages = run.results()[0]["passages"].as_array().unwrap().clone();
    assert!(passages.len() >= 10, "{run}");
    let mut ids: Vec<&str> = passages.iter().map(|passage| passage["id"].as_str().unwrap()).collect();
    ids.push(run.results()[0]["id"].as_str().unwrap().to_owned().leak());
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), passages.len() + 1, "a passage is listed once");
    assert!(passages.iter().all(|passage| passage["snippet"]["text"].as_str().unwrap().contains("heron")), "{run}");
    let text = world.run(&["query", "birds", "heron", "--by", "document"]).ok().stdout;
    assert!(text.contains("    also :") && text.contains("Heron > Part"), "{text}");
}

/// [B23] What only title and summary of the front matter say is found, and the curated page stands above what a machine wrote.
#[test]
fn a_curated_page_stands_above_machine_summaries() {
    let world = world();
    world.write("vault/.wiki.yaml", "language: en\nroles:\n  - {paths: [generated/], role: raw}\n");
    let mut rng = Rng::with_seed(870);
    for number in 0..1_000 {
        let (folder, topic) = if number < 220 { ("notes", number) } else { ("generated", number % 220) };
        let head =
            format!("---\ntitle: The {} report\nsummary: How the {} was mended\n---\n", subject(topic), subject(topic));
        world.write(&format!("vault/{folder}/{number}.md"), head + &notes::note("Minutes", &mut rng));
    }
    let _ = world.run(&["build", "vault"]).ok();
    for topic in (0..220).step_by(11) {
        for question in [format!("{} report", subject(topic)), format!("how was the {} mended", subject(topic))] {
            let run = hits(&world, "vault", &question);
            assert_eq!(run.hits()[0], format!("vault/notes/{topic}.md"), "{question}\n{run}");
        }
    }
}

#[test]
fn stages_of_reranking_are_chosen_and_checked() {
    let world = editions();
    for (rerank, code, said) in [
        ("none", 0, ""),
        ("trust", 0, ""),
        ("[trust, {name: trust, raw: 1}]", 0, ""),
        ("{name: trust, raw: 20}", 1, "`raw` is 20"),
        ("[trust, nobody]", 1, "there is no reranker `nobody`"),
        ("[trust, none]", 1, "write `rerank: none` alone"),
    ] {
        world.write("r.rag.yaml", format!("wikis: [first]\nrerank: {rerank}\n"));
        let run = world.run(&["query", "r.rag.yaml", "memory", "--json"]).expect(code);
        assert!(run.stderr.contains(said), "{rerank}\n{run}");
    }
}

/// [B55] The same question after a change of the reranker or of its settings: every score is computed anew.
#[test]
fn another_reranker_gives_scores_of_its_own() {
    let world = world();
    world.write("ferry/.wiki.yaml", "language: en\nroles:\n  - {paths: [raw/], role: raw}\n");
    for (folder, text) in [("raw", "The ferry leaves at noon, says the timetable."), ("notes", "A ferry was painted.")]
    {
        world.write(&format!("ferry/{folder}/page.md"), format!("# Page\n\n{text}\n"));
    }
    let ask = |rerank: &str| {
        world.write("ferry.rag.yaml", format!("wikis: [ferry]\nrerank: {rerank}\n"));
        let run = world.run(&["query", "ferry.rag.yaml", "ferry timetable", "--json"]).ok();
        let score = |result: &Value| (result["path"].as_str().unwrap().to_owned(), result["score"].to_string());
        run.results().iter().map(score).collect::<BTreeMap<_, _>>()
    };
    let stages = ["none", "trust", "{name: trust, raw: 0.75}", "{name: trust, raw: 0.9}"];
    let scores = stages.map(ask);
    let of_raw: std::collections::BTreeSet<_> = scores.iter().map(|scores| &scores["raw/page.md"]).collect();
    assert_eq!(of_raw.len(), stages.len(), "{scores:?}");
    assert_eq!(stages.map(ask), scores, "and none is that of the stage before");
}
