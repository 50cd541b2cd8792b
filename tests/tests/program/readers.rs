//! Readers are never in the way of a build, nor it in theirs; of two builds, one waits its turn. [B45]

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use wikirag_tests::World;

use crate::vault::Vault;
use crate::{garden, world};

const READERS: usize = 8;

/// Readers ask until the build has ended; each asks at least once.
fn read_while(world: &World, build: &[&str]) {
    let ended = AtomicBool::new(false);
    thread::scope(|scope| {
        let readers: Vec<_> = (0..READERS)
            .map(|_| {
                scope.spawn(|| {
                    let mut answers = 0;
                    while answers == 0 || !ended.load(Ordering::Relaxed) {
                        let run =
                            world.run(&["query", "vault", "lighthouse", "--json", "--no-build", "--no-refresh"]).ok();
                        assert!(!run.results().is_empty(), "{run}");
                        answers += 1;
                    }
                    answers
                })
            })
            .collect();
        let mut child = world.spawn(build);
        let status = child.wait().unwrap();
        ended.store(true, Ordering::Relaxed);
        let answers: usize = readers.into_iter().map(|reader| reader.join().unwrap()).sum();
        assert!(status.success(), "{build:?} ended with {status}");
        assert!(answers >= READERS);
    });
}

#[test]
fn readers_ask_while_edits_are_built() {
    let world = world();
    let mut vault = Vault::new(&world, 45, 200);
    let _ = world.run(&["build", "vault"]).ok();
    for _ in 0..3 {
        vault.edit();
        read_while(&world, &["build", "vault"]);
    }
}

#[test]
fn readers_ask_while_all_is_built_anew() {
    let world = world();
    let _vault = Vault::new(&world, 46, 200);
    let _ = world.run(&["build", "vault"]).ok();
    for _ in 0..3 {
        read_while(&world, &["build", "vault", "--full"]);
    }
}

/// Milliseconds that each question took which forty readers asked, each as a process, until `ended`.
fn latencies_of_forty(world: &World, ended: &AtomicBool) -> Vec<f64> {
    let ask = || {
        let mut times = Vec::new();
        while !ended.load(Ordering::Relaxed) {
            let started = Instant::now();
            let run = world.run(&["query", "vault", "lighthouse", "--json", "--no-build", "--no-refresh"]).ok();
            times.push(started.elapsed().as_secs_f64() * 1e3);
            assert!(!run.results().is_empty(), "{run}");
        }
        times
    };
    let mut times: Vec<f64> = thread::scope(|scope| {
        let readers: Vec<_> = (0..40).map(|_| scope.spawn(ask)).collect();
        readers.into_iter().flat_map(|reader| reader.join().unwrap()).collect()
    });
    times.sort_by(f64::total_cmp);
    times
}

/// Run by `cargo xtask soak`, alone on the machine: the times of the readers with a writer beside them are compared with
/// those without.
#[test]
#[ignore = "takes minutes and the whole machine; `cargo xtask soak` runs it"]
fn forty_readers_and_a_writer() {
    let seconds = std::env::var("WIKIRAG_TEST_SECONDS").map_or(120, |seconds| seconds.parse().unwrap());
    let world = world();
    let mut vault = Vault::new(&world, 47, 400);
    let _ = world.run(&["build", "vault"]).ok();
    let for_seconds = |seconds: u64, write: &mut dyn FnMut()| {
        let ended = AtomicBool::new(false);
        thread::scope(|scope| {
            let readers = scope.spawn(|| latencies_of_forty(&world, &ended));
            let started = Instant::now();
            while started.elapsed() < Duration::from_secs(seconds) {
                write();
            }
            ended.store(true, Ordering::Relaxed);
            readers.join().unwrap()
        })
    };
    let idle = for_seconds(seconds / 4 + 1, &mut || thread::sleep(Duration::from_millis(100)));
    let mut builds = 0;
    let busy = for_seconds(seconds, &mut || {
        vault.edit();
        let _ = world.run(&["build", "vault"]).ok();
        builds += 1;
    });
    let p99 = |times: &[f64]| times[times.len() * 99 / 100];
    let (idle_p99, busy_p99) = (p99(&idle), p99(&busy));
    eprintln!(
        "{} questions without a writer: p99 {idle_p99:.0} ms; {} beside {builds} builds: p99 {busy_p99:.0} ms",
        idle.len(),
        busy.len()
    );
    assert!(busy_p99 <= 3.0 * idle_p99, "{busy_p99} ms beside a writer, {idle_p99} ms without");
}

/// Many first questions at once: one of them builds, the others wait for it.
#[test]
fn readers_of_a_wiki_that_was_never_built_agree() {
    let world = world();
    let _vault = Vault::new(&world, 47, 60);
    thread::scope(|scope| {
        let ask = || world.run(&["query", "vault", "lighthouse", "--json"]).ok().results();
        let readers: Vec<_> = (0..READERS).map(|_| scope.spawn(ask)).collect();
        let answers: Vec<_> = readers.into_iter().map(|reader| reader.join().unwrap()).collect();
        assert!(!answers[0].is_empty());
        assert!(answers.iter().all(|answer| *answer == answers[0]));
    });
}

/// Takes the write lock of `garden`, as a build in this process would.
fn lock(world: &World) -> File {
    let path = world.path("garden/.index/lock");
    let mut file = OpenOptions::new().write(true).create(true).truncate(true).open(path).unwrap();
    file.lock().unwrap();
    write!(file, "{}", std::process::id()).unwrap();
    file
}

#[test]
fn a_second_build_is_told_who_holds_the_lock() {
    let world = garden();
    let _ = world.run(&["build", "garden"]).ok();
    let held = lock(&world);
    world.append("garden/beans.md", "They climb strings as well.\n");
    let before = world.snapshot("garden");
    for args in [["build", "garden"].as_slice(), &["build", "garden", "--full"]] {
        let run = world.run(args).expect(1);
        assert!(run.stderr.contains(&format!("locked by process {}", std::process::id())), "{run}");
        assert!(run.stdout.is_empty() && world.snapshot("garden") == before, "{run}");
    }
    drop(held);
    let _ = world.run(&["build", "garden"]).ok();
}

#[test]
fn a_question_does_not_wait_for_the_lock() {
    let world = garden();
    let _ = world.run(&["build", "garden"]).ok();
    let held = lock(&world);
    world.append("garden/beans.md", "They climb strings as well.\n");
    let run = world.run(&["query", "garden", "runner beans", "--json"]).ok();
    assert_eq!(run.hints(), ["building"]);
    assert_eq!(run.results()[0]["freshness"], "stale");
    drop(held);
    let run = world.run(&["query", "garden", "strings", "--json"]).ok();
    assert_eq!((run.hints().len(), run.hits()), (0, vec!["garden/beans.md".to_owned()]));
}
