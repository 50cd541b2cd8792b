//! Questions between an edit and the next build. [B47]

use serde_json::{Value, json};
use wikirag_tests::World;

use crate::{garden, world};

fn built() -> World {
    let world = garden();
    let _ = world.run(&["build", "garden"]).ok();
    world
}

fn ask(world: &World, question: &str, more: &[&str]) -> Vec<Value> {
    let args: Vec<&str> = ["query", "garden", question, "--json"].iter().chain(more).copied().collect();
    world.run(&args).ok().results()
}

#[test]
fn a_few_changes_are_read_before_the_answer() {
    let world = built();
    world.write("garden/beans.md", "# Runner beans\n\nRunner beans climb strings now.\n");
    world.write("garden/peas.md", "# Peas\n\nPeas climb nets.\n");
    let hits = ask(&world, "strings", &[]);
    assert_eq!((&hits[0]["path"], &hits[0]["freshness"]), (&json!("beans.md"), &json!("fresh")));
    assert!(hits[0]["text"].as_str().unwrap().contains("climb strings now"));
    assert_eq!(ask(&world, "nets", &["--no-refresh"])[0]["path"], "peas.md");
    assert!(ask(&world, "poles", &[]).is_empty());
}

#[test]
fn without_a_refresh_a_changed_hit_is_marked() {
    let world = built();
    world.write("garden/beans.md", "# Runner beans\n\nRunner beans climb strings now.\n");
    let hits = ask(&world, "poles", &["--no-refresh"]);
    assert_eq!((&hits[0]["path"], &hits[0]["freshness"]), (&json!("beans.md"), &json!("stale")));
    assert!(hits[0]["text"].as_str().unwrap().contains("poles"), "the text is what was indexed");
    assert!(ask(&world, "strings", &["--no-refresh"]).is_empty());
    let text = world.run(&["query", "garden", "poles", "--no-refresh"]).ok();
    assert!(text.stdout.contains("has changed since"), "{text}");
}

#[test]
fn a_deleted_note_is_never_returned() {
    let world = built();
    world.remove("garden/slugs.md");
    assert!(ask(&world, "slugs coffee", &["--no-refresh"]).is_empty());
    assert!(ask(&world, "slugs coffee", &[]).is_empty());
}

#[test]
fn a_renamed_note_is_found_under_its_new_name() {
    let world = built();
    world.rename("garden/slugs.md", "garden/pests/slugs.md");
    assert!(ask(&world, "slugs coffee", &["--no-refresh"]).is_empty());
    assert_eq!(ask(&world, "slugs coffee", &[])[0]["path"], "pests/slugs.md");
}

#[test]
fn many_changes_are_a_hint() {
    let world = built();
    for name in ["beans", "compost", "slugs"] {
        world.append(&format!("garden/{name}.md"), "\nThe lighthouse blinks.\n");
    }
    let most = |number: &str| {
        let limit = format!("refresh.max_files={number}");
        world.run(&["--set", &limit, "query", "garden", "lighthouse coffee", "--json"]).ok()
    };
    let run = most("2");
    assert_eq!(run.hints(), ["changed"]);
    assert!(run.stderr.contains("3 files changed"), "{run}");
    let hits = run.results();
    assert_eq!((hits.len(), &hits[0]["path"], &hits[0]["freshness"]), (1, &json!("slugs.md"), &json!("stale")));
    let run = most("3");
    assert_eq!((run.hints().len(), run.results().len()), (0, 3));
}

/// A file system counts time in steps; what was written in the step of the build proves nothing by its time. That is
/// for the program to find out, and nothing to tell people of.
#[test]
fn right_after_a_build_nothing_has_changed() {
    let world = garden();
    for number in 0..40 {
        world.write(&format!("garden/more/{number}.md"), format!("# Bed {number}\n\nIn bed {number} grow leeks.\n"));
    }
    let _ = world.run(&["build", "garden"]).ok();
    let run = world.run(&["query", "garden", "leeks", "--json"]).ok();
    assert_eq!(run.hints(), Vec::<String>::new(), "{run}");
    let status = world.run(&["status", "garden", "--json"]).ok().json();
    assert_eq!(status["wikis"][0]["changed"], 0);
    // A real change is still one among them.
    world.append("garden/slugs.md", "\nThe lighthouse blinks.\n");
    assert_eq!(ask(&world, "lighthouse", &[])[0]["path"], "slugs.md");
}

/// The index page is no passage, but it is read like any other.
#[test]
fn an_edited_index_page_is_read_again() {
    let world = built();
    world.append("garden/_index.md", "\nAlso [[peas]].\n");
    let status = world.run(&["status", "garden", "--json"]).ok().json();
    assert_eq!(status["wikis"][0]["changed"], 1);
    let _ = ask(&world, "basil", &[]);
    let status = world.run(&["status", "garden", "--json"]).ok().json();
    assert_eq!(status["wikis"][0]["changed"], 0);
    let page = world.run(&["get", "garden", "_index.md"]).ok();
    assert!(page.stdout.contains("Also [[peas]]"), "{page}");
}

/// A note that cannot be read is told of by the build, not by every question.
#[test]
fn what_failed_is_no_change() {
    let world = garden();
    for number in 0..20 {
        world.write(&format!("garden/broken/{number}.md"), b"\0\x01\x02\0 is no text.\n");
    }
    let _ = world.run(&["build", "garden"]).expect(4);
    let run = world.run(&["query", "garden", "coffee", "--json"]).ok();
    assert_eq!(run.hints(), Vec::<String>::new(), "{run}");
    let status = world.run(&["status", "garden", "--json"]).expect(4).json();
    assert_eq!(status["wikis"][0]["changed"], 0);
    assert_eq!(world.read("garden/.index/log.jsonl").lines().count(), 1, "and no question makes history");
    // Once mended it is found, as any change is.
    world.write("garden/broken/7.md", "# Mended\n\nThe lighthouse blinks.\n");
    assert_eq!(ask(&world, "lighthouse", &[])[0]["path"], "broken/7.md");
}

/// Files that are gone hide nothing that is there, however many of them match better.
#[test]
fn many_gone_files_hide_none_that_is_there() {
    let world = world();
    for note in 0..60 {
        world.write(&format!("wiki/gone-{note}.md"), "# Heron heron\n\nheron heron heron.\n");
    }
    world.write("wiki/stays.md", "# Otter\n\nThe otter saw one heron, and much else besides on its long way.\n");
    let _ = world.run(&["build", "wiki"]).ok();
    for note in 0..60 {
        world.remove(&format!("wiki/gone-{note}.md"));
    }
    let run = world.run(&["query", "wiki", "heron", "--json", "-k", "3"]).ok();
    assert_eq!(run.hits(), ["wiki/stays.md"]);
    assert!(run.stderr.contains("gone") && !run.stderr.contains("no passage holds"), "{run}");
}

/// A time stamp alone is no change: nothing is said of files that were only touched, and a real edit beside them is seen.
#[test]
fn touched_files_are_no_changed_files() {
    let world = world();
    for note in 0..40 {
        world.write(&format!("wiki/note-{note}.md"), format!("# Note {note}\n\nSome words on number{note}.\n"));
    }
    let _ = world.run(&["build", "wiki"]).ok();
    for note in 0..40 {
        world.write(&format!("wiki/note-{note}.md"), format!("# Note {note}\n\nSome words on number{note}.\n"));
    }
    world.append("wiki/note-7.md", "The heron waits.\n");
    let run = world.run(&["query", "wiki", "heron", "--json"]).ok();
    assert_eq!(run.hits(), ["wiki/note-7.md"]);
    assert!(!run.stderr.contains("changed"), "{run}");
}
