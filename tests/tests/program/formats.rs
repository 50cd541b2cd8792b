//! Formats other than Markdown, from the file to the citation.

use crate::world;

/// A page in which the main thing begins far down.
const PAGE: &str = "<!DOCTYPE html>
<html><head>
<title>Slugs &amp; snails</title>
<style>p { color: green }</style>
</head>
<body>
<nav><ul><li><a href=\"a.html\">Kohlrabi menu</a></li></ul></nav>

<h1>Slugs</h1>
<p>Slugs come out
after rain.</p>
<h2>Copper</h2>
<p>Tape of copper keeps them off the l&eacute;ttuce.</p>
</body></html>
";

#[test]
fn a_page_is_cited_by_the_lines_of_its_file() {
    let world = world();
    world.write("wiki/page.html", PAGE);
    let run = world.run(&["query", "wiki", "copper tape", "--json"]).ok();
    let hit = &run.results()[0];
    assert_eq!((&hit["title"], &hit["path"]), (&"Slugs & snails".into(), &"page.html".into()), "{run}");
    let (first, last) = (hit["lines"][0].as_u64().unwrap(), hit["lines"][1].as_u64().unwrap());
    assert!((9..=13).contains(&first) && (13..=14).contains(&last), "{hit}");
    let line = world.run(&["get", "wiki", "page.html:13"]).ok();
    assert_eq!(line.stdout.trim(), "Tape of copper keeps them off the léttuce.");
    assert!(world.run(&["query", "wiki", "kohlrabi", "--json"]).ok().hits().is_empty());
}

#[test]
fn a_text_in_an_old_encoding_is_read_and_the_guess_is_told() {
    let world = world();
    let bytes: Vec<u8> =
        "Die schönen Grüße aus Österreich kamen am späten Abend an, und über die Straße fuhr der müde Bäcker.\n"
            .chars()
            .map(|c| u8::try_from(u32::from(c)).unwrap())
            .collect();
    world.write("wiki/gruss.txt", bytes);
    let build = world.run(&["build", "wiki"]).ok();
    assert!(build.stderr.contains("gruss.txt:1: read as windows-1252, which is a guess"), "{build}");
    let run = world.run(&["query", "wiki", "Grüße Österreich", "--json"]).ok();
    assert!(run.results()[0]["text"].as_str().unwrap().contains("schönen Grüße aus Österreich"), "{run}");
    let status = world.run(&["status", "wiki", "--files", "--json"]).ok().json();
    let warnings = &status["wikis"][0]["files"][1]["warnings"];
    assert!(warnings[0]["message"].as_str().unwrap().contains("guess"), "{status}");
}

#[test]
fn sections_of_restructured_text_are_headings() {
    let world = world();
    world.write(
        "wiki/guide.rst",
        "=====\nGuide\n=====\n\nIntro.\n\nInstalling\n==========\n\nRun the installer::\n\n    ./install --quiet\n\nThen reboot the heron.\n",
    );
    let run = world.run(&["query", "wiki", "reboot heron", "--json"]).ok();
    assert_eq!(run.results()[0]["title"], "Guide", "{run}");
    let run = world.run(&["query", "wiki", "install --quiet", "--json"]).ok();
    assert_eq!(run.hits(), ["wiki/guide.rst"], "{run}");
}

/// What cannot be understood is not read again at each question, and is once it has changed.
#[test]
fn what_failed_is_read_again_when_it_changes() {
    let world = world();
    world.write("wiki/good.md", "# Good\n\nThe otter swims.\n");
    world.write("wiki/bad.txt", b"\x7fELF\x02\x01\x01\x00\x00\x03\x00\x3e");
    let first = world.run(&["build", "wiki"]).expect(4);
    assert!(first.stderr.contains("bad.txt"), "{first}");
    std::thread::sleep(std::time::Duration::from_millis(100));
    // Its time is old enough to be trusted now.
    let _ = world.run(&["build", "wiki"]).expect(4);
    let again = world.run(&["build", "wiki", "--json"]).expect(4).json();
    assert_eq!((&again["failed"][0]["path"], &again["indexed"]), (&"bad.txt".into(), &0.into()));
    world.write("wiki/bad.txt", "The heron waits.\n");
    let mended = world.run(&["build", "wiki", "--json"]).ok().json();
    assert_eq!((&mended["failed"], &mended["indexed"]), (&serde_json::json!([]), &1.into()));
    assert_eq!(world.run(&["query", "wiki", "heron", "--json"]).ok().hits(), ["wiki/bad.txt"]);
}
