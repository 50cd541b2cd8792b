//! Pages that disagree come back with a flag that says in what and where, whether the other page is shown or not.

use serde_json::{Value, json};
use wikirag_tests::{Run, World};

use crate::world;

/// Two wikis with a page about one thing in each.
fn two(one: &str, other: &str) -> World {
    let world = world();
    world.write("new/gateway.md", page(one));
    world.write("old/net/gateway.md", page(other));
    world.write("both.rag.yaml", "wikis: [new, old]\n");
    world
}

/// The statement stands in line 7 of the page, behind another sentence.
fn page(statement: &str) -> String {
    format!("# Gateway\n\nIt stands between the two nets.\n\n## Limits\n\nMind this. {statement} Then go on.\n")
}

fn ask(world: &World, more: &[&str]) -> Run {
    world.run(&[&["query", "both.rag.yaml", "limits of the gateway", "--json"], more].concat()).ok()
}

/// The flags at the results of this wiki.
fn flags(run: &Run, wiki: &str) -> Vec<Value> {
    let results = run.results();
    let of_wiki = results.iter().filter(|result| result["wiki"] == wiki);
    of_wiki.flat_map(|result| result["conflicts"].as_array().cloned().unwrap_or_default()).collect()
}

#[test]
fn what_disagrees_is_told_at_both_results() {
    for (kind, here, there, frame) in [
        ("number", "8080", "9090", "A request to the gateway is stopped by the default limit of _ packets."),
        ("number", "five", "12", "A request to the gateway is sent on to _ other hosts before the client hears of it."),
        (
            "date",
            "2024-01-02",
            "3 January 2025",
            "The limits of the gateway were set by the operators on _ for all nets.",
        ),
        ("version", "v1.2.3", "v2.0.0", "The limits of the gateway can be set by operators since _ of the software."),
        ("negation", "must restart", "must not restart", "Operators _ the gateway after a change of its limits."),
    ] {
        let (one, other) = (frame.replace('_', here), frame.replace('_', there));
        let world = two(&one, &other);
        let run = ask(&world, &[]);
        assert_eq!(run.hits().len(), 2, "{run}");
        for (wiki, path, counterpart, own, others) in
            [("new", "net/gateway.md", "old", &one, &other), ("old", "gateway.md", "new", &other, &one)]
        {
            let found = flags(&run, wiki);
            assert_eq!(found.len(), 1, "{kind}: {run}");
            let (side, far) = (&found[0]["here"], &found[0]["there"]);
            assert_eq!(found[0]["kind"], kind, "{run}");
            assert_eq!((&side["sentence"], &far["sentence"]), (&json!(own), &json!(others)), "{run}");
            assert_eq!((&far["wiki"], &far["path"]), (&json!(counterpart), &json!(path)), "{run}");
            assert_eq!((&side["lines"], &far["lines"]), (&json!([7, 7]), &json!([7, 7])), "{run}");
            let shown = run.results();
            let result = shown.iter().find(|result| result["wiki"] == counterpart).unwrap();
            assert_eq!((&far["id"], &far["rank"]), (&result["id"], &result["rank"]), "{run}");
            if kind != "negation" {
                let (own, others) = if wiki == "new" { (here, there) } else { (there, here) };
                assert_eq!((&side["text"], &far["text"]), (&json!(own), &json!(others)), "{run}");
            }
        }
    }
}

#[test]
fn people_and_spreadsheets_are_told_too() {
    let frame = "A request to the gateway is stopped by the default limit of _ packets.";
    let world = two(&frame.replace('_', "8080"), &frame.replace('_', "9090"));
    let line = "disagrees with old/net/gateway.md:7: \"8080\" here, \"9090\" there (number)";
    for format in ["text", "md"] {
        let run = world.run(&["query", "both.rag.yaml", "limits of the gateway", "--format", format]).ok();
        assert!(run.stdout.contains(line), "{run}");
        assert_eq!(run.stdout.matches("disagrees").count(), 2, "{run}");
    }
    let run = world.run(&["query", "both.rag.yaml", "limits of the gateway", "--format", "csv"]).ok();
    let rows: Vec<csv::StringRecord> =
        csv::Reader::from_reader(run.stdout.as_bytes()).records().map(|row| row.unwrap()).collect();
    let ids: Vec<&str> = rows.iter().map(|row| &row[1]).collect();
    assert_eq!(&rows[0][12], format!("number {}", ids[1]), "{run}");
    assert_eq!(&rows[1][12], format!("number {}", ids[0]), "{run}");
}

#[test]
fn what_documents_declare_is_told_at_both() {
    for (key, kind) in [("contradicts", "declared"), ("superseded_by", "superseded")] {
        let world = two("The limits are low.", "The bounds are generous.");
        world
            .write("old/net/gateway.md", format!("---\n{key}: \"[[new/gateway]]\"\n---\n{}", page("Bounds are wide.")));
        let run = ask(&world, &[]);
        let (new, old) = (flags(&run, "new"), flags(&run, "old"));
        assert_eq!((new.len(), old.len()), (1, 1), "{run}");
        assert_eq!((&new[0]["kind"], &old[0]["kind"]), (&json!(kind), &json!(kind)), "{run}");
        let declared = format!("{key}: new/gateway");
        assert_eq!((&new[0]["there"]["text"], &old[0]["here"]["text"]), (&json!(declared), &json!(declared)), "{run}");
        assert_eq!((&old[0]["there"]["path"], &old[0]["there"]["text"]), (&json!("gateway.md"), &json!("Gateway")));
    }
}

#[test]
fn a_declared_page_that_is_not_found_is_named() {
    let world = two("The limits are low.", "The bounds are generous.");
    world.write("new/gateway.md", format!("---\nsuperseded_by: Turnpike\n---\n{}", page("The limits are low.")));
    let run = ask(&world, &[]);
    let found = flags(&run, "new");
    assert_eq!(found.len(), 1, "{run}");
    assert_eq!(
        (&found[0]["kind"], &found[0]["here"]["text"]),
        (&json!("superseded"), &json!("superseded_by: Turnpike"))
    );
    assert!(found[0].get("there").is_none() && flags(&run, "old").is_empty(), "{run}");
    let text = world.run(&["query", "both.rag.yaml", "limits of the gateway"]).ok();
    assert!(text.stdout.contains("a document that was not found: \"superseded_by: Turnpike\" here"), "{text}");
}

#[test]
fn the_other_side_is_told_below_the_limit_as_well() {
    let frame = "A request to the gateway is stopped by the default limit of _ packets.";
    let world = two(&frame.replace('_', "8080"), &frame.replace('_', "9090"));
    let all = ask(&world, &[]).results();
    let run = ask(&world, &["-k", "1"]);
    let first = &run.results()[0];
    assert_eq!((run.hits().len(), &first["id"]), (1, &all[0]["id"]), "{run}");
    let there = &first["conflicts"][0]["there"];
    assert_eq!((&there["id"], &there["lines"]), (&all[1]["id"], &json!([7, 7])), "{run}");
    assert!(there.get("rank").is_none() && there["sentence"].as_str().unwrap().contains("default limit"), "{run}");
    // What is named can be read.
    let place = format!("{}/{}:7", there["wiki"].as_str().unwrap(), there["path"].as_str().unwrap());
    let read = world.run(&["get", "both.rag.yaml", &place]).ok();
    assert!(read.stdout.contains(there["sentence"].as_str().unwrap()), "{read}");
    // By document as well.
    let run = ask(&world, &["--by", "document"]);
    assert_eq!((flags(&run, "new").len(), flags(&run, "old").len()), (1, 1), "{run}");
}

#[test]
fn what_is_gone_or_closed_is_not_named() {
    let frame = "A request to the gateway is stopped by the default limit of _ packets.";
    let world = two(&frame.replace('_', "8080"), &frame.replace('_', "9090"));
    let first = ask(&world, &["-k", "1"]).results()[0]["wiki"].as_str().unwrap().to_owned();
    let (other, file) = if first == "new" { ("old", "old/net/gateway.md") } else { ("new", "new/gateway.md") };
    world.write("one.rag.yaml", format!("wikis: [{first}]\n"));
    let alone = world.run(&["query", "one.rag.yaml", "limits of the gateway", "--json"]).ok();
    assert!(flags(&alone, &first).is_empty() && !alone.stdout.contains(other), "{alone}");
    world.remove(file);
    for more in [&["--no-refresh", "-k", "1"][..], &["--no-refresh"]] {
        let run = ask(&world, more);
        assert_eq!(run.hits().len(), 1, "{run}");
        assert!(flags(&run, &first).is_empty(), "{run}");
    }
}

/// A copy says the same as the page above it, so the disagreement is told once; and what only a copy declares is told.
#[test]
fn copies_hide_no_disagreement_and_repeat_none() {
    let frame = "A request to the gateway is stopped by the default limit of _ packets.";
    let world = two(&frame.replace('_', "8080"), &frame.replace('_', "9090"));
    let copy = page(&frame.replace('_', "8080"));
    world.write("copy/gateway.md", format!("---\nsuperseded_by: new/gateway.md\n---\n{copy}"));
    world.write("both.rag.yaml", "wikis: [new, old, copy]\n");
    let run = ask(&world, &[]);
    assert_eq!(run.hits().len(), 2, "{run}");
    let old = flags(&run, "old");
    assert_eq!(old.len(), 1, "{run}");
    assert_eq!((&old[0]["kind"], &old[0]["there"]["text"]), (&json!("number"), &json!("8080")), "{run}");
    let kinds: Vec<Value> = flags(&run, "new").iter().map(|flag| flag["kind"].clone()).collect();
    assert_eq!(kinds, ["superseded", "number"], "{run}");
    let declared = &flags(&run, "new")[0];
    let pair = (&declared["here"]["wiki"], &declared["there"]["wiki"]);
    assert_eq!(pair, (&json!("new"), &json!("copy")), "{run}");
}

#[test]
fn pages_that_agree_carry_no_flag() {
    for (one, other) in [
        ("The gateway stops requests above 5 GB of data.", "The gateway stops requests above 5000 MB of data."),
        ("In 2019 the gateway served 5 nets of the town.", "In 2020 the gateway served 6 nets of the town."),
        ("The gateway is made of steel and stone.", "The gateway is not known in the southern town."),
    ] {
        let world = two(one, other);
        let run = ask(&world, &[]);
        assert!(!run.stdout.contains("conflicts") && run.hits().len() == 2, "{run}");
    }
}
