//! Files of an index that are not what was written into them. [B46]

use std::fs;

use serde_json::Value;
use wikirag_tests::{Run, Snapshot, World};

use crate::vault::Vault;
use crate::world;

/// What a disk or a cut transfer does to a file.
#[derive(Debug, Clone, Copy)]
enum Damage {
    /// The last KB is gone, or half of a shorter file.
    Truncated,
    /// 4 KB in the middle are zeros, or half of a shorter file.
    Zeroed,
    /// The file is not there.
    Gone,
}

impl Damage {
    fn of(self, bytes: &[u8]) -> Option<Vec<u8>> {
        let mut damaged = bytes.to_vec();
        match self {
            Self::Truncated => damaged.truncate(bytes.len() - 1024.min(bytes.len().div_ceil(2))),
            Self::Zeroed => {
                let length = 4096.min(bytes.len().div_ceil(2));
                let start = (bytes.len() - length) / 2;
                damaged[start..start + length].fill(0);
            }
            Self::Gone => return None,
        }
        Some(damaged)
    }
}

/// Without the one file that says where all others are there is no index, and `wikirag build` makes one.
fn is_taken_for_missing(path: &str, damage: Damage) -> bool {
    matches!(damage, Damage::Gone) && (path == "catalog.db" || path.ends_with("/meta.json"))
}

/// Whether the doctor must find the damage. Who holds a lock, what was done when, what SQLite shares between processes
/// that run, and what only spares opening a wiki is no data; and a list of files for the next writer and counts that the index
/// gives too may be missing.
fn matters(path: &str, damage: Damage) -> bool {
    let is_data =
        !["lock", "log.jsonl", "seal.json"].contains(&path) && !path.ends_with(".lock") && !path.ends_with("-shm");
    let may_be_missing = path.ends_with(".managed.json") || path == "bm25/words";
    is_data && !(matches!(damage, Damage::Gone) && may_be_missing)
}

fn ask(world: &World) -> Run {
    world.run(&["query", "vault", "lighthouse barley", "--json", "-k", "20", "--no-build", "--no-refresh"])
}

/// The faults of one damaged file, in words.
fn faults(world: &World, index: &Snapshot, path: &str, damage: Damage, right: &[Value]) -> Vec<String> {
    let mut faults = Vec::new();
    let mut fault = |what: &str, run: &Run| {
        let said = run.stderr.lines().chain(run.stdout.lines().filter(|line| line.starts_with("fault"))).next();
        faults.push(format!("{damage:?} {path}: {what} (exit {}: {})", run.code, said.unwrap_or("nothing said")));
    };
    let file = world.path("vault/.index").join(path);
    let damaged = damage.of(index.bytes(path));
    if damaged.as_deref() == Some(index.bytes(path)) {
        return faults;
    }
    let spoil = || {
        index.restore();
        match &damaged {
            Some(bytes) => fs::write(&file, bytes).unwrap(),
            None => fs::remove_file(&file).unwrap(),
        }
    };

    let name = path.rsplit('/').next().unwrap();
    spoil();
    let run = ask(world);
    match run.code {
        0 if run.results() != right => fault("a wrong answer", &run),
        0 => {}
        5 if !run.stderr.contains("wiki: vault") => fault("the error does not name the wiki", &run),
        5 if !run.stderr.contains(name) && !is_taken_for_missing(path, damage) => {
            fault("the error does not name the file", &run);
        }
        5 => {}
        _ => fault("neither an answer nor exit code 5", &run),
    }

    spoil();
    let run = world.run(&["doctor", "vault"]);
    let found = run.code == 5 && run.stdout.lines().any(|line| line.starts_with("fault   vault: "));
    if matters(path, damage) && !found {
        fault("the doctor does not find it", &run);
    }

    spoil();
    let run = world.run(&["build", "vault", "--full"]);
    if run.code != 0 {
        fault("a full build does not mend it", &run);
    }
    let run = ask(world);
    if run.code != 0 || run.results() != right {
        fault("not the right answer after a full build", &run);
    }
    let run = world.run(&["doctor", "vault"]);
    if run.code != 0 {
        fault("the doctor is not content after a full build", &run);
    }
    faults
}

fn spoil_each_file(damage: Damage) {
    let world = world();
    let mut vault = Vault::new(&world, 46, 60);
    let _ = world.run(&["build", "vault"]).ok();
    // A second build, so that there is more than one segment and something is deleted.
    vault.edit();
    let _ = world.run(&["build", "vault"]).ok();
    let right = ask(&world).ok().results();
    assert!(right.len() > 5);
    // Questions leave side files beside the catalog; they are files of the index as well.
    let index = world.snapshot("vault/.index");
    let paths: Vec<String> = index.paths().into_iter().filter(|path| !index.bytes(path).is_empty()).collect();
    assert!(
        paths.iter().any(|path| path == "catalog.db") && paths.iter().any(|path| path.starts_with("bm25")),
        "{paths:?}"
    );
    let faults: Vec<String> = paths.iter().flat_map(|path| faults(&world, &index, path, damage, &right)).collect();
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn a_truncated_file() {
    spoil_each_file(Damage::Truncated);
}

#[test]
fn a_zeroed_page() {
    spoil_each_file(Damage::Zeroed);
}

#[test]
fn a_lost_file() {
    spoil_each_file(Damage::Gone);
}
