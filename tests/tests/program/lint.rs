//! `lint`: a clean wiki gives no finding, and each seeded fault is found where it was put and takes from the health. Among them are
//! front matter that does not parse, with its line (B19), and links that several pages fit (B37).

mod faults;

use fastrand::Rng;
use serde_json::Value;
use wikirag_tests::{Run, World, notes};

use self::faults::{FAULTS, Fault, Put};
use crate::world;

/// Notes of the clean wiki.
const NOTES: usize = 24;

/// A wiki in which all is well: every page is linked to, every link leads somewhere, and what looks like a secret is one that
/// documentation uses.
fn clean() -> World {
    let world = world();
    world.write("wiki/.wiki.yaml", "name: wiki\nlanguage: en\nlint:\n  require: [title]\n");
    let links: String = (0..NOTES).map(|note| format!("- [[n{note:02}]]\n")).collect();
    world.write("wiki/_index.md", format!("---\ntitle: Index\n---\n# Index\n\n{links}"));
    world.write("wiki/hot.md", format!("---\ntitle: Hot\n---\n# Hot\n\n{}\n", "word ".repeat(400)));
    world.write("wiki/files/plan.png", [0x89, b'P', b'N', b'G']);
    for note in 0..NOTES {
        world.write(&format!("wiki/notes/n{note:02}.md"), text(note));
    }
    let examples = "Write to jane@example.com or you@domain.com, and install left-pad@1.3.0 or logo@2x.png.\n\n\
        The key AKIAIOSFODNN7EXAMPLE with wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY is that of the manual.\n\n\
        Pay with 4111 1111 1111 1111 or 4242-4242-4242-4242, from DE89 3704 0044 0532 0130 00.\n\n\
        ```sh\nexport API_TOKEN=\"<your token>\"\npassword=${PASSWORD}\nsecret: xxxxxxxxxxxxxxxxxxxxxxxx\n\
        curl -H \"Authorization: Bearer $TOKEN\" https://user:password@example.com/\n```\n\n\
        [Elsewhere](../../other/page.md), [web](https://example.org/a.md), [mail](mailto:jane@example.com).\n";
    world.append("wiki/notes/n03.md", examples);
    world
}

fn text(note: usize) -> String {
    let body = notes::note(&format!("Note {note}"), &mut Rng::with_seed(note as u64));
    let (next, far) = ((note + 1) % NOTES, (note + 5) % NOTES);
    format!(
        "---\ntitle: Note {note}\naliases: [the note of {note}]\nupdated: 2026-11-01\nstale_after: 90d\n---\n{body}\n\
         A line to point to. ^here\n\n\
         See [[n{next:02}#Use]], [the other](n{far:02}.md#origin), [[the note of {far}]], [[n{next:02}#^here|there]] and ![[plan.png]].\n\n"
    )
}

fn lint(world: &World, more: &[&str]) -> Run {
    let args = [&["lint", "wiki", "--as-of", "2026-11-30"], more].concat();
    world.run(&args)
}

fn report(run: &Run) -> Value {
    run.json()["wikis"][0].clone()
}

fn findings(report: &Value) -> Vec<(String, String, u64)> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let of = |finding: &Value| (text(&finding["check"]), text(&finding["path"]), finding["line"].as_u64().unwrap());
    report["findings"].as_array().unwrap().iter().map(of).collect()
}

#[test]
fn a_clean_wiki_gives_no_finding_and_full_health() {
    let world = clean();
    let before = world.snapshot("wiki").without(".index");
    let run = lint(&world, &["--fail-under", "100"]).ok();
    assert_eq!(run.stdout, format!("wiki: nothing found in {} pages, health 100.0\n", NOTES + 2));
    let report = report(&lint(&world, &["--format", "json"]).ok());
    assert_eq!((report["health"].as_f64(), report["findings"].as_array().map(Vec::len)), (Some(100.0), Some(0)));
    assert_eq!(report["checks"].as_array().unwrap().len(), 12);
    let sources = |snapshot: wikirag_tests::Snapshot| -> Vec<String> {
        snapshot.paths().into_iter().filter(|path| !path.starts_with(".index")).collect()
    };
    assert_eq!(sources(world.snapshot("wiki")), sources(before));
}

#[test]
fn each_of_sixty_faults_is_found_where_it_is_and_takes_from_the_health() {
    assert!(FAULTS.len() >= 60);
    let world = clean();
    let _ = lint(&world, &[]).ok();
    let clean = world.snapshot("wiki/notes");
    let mut wrong = Vec::new();
    let mut of_check = std::collections::BTreeMap::<&str, usize>::new();
    for Fault { check, puts, at } in FAULTS {
        *of_check.entry(*check).or_default() += 1;
        let before: Vec<(String, Option<String>)> = puts
            .iter()
            .map(|(path, _)| format!("wiki/{path}"))
            .map(|path| (path.clone(), world.path(&path).exists().then(|| world.read(&path))))
            .collect();
        for (path, put) in *puts {
            let path = format!("wiki/{path}");
            match put {
                Put::End(text) => world.append(&path, text),
                Put::All(text) => world.write(&path, text),
                Put::Copy(from, changes) => {
                    let text = changes.iter().fold(world.read(&format!("wiki/{from}")), |text, (old, new)| {
                        assert!(text.contains(old), "{old}");
                        text.replace(old, new)
                    });
                    world.write(&path, text);
                }
                Put::Repeat(piece, times) => {
                    world.write(&path, format!("---\ntitle: Hot\n---\n{}", piece.repeat(*times)));
                }
            }
        }
        let (path, mark) = at;
        let text = world.read(&format!("wiki/{path}"));
        let line = text.lines().position(|line| line.contains(mark)).unwrap_or_else(|| panic!("{mark} in {path}")) + 1;
        let run = lint(&world, &["--json"]).ok();
        let report = report(&run);
        let wanted = ((*check).to_owned(), (*path).to_owned(), line as u64);
        let found = findings(&report);
        if !found.contains(&wanted) || found.iter().any(|(found, ..)| found != check) {
            wrong.push(format!("{wanted:?} gives {found:?}"));
        }
        assert!(report["health"].as_f64().unwrap() < 100.0, "{wanted:?}");
        for (path, text) in before {
            match text {
                Some(text) => world.write(&path, text),
                None => world.remove(&path),
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(of_check.len() == 12 && of_check.values().all(|count| *count >= 4), "{of_check:?}");
    assert_eq!(world.snapshot("wiki/notes").paths(), clean.paths());
    assert_eq!(findings(&report(&lint(&world, &["--json"]).ok())), []);
}

#[test]
fn no_secret_is_printed_whole() {
    let world = clean();
    world.append("wiki/notes/n01.md", "\nghp_9sFq2LxV7bTz4KcRw8YpNd3JmHa6Ug1EoXiB and jane.doe@acme-garden.com\n");
    for format in ["text", "json"] {
        let run = lint(&world, &["--format", format]).ok();
        assert!(run.stdout.contains("ghp_…` (40 characters)"), "{run}");
        assert!(!run.stdout.contains("9sFq2LxV") && !run.stdout.contains("doe@acme"), "{run}");
    }
}

#[test]
fn each_page_more_at_fault_takes_more() {
    let world = clean();
    let mut last = 100.0;
    for note in 0..NOTES {
        world.append(&format!("wiki/notes/n{note:02}.md"), "\nSee [[nowhere]].\n");
        let health = report(&lint(&world, &["--json"]).ok())["health"].as_f64().unwrap();
        assert!(health < last && health > 0.0, "{note}: {health} after {last}");
        last = health;
    }
}

#[test]
fn checks_are_chosen_by_manifest_and_flags() {
    let world = clean();
    world.append("wiki/notes/n01.md", "\nSee [[nowhere]] and [it](gone.md).\n");
    let codes = |more: &[&str]| -> Vec<String> {
        findings(&report(&lint(&world, &[&["--json"], more].concat()).ok())).into_iter().map(|found| found.0).collect()
    };
    assert_eq!(codes(&[]), ["broken-link", "broken-link"]);
    let _ = lint(&world, &["--fail-under", "100"]).expect(4);
    let _ = lint(&world, &["--fail-under", "50"]).ok();
    let _ = lint(&world, &["--fail-under", "101"]).expect(2);
    assert_eq!(codes(&["--check", "orphan,secret"]), [""; 0]);
    assert_eq!(codes(&["--skip", "broken-link"]), [""; 0]);
    let error = lint(&world, &["--check", "borken-link"]).expect(2);
    assert!(error.stderr.contains("did you mean `broken-link`?"), "{error}");
    world.write("wiki/.wiki.yaml", "name: wiki\nlint: {weights: {broken-link: 0}}\n");
    assert_eq!(codes(&[]).len(), 2);
    let _ = lint(&world, &["--fail-under", "100"]).ok();
    world.write("wiki/.wiki.yaml", "name: wiki\nlint: {off: [broken-link]}\n");
    assert_eq!(codes(&[]), [""; 0]);
    assert_eq!(codes(&["--check", "broken-link"]).len(), 2);
    world.write("wiki/.wiki.yaml", "name: wiki\nlint: {off: [broken-lnk]}\n");
    let error = lint(&world, &[]).expect(1);
    assert!(error.stderr.contains("broken-lnk") && error.stderr.contains("did you mean"), "{error}");
}

#[test]
fn a_refused_wiki_leaks_nothing() {
    let world = clean();
    world.write("closed/.wiki.yaml", "name: closed\nsensitivity: restricted\n");
    world.write("closed/plan.md", "# Plan\n\nSee [[nowhere]].\n");
    world.write("both.rag.yaml", "wikis: [wiki, closed]\n");
    let run = world.run(&["lint", "both.rag.yaml"]).expect(6);
    assert!(run.stdout.is_empty() && !run.stderr.to_lowercase().contains("plan"), "{run}");
    world.write("open.rag.yaml", "clearance: restricted\nwikis: [wiki, closed]\n");
    let run = world.run(&["lint", "open.rag.yaml", "--as-of", "2026-11-30"]).ok();
    assert!(run.stdout.contains("closed/plan.md:3: warning[broken-link]"), "{run}");
    // A folder that became a wiki of its own since the build is no part of this one.
    world.write("wiki/inner/secret-plan.md", "# Inner\n\nSee [[nowhere]].\n");
    world.append("wiki/notes/n01.md", "\n[[secret-plan]]\n");
    assert!(lint(&world, &[]).ok().stdout.contains("inner/secret-plan.md:3"));
    world.write("wiki/inner/.wiki.yaml", "sensitivity: restricted\n");
    let run = lint(&world, &["--no-refresh"]).ok();
    assert!(!run.stdout.contains("inner/"), "{run}");
}

#[test]
fn a_wiki_that_was_never_built_is_built_unless_nobody_may() {
    let world = clean();
    let run = lint(&world, &["--no-refresh"]).expect(5);
    assert!(run.stderr.contains("wikirag build"), "{run}");
    let _ = lint(&world, &[]).ok();
    let _ = lint(&world, &["--no-refresh"]).ok();
}
