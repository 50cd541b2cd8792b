//! Many small wikis, of which a question concerns one: it is found, the others are not opened, and nothing that happens to them is missed.

use std::fs;

use fastrand::Rng;
use wikirag_tests::{Run, World, notes};

use crate::world;

/// The wikis of `all.rag.yaml`.
const WIKIS: usize = 40;
/// The one that holds the answer.
const NEEDLE: usize = 23;
const QUESTION: &str = "schooner marigold";

fn name(number: usize) -> String {
    format!("wiki-{number:02}")
}

fn write_composition(world: &World, count: usize) {
    let names: Vec<String> = (0..count).map(name).collect();
    world.write("all.rag.yaml", format!("wikis: [{}]\n", names.join(", ")));
}

/// Forty wikis of made-up words, built, of which one holds the words of the question.
fn fleet() -> World {
    let world = world();
    let mut rng = Rng::with_seed(40);
    for number in 0..WIKIS {
        for note in 0..3 {
            world.write(&format!("{}/{note}.md", name(number)), notes::note(&format!("Log {note}"), &mut rng));
        }
    }
    world.append(&format!("{}/1.md", name(NEEDLE)), "The schooner Marigold lies in dock three.\n");
    write_composition(&world, WIKIS);
    seal(&world);
    world
}

/// Builds until each wiki says that it stands: files that were written a moment ago are not trusted, and are looked at again.
fn seal(world: &World) {
    for _ in 0..100 {
        let _ = world.run(&["build", "all.rag.yaml"]).ok();
        let _ = ask(world, QUESTION, &[]);
        if (0..WIKIS).all(|number| world.path(&format!("{}/.index/seal.json", name(number))).exists()) {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    panic!("not all wikis were sealed");
}

#[track_caller]
fn ask(world: &World, question: &str, more: &[&str]) -> Run {
    world.run(&[&["query", "all.rag.yaml", question, "--json"], more].concat()).ok()
}

fn needle() -> String {
    format!("{}/1.md", name(NEEDLE))
}

/// Puts what is no database in the place of a catalog: whoever opens the wiki fails.
fn damage(world: &World, number: usize) {
    fs::write(world.path(&format!("{}/.index/catalog.db", name(number))), "no database").unwrap();
}

#[test]
fn one_wiki_of_forty_is_found_and_the_others_stay_closed() {
    let world = fleet();
    let whole = ask(&world, QUESTION, &[]);
    assert_eq!(whole.hits()[0], needle(), "{whole}");
    for number in (0..WIKIS).filter(|number| *number != NEEDLE) {
        damage(&world, number);
    }
    for more in [[].as_slice(), &["--no-refresh"], &["--strict"]] {
        let run = ask(&world, QUESTION, more);
        assert_eq!((run.results(), run.hints().len()), (whole.results(), 0), "{run}");
        assert!(run.json()["degraded"].as_array().unwrap().is_empty(), "{run}");
    }
    // A wiki whose state nobody vouches for is opened, and its damage told.
    world.remove(&format!("{}/.index/seal.json", name(5)));
    let run = world.run(&["query", "all.rag.yaml", QUESTION, "--json"]);
    assert!(run.code != 0 && run.stdout.is_empty() && run.stderr.contains(&name(5)), "{run}");
}

#[test]
fn all_wikis_are_opened_where_all_are_to_be_searched() {
    let world = fleet();
    damage(&world, 5);
    for (route, code) in [("auto", 0), ("top:3", 0), ("all", 1)] {
        let route = format!("route: {route}\n");
        write_composition(&world, WIKIS);
        world.append("all.rag.yaml", &route);
        let run = world.run(&["query", "all.rag.yaml", QUESTION, "--json"]);
        assert_eq!(run.code.min(1), code, "{route}{run}");
    }
}

#[test]
fn an_edit_in_a_wiki_that_was_never_searched_is_found() {
    let world = fleet();
    world.append(&format!("{}/2.md", name(7)), "The heron nests in the attic.\n");
    assert!(ask(&world, "heron attic", &["--no-refresh"]).hits().is_empty());
    assert_eq!(ask(&world, "heron attic", &[]).hits(), [format!("{}/2.md", name(7))]);
    // A new file, a file that is gone, and one that lies elsewhere now.
    world.write(&format!("{}/new.md", name(8)), "# Otter\n\nThe otter sleeps in the cellar.\n");
    assert_eq!(ask(&world, "otter cellar", &[]).hits(), [format!("{}/new.md", name(8))]);
    world.rename(&format!("{}/new.md", name(8)), &format!("{}/new.md", name(9)));
    assert_eq!(ask(&world, "otter cellar", &[]).hits(), [format!("{}/new.md", name(9))]);
    world.remove(&needle());
    let run = ask(&world, QUESTION, &[]);
    assert_eq!((run.hits(), run.hints()), (vec![], vec!["nothing-found".to_owned()]), "{run}");
}

#[test]
fn a_wiki_that_is_added_is_asked_as_well() {
    let world = fleet();
    world.write(&format!("{}/yard.md", name(WIKIS)), "# Yard\n\nThe schooner Marigold was built in this yard.\n");
    assert_eq!(ask(&world, QUESTION, &[]).hits().len(), 1);
    write_composition(&world, WIKIS + 1);
    let run = world.run(&["query", "all.rag.yaml", QUESTION, "--no-build"]).expect(5);
    assert!(run.stderr.contains(&name(WIKIS)), "{run}");
    let run = ask(&world, QUESTION, &[]);
    let mut hits = run.hits();
    hits.sort_unstable();
    assert_eq!((hits, run.hints()), (vec![needle(), format!("{}/yard.md", name(WIKIS))], vec!["built".to_owned()]));
}

/// [B59] Whatever of an index is gone, it comes back or is an error; an answer without the wiki is neither.
#[test]
fn an_index_that_is_gone_is_made_anew_or_told() {
    let world = fleet();
    let before = ask(&world, QUESTION, &[]).results();
    for part in ["", "/bm25", "/bm25/words", "/catalog.db", "/seal.json"] {
        let part = format!("{}/.index{part}", name(NEEDLE));
        world.remove(&part);
        let run = world.run(&["query", "all.rag.yaml", QUESTION, "--json", "--no-build", "--allow-missing"]);
        let is_told = run.code == 5 && run.stderr.contains(&name(NEEDLE)) && run.stdout.is_empty();
        assert!(is_told || (run.code == 0 && run.results() == before), "{part}\n{run}");
        assert_eq!(ask(&world, QUESTION, &[]).results(), before, "{part}");
    }
}

/// [B59] A wiki that says nothing of the question is not left out in silence either.
#[test]
fn a_wiki_that_would_not_be_searched_must_be_there() {
    let world = fleet();
    world.remove(&format!("{}/.index", name(3)));
    let run = world.run(&["query", "all.rag.yaml", QUESTION, "--json", "--no-build"]).expect(5);
    assert!(run.stderr.contains(&name(3)) && run.stdout.is_empty(), "{run}");
    world.remove(&name(3));
    let run = world.run(&["query", "all.rag.yaml", QUESTION, "--json"]).expect(1);
    assert!(run.stderr.contains(&name(3)) && run.stdout.is_empty(), "{run}");
    let run = ask(&world, QUESTION, &["--allow-missing"]);
    assert_eq!((run.hits(), run.hints()), (vec![needle()], vec!["wiki-missing".to_owned()]), "{run}");
}

/// [B74] What no wiki holds is not found, whether the indexes are whole or behind.
#[test]
fn what_no_wiki_holds_is_not_found() {
    let world = fleet();
    world.append(&format!("{}/2.md", name(7)), "One more line.\n");
    for more in [["--no-refresh"].as_slice(), &[]] {
        let run = ask(&world, "zxqv blorptang", more);
        assert_eq!((run.hits(), run.hints()), (vec![], vec!["nothing-found".to_owned()]), "{run}");
        assert_eq!(run.json()["total"], 0);
    }
}
