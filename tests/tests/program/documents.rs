//! Notes as people and programs write them.

use wikirag_tests::World;

use crate::world;

/// The best hit for a question in the wiki `notes`.
fn first(world: &World, question: &str) -> serde_json::Value {
    let run = world.run(&["query", "notes", "--json", "--", question]).ok();
    run.results().into_iter().next().unwrap_or_else(|| panic!("nothing found\n{run}"))
}

/// [B16] A rule at the head of a file is no front matter.
#[test]
fn a_letterhead_between_rules_is_text() {
    let world = world();
    world.write(
        "notes/letter.md",
        "---\n**OSTROWSKI LEGAL PLLC**\n---\n\nWe hereby terminate the lease of the warehouse.\n",
    );
    world.write("notes/other.md", "# Other\n\nNothing to see here.\n");
    let run = world.run(&["build", "notes"]).ok();
    assert_eq!(run.stderr, "", "{run}");
    for question in ["Ostrowski", "terminate the lease"] {
        let hit = first(&world, question);
        assert_eq!(hit["path"], "letter.md");
        assert!(hit["text"].as_str().unwrap().contains("OSTROWSKI LEGAL PLLC"), "{hit}");
    }
}

/// [B17] Front matter that does not parse costs that front matter and nothing else.
#[test]
fn odd_front_matter_is_kept_as_text_and_told() {
    let world = world();
    world.write("notes/windows.md", "---\npath: C:\\agent\n---\nThe turbine spins.\n");
    world.write("notes/escape.md", "---\npath: \"C:\\work\"\n---\nThe walrus swims.\n");
    world.write("notes/rule.md", "---\nThe juniper grows, and no rule closes this one.\n");
    world.write("notes/star.md", "---\ntitle: *Italic*\n---\nThe monsoon falls.\n");
    world.write("notes/list.md", "---\nrelated:\n  - [[link]]suffix\n---\nThe pelican dives.\n");
    world.write("notes/plain.md", "---\ntitle: Plain\n---\nThe granite lasts.\n");
    let run = world.run(&["build", "notes"]).ok();
    for (path, line) in [("escape.md", 2), ("star.md", 2), ("list.md", 3)] {
        assert!(run.stderr.contains(&format!("notes/{path}:{line}:")), "{path} is not told of\n{run}");
    }
    for untold in ["windows.md", "rule.md", "plain.md"] {
        assert!(!run.stderr.contains(untold), "{run}");
    }
    let words = [
        ("turbine", "windows"),
        ("walrus", "escape"),
        ("juniper", "rule"),
        ("monsoon", "star"),
        ("pelican", "list"),
        ("granite", "plain"),
    ];
    for (word, stem) in words {
        assert_eq!(first(&world, word)["path"], format!("{stem}.md"));
    }
    // What did not parse can be asked for.
    assert_eq!(first(&world, "Italic")["path"], "star.md");
    assert_eq!(first(&world, "suffix")["path"], "list.md");
}

/// [B19]
#[test]
fn one_bad_front_matter_among_a_hundred_is_one_warning() {
    let world = world();
    for number in 0..100 {
        world
            .write(&format!("notes/n{number}.md"), format!("---\ntitle: Note {number}\n---\nThis is note {number}.\n"));
    }
    world.write("notes/tab.md", "---\ntags:\n\t- broken\n---\nThe narwhal sings.\n");
    let run = world.run(&["build", "notes", "--json"]).ok();
    let report = run.json();
    assert_eq!((&report["indexed"], &report["documents"]), (&101.into(), &101.into()));
    assert_eq!(report["warnings"].as_array().unwrap().len(), 1, "{run}");
    assert_eq!(report["warnings"][0]["path"], "tab.md");
    assert!(run.stderr.contains("notes/tab.md:"), "{run}");
    assert_eq!(first(&world, "narwhal")["path"], "tab.md");
    let status = world.run(&["status", "notes", "--files"]).ok();
    assert!(status.stdout.lines().any(|line| line.contains("tab.md") && line.contains("front matter")), "{status}");
}

/// [B27]
#[test]
fn the_end_of_a_long_note_is_found_with_its_lines() {
    let world = world();
    let line = "Plain words about nothing in particular fill this line to its end.\n";
    let before = 39_900 / line.len();
    let text = format!("{}\nHere stands the quokka.\n\n{line}", line.repeat(before));
    assert!(text.len() > 39_900);
    world.write("notes/long.md", &text);
    let hit = first(&world, "quokka");
    let number = u64::try_from(text.lines().position(|line| line.contains("quokka")).unwrap()).unwrap() + 1;
    let (low, high) = (hit["lines"][0].as_u64().unwrap(), hit["lines"][1].as_u64().unwrap());
    assert!((low..=high).contains(&number), "line {number} is not in {low}-{high}");
    let lines: Vec<&str> = text.lines().collect();
    let passage = hit["text"].as_str().unwrap();
    assert!(passage.starts_with(lines[low as usize - 1].trim()) && passage.ends_with(lines[high as usize - 1].trim()));
    assert!(hit["snippet"]["text"].as_str().unwrap().contains("quokka"), "{hit}");
}

/// [B29] Line endings change neither passages nor lines.
#[test]
fn line_endings_make_no_difference() {
    let world = world();
    let sentence = "Ferries cross the sound every hour and carry bicycles for nothing. ";
    let section = |name: &str| format!("## {name}\n\n{}\n\n- one {name}\n- two\n\n", sentence.repeat(12).trim_end());
    let text =
        format!("---\ntitle: Ferries\n---\n# Ferries\n\n{}{}Last line", section("Harbour"), section("Timetable"));
    let mixed: String = text
        .split_inclusive('\n')
        .enumerate()
        .map(|(n, line)| if n % 3 == 0 { line.replace('\n', "\r\n") } else { line.to_owned() })
        .collect();
    world.write("lf/ferries.md", &text);
    world.write("crlf/ferries.md", text.replace('\n', "\r\n"));
    world.write("mixed/ferries.md", mixed);
    for question in ["harbour", "timetable", "last line", "bicycles"] {
        let passages = |wiki: &str| -> Vec<_> {
            let results = world.run(&["query", wiki, question, "--json"]).ok().results();
            assert!(!results.is_empty());
            let text = |result: &serde_json::Value| result["text"].as_str().unwrap().replace("\r\n", "\n");
            results.iter().map(|result| (text(result), result["lines"].clone(), result["headings"].clone())).collect()
        };
        let expected = passages("lf");
        assert_eq!(passages("crlf"), expected, "{question}");
        assert_eq!(passages("mixed"), expected, "{question}");
    }
}

/// A name in front matter leads to the note, though the text never says it.
#[test]
fn title_aliases_tags_and_summary_are_found() {
    let world = world();
    let head = "---\ntitle: Zymurgy\naliases: [fermentology]\ntags: [breweries]\nsummary: About krausen.\n---\n";
    world.write("notes/a.md", format!("{head}Yeast turns sugar into alcohol.\n"));
    world.write("notes/b.md", "# Other\n\nYeast makes dough rise.\n");
    for question in ["zymurgy", "fermentology", "breweries", "krausen"] {
        let hit = first(&world, question);
        assert_eq!((&hit["path"], &hit["title"]), (&"a.md".into(), &"Zymurgy".into()), "{question}");
    }
}
