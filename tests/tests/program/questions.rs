//! Any text is a question.

use wikirag_tests::{Run, World};

use crate::world;

/// A wiki of notes with all kinds of names in them.
fn notes() -> World {
    let world = world();
    let notes = [
        ("decision", "# Choice of database\n\nDEC-0054 settles that we keep our records in one file.\n"),
        (
            "earlier",
            "# Choice of language\n\nDEC-0053 settles the language. Decision 54 of the board is another matter.\n",
        ),
        ("saving", "# Saving state\n\nUse `atomic_write_json` so that a crash leaves no half file.\n"),
        ("reading", "# Reading state\n\nUse `read_json`. An atomic clock is of no help here.\n"),
        ("entry", "# Where it starts\n\nThe program starts in src/main.rs and parses its arguments.\n"),
        ("hosts", "# Machines\n\nLog in as user@host over the tunnel; the ratio a:b is two to one.\n"),
        ("minutes", "# Minutes\n\nOn 2026-03-31 we met in the attic, status: done. Retry on Monday.\n"),
        ("other", "# Minutes\n\nOn 2026-04-01 we met in the cellar.\n"),
        ("words", "# Unbalanced loads\n\nAn unbalanced washing machine wanders. NOT x but y, foo and bar.\n"),
    ];
    for (name, text) in notes {
        world.write(&format!("notes/{name}.md"), text);
    }
    let _ = world.run(&["build", "notes"]).ok();
    world
}

#[track_caller]
fn ask(world: &World, question: &str) -> Run {
    world.run(&["query", "notes", "--json", "--no-refresh", "--", question]).ok()
}

#[track_caller]
fn first(world: &World, question: &str) -> String {
    let run = ask(world, question);
    run.hits().into_iter().next().unwrap_or_else(|| panic!("nothing found\n{run}"))
}

/// [B01] A dash inside a word is part of it, and one before it is no command.
#[test]
fn names_with_dashes() {
    let world = notes();
    for question in ["DEC-0054", "\"DEC-0054\"", "dec-0054", "-DEC-0054"] {
        assert_eq!(first(&world, question), "notes/decision.md", "{question}");
    }
    assert!(ask(&world, "dec0054").hits().contains(&"notes/decision.md".to_owned()));
}

/// [B02]
#[test]
fn identifiers_whole_and_in_parts() {
    let world = notes();
    for question in ["atomic_write_json", "atomic write", "atomicWriteJson"] {
        assert_eq!(first(&world, question), "notes/saving.md", "{question}");
    }
}

/// [B03] [B05]
#[test]
fn paths_addresses_ratios_and_dates() {
    let world = notes();
    let expected = [
        ("src/main.rs", "entry"),
        ("user@host", "hosts"),
        ("a:b", "hosts"),
        ("2026-03-31", "minutes"),
        ("2026-04-01", "other"),
    ];
    for (question, name) in expected {
        assert_eq!(first(&world, question), format!("notes/{name}.md"), "{question}");
    }
}

/// [B06] Words of query languages are words.
#[test]
fn query_syntax_is_plain_text() {
    let world = notes();
    let with_hits = [
        ("\"unbalanced", "words"),
        ("status: done", "minutes"),
        ("retry OR", "minutes"),
        ("foo)", "words"),
        ("NOT x", "words"),
        ("+unbalanced^2", "words"),
        ("title:unbalanced~", "words"),
    ];
    for (question, name) in with_hits {
        assert_eq!(first(&world, question), format!("notes/{name}.md"), "{question}");
    }
    for question in
        ["AND", "*", "^2", "a~", "[1 TO", "{", "\\", "(((((", "''", "a AND", "-", "--", "/re/", "NEAR(a b)", "x:y:z"]
    {
        let run = ask(&world, question);
        assert_eq!(run.json()["query"], question);
        assert_eq!(run.results(), ask(&world, question).results(), "{question}");
        assert!(!run.stderr.contains("error"), "{run}");
    }
}

/// [B07]
#[test]
fn an_empty_question_is_a_mistake() {
    let world = notes();
    for question in ["", " ", " \t\n "] {
        let run = world.run(&["query", "notes", "--json", question]).expect(2);
        assert!(run.stderr.contains("the question is empty"), "{run}");
        assert_eq!(run.stdout, "");
    }
    let _ = world.run(&["query", "notes"]).expect(2);
}

/// [B07] [B74] What is nowhere is not found, and that is said.
#[test]
fn nothing_found_is_explained() {
    let world = notes();
    for (question, hint) in [("🌿", "no-words"), ("?!", "no-words"), ("zxqv blorptang", "nothing-found")] {
        let run = ask(&world, question);
        assert_eq!((run.hits(), run.hints()), (vec![], vec![hint.to_owned()]), "{question}");
        assert_eq!(run.json()["total"], 0);
        assert!(run.stderr.starts_with("note: "), "{run}");
    }
}

/// [B07] Words that everybody uses find what holds them, and nothing at random.
#[test]
fn stop_words_find_what_holds_them() {
    let world = notes();
    let run = ask(&world, "the of and");
    for result in run.results() {
        let text = result["text"].as_str().unwrap().to_lowercase();
        let holds = text.split(|c: char| !c.is_alphanumeric()).any(|word| ["the", "of", "and"].contains(&word));
        assert!(holds, "{result}");
    }
    assert_eq!(run.results(), ask(&world, "the of and").results());
}

/// Any bytes, any length.
#[test]
fn hostile_questions_are_answered() {
    let world = notes();
    let long = "word ".repeat(10_000);
    let one = "x".repeat(100_000);
    let brackets = "(".repeat(50_000);
    for question in
        [long.as_str(), &one, &brackets, "\u{200d}\u{fe0f}", "e\u{301}\u{301}\u{301}", "\u{202e}desrever", "a\u{7f}b"]
    {
        let _ = ask(&world, question);
    }
}

/// The words of a question need no quotes around them.
#[test]
fn words_are_joined() {
    let world = notes();
    let run = world.run(&["query", "notes", "attic", "retry", "monday", "--json"]).ok();
    assert_eq!(run.json()["query"], "attic retry monday");
    assert_eq!(run.hits()[0], "notes/minutes.md");
}

/// [B09] Two questions that are nearly the same are two questions.
#[test]
fn a_question_like_the_last_one_is_asked_anew() {
    let world = notes();
    let first = ask(&world, "which record is kept in one file").results();
    let second = ask(&world, "which language is settled").results();
    assert_ne!(first, second);
    assert_eq!(ask(&world, "which record is kept in one file").results(), first);
}

/// [B23] What a note says of itself is found, and the note before many that only mention the word.
#[test]
fn the_summary_of_a_note_is_found() {
    let world = world();
    world.write("notes/guide.md", "---\ntitle: Composting\nsummary: how bokashi turns scraps into soil\n---\n# Composting\n\nPut it into the bucket and press it down.\n");
    for number in 0..50 {
        world.write(
            &format!("notes/log{number}.md"),
            format!(
                "# Log {number}\n\nA long day. Scraps, soil and more scraps were carried to the heap, entry {number}.\n"
            ),
        );
    }
    let _ = world.run(&["build", "notes"]).ok();
    assert_eq!(first(&world, "bokashi"), "notes/guide.md");
    assert_eq!(first(&world, "composting"), "notes/guide.md");
    assert_eq!(first(&world, "bokashi scraps soil"), "notes/guide.md");
}

/// [B10] One name, spelt in two normal forms.
#[test]
fn a_file_name_is_found_in_either_normal_form() {
    let world = world();
    let (decomposed, composed) = ("impo\u{302}t", "imp\u{f4}t");
    world.write(&format!("notes/{decomposed}.md"), "The form is due in May.\n");
    let _ = world.run(&["build", "notes"]).ok();
    for name in [decomposed, composed] {
        assert_eq!(first(&world, name), format!("notes/{decomposed}.md"));
        let page = world.run(&["get", "notes", &format!("{name}.md")]).ok();
        assert_eq!(page.stdout, "The form is due in May.\n");
    }
}
