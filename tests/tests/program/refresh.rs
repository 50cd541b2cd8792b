//! One run over many wikis.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use serde_json::Value;
use wikirag_tests::{Run, World};

use crate::world;

/// The lines of a run, and its summary.
fn lines(run: &Run) -> (Vec<Value>, Value) {
    let mut lines: Vec<Value> = run.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let summary = lines.pop().unwrap()["summary"].clone();
    assert!(summary.is_object(), "the last line is the summary: {run}");
    (lines, summary)
}

/// `wiki: outcome` of each line.
fn outcomes(run: &Run) -> Vec<String> {
    let text = |line: &Value| format!("{}: {}", line["wiki"].as_str().unwrap(), line["outcome"].as_str().unwrap());
    lines(run).0.iter().map(text).collect()
}

/// The events in the log of an index.
fn log(world: &World, wiki: &str) -> Vec<Value> {
    let text = world.read(&format!("{wiki}/.index/log.jsonl"));
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn three() -> World {
    let world = world();
    for wiki in ["ash", "birch", "cedar"] {
        world.write(&format!("{wiki}/a.md"), format!("# One\n\nThe {wiki} grows by the river.\n"));
        world.write(&format!("{wiki}/b.md"), format!("# Two\n\nThe {wiki} is cut in winter.\n"));
    }
    world
}

const NAMES: [&str; 3] = ["ash", "birch", "cedar"];

fn refresh(world: &World, more: &[&str]) -> Run {
    world.run(&[&["refresh", "--json"], NAMES.as_slice(), more].concat())
}

#[test]
fn what_changed_is_indexed_and_what_is_gone_leaves() {
    let world = three();
    let _ = world.run(&["build", "ash"]).ok();
    let (wikis, summary) = lines(&refresh(&world, &[]).ok());
    assert_eq!(wikis.iter().map(|wiki| wiki["indexed"].as_u64().unwrap()).collect::<Vec<_>>(), [0, 2, 2]);
    assert_eq!(summary["refreshed"], 3);
    world.append("birch/a.md", "\nIts bark is white.\n");
    world.remove("birch/b.md");
    world.rename("cedar/a.md", "cedar/sub/c.md");
    let (wikis, _) = lines(&refresh(&world, &[]).ok());
    let counts = |key: &str| wikis.iter().map(|wiki| wiki[key].as_u64().unwrap()).collect::<Vec<_>>();
    assert_eq!(
        (counts("indexed"), counts("removed"), counts("unchanged")),
        (vec![0, 1, 1], vec![0, 1, 1], vec![2, 0, 1])
    );
    let hits = world.run(&["query", "birch", "bark white winter", "--json", "--no-refresh"]).ok().hits();
    assert_eq!(hits, ["birch/a.md"]);
}

/// Also where nothing changed: that somebody looked is what the log is asked for.
#[test]
fn each_refresh_is_one_line_of_the_log() {
    let world = three();
    let _ = world.run(&["build", "ash"]).ok();
    let _ = refresh(&world, &[]).ok();
    let _ = world.run(&["reindex", "ash", "birch"]).ok();
    let events = |wiki: &str| {
        log(&world, wiki).iter().map(|line| line["event"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(events("ash"), ["build", "index-rebuild", "index-rebuild"]);
    assert_eq!(events("birch"), ["index-rebuild", "index-rebuild"]);
    assert_eq!(events("cedar"), ["index-rebuild"]);
}

#[test]
fn a_wiki_that_fails_keeps_no_other_from_it() {
    let world = three();
    let _ = refresh(&world, &[]).ok();
    world.write("birch/.wiki.yaml", "nmae: birch\n");
    world.append("cedar/a.md", "\nIt smells.\n");
    let run = world.run(&["refresh", "nowhere", "birch", "cedar", "ash", "--json"]).expect(4);
    assert_eq!(outcomes(&run), ["nowhere: failed", "birch: failed", "ash: refreshed", "cedar: refreshed"]);
    let (wikis, summary) = lines(&run);
    assert_eq!((&summary["failed"], &summary["refreshed"]), (&2.into(), &2.into()));
    assert_eq!((&wikis[0]["error"]["kind"], &wikis[1]["error"]["kind"]), (&"not-found".into(), &"invalid".into()));
    assert!(run.stderr.contains("nmae") && run.stderr.contains("nowhere"), "{run}");
    assert_eq!(world.run(&["query", "cedar", "smells", "--json", "--no-refresh"]).ok().hits(), ["cedar/a.md"]);
    // For people the same.
    let run = world.run(&["refresh", "birch", "cedar"]).expect(4);
    assert!(run.stderr.contains("2 wikis: 1 refreshed, 1 failed") && run.stdout.contains("birch: failed"), "{run}");
    // Where nothing was done, it was not done in part.
    let _ = world.run(&["refresh", "birch"]).expect(1);
}

#[test]
fn files_that_fail_make_a_refresh_partial() {
    let world = three();
    world.write("birch/broken.md", b"\0\x01\x02\0 is no text.\n");
    let run = refresh(&world, &[]).expect(4);
    assert_eq!(outcomes(&run), ["ash: refreshed", "birch: partial", "cedar: refreshed"]);
    assert!(run.stderr.contains("birch/broken.md"), "{run}");
}

#[test]
fn a_folder_that_is_gone_or_empty_fails_and_keeps_its_index() {
    let world = three();
    for wiki in NAMES {
        world.rename(wiki, &format!("disk/{wiki}"));
        let _ = world.run(&["build", wiki, &format!("disk/{wiki}")]).ok();
    }
    world.rename("disk/ash", "away");
    world.remove("disk/birch/a.md");
    world.remove("disk/birch/b.md");
    let run = world.run(&["refresh", "--all", "--json"]).expect(4);
    let (wikis, _) = lines(&run);
    assert_eq!(wikis.len(), 3);
    assert_eq!(wikis.iter().filter(|wiki| wiki["outcome"] == "failed").count(), 2, "{run}");
    assert!(!world.path("disk/ash").exists(), "nothing is made in the place of what is gone");
    world.rename("away", "disk/ash");
    for wiki in ["ash", "birch"] {
        let status = world.run(&["status", wiki, "--json"]).json();
        assert_eq!(status["wikis"][0]["documents"], 2, "{wiki}");
    }
    // A folder without documents is the place of a disk that is not there, or a mistake.
    world.write("empty/readme.xyz", "");
    assert_eq!(
        outcomes(&world.run(&["refresh", "empty", "ash", "--json"]).expect(4)),
        ["ash: refreshed", "empty: failed"]
    );
}

#[test]
fn all_are_those_that_are_known() {
    let mut world = three();
    let run = world.run(&["refresh", "--all"]).ok();
    assert!(run.stderr.contains("no wiki"), "{run}");
    let _ = world.run(&["build", "named", "cedar"]).ok();
    world.rename("ash", "shelf/ash");
    world.rename("birch", "shelf/birch");
    world.write("shelf/birch/.wiki.yaml", "name: silver-birch\n");
    world.set_variable("WIKIRAG_WIKI_PATH", world.path("shelf").to_str().unwrap());
    assert_eq!(
        outcomes(&world.run(&["refresh", "--all", "--json"]).ok()),
        ["named: refreshed", "silver-birch: refreshed"]
    );
    assert!(!world.path("shelf/ash/.index").exists(), "a folder that nobody called a wiki is left alone");
    let _ = world.run(&["build", "ash"]).ok();
    let all = ["ash: refreshed", "named: refreshed", "silver-birch: refreshed"];
    assert_eq!(outcomes(&world.run(&["refresh", "--json"]).ok()), all, "without a name all are meant");
    assert_eq!(outcomes(&world.run(&["refresh", "--json", "--all", "ash"]).ok()), all, "each is done once");
}

#[test]
fn sources_come_before_what_is_made_of_them() {
    let world = three();
    world.rename("cedar", "ash/cedar");
    world.write("ash/cedar/.wiki.yaml", "name: cedar\n");
    world.write("zoo/.wiki.yaml", "roles: [{paths: '*', role: raw}]\n");
    world.write("zoo/log.md", "# Log\n\nFed the otter.\n");
    world.write("woods.rag.yaml", "wikis: [ash, birch, ash/cedar, zoo]\n");
    let expected = ["zoo: refreshed", "birch: refreshed", "cedar: refreshed", "ash: refreshed"];
    assert_eq!(outcomes(&world.run(&["refresh", "woods.rag.yaml", "--json"]).ok()), expected);
    assert_eq!(outcomes(&world.run(&["refresh", "ash", "zoo", "ash/cedar", "birch", "--json"]).ok()), expected);
}

#[test]
fn wikis_that_were_refreshed_lately_are_left_out() {
    let world = three();
    let _ = world.run(&["build", "ash"]).ok();
    let early = outcomes(&refresh(&world, &["--since", "1h"]).ok());
    assert_eq!(early, ["ash: recent", "birch: refreshed", "cedar: refreshed"]);
    let run = refresh(&world, &["--since", "2000-01-01"]).ok();
    assert_eq!((outcomes(&run)[2].as_str(), &lines(&run).1["recent"]), ("cedar: recent", &3.into()));
    assert_eq!(lines(&refresh(&world, &["--since", "2999-01-01"]).ok()).1["refreshed"], 3);
    let run = refresh(&world, &["--since", "soon"]).expect(2);
    assert!(run.stderr.contains("24h"), "{run}");
}

#[test]
fn a_full_refresh_mends_what_a_delta_cannot() {
    let world = three();
    let _ = refresh(&world, &[]).ok();
    world.write("birch/.index/catalog.db", "garbage".repeat(1000));
    assert_eq!(outcomes(&refresh(&world, &[]).expect(4))[1], "birch: failed");
    assert_eq!(outcomes(&refresh(&world, &["--full"]).ok())[1], "birch: refreshed");
    assert_eq!(lines(&refresh(&world, &[]).ok()).0[1]["unchanged"], 2);
}

/// Held as another process would hold it.
fn lock(path: &std::path::Path) -> std::fs::File {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    let file = std::fs::File::create(path).unwrap();
    file.lock().unwrap();
    file
}

#[test]
fn there_is_one_run_at_a_time_and_one_writer_of_a_wiki() {
    let world = three();
    let held = lock(&world.home("data/wikirag/refresh/lock"));
    let run = refresh(&world, &[]).expect(1);
    assert!(run.stdout.is_empty() && run.stderr.contains("another refresh"), "{run}");
    drop(held);
    let held = lock(&world.path("birch/.index/lock"));
    // It is tried once more behind the others.
    assert_eq!(outcomes(&refresh(&world, &[]).expect(4)), ["ash: refreshed", "cedar: refreshed", "birch: failed"]);
    drop(held);
    assert_eq!(outcomes(&refresh(&world, &[]).ok()), ["ash: refreshed", "birch: refreshed", "cedar: refreshed"]);
}

/// Starts a refresh of forty wikis and kills it when the first is done.
fn interrupted(args: &[&str]) -> (World, Vec<String>) {
    let world = world();
    let names: Vec<String> = (0..40).map(|number| format!("wiki-{number:02}")).collect();
    for name in &names {
        for note in 0..8 {
            world.write(&format!("{name}/{note}.md"), format!("# Note {note}\n\nWritten of {name} by hand.\n"));
        }
    }
    let references: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut command = world.command(&[args, references.as_slice()].concat());
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert!(line.contains("wiki-00"), "{line}");
    child.kill().unwrap();
    let _ = child.wait().unwrap();
    (world, names)
}

#[test]
fn a_run_that_was_interrupted_goes_on_where_it_stopped() {
    for args in [["refresh", "--json"].as_slice(), &["refresh", "--json", "--full"]] {
        let (world, names) = interrupted(args);
        let references: Vec<&str> = names.iter().map(String::as_str).collect();
        let run = world.run(&[args, &references].concat()).ok();
        let (wikis, summary) = lines(&run);
        let done = wikis.iter().take_while(|wiki| wiki["outcome"] == "done-before").count();
        assert!((1..40).contains(&done), "{run}");
        assert!(wikis[done..].iter().all(|wiki| wiki["outcome"] == "refreshed"), "{run}");
        assert!(summary["resumed_from"].is_string() && summary["done_before"] == done, "{summary}");
        assert_eq!(log(&world, "wiki-00").len(), 1, "what was done is not done again");
        assert!(names.iter().all(|name| !log(&world, name).is_empty()));
        // It ended, so the next one is a run of its own.
        let (_, summary) = lines(&world.run(&[args, &references].concat()).ok());
        assert_eq!((&summary["refreshed"], &summary["resumed_from"]), (&40.into(), &Value::Null));
    }
}

#[test]
fn another_run_does_not_go_on_with_it() {
    let (world, names) = interrupted(&["refresh", "--json"]);
    let references: Vec<&str> = names.iter().map(String::as_str).collect();
    let other = world.run(&["refresh", "--json", "wiki-00", "wiki-01"]).ok();
    assert_eq!(lines(&other).1["resumed_from"], Value::Null);
    drop(other);
    let (world, _) = interrupted(&["refresh", "--json"]);
    let run = world.run(&[["refresh", "--json", "--restart"].as_slice(), &references].concat()).ok();
    assert_eq!(lines(&run).1["refreshed"], 40);
}
