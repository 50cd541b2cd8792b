//! What a question may demand beside its words.

use wikirag_tests::{Run, World};

use crate::world;

fn notes() -> World {
    let world = world();
    world.write(
        "notes/kitchen/basil.md",
        "---\ntags: [food/herbs]\nstatus: stable\n---\n# Basil\n\nKeep basil fresh in a glass of water, never in the freezer.\n",
    );
    world.write(
        "notes/kitchen/mint.md",
        "---\ntags: [food]\nstatus: [draft]\n---\n# Mint\n\nFresh mint keeps longer than basil. Keep it cool.\n",
    );
    world.write("notes/garden/basil.md", "# Basil in beds\n\nSow basil in May; keep the bed moist.\n");
    let _ = world.run(&["build", "notes"]).ok();
    world
}

fn ask(world: &World, question: &str) -> Run {
    world.run(&["query", "notes", "--json", "--no-refresh", "--", question]).ok()
}

fn hits(world: &World, question: &str) -> Vec<String> {
    let mut hits = ask(world, question).hits();
    hits.sort();
    hits
}

const KITCHEN: &str = "notes/kitchen/basil.md";
const MINT: &str = "notes/kitchen/mint.md";
const GARDEN: &str = "notes/garden/basil.md";

#[test]
fn quotes_want_words_side_by_side() {
    let world = notes();
    assert_eq!(hits(&world, "\"keep basil\""), [KITCHEN]);
    assert_eq!(hits(&world, "\"KEEP Basil\""), [KITCHEN]);
    // Among other words they hide nothing, unless that is said.
    assert_eq!(hits(&world, "mint \"basil in beds\"").len(), 3);
    assert_eq!(hits(&world, "mint +\"basil in beds\""), [GARDEN]);
    assert_eq!(hits(&world, "keep basil").len(), 3);
    let run = ask(&world, "\"freezer basil\"");
    assert!(run.hits().is_empty());
    assert_eq!(run.json()["hints"][0]["code"], "nothing-found");
}

#[test]
fn a_dash_behind_a_blank_leaves_out() {
    let world = notes();
    assert_eq!(hits(&world, "basil -freezer"), [GARDEN, MINT]);
    assert_eq!(hits(&world, "basil -\"keep it\" -moist"), [KITCHEN]);
    // At the start of a question, and inside of a word, it is a dash.
    assert!(hits(&world, "-freezer").contains(&KITCHEN.to_owned()));
}

#[test]
fn fields_of_the_front_matter_filter() {
    let world = notes();
    assert_eq!(hits(&world, "basil tag:food"), [KITCHEN, MINT]);
    assert_eq!(hits(&world, "basil tag:food/herbs"), [KITCHEN]);
    assert_eq!(hits(&world, "basil status:stable"), [KITCHEN]);
    assert_eq!(hits(&world, "basil status:draft path:kitchen/"), [MINT]);
    assert_eq!(hits(&world, "keep path:garden/"), [GARDEN]);
    assert!(hits(&world, "basil status:gone").is_empty());
    // No document has such a field: the question is about words.
    assert_eq!(hits(&world, "basil ratio:water").len(), 3);
    assert_eq!(ask(&world, "tag:food").json()["hints"][0]["code"], "no-words");
}

/// What a filter hides must not take the places of what it lets through.
#[test]
fn a_filter_reaches_below_the_first_hundred() {
    let world = world();
    for number in 0..400 {
        world.write(&format!("many/noise/{number}.md"), "# Basil\n\nBasil basil basil.\n");
    }
    world.write(
        "many/rare/one.md",
        "# Other\n\nA long text in which basil is named once, among very many other words of no use.\n",
    );
    let _ = world.run(&["build", "many"]).ok();
    let run = world.run(&["query", "many", "basil path:rare/", "--json"]).ok();
    assert_eq!(run.hits(), ["many/rare/one.md"]);
}
