//! Many wikis, one answer.

use fastrand::Rng;
use serde_json::Value;
use wikirag_tests::{Run, World, notes};

use crate::{garden, world};

/// Small wiki `known` with the answer, large wiki `noise` that shares its words.
fn needle_and_hay() -> World {
    let world = world();
    let about = ["Mooring", "Ballast", "Rigging", "Keel", "Anchor"];
    for title in about {
        let text =
            format!("# {title}\n\nThe {} of the schooner Marigold is inspected every spring.\n", title.to_lowercase());
        world.write(&format!("known/{title}.md"), text);
    }
    let mut rng = Rng::with_seed(58);
    for number in 0..420 {
        let mut text = notes::note(&format!("Log {number}"), &mut rng);
        // Half of the noise speaks of the words of the questions, and says nothing of what is asked.
        if number % 2 == 0 {
            text.push_str("Every spring something is inspected, the anchor of a schooner among others.\n");
        }
        world.write(&format!("noise/{number}.md"), text);
    }
    world.write("hollow/readme.bin", "no note");
    world.write("alone.rag.yaml", "wikis: [known]\n");
    world.write("both.rag.yaml", "wikis: [known, noise]\n");
    world.write("hollow.rag.yaml", "wikis: [known, hollow]\n");
    world.write("gone.rag.yaml", "wikis: [known, nowhere]\n");
    world
}

fn of_wiki(run: &Run, wiki: &str) -> Vec<Value> {
    let of_wiki = run.results().into_iter().filter(|hit| hit["wiki"] == wiki);
    // All but what compares it with the others.
    let own = ["id", "path", "title", "headings", "role", "lines", "bytes", "text", "snippet", "freshness"];
    of_wiki.map(|hit| own.map(|key| hit[key].clone()).into_iter().collect()).collect()
}

/// [B58]
#[test]
fn a_small_wiki_is_not_drowned_by_a_large_one() {
    let world = needle_and_hay();
    for question in ["anchor of the schooner Marigold", "when is the keel of the Marigold inspected", "Marigold"] {
        let alone = world.run(&["query", "alone.rag.yaml", question, "--json"]).ok();
        let both = world.run(&["query", "both.rag.yaml", question, "--json", "-k", "1000"]).ok();
        let best = &alone.hits()[0];
        assert!(both.hits()[..3].contains(best), "{question}: {:?} without {best}", &both.hits()[..3]);
        assert_eq!(of_wiki(&both, "known"), of_wiki(&alone, "known"), "{question}");
        // The noise was asked as well, but for what it says nothing of.
        assert_eq!(both.hits().iter().any(|hit| hit.starts_with("noise/")), question != "Marigold", "{both}");
        let again = world.run(&["query", "alone.rag.yaml", question, "--json"]).ok();
        assert_eq!(again.results(), alone.results(), "{question}");
    }
}

/// [B58] [B59] An empty or missing wiki is an error that names it; where it is allowed, it changes nothing.
#[test]
fn an_absent_wiki_is_told_or_changes_nothing() {
    let world = needle_and_hay();
    let alone = world.run(&["query", "alone.rag.yaml", "schooner keel", "--json"]).ok();
    for (rag, wiki, hint) in [("hollow.rag.yaml", "hollow", "wiki-empty"), ("gone.rag.yaml", "nowhere", "wiki-missing")]
    {
        let run = world.run(&["query", rag, "schooner keel", "--json"]).expect(1);
        assert!(run.stderr.contains(wiki) && run.stdout.is_empty(), "{run}");

        let run = world.run(&["query", rag, "schooner keel", "--json", "--allow-missing"]).ok();
        assert_eq!(run.hints().iter().filter(|code| *code == hint).count(), 1, "{run}");
        assert!(run.stderr.lines().any(|line| line.starts_with("note:") && line.contains(wiki)), "{run}");
        assert_eq!(run.results(), alone.results());
        let (answer, expected) = (run.json(), alone.json());
        assert_eq!((&answer["total"], &answer["served_by"]), (&expected["total"], &expected["served_by"]));
    }
}

/// [B59] Never a partial answer in silence.
#[test]
fn a_wiki_that_may_not_be_built_is_an_error() {
    let world = garden();
    world.write("food/pesto.md", "# Pesto\n\nCrush basil with pine nuts.\n");
    world.write("all.rag.yaml", "wikis: [garden, food]\n");
    let _ = world.run(&["build", "garden"]).ok();
    // To allow that a wiki is missing is not to allow that one which is there is left out.
    for more in [["--no-build"].as_slice(), &["--no-build", "--allow-missing"]] {
        let run = world.run(&[&["query", "all.rag.yaml", "basil", "--json"], more].concat()).expect(5);
        assert!(run.stderr.contains("wiki: food") && run.stdout.is_empty(), "{run}");
    }
    let run = world.run(&["query", "all.rag.yaml", "basil", "--json"]).ok();
    assert_eq!(run.hints(), ["built"]);
    assert_eq!(run.hits().len(), 2, "{run}");
}

/// Everything that is missing is told at once.
#[test]
fn all_that_is_missing_is_named() {
    let world = garden();
    world.write("all.rag.yaml", "wikis: [garden, attic, cellar]\n");
    let run = world.run(&["query", "all.rag.yaml", "basil"]).expect(1);
    assert!(run.stderr.contains("`attic`") && run.stderr.contains("`cellar`"), "{run}");
    world.write("none.rag.yaml", "wikis: [attic]\n");
    let run = world.run(&["query", "none.rag.yaml", "basil", "--allow-missing"]).expect(1);
    assert!(run.stderr.contains("`attic`"), "{run}");
}

#[test]
fn weights_and_routes_shift_the_order() {
    let world = world();
    for (wiki, plant) in [("east", "willow"), ("west", "poplar")] {
        world.write(&format!("{wiki}/note.md"), format!("# Tree\n\nA {plant} stands by the brook.\n"));
    }
    let first = |rag: &str| {
        world.write("a.rag.yaml", rag);
        world.run(&["query", "a.rag.yaml", "brook", "--json"]).ok().hits()
    };
    assert_eq!(first("wikis: [east, {wiki: west, weight: 3}]\nroute: all\n"), ["west/note.md", "east/note.md"]);
    assert_eq!(first("wikis: [{wiki: east, weight: 3}, west]\nroute: all\n"), ["east/note.md", "west/note.md"]);
    assert_eq!(first("wikis: [{wiki: east, weight: 3}, west]\nroute: top:1\n"), ["east/note.md"]);
    assert_eq!(first("wikis: [east, west]\nlimit: 1\n").len(), 1);
}

#[test]
fn mistakes_in_a_composition_name_the_file() {
    let world = garden();
    let cases = [
        ("wikis: [garden]\nclearence: public\n", "clearance"),
        ("wikis: []\n", "empty"),
        ("name: x\n", "wikis"),
        ("wikis: [garden, ./garden]\n", "same wiki"),
        ("wikis: [garden]\nroute: best\n", "auto"),
        ("wikis: [{wiki: garden, weight: -1}]\n", "weight"),
        ("wikis: [garden\n", "line"),
    ];
    for (text, said) in cases {
        world.write("a.rag.yaml", text);
        let run = world.run(&["query", "a.rag.yaml", "basil"]).expect(1);
        assert!(run.stderr.contains("a.rag.yaml") && run.stderr.contains(said), "{text}\n{run}");
    }
    assert!(!world.holds(".index"));
}
