//! The hot cache: proposed, and written only where that is asked for.

use wikirag_tests::{Run, World};

use crate::world;

/// A wiki with dates, tasks, open questions and a draft.
fn farm() -> World {
    let world = world();
    world.write("farm/.wiki.yaml", "name: farm\ntitle: The farm\nlanguage: en\n");
    world.write("farm/_index.md", "# Farm\n\n- [ ] a task of the index\n");
    world.write("farm/sheep.md", "---\nupdated: 2026-11-20\nsummary: shorn in June\n---\n# Sheep\n\nTwelve sheep.\n");
    world.write(
        "farm/barn.md",
        "---\nupdated: 2026-11-25\n---\n# The barn\n\nThe roof leaks. A lot.\n\n- [ ] mend the roof\n- [x] paint\n",
    );
    world.write("farm/well/well.md", "---\nupdated: 2026-11-10\nstatus: draft\n---\n# Well\n\nIt is deep.\n");
    world.write(
        "farm/hay.md",
        "---\nupdated: 2026-11-01\n---\n# Hay\n\nCut twice.\n\n## Open questions\n\n- Who buys it? Soon.\n",
    );
    world
}

fn hot(world: &World, args: &[&str]) -> Run {
    world.run(&[&["hot", "farm", "--as-of", "2026-11-30"], args].concat()).ok()
}

const PAGE: &str = "# The farm: hot cache

## Recent changes

- 2026-11-25 [[barn|The barn]]: The roof leaks.
- 2026-11-20 [[sheep|Sheep]]: shorn in June
- 2026-11-10 [[well/well|Well]]: It is deep.
- 2026-11-01 [[hay|Hay]]: Cut twice.

## Open threads

- [ ] mend the roof ([[barn]])
- [[well/well|Well]]: draft
- [[hay|Hay]]: Open questions: Who buys it?
";

#[test]
fn a_proposal_is_printed_and_nothing_is_written() {
    let world = farm();
    world.remove("farm/_index.md");
    let before = world.snapshot("farm");
    let run = hot(&world, &[]);
    let added: String =
        run.stdout.lines().filter_map(|line| line.strip_prefix('+')).map(|line| format!("{line}\n")).collect();
    assert_eq!(added, format!("++ b/hot.md\n{PAGE}"));
    assert!(run.stdout.starts_with("--- /dev/null\n+++ b/hot.md\n@@ -0,0 +1,"), "{run}");
    assert!(run.stderr.contains("--write"), "{run}");
    // The index is no part of the documents.
    world.remove("farm/.index");
    assert_eq!(before, world.snapshot("farm"));
}

#[test]
fn it_is_written_once_and_then_needs_no_change() {
    let world = farm();
    world.remove("farm/_index.md");
    let run = hot(&world, &["--write"]);
    assert!(run.stderr.contains("wrote ") && world.read("farm/hot.md") == PAGE, "{run}");
    for args in [&[][..], &["--write"], &["--write", "--json"]] {
        let run = hot(&world, args);
        let is_json = args.contains(&"--json");
        assert!(is_json || run.stdout.is_empty() && run.stderr.contains("needs no change"), "{run}");
        assert!(!is_json || run.json()["diff"] == "" && run.json()["written"] == false, "{run}");
    }
    let files = std::fs::read_dir(world.path("farm")).unwrap().map(|entry| entry.unwrap().file_name());
    assert!(files.into_iter().all(|name| !name.to_str().unwrap().contains("tmp")), "nothing is left behind");
    // Not even what it says itself is a thread or a change.
    assert_eq!(hot(&world, &["--json"]).json()["text"], PAGE);
}

#[test]
fn what_people_wrote_stays() {
    let world = farm();
    let page = "---\nowner: Ann\n---\n# What is hot\n\n## Ideas\n- [ ] buy a tractor\n\n## Open threads\n- call Bob\n- [ ] mend the roof ([[barn]])\n\
                - [ ] paint ([[barn]])\n- [[goats]]: draft\n- [[sheep]]: ask the vet\n\n## Notes\r\n\n\nLast line";
    world.write("farm/hot.md", page);
    let run = hot(&world, &["--json"]);
    let json = run.json();
    let text = json["text"].as_str().unwrap();
    let (head, tail) = (&page[..page.find("- call Bob").unwrap() - 1], &page[page.find("## Notes").unwrap()..]);
    assert!(text.replace("\r\n", "\n").starts_with(&format!("{head}\n\n- call Bob\n")), "{text}");
    assert!(text.contains(tail), "{text}");
    assert!(text.contains("- [[sheep]]: ask the vet") && text.contains("- [ ] mend the roof ([[barn]])"), "{text}");
    let dropped: Vec<(&str, &str)> = json["dropped"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| (item["text"].as_str().unwrap(), item["reason"].as_str().unwrap()))
        .collect();
    assert_eq!(dropped, [("- [ ] paint ([[barn]])", "closed"), ("- [[goats]]: draft", "gone")]);
}

#[test]
fn it_stays_below_five_hundred_words_and_drops_nothing_while_there_is_room() {
    let world = farm();
    let long = "word ".repeat(20);
    for number in 0..40 {
        let text = format!(
            "---\nupdated: 2026-10-{:02}\nsummary: {long}\n---\n# N{number}\n\n- [ ] do {number}\n",
            1 + number % 30
        );
        world.write(&format!("farm/n/{number:02}.md"), text);
    }
    let earlier: String =
        (0..4).map(|number| format!("- 2026-01-0{} [[n/{number:02}]]: as it was\n", number + 1)).collect();
    world.write("farm/hot.md", format!("# Hot\n\n## Recent changes\n\n{earlier}"));
    let json = hot(&world, &["--json"]).json();
    let text = json["text"].as_str().unwrap();
    assert!((300..500).contains(&text.split_whitespace().count()), "{text}");
    assert_eq!(json["dropped"].as_array().unwrap().len(), 0, "{json}");
    for number in 0..4 {
        assert!(text.contains(&format!("[[n/{number:02}]]")) || text.contains(&format!("[[n/{number:02}|")), "{text}");
    }
    // What is theirs and too long is told of, and not touched.
    let theirs = format!("# Hot\n\n{}\n", "more ".repeat(600));
    world.write("farm/hot.md", &theirs);
    let run = hot(&world, &["--json"]);
    assert!(run.json()["text"] == theirs.as_str() && run.json()["hints"][0]["code"] == "oversize", "{run}");
    // What is ours goes, the oldest first.
    let mut many = String::from("# Hot\n\n## Recent changes\n\n");
    for number in 0..40 {
        many.push_str(&format!("- 2026-01-01 [[n/{number:02}]]: {}\n", "as it was ".repeat(6)));
    }
    world.write("farm/hot.md", many);
    let json = hot(&world, &["--json"]).json();
    assert!(json["words"].as_u64().unwrap() < 500, "{json}");
    assert!(json["dropped"].as_array().unwrap().iter().all(|item| item["reason"] == "full"), "{json}");
    assert!(json["text"].as_str().unwrap().contains("- 2026-11-25 [[barn|The barn]]"), "{json}");
}

#[test]
fn a_wiki_that_is_not_ours_to_write_is_refused() {
    let world = farm();
    let source = world.path("farm");
    let _ = world.run(&["build", "copy", source.to_str().unwrap()]).ok();
    let run = world.run(&["hot", "copy", "--write"]).expect(1);
    assert!(run.stderr.contains("lie elsewhere") && run.stdout.is_empty() && !source.join("hot.md").exists(), "{run}");
    assert!(world.run(&["hot", "copy"]).ok().stdout.contains("+## Recent changes"));
    world.write("farm/hot.md", [0xff, 0xfe, 0x00]);
    let run = world.run(&["hot", "farm"]).expect(1);
    assert!(run.stderr.contains("UTF-8"), "{run}");
    world.remove("farm/hot.md");
    std::fs::create_dir(world.path("farm/hot.md")).unwrap();
    let run = world.run(&["hot", "farm", "--write"]).expect(1);
    assert!(run.stderr.contains("no file"), "{run}");
    let _ = world.run(&["hot", "farm", "--as-of", "soon"]).expect(2);
    let _ = world.run(&["hot", "nowhere"]).expect(1);
    world.write("r.rag.yaml", "wikis: [farm]\n");
    let _ = world.run(&["hot", "r.rag.yaml"]).expect(1);
}

#[cfg(unix)]
#[test]
fn a_link_is_not_followed() {
    let world = farm();
    world.write("outside.md", "# Outside\n");
    std::os::unix::fs::symlink(world.path("outside.md"), world.path("farm/hot.md")).unwrap();
    let _ = world.run(&["hot", "farm", "--write"]).expect(1);
    assert_eq!(world.read("outside.md"), "# Outside\n");
}

/// [B60]
#[test]
fn nothing_above_the_clearance_is_told() {
    let world = farm();
    world.write("farm/.wiki.yaml", "name: farm\nsensitivity: confidential\n");
    let run = world.run(&["hot", "farm", "--write"]).expect(6);
    assert!(run.stdout.is_empty() && !world.holds("hot.md") && !world.holds(".index"), "{run}");
    world.write("farm/.wiki.yaml", "name: farm\n");
    world.write("farm/well/.wiki.yaml", "name: well\nsensitivity: confidential\n");
    let run = hot(&world, &[]);
    assert!(run.stdout.contains("barn") && !run.stdout.contains("Well") && !run.stdout.contains("deep"), "{run}");
}
