//! Folders that are watched: what changes is in the index a moment later, and nothing is lost.
#![cfg(unix)]

mod edits;
mod watcher;

use std::fs;
use std::time::Duration;

use serde_json::Value;
use wikirag_tests::World;

use self::edits::Editor;
use self::watcher::Watcher;
use crate::world;

/// All that the index of a wiki holds: every file with its state, and every passage with its id.
fn held(world: &World, wiki: &str, flags: &[&str]) -> (Value, Vec<Value>) {
    let run = |args: &[&str]| world.run(&[flags, args].concat());
    let status = run(&["status", wiki, "--files", "--json"]).json()["wikis"][0].clone();
    // Each text of these tests has the word.
    let ask = ["query", wiki, "word", "-k", "1000", "--per-document", "1000", "--json", "--no-build", "--no-refresh"];
    (status["files"].clone(), run(&ask).ok().results())
}

/// Waits until the index is as one that is made anew of the folder as it is now.
fn expect_as_fresh(world: &World, wiki: &str) {
    let fresh = ["--set", "index_dir=fresh"];
    let _ = world.run(&[fresh.as_slice(), &["build", wiki]].concat());
    let expected = held(world, wiki, &fresh);
    world.remove("fresh");
    watcher::until(&format!("the index of {wiki} is as a fresh one"), || held(world, wiki, &[]) == expected);
}

fn pond() -> World {
    let world = world();
    world.write("pond/heron.md", "# Heron\n\nA word on the heron.\n");
    world.write("pond/otter.md", "# Otter\n\nA word on the otter.\n");
    world
}

#[test]
fn each_change_is_indexed_and_told_in_one_line() {
    let world = pond();
    let watcher = Watcher::start(&world, &["pond"]);
    assert_eq!(watcher.next("watching")["wiki"], "pond");
    assert_eq!(watcher.next("rebuilt")["indexed"], 2);
    world.append("pond/heron.md", "\nIt waits.\n");
    assert_eq!(watcher.next("rebuilt")["indexed"], 1);
    world.remove("pond/otter.md");
    assert_eq!(watcher.next("rebuilt")["removed"], 1);
    world.rename("pond/heron.md", "pond/birds/grey heron.md");
    let told = watcher.next("rebuilt");
    assert_eq!((&told["indexed"], &told["removed"]), (&1.into(), &1.into()));
    assert_eq!(
        world.run(&["query", "pond", "waits", "--json", "--no-refresh"]).ok().hits(),
        ["pond/birds/grey heron.md"]
    );
    // What changes nothing is not told, and no line of the log either.
    world.write("pond/.hidden.md", "A word.\n");
    world.write("pond/birds/grey heron.md", "# Heron\n\nA word on the heron.\n\nIt waits.\n");
    world.write("pond/end.md", "# End\n\nThe last word.\n");
    let told = watcher.next("rebuilt");
    assert_eq!((&told["indexed"], &told["unchanged"]), (&1.into(), &1.into()));
    let log = world.read("pond/.index/log.jsonl");
    assert!(log.lines().count() == 5 && log.lines().all(|line| line.contains("\"index-rebuild\"")), "{log}");
    expect_as_fresh(&world, "pond");
    watcher.stop();
}

/// Each alone, so that no other change brings about the look that it should.
#[test]
fn each_way_to_change_a_folder_is_seen_alone() {
    let world = pond();
    world.write("pond/birds/stork.md", "# Stork\n\nA word on the stork.\n");
    world.write("outside/crane.md", "# Crane\n\nA word on the crane.\n");
    let watcher = Watcher::start(&world, &["pond"]);
    let _ = watcher.next("rebuilt");
    let path = |below: &str| world.path(below);
    let rename = |from: &str, to: &str| fs::rename(path(from), path(to)).unwrap();
    let (moved, came, went) = ((1, 1), (1, 0), (0, 1));
    // What is done, how many documents are indexed and removed by it, and the doing.
    type Change<'c> = (&'static str, (u64, u64), &'c dyn Fn());
    let changes: [Change<'_>; 10] = [
        ("a file gets another name", moved, &|| rename("pond/heron.md", "pond/egret.md")),
        ("a file goes to another folder", moved, &|| rename("pond/egret.md", "pond/birds/egret.md")),
        ("a folder gets another name", (2, 2), &|| rename("pond/birds", "pond/fowl")),
        ("a file in it is written to", came, &|| world.append("pond/fowl/egret.md", "\nIt waits.\n")),
        ("a file goes out", went, &|| rename("pond/fowl/stork.md", "outside/stork.md")),
        ("a file comes in", came, &|| rename("outside/stork.md", "pond/fowl/stork.md")),
        ("a folder comes in", (2, 0), &|| {
            world.write("outside/crane2.md", "# Crane\n\nAnother word on the crane.\n");
            rename("outside", "pond/cranes");
        }),
        ("a file in it takes the place of another", (1, 1), &|| {
            rename("pond/cranes/crane2.md", "pond/cranes/crane.md");
        }),
        ("a folder goes out", went, &|| rename("pond/cranes", "elsewhere")),
        ("a hidden file is shown", came, &|| {
            world.write("pond/.gull.md", "# Gull\n\nA word on the gull.\n");
            std::thread::sleep(Duration::from_millis(700));
            rename("pond/.gull.md", "pond/gull.md");
        }),
    ];
    for (what, expected, change) in changes {
        change();
        let told = watcher.next("rebuilt");
        assert_eq!((told["indexed"].as_u64().unwrap(), told["removed"].as_u64().unwrap()), expected, "{what}");
    }
    expect_as_fresh(&world, "pond");
    assert!(watcher.stop().is_empty());
}

/// Point by point what an editor and a file manager do, drawn by a seed. `WIKIRAG_WATCH_EDITS=1000` asks for more than a run of all
/// tests has time for.
#[test]
fn after_any_edits_the_index_is_as_a_fresh_one() {
    let edits = std::env::var("WIKIRAG_WATCH_EDITS").map_or(100, |edits| edits.parse().unwrap());
    let world = world();
    world.write("vault/stays.md", "# Stays\n\nThe first word.\n");
    let watcher = Watcher::start(&world, &["vault"]);
    let _ = watcher.next("rebuilt");
    let mut editor = Editor::new(world.path("vault"), 8);
    for number in 0..edits {
        editor.edit(number);
        // A later change would hide that one was lost.
        if number % 10 == 9 {
            expect_as_fresh(&world, "vault");
        }
    }
    expect_as_fresh(&world, "vault");
    let told = watcher.stop();
    assert!(told.iter().all(|line| line["event"] == "rebuilt"), "{told:?}");
    let _ = world.run(&["verify", "vault", "--full"]).ok();
}

#[test]
fn a_thousand_files_at_once_are_few_builds() {
    let world = pond();
    let watcher = Watcher::start(&world, &["pond"]);
    let _ = watcher.next("rebuilt");
    for number in 0..1000 {
        world.write(&format!("pond/{}/{number}.md", number % 40), format!("# Note {number}\n\nOne more word.\n"));
    }
    expect_as_fresh(&world, "pond");
    let builds = watcher.stop().len();
    assert!(builds < 60, "{builds} builds");
}

#[test]
fn a_folder_that_goes_and_comes_back_loses_nothing() {
    let world = pond();
    let watcher = Watcher::start(&world, &["pond"]);
    let _ = watcher.next("rebuilt");
    world.rename("pond", "unmounted");
    assert_eq!(watcher.next("failed")["error"]["kind"], "not-found");
    assert!(!world.path("pond").exists(), "nothing is made in its place");
    world.write("unmounted/stork.md", "# Stork\n\nA word on the stork.\n");
    world.rename("unmounted", "pond");
    assert_eq!(watcher.next("rebuilt")["indexed"], 1);
    // And it is watched as before.
    world.append("pond/stork.md", "\nIt clatters.\n");
    assert_eq!(watcher.next("rebuilt")["indexed"], 1);
    expect_as_fresh(&world, "pond");
    watcher.stop();
}

/// Where the index lies on the disk that is unmounted, what is left is an empty folder.
#[test]
fn an_empty_place_is_no_new_index() {
    let world = pond();
    let watcher = Watcher::start(&world, &["pond"]);
    let _ = watcher.next("rebuilt");
    world.rename("pond", "unmounted");
    fs::create_dir(world.path("pond")).unwrap();
    assert_eq!(watcher.next("failed")["wiki"], "pond");
    world.remove("pond");
    world.rename("unmounted", "pond");
    let told = watcher.next("rebuilt");
    assert_eq!((&told["indexed"], &told["unchanged"]), (&0.into(), &2.into()));
    // A folder made anew, with documents, is no empty place.
    world.remove("pond");
    world.write("pond/crane.md", "# Crane\n\nA word on the crane.\n");
    watcher::until("the new folder is indexed", || {
        let run = world.run(&["query", "pond", "word", "--json", "--no-build", "--no-refresh"]);
        run.code == 0 && run.hits() == ["pond/crane.md"]
    });
    watcher.stop();
}

#[test]
fn many_wikis_are_watched_and_they_come_and_go() {
    let mut world = pond();
    world.write("shelf/one/.wiki.yaml", "name: one\n");
    world.write("shelf/one/a.md", "# A\n\nA word.\n");
    world.write("woods.rag.yaml", "wikis: [shelf/one, absent]\n");
    world.set_variable("WIKIRAG_WIKI_PATH", world.path("shelf").to_str().unwrap());
    let watcher = Watcher::start(&world, &["--all", "pond", "woods.rag.yaml"]);
    let started: Vec<Value> = (0..2).map(|_| watcher.next("watching")["wiki"].clone()).collect();
    assert_eq!(started, ["one", "pond"]);
    assert_eq!(watcher.next("failed")["wiki"], "absent");
    let _ = (watcher.next("rebuilt"), watcher.next("rebuilt"));
    world.write("shelf/two/a.md", "# A\n\nAnother word.\n");
    world.write("shelf/two/.wiki.yaml", "name: two\n");
    assert_eq!(watcher.next("watching")["wiki"], "two");
    assert_eq!(watcher.next("rebuilt")["wiki"], "two");
    let _ = world.run(&["build", "named", "pond"]).ok();
    assert_eq!(watcher.next("watching")["wiki"], "named");
    let _ = watcher.next("rebuilt");
    for wiki in ["shelf/one", "shelf/two"] {
        world.write(&format!("{wiki}/b.md"), "# B\n\nThe second word.\n");
        let told = watcher.next("rebuilt");
        assert!(wiki.ends_with(told["wiki"].as_str().unwrap()) && told["indexed"] == 1, "{told}");
    }
    world.remove("shelf/two");
    assert_eq!(watcher.next("left")["wiki"], "two");
    // Two wikis over one folder are both told of.
    world.write("pond/stork.md", "# Stork\n\nA word on the stork.\n");
    let mut both = [watcher.next("rebuilt")["wiki"].clone(), watcher.next("rebuilt")["wiki"].clone()];
    both.sort_by_key(ToString::to_string);
    assert_eq!(both, ["named", "pond"]);
    watcher.stop();
}

#[test]
fn a_manifest_that_changes_changes_the_wiki() {
    let world = pond();
    world.write("pond/drafts/egret.md", "# Egret\n\nA word on the egret.\n");
    let watcher = Watcher::start(&world, &["pond"]);
    assert_eq!(watcher.next("rebuilt")["indexed"], 3);
    world.write("pond/.wiki.yaml", "exclude: drafts\n");
    assert_eq!(watcher.next("rebuilt")["removed"], 1);
    world.write("pond/.wiki.yaml", "exclude: [drafts\n");
    assert_eq!(watcher.next("failed")["error"]["kind"], "invalid");
    world.write("pond/.wiki.yaml", "exclude: otter.md\n");
    let told = watcher.next("rebuilt");
    assert_eq!((&told["indexed"], &told["removed"]), (&1.into(), &1.into()));
    // A folder becomes a wiki of its own, and is none again.
    world.write("pond/drafts/.wiki.yaml", "name: drafts\n");
    assert_eq!(watcher.next("rebuilt")["removed"], 1);
    world.remove("pond/drafts/.wiki.yaml");
    assert_eq!(watcher.next("rebuilt")["indexed"], 1);
    world.write("pond/.gitignore", "heron.md\n");
    assert_eq!(watcher.next("rebuilt")["removed"], 1);
    expect_as_fresh(&world, "pond");
    watcher.stop();
}

#[test]
fn an_index_beside_the_documents_wakes_nobody() {
    let world = pond();
    let flags = ["--set", "index_dir=pond/indexes"];
    let watcher = Watcher::start_with(&world, &flags, &["pond"]);
    assert_eq!(watcher.next("rebuilt")["indexed"], 2);
    world.append("pond/heron.md", "\nIt waits.\n");
    let _ = watcher.next("rebuilt");
    std::thread::sleep(Duration::from_secs(2));
    let told = watcher.stop();
    assert!(told.len() <= 1, "{told:?}");
}

#[test]
fn nothing_to_watch_is_an_error_and_signals_end_it() {
    let world = pond();
    let run = world.run(&["watch", "absent"]).expect(1);
    assert!(run.stderr.contains("there is no wiki `absent`"), "{run}");
    for signal in ["INT", "TERM"] {
        let watcher = Watcher::start(&world, &["pond"]);
        let _ = watcher.next("rebuilt");
        watcher.stop_by(signal);
    }
    // Also in the middle of the first build.
    let watcher = Watcher::start(&world, &["pond"]);
    let _ = watcher.next("watching");
    watcher.stop_by("TERM");
}
