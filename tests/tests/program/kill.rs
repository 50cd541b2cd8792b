//! Killed at any moment, the index answers, and the next build goes on. [B46]

use std::thread::sleep;
use std::time::Instant;

use crate::vault::{Vault, said};
use crate::world;

const NOTES: usize = 240;

/// Kills that must hit a running build, in each of the three tests. `cargo xtask soak` asks for more.
fn kills() -> usize {
    std::env::var("WIKIRAG_TEST_KILLS").map_or(10, |kills| kills.parse().unwrap())
}

/// Builds that may have ended before they were killed, for each that was hit.
const MISSES: usize = 10;

#[test]
fn a_first_build() {
    // Every other one goes on from what the kill before has left.
    kill_builds(10, |round| round % 2 == 0, &["build", "vault"]);
}

#[test]
fn a_build_of_edits() {
    kill_builds(20, |_| false, &["build", "vault"]);
}

#[test]
fn a_full_build() {
    kill_builds(30, |_| false, &["build", "vault", "--full"]);
}

/// A full build puts the new layer in the place of the old one by two renames, and a kill may come between them.
#[test]
fn in_the_middle_of_a_swap() {
    let world = world();
    let vault = Vault::new(&world, 40, 20);
    let _ = world.run(&["build", "vault"]).ok();
    let right = said(&vault.ask(&[]));
    world.rename("vault/.index/bm25", "vault/.index/bm25.old");
    world.copy_in(&world.path("vault/.index/bm25.old"), "vault/.index/bm25.new");
    assert_eq!(said(&vault.ask(&[])), right);
    let _ = world.run(&["build", "vault"]).ok();
    assert_eq!(said(&vault.ask(&[])), right);
    let left = ["bm25", "bm25.new", "bm25.old"].map(|folder| world.path("vault/.index").join(folder).exists());
    assert_eq!(left, [true, false, false]);
    // What a kill before the swap leaves is swept away by any build.
    world.copy_in(&world.path("vault/.index/bm25"), "vault/.index/bm25.new");
    let _ = world.run(&["build", "vault"]).ok();
    assert!(!world.path("vault/.index/bm25.new").exists());
}

/// A commit of a layer ends when the file that names its segments is replaced: before that there are only more files.
#[test]
fn before_the_end_of_a_commit() {
    let world = world();
    let vault = Vault::new(&world, 41, 40);
    let _ = world.run(&["build", "vault"]).ok();
    let paths = world.snapshot("vault/.index").paths();
    let names = format!("vault/.index/{}", paths.iter().find(|path| path.ends_with("meta.json")).unwrap());
    let old = world.read(&names);
    for note in ["00/0000.md", "01/0001.md"] {
        world.append(&format!("vault/{note}"), "\nThe lighthouse keeper is new.\n");
    }
    let _ = world.run(&["build", "vault"]).ok();
    let right = said(&vault.ask(&[]));
    world.write(&names, old);
    for run in vault.ask(&[]) {
        assert_eq!(run.ok().json()["degraded"][0]["code"], "behind");
    }
    let _ = world.run(&["build", "vault"]).ok();
    assert_eq!(said(&vault.ask(&[])), right);
}

/// Kills builds until enough of them were hit. `from_nothing` says which rounds begin without an index.
fn kill_builds(seed: u64, from_nothing: impl Fn(usize) -> bool, build: &[&str]) {
    let world = world();
    let mut vault = Vault::new(&world, seed, NOTES);
    let started = Instant::now();
    let _ = world.run(&["build", "vault"]).ok();
    let whole = started.elapsed();
    let (mut killed, kills) = (0, kills());
    for round in 0..kills * (1 + MISSES) {
        if killed == kills {
            return;
        }
        let from_nothing = from_nothing(round);
        if from_nothing {
            world.remove("vault/.index");
        } else {
            vault.edit();
        }
        let before = vault.ask(&[]);
        let had_index = before.iter().all(|run| run.code == 0);
        let mut child = world.spawn(build);
        sleep(vault.moment(whole));
        child.kill().unwrap();
        killed += usize::from(child.wait().unwrap().code().is_none());

        let between = vault.ask(&[]);
        if had_index {
            assert!(between.iter().all(|run| run.code == 0), "round {round}: {}", between[0]);
        }
        if from_nothing && between[0].code != 0 {
            assert!(between.iter().all(|run| run.code == 5), "round {round}: {}", between[0]);
            continue;
        }
        let _ = world.run(&["build", "vault"]).ok();
        let after = vault.ask(&[]);
        let fresh = ["--set", "index_dir=fresh"];
        let _ = world.run(&[fresh.as_slice(), &["build", "vault"]].concat()).ok();
        assert_eq!(said(&after), said(&vault.ask(&fresh)), "round {round}: not as a fresh index");
        world.remove("fresh");

        for (index, run) in between.iter().enumerate() {
            if run.code == 5 {
                assert!(!had_index && run.stderr.contains("wiki: vault"), "round {round}: {run}");
                continue;
            }
            let degraded = run.json()["degraded"].clone();
            if degraded.as_array().unwrap().is_empty() {
                let got = said(std::slice::from_ref(run));
                let is_old = had_index && got == said(&before[index..=index]);
                assert!(is_old || got == said(&after[index..=index]), "round {round}: neither old nor new: {run}");
            } else {
                // The catalog is new and the layer follows: it says so, and every passage is one of a note.
                assert_eq!(degraded[0]["code"], "behind", "round {round}: {run}");
                assert!(run.results().iter().all(|result| vault.ever_held(result)), "round {round}: {run}");
            }
        }
    }
    assert_eq!(killed, kills, "builds end before they can be killed");
}
