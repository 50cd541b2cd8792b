//! The account of a wiki is the account of its folder, whatever lies there.

use std::collections::BTreeMap;

use fastrand::Rng;
use serde_json::Value;
use wikirag_tests::World;

use crate::world;

const ROUNDS: u64 = 12;

/// Something that may lie in a folder: its name, and its bytes.
fn any_file(rng: &mut Rng, number: usize) -> (String, Vec<u8>) {
    let text = format!("# Note {number}\n\nThe heron of note {number} waits.\n").into_bytes();
    match rng.u8(..14) {
        0..6 => (format!("note{number}.md"), text),
        6 => (format!("Notiz {number} äöü.MD"), text),
        7 => (format!("empty{number}.md"), Vec::new()),
        8 => (format!("binary{number}.md"), vec![0, 1, 2, 0, 255, 0, 0, 3]),
        9 => (format!("picture{number}.png"), text),
        10 => (format!(".hidden{number}.md"), text),
        11 => (format!("draft{number}.md"), text),
        12 => (format!("_meta{number}.md"), text),
        _ => (format!("no ending {number}"), text),
    }
}

/// A folder to put it into.
fn any_folder(rng: &mut Rng) -> &'static str {
    ["", "a/", "a/b c/", "a/b c/d/", ".hid/", "a/.hid/deep/", "drafts/", "é/"][rng.usize(..8)]
}

/// Paths of all files below the wiki, and what the ledger says of each of them.
fn account(world: &World) -> BTreeMap<String, Vec<Value>> {
    let status = world.run(&["status", "wiki", "--files", "--json"]);
    let rows = status.json()["wikis"][0]["files"].as_array().unwrap().clone();
    let covers = |row: &Value, path: &str| {
        let row = row["path"].as_str().unwrap();
        // A folder that is left out as a whole is one row.
        row == path || (row.ends_with('/') && path.starts_with(row))
    };
    let files = world.snapshot("wiki").paths();
    let files: Vec<String> =
        files.into_iter().filter(|path| !path.starts_with(".index/") && path != ".wiki.yaml").collect();
    for row in &rows {
        let path = row["path"].as_str().unwrap();
        let is_own = path == ".index/" || path == ".wiki.yaml";
        assert!(is_own || files.iter().any(|file| covers(row, file)), "nothing lies at {path}");
    }
    let of = |path: &String| rows.iter().filter(|row| covers(row, path)).cloned().collect();
    files.iter().map(|path| (path.clone(), of(path))).collect()
}

#[test]
fn each_file_of_a_random_tree_has_one_row() {
    for seed in 0..ROUNDS {
        let mut rng = Rng::with_seed(seed);
        let world = world();
        world.write("wiki/.wiki.yaml", "name: wiki\nexclude: [drafts, \"draft*\"]\n");
        world.write("wiki/sure.md", "# Sure\n\nThe otter.\n");
        for number in 0..rng.usize(..60) {
            let (name, bytes) = any_file(&mut rng, number);
            world.write(&format!("wiki/{}{name}", any_folder(&mut rng)), bytes);
        }
        // The second build sees what was removed and changed in between.
        for build in 0..2 {
            let run = world.run(&["build", "wiki", "--json"]);
            let report = run.json();
            let account = account(&world);
            for (path, rows) in &account {
                assert_eq!(rows.len(), 1, "seed {seed}: {path} has the rows {rows:?}");
                let state = rows[0]["state"].as_str().unwrap();
                let expected = match path.as_str() {
                    path if path.contains("drafts/") || path.contains("/draft") || path.starts_with("draft") => {
                        "skipped"
                    }
                    path if path.contains("/.hid") || path.starts_with('.') || path.contains("/.") => "skipped",
                    path if path.contains("binary") => "failed",
                    path if path.to_lowercase().ends_with(".md") => "indexed",
                    _ => "skipped",
                };
                assert_eq!(state, expected, "seed {seed}: {path}: {}", rows[0]);
            }
            let count = |state: &str| account.values().filter(|rows| rows[0]["state"] == state).count() as u64;
            let failed = report["failed"].as_array().unwrap().len() as u64;
            let indexed = report["indexed"].as_u64().unwrap() + report["unchanged"].as_u64().unwrap();
            assert_eq!((indexed, failed), (count("indexed"), count("failed")), "seed {seed}, build {build}");
            assert_eq!(run.code, if failed > 0 { 4 } else { 0 }, "seed {seed}\n{run}");
            for path in account.keys().filter(|path| *path != "sure.md") {
                match rng.u8(..4) {
                    0 => world.remove(&format!("wiki/{path}")),
                    1 => world.append(&format!("wiki/{path}"), "\nMore.\n"),
                    _ => {}
                }
            }
        }
    }
}
