//! The program as its users see it: arguments and files in, exit code, output and files out.
//!
//! Names in brackets, as `B17`, are those of cases that broke other tools; `tests/README.md` lists them.

#![expect(clippy::unwrap_used, reason = "the helpers of tests fail like tests")]

mod ask;
mod build;
mod compose;
mod conflicts;
mod context;
mod crowding;
mod damage;
mod degraded;
mod dense;
mod documents;
mod drill;
mod eval;
mod examples;
mod extraction;
mod formats;
mod fresh;
mod gaps;
mod get_status;
mod golden;
mod hot;
mod init;
mod kill;
mod ledger;
mod links;
mod lint;
mod manners;
mod mcp;
mod model;
mod operators;
mod places;
mod portable;
mod query;
mod questions;
mod ranking;
mod readers;
mod refresh;
mod rerank_llm;
mod schedule;
mod serve;

mod settings;
mod sizes;
mod skills;
#[cfg(unix)]
mod tap;
mod trust;
mod vault;
mod walk;
mod watch;
mod words;

use wikirag_tests::World;

/// An empty world for the program under test, in which wikis have the layer `bm25` alone: what most tests are about must not
/// depend on a model being there.
fn world() -> World {
    let mut world = world_of_all_layers();
    world.set_variable("WIKIRAG_LAYERS", "bm25");
    world
}

/// The same with the settings of a new user.
fn world_of_all_layers() -> World {
    World::new(env!("CARGO_BIN_EXE_wikirag-under-test"))
}

/// A world with the wiki `garden` of five notes, of which the index page is one.
fn garden() -> World {
    let world = world();
    world.write("garden/.wiki.yaml", "name: garden\ntitle: The garden\nsensitivity: public\nlanguage: en\n");
    world.write("garden/_index.md", "# Garden\n\nSee [[basil]], [[beans]], [[compost]] and [[slugs]].\n");
    let basil =
        "# Basil\n\nSow basil in May, when nights stay warm.\n\n## Pinching\n\nPinch out the tips before it flowers.\n";
    world.write("garden/herbs/basil.md", basil);
    world.write("garden/beans.md", "# Runner beans\n\nRunner beans climb poles two metres high.\n");
    world.write("garden/compost.md", "# Compost\n\nTurn the compost heap every month.\n");
    world.write("garden/slugs.md", "# Slugs\n\nCoffee grounds do not stop slugs.\n");
    world
}
