//! Walking a vault: the pages around a page, who links to it, who names it.

use serde_json::Value;
use wikirag_tests::{Run, World};

use crate::world;

/// A vault in which names are told apart by folders, cases, aliases and codes.
fn vault() -> World {
    let world = world();
    world.write("vault/.wiki.yaml", "name: vault\nsensitivity: public\nlanguage: en\n");
    world.write("vault/note.md", "# The note\n\nAt the root.\n\n## Parts\n\nOne. ^first\n\n### Small parts\n\nTwo.\n");
    world.write("vault/folder/note.md", "# Folded\n\nIn a folder.\n");
    world.write("vault/one/twin.md", "# First twin\n\nOne of two.\n");
    world.write("vault/two/twin.md", "# Second twin\n\nThe other.\n");
    world.write("vault/My Page.md", "---\naliases: [Other Name]\ntags: [Herb]\n---\n# My Page\n\nIt has\ntwo lines.\n");
    world.write("vault/pic.png", b"\x89PNG\r\n\x1a\n");
    world.write(
        "vault/deep/start.md",
        "---\ntags: [herb, tree]\nrelated: [\"[[My Page]]\", \"[[folder/note|alias]]\"]\n---\n# Start\n\n\
         Root [[note]] and [[NOTE#Parts]].\nFolder [[folder/note]].\nTwins [[twin]] and [[one/twin]].\n\
         By alias [[other name|shown]].\nBy code [coded](../My%20Page.md#part).\n![[note#^first]] ![[pic.png]]\n\
         `[[two/twin]]` [[nowhere]]\n",
    );
    world
}

fn edges(run: &Run) -> Vec<String> {
    let graph = run.json();
    let text = |value: &Value| value.as_str().unwrap_or("").to_owned();
    let edge = |edge: &Value| {
        let (from, to, kind) = (text(&edge["from"]), text(&edge["to"]), text(&edge["kind"]));
        format!("{from}:{} {kind} {to}{} {}", edge["line"], text(&edge["anchor"]), text(&edge["text"]))
            .trim_end()
            .to_owned()
    };
    graph["edges"].as_array().unwrap().iter().map(edge).collect()
}

fn ids(run: &Run) -> Vec<String> {
    run.json()["nodes"].as_array().unwrap().iter().map(|node| node["id"].as_str().unwrap().to_owned()).collect()
}

/// The path and line of each entry of a list.
fn places(list: &Value) -> Vec<String> {
    list.as_array().unwrap().iter().map(|one| format!("{}:{}", one["path"].as_str().unwrap(), one["line"])).collect()
}

/// [B21] [B37] Each kind of link leads where Obsidian would go, with the line that proves it, and what is ambiguous is listed.
#[test]
fn links_are_resolved_by_the_shortest_unique_path() {
    let world = vault();
    let run = world.run(&["graph", "vault", "deep/start", "--depth", "1", "--direction", "out", "--json"]).ok();
    assert_eq!(
        edges(&run),
        [
            "deep/start.md:3 front-matter My Page.md",
            "deep/start.md:3 front-matter folder/note.md alias",
            "deep/start.md:7 wikilink note.md",
            "deep/start.md:7 wikilink note.md#Parts",
            "deep/start.md:8 wikilink folder/note.md",
            "deep/start.md:9 wikilink one/twin.md",
            "deep/start.md:10 wikilink My Page.md shown",
            "deep/start.md:11 markdown My Page.md#part coded",
            "deep/start.md:12 embed note.md#^first",
        ]
    );
    let unresolved = run.json()["unresolved"].clone();
    assert_eq!(places(&unresolved), ["deep/start.md:9", "deep/start.md:13"]);
    assert_eq!(unresolved[0]["candidates"], serde_json::json!(["one/twin.md", "two/twin.md"]));
    assert_eq!(
        (&unresolved[1]["target"], unresolved[1]["candidates"].as_array().map(Vec::len)),
        (&"nowhere".into(), Some(0))
    );

    let text = world.run(&["graph", "vault", "deep/start", "--depth", "1"]).ok().stdout;
    assert!(text.contains("  -> My Page.md  My Page  [front-matter deep/start.md:3, "), "{text}");
    assert!(text.contains("      It has two lines.\n"), "{text}");
    assert!(text.contains("  deep/start.md:9: twin may be one/twin.md, two/twin.md\n"), "{text}");

    let lint = world.run(&["lint", "vault", "--check", "ambiguous-link"]).ok().stdout;
    assert!(lint.contains("deep/start.md:9") && lint.contains("one/twin.md, two/twin.md"), "{lint}");
}

/// A page is called as people call it, and one that may be several is never picked.
#[test]
fn a_page_is_found_by_any_of_its_names() {
    let world = vault();
    for name in ["My Page.md", "my page", "MY PAGE.MD", "Other Name", "vault/My Page", "/my page.md"] {
        let run = world.run(&["graph", "vault", name, "--depth", "0", "--json"]).ok();
        assert_eq!(ids(&run), ["My Page.md"], "{name}");
    }
    assert_eq!(ids(&world.run(&["graph", "vault", "Folded", "--depth", "0", "--json"]).ok()), ["folder/note.md"]);
    for command in ["graph", "backlinks", "mentions"] {
        let run = world.run(&[command, "vault", "twin"]).expect(2);
        assert!(run.stdout.is_empty() && run.stderr.contains("vault/one/twin.md, vault/two/twin.md"), "{run}");
        let run = world.run(&[command, "vault", "My Pgae"]).expect(1);
        assert!(run.stdout.is_empty() && run.stderr.contains("`My Page.md`"), "{run}");
        let run = world.run(&[command, "vault", "pic.png"]).expect(1);
        assert!(run.stderr.contains("is a file"), "{run}");
        let _ = world.run(&[command, "vault", " "]).expect(2);
        let code = if command == "backlinks" { 0 } else { 2 };
        let _ = world.run(&[command, "vault", "note#Parts"]).expect(code);
    }
    world.write("other/note.md", "# A note of another wiki\n");
    world.write("both.rag.yaml", "wikis: [vault, other]\n");
    let run = world.run(&["graph", "both.rag.yaml", "note"]).expect(2);
    assert!(run.stderr.contains("vault/note.md, other/note.md"), "{run}");
    let run = world.run(&["graph", "both.rag.yaml", "other/note", "--json"]).ok();
    assert_eq!((ids(&run), &run.json()["wiki"]), (vec!["note.md".to_owned()], &"other".into()));
}

#[test]
fn backlinks_tell_line_and_place() {
    let world = vault();
    let run = world.run(&["backlinks", "vault", "The note"]).ok();
    assert_eq!(
        run.stdout,
        "3 links to vault/note.md in 1 page\n\
         deep/start.md:7: Root *[[note]]* and [[NOTE#Parts]].\n\
         deep/start.md:7: Root [[note]] and *[[NOTE#Parts]]*.\n\
         deep/start.md:12: *![[note#^first]]* ![[pic.png]]\n"
    );
    let of = |page: &str| world.run(&["backlinks", "vault", page, "--json"]).ok().json();
    assert_eq!(places(&of("note#parts")["links"]), ["deep/start.md:7"]);
    assert_eq!(places(&of("note#^FIRST")["links"]), ["deep/start.md:12"]);
    assert_eq!(of("note#small-parts")["links"], serde_json::json!([]));
    let run = world.run(&["backlinks", "vault", "note#Gone"]).expect(1);
    assert!(run.stderr.contains("#Gone"), "{run}");

    // What may mean the page is told apart from what does.
    let twin = of("one/twin");
    assert_eq!(
        (places(&twin["links"]), places(&twin["ambiguous"])),
        (vec!["deep/start.md:9".into()], vec!["deep/start.md:9".into()])
    );
    assert_eq!(twin["ambiguous"][0]["target"], "twin");
    assert_eq!(places(&of("two/twin")["links"]), [""; 0]);
    let run = world.run(&["backlinks", "vault", "note", "--limit", "1"]).ok();
    assert!(run.stdout.starts_with("3 links") && run.stderr.contains("2 more"), "{run}");
    let run = world.run(&["backlinks", "vault", "deep/start"]).ok();
    assert_eq!(run.stdout, "nothing links to vault/deep/start.md\n");
}

#[test]
fn mentions_stand_outside_of_code_and_links() {
    let world = world();
    world.write("herbs/.wiki.yaml", "name: herbs\nlanguage: en\n");
    world.write("herbs/basil.md", "---\naliases: [Great Basil]\n---\n# Basil (herb)\n\nBasil is basil.\n");
    world.write("herbs/pesto.md", "# Basil Pesto\n\nOf leaves.\n");
    world.write(
        "herbs/notes.md",
        "---\nabout: basil\n---\n# Notes\n\nSow basil's seed in May.\nSee [[basil]], `basil`, [basil](https://basil.org) and \
         <!-- basil --> basil pesto.\n\n```\nbasil\n```\n\nThe **great**\nbasil, and basilisk.\n",
    );
    world.write("herbs/page.html", "<title>Page</title><p>All basil</p><p>BASIL</p>");
    let run = world.run(&["mentions", "herbs", "basil", "--json"]).ok();
    let found = run.json();
    assert_eq!(places(&found["mentions"]), ["notes.md:6", "notes.md:13", "page.html:1", "page.html:1"]);
    let names: Vec<_> = found["mentions"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["Basil", "Great Basil", "Basil", "Basil"]);
    assert_eq!(found["pages"], 2);
    let run = world.run(&["mentions", "herbs", "basil", "--limit", "1"]).ok();
    assert!(run.stdout.ends_with("notes.md:6: Sow *basil's* seed in May.\n") && run.stderr.contains("3 more"), "{run}");

    // A name that two pages bear is told.
    world.write("herbs/other/basil.md", "# Something else\n");
    let run = world.run(&["mentions", "herbs", "basil (herb)", "--json"]).ok();
    let shared = run.json()["names"].as_array().unwrap().iter().find(|name| name["name"] == "Basil").cloned();
    assert_eq!(shared.unwrap()["shared_with"], serde_json::json!(["other/basil.md"]));
    assert!(run.stderr.contains("other/basil.md"), "{run}");
}

#[test]
fn the_graph_goes_along_tags_and_mentions_where_that_is_asked_for() {
    let world = vault();
    world.write("vault/free.md", "# Free\n\nNobody links, but My Page is named.\n");
    let around = |flags: &[&str]| {
        ids(&world.run(&[&["graph", "vault", "My Page", "--depth", "1", "--json"], flags].concat()).ok())
    };
    assert_eq!(around(&[]), ["My Page.md", "deep/start.md"]);
    assert_eq!(around(&["--mentions"]), ["My Page.md", "deep/start.md", "free.md"]);
    assert_eq!(around(&["--tags"]), ["My Page.md", "deep/start.md", "#Herb"]);
    let run = world.run(&["graph", "vault", "My Page", "--tags", "--mentions", "--direction", "in", "--json"]).ok();
    assert!(edges(&run).contains(&"free.md:3 mention My Page.md My Page".to_owned()), "{run}");
    let run = world.run(&["graph", "vault", "My Page", "--tags", "--depth", "1", "--json"]).ok();
    assert!(edges(&run).contains(&"deep/start.md:2 tag #Herb".to_owned()), "{run}");
}

/// What the limit leaves out is told, and what is left hangs together.
#[test]
fn a_large_graph_is_cut_at_its_rim() {
    let world = world();
    let links: String = (0..30).map(|page| format!("[[p{page}]] ")).collect();
    world.write("star/hub.md", format!("# Hub\n\n{links}\n"));
    (0..30).for_each(|page| world.write(&format!("star/p{page}.md"), format!("# P{page}\n\n[[far{page}]] [[p3]]\n")));
    (0..30).for_each(|page| world.write(&format!("star/far{page}.md"), "Far.\n"));
    let run = world.run(&["graph", "star", "hub", "--limit", "10", "--json"]).ok();
    let nodes = ids(&run);
    // The hub, then the page with most neighbours.
    assert_eq!(
        (nodes.len(), &nodes[..2], &run.json()["more"]),
        (10, &["hub.md".to_owned(), "p3.md".to_owned()][..], &51.into())
    );
    assert!(run.stderr.contains("51 more"), "{run}");
    assert_eq!(ids(&world.run(&["graph", "star", "hub", "--json"]).ok()).len(), 61);
    for (format, start, end) in [
        ("mermaid", "graph LR\n", "%% 51 more\n"),
        ("dot", "digraph \"hub.md\" {\n", "  // 51 more\n}\n"),
        ("graphml", "<?xml version=\"1.0\"", "</graphml>\n"),
        ("text", "star/hub.md  Hub\n", "\n"),
    ] {
        let run = world.run(&["graph", "star", "hub", "--limit", "10", "--format", format]).ok();
        assert!(run.stdout.starts_with(start) && run.stdout.ends_with(end), "{run}");
        assert_eq!(run.stdout.matches("p3.md").count() > 0, format != "mermaid", "{run}");
    }
    let _ = world.run(&["graph", "star", "hub", "--depth", "11"]).expect(2);
}

/// What has changed since the build counts, unless nobody is to look.
#[test]
fn changed_pages_are_read_first() {
    let world = vault();
    let count = |flags: &[&str]| {
        let run = world.run(&[&["backlinks", "vault", "folder/note", "--json"], flags].concat());
        (run.code, run.stdout.matches("\"kind\"").count())
    };
    assert_eq!(count(&["--no-refresh"]), (5, 0));
    assert_eq!(count(&[]), (0, 2));
    world.append("vault/note.md", "\nSee [[folder/note]].\n");
    assert_eq!(count(&["--no-refresh"]), (0, 2));
    assert_eq!(count(&[]), (0, 3));
}

/// [B60] A wiki above the clearance is no neighbour of any page, and links to nothing.
#[test]
fn nothing_above_the_clearance_is_walked() {
    let world = vault();
    world.write("vault/inner/.wiki.yaml", "name: inner\nsensitivity: confidential\n");
    world.write("vault/inner/nightingale.md", "# Nightingale\n\n[[note]] names My Page.\n");
    world.write("closed/.wiki.yaml", "name: closed\nsensitivity: confidential\n");
    world.write("closed/note.md", "# Nightingale\n\n[[other]]\n");
    world.write("r.rag.yaml", "clearance: internal\nwikis: [vault, closed]\n");
    world.write("open.rag.yaml", "clearance: restricted\nwikis: [vault, closed]\n");
    let _ = world.run(&["build", "open.rag.yaml"]).ok();
    for command in ["graph", "backlinks", "mentions"] {
        for (target, page) in
            [("closed", "note"), ("r.rag.yaml", "note"), ("r.rag.yaml", "My Page"), ("vault/inner", "note")]
        {
            let run = world.run(&[command, target, page]).expect(6);
            let said = format!("{}{}", run.stdout, run.stderr).to_lowercase();
            assert!(run.stdout.is_empty() && !said.contains("nightingale"), "{run}");
            let none = world.run(&[command, target, "no such page"]).expect(6);
            assert_eq!(none.stderr, run.stderr);
        }
        let run = world.run(&[command, "vault", "My Page", "--json"]).ok();
        assert!(!format!("{}{}", run.stdout, run.stderr).contains("inner"), "{run}");
        let run = world.run(&[command, "vault", "nightingale"]).expect(1);
        assert!(!run.stderr.contains("inner/"), "{run}");
    }
    let run = world.run(&["graph", "open.rag.yaml", "closed/note", "--json"]).ok();
    assert_eq!(run.json()["wiki"], "closed");
}
