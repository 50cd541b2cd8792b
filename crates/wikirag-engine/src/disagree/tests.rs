//! Whole passages.

use proptest::prelude::*;
use serde_json::json;

use super::*;

/// Wiki, path, title, text.
type Note<'a> = (&'a str, &'a str, &'a str, &'a str);

fn look_with(notes: &[Note<'_>], meta: &[Metadata], language: Option<Language>) -> Vec<Disagreement> {
    let passages: Vec<_> = notes
        .iter()
        .zip(meta)
        .map(|((wiki, path, title, text), meta)| Passage { wiki, path, title, headings: &[], text, meta, language })
        .collect();
    disagreements(&passages)
}

fn look(notes: &[Note<'_>]) -> Vec<Disagreement> {
    look_with(notes, &vec![Metadata::new(); notes.len()], Some(Language::English))
}

/// The kinds and words of what two texts under one title disagree in.
fn between(one: &str, other: &str) -> Vec<(Kind, [String; 2])> {
    between_in(Language::English, one, other)
}

fn between_in(language: Language, one: &str, other: &str) -> Vec<(Kind, [String; 2])> {
    let notes = [("a", "gateway.md", "Gateway", one), ("b", "old/gateway.md", "Gateway", other)];
    let found = look_with(&notes, &[Metadata::new(), Metadata::new()], Some(language));
    found.into_iter().map(|one| (one.kind, one.what)).collect()
}

fn one(kind: Kind, first: &str, second: &str) -> Vec<(Kind, [String; 2])> {
    vec![(kind, [first.to_owned(), second.to_owned()])]
}

#[test]
fn values_that_differ_in_one_statement_are_found() {
    for (kind, words, other_words) in [
        (Kind::Number, "8080", "9090"),
        (Kind::Number, "five", "12"),
        (Kind::Number, "5 GB", "50 GB"),
        (Kind::Number, "1,000", "1e4"),
        (Kind::Number, "30 %", "40%"),
        (Kind::Date, "2024-01-02", "3 January 2024"),
        (Kind::Date, "Jan 2, 2024", "Jan 2, 2025"),
        (Kind::Date, "10:30", "11:30"),
        (Kind::Version, "v1.2.3", "v1.3.0"),
        (Kind::Version, "Python 3.8", "Python 3.10"),
    ] {
        let text =
            |value: &str| format!("A request to the gateway is stopped by the default limit {value}. It can be set.");
        let found = between(&text(words), &text(other_words));
        let expected = [words, other_words].map(|words| words.trim_start_matches("Python ").to_owned());
        assert_eq!(found, [(kind, expected)], "{words} / {other_words}");
    }
}

#[test]
fn short_statements_and_dates_at_the_head_are_found() {
    let found = between(
        "This gateway was accepted by the BDFL on November 22.  Because of it.",
        "This gateway was accepted by the BDFL on November 23.  Because of it.",
    );
    assert_eq!(found, one(Kind::Date, "November 22", "November 23"));
    let found = between("In June 2007, Anna proposed it on the list.", "In June 2008, Anna proposed it on the list.");
    assert_eq!(found, one(Kind::Date, "June 2007", "June 2008"));
}

#[test]
fn one_value_in_two_forms_is_no_disagreement() {
    for (one, other) in [
        ("1,000", "1000"),
        ("1e3", "1000"),
        ("5 GB", "5000 MB"),
        ("5 GiB", "5120 MiB"),
        ("90 seconds", "1.5 minutes"),
        ("3.14", "3.14159"),
        ("twelve", "12"),
        ("2024-01-02", "2 January 2024"),
        ("2024-01-02", "Jan. 2nd, 2024"),
        ("2024-01-02", "January 2024"),
        ("02/01/2024", "2024-01-02"),
        ("01/02/2024", "2024-01-02"),
        ("9:30 pm", "21:30"),
        ("v1.2", "version 1.2.0"),
        ("Python 3.8", "Python 3.8.1"),
    ] {
        let text = |value: &str| format!("A request to the gateway is stopped by the default limit {value}.");
        assert_eq!(between(&text(one), &text(other)), [], "{one} / {other}");
    }
}

#[test]
fn a_negation_on_one_side_is_found() {
    let english = "The gateway must be restarted after a change of settings.";
    for negated in [
        "The gateway must not be restarted after a change of settings.",
        "The gateway mustn't be restarted after a change of settings.",
        "The gateway must never be restarted after a change of settings.",
    ] {
        let found = between(english, negated);
        assert_eq!(found.len(), 1, "{negated}");
        assert_eq!(found[0].0, Kind::Negation);
    }
    let found =
        between("Clients don't send the old header to the gateway.", "Clients send the old header to the gateway.");
    assert_eq!(found, one(Kind::Negation, "don't send", "send"));
    for (language, plain, negated) in [
        (Language::German, "Das Tor speichert Anfragen der Kunden.", "Das Tor speichert keine Anfragen der Kunden."),
        (
            Language::French,
            "Le serveur garde les requêtes des clients.",
            "Le serveur ne garde pas les requêtes des clients.",
        ),
        (
            Language::Spanish,
            "El servidor guarda las peticiones del cliente.",
            "El servidor no guarda las peticiones del cliente.",
        ),
    ] {
        let found = between_in(language, plain, negated);
        assert_eq!(found.len(), 1, "{negated}");
        assert_eq!(found[0].0, Kind::Negation);
    }
    // What moved was not added.
    assert_eq!(
        between(
            "This gateway is currently not supported by clients.",
            "This gateway is not currently supported by clients."
        ),
        []
    );
}

#[test]
fn names_and_enumerations_are_no_values() {
    for (one, other) in [
        ("See chapter 3 of the gateway handbook for details.", "See chapter 4 of the gateway handbook for details."),
        ("The gateway follows RFC 2616 in all its headers.", "The gateway follows RFC 9110 in all its headers."),
        ("1.2: fixed a crash of the gateway on start", "1.3: fixed a crash of the gateway on start"),
        ("1. Open the settings of the gateway first.", "2. Open the settings of the gateway first."),
        (
            "The gateway uses sha-256 for all request signatures.",
            "The gateway uses sha-512 for all request signatures.",
        ),
        ("| gateway | port | limit | requests | 8080 |", "| gateway | port | limit | requests | 9090 |"),
        ("```\nlet gateway port limit requests = 8080;\n```", "```\nlet gateway port limit requests = 9090;\n```"),
        ("# The gateway listens by default on port 80", "# The gateway listens by default on port 81"),
        (
            "See <https://a.org/1> about gateway ports and limits.",
            "See <https://a.org/2> about gateway ports and limits.",
        ),
        // Two values differ: each belongs to its own event.
        ("In total 2019 brought the gateway 5 new clients.", "In total 2020 brought the gateway 6 new clients."),
        ("Version 1.2 of the gateway came out on 2024-01-02.", "Version 1.3 of the gateway came out on 2024-05-02."),
        // One of them says more.
        ("The gateway serves requests on port 80.", "The gateway serves requests on port 80 and 443."),
        // Another subject.
        ("The gateway of Anna has 5 clients per day.", "The gateway of Bob has 6 clients per day."),
        // Several of a kind on one side.
        (
            "The gateway gives small clients 5 requests. The gateway gives clients 5 requests.",
            "The gateway gives small clients 6 requests. The gateway gives small clients 5 requests.",
        ),
    ] {
        assert_eq!(between(one, other), [], "{one} / {other}");
    }
}

#[test]
fn templates_about_different_things_do_not_alarm() {
    let pair = |titles: [&str; 2], sentences: [&str; 2]| {
        look(&[("a", "one.md", titles[0], sentences[0]), ("a", "two.md", titles[1], sentences[1])]).len()
    };
    let sentences = [
        "It was first released in 2021 and has users everywhere.",
        "It was first released in 2022 and has users everywhere.",
    ];
    assert_eq!(pair(["Plugin A", "Plugin B"], sentences), 0);
    assert_eq!(pair(["PEP 8", "PEP 20"], sentences), 0);
    assert_eq!(pair(["README", "README"], sentences), 0);
    assert_eq!(pair(["Python 2.3 Release Schedule", "Python 3.3 Release Schedule"], sentences), 0);
    assert_eq!(pair(["Meeting 2024-01-02", "Meeting 2024-02-02"], sentences), 0);
    assert_eq!(pair(["Plugin A", "Plugin A (old)"], sentences), 1);
    // The sentence names what one of the pages is about.
    let sentences =
        ["Our gateway listens on port 8080 for requests.", "Our gateway listens on port 9090 for requests."];
    assert_eq!(pair(["Gateway", "Deployment"], sentences.map(|s| s.trim_start_matches("Our ")).map(|s| s)), 1);
    assert_eq!(pair(["Recipes", "Deployment"], sentences), 0);
}

#[test]
fn passages_that_name_the_same_things_need_no_common_title() {
    let text = |port: u16, name: &str| {
        format!("Requests of Anna reach {name} through Berlin. This service listens on port {port} for requests.")
    };
    let count = |one: &str, other: &str| {
        let texts = [text(8080, one), text(9090, other)];
        look(&[("a", "one.md", "Minutes", &texts[0]), ("a", "two.md", "Gateway", &texts[1])]).len()
    };
    assert_eq!(count("Falcon", "Falcon"), 1);
    assert_eq!(count("Falcon", "Heron"), 0);
}

#[test]
fn one_document_does_not_contradict_itself() {
    let notes = [
        ("a", "gateway.md", "Gateway", "The gateway listens on port 8080 for requests."),
        ("a", "gateway.md", "Gateway", "The gateway listens on port 9090 for requests."),
    ];
    assert_eq!(look(&notes), []);
}

#[test]
fn places_lead_to_the_sentences() {
    let texts = [
        "Intro. The gateway listens on port 8080 for requests. End.",
        "# H\n\nThe gateway listens\non port 9090 for requests.",
    ];
    let found = look(&[("a", "g.md", "Gateway", texts[0]), ("b", "g.md", "Gateway", texts[1])]);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].at[0].slice(texts[0]), Some("The gateway listens on port 8080 for requests."));
    assert_eq!(found[0].at[1].slice(texts[1]), Some("The gateway listens\non port 9090 for requests."));
    assert_eq!(found[0].what, ["8080", "9090"]);
}

fn meta(value: serde_json::Value) -> Metadata {
    value.as_object().cloned().unwrap()
}

#[test]
fn declared_disagreements_are_found_by_path_title_and_link() {
    let notes = [
        ("a", "notes/old.md", "Old way", "x"),
        ("a", "notes/new.md", "New way", "y"),
        ("b", "notes/other.md", "Other way", "z"),
    ];
    for (target, expected) in [
        (json!("notes/new.md"), Some(1)),
        (json!("new.md"), Some(1)),
        (json!("./new"), Some(1)),
        (json!("../notes/new.md"), Some(1)),
        (json!("new way"), Some(1)),
        (json!("[[new|the new one]]"), Some(1)),
        (json!("[[New way#Ports]]"), Some(1)),
        // How YAML reads the link without quotes.
        (json!([["new"]]), Some(1)),
        (json!(["[[nowhere]]", "[[other]]"]), Some(2)),
        (json!("b/notes/other.md"), Some(2)),
        (json!("nowhere"), None),
        (json!("old"), None),
        (json!(7), None),
        (json!({"new": 1}), None),
    ] {
        for (key, kind) in [("contradicts", Kind::Declared), ("superseded_by", Kind::Superseded)] {
            let metas = [meta(json!({ key: target })), Metadata::new(), Metadata::new()];
            let found = look_with(&notes, &metas, None);
            let found: Vec<_> = found.iter().map(|one| (one.first, one.second, one.kind)).collect();
            assert_eq!(found, expected.map(|second| (0, second, kind)).into_iter().collect::<Vec<_>>(), "{target}");
        }
    }
}

#[test]
fn a_declaration_stands_on_the_side_of_who_makes_it() {
    let notes = [("a", "new.md", "New way", "y"), ("a", "old.md", "Old way", "xx")];
    let found = look_with(&notes, &[Metadata::new(), meta(json!({"superseded_by": "[[new]]"}))], None);
    assert_eq!(found[0].what, ["New way", "superseded_by: new"]);
    assert_eq!(found[0].at, [Span::new(0, 1), Span::new(0, 2)]);
}

#[test]
fn nothing_ambiguous_is_guessed_and_what_is_missing_is_told() {
    let metas = [meta(json!({"contradicts": ["[[same]]", "gone.md", "gone.md"]})), Metadata::new(), Metadata::new()];
    let passages: Vec<_> = [("a", "n.md"), ("b", "same.md"), ("c", "same.md")]
        .into_iter()
        .zip(&metas)
        .map(|((wiki, path), meta)| Passage { wiki, path, title: "", headings: &[], text: "", meta, language: None })
        .collect();
    assert_eq!(disagreements(&passages), []);
    let missing: Vec<_> = declared_elsewhere(&passages).into_iter().map(|one| (one.passage, one.target)).collect();
    assert_eq!(missing, [(0, "same".to_owned()), (0, "gone.md".to_owned())]);
}

#[test]
fn hostile_texts_take_little_time() {
    // Quadratic work on any of these would take minutes.
    let texts = [
        "1234567890".repeat(25_000),
        "1 ".repeat(120_000),
        "1.".repeat(120_000),
        "a.\n".repeat(80_000),
        "not ".repeat(60_000),
        "[](".repeat(80_000),
        "<a".repeat(120_000),
        "```\n".repeat(60_000),
        "> - ".repeat(60_000),
        "The gateway listens on port 80. ".repeat(5_000),
        (0..5_000).map(|n| format!("The gateway listens on port {n}. ")).collect(),
    ];
    for text in &texts {
        let notes = [("a", "a.md", "Gateway", text.as_str()), ("b", "a.md", "Gateway", text.as_str())];
        assert_eq!(look(&notes), []);
    }
}

/// Sentences that often meet, among anything else.
fn texts() -> impl Strategy<Value = String> {
    let value = "(80|9090|1,000|5 GB|v1\\.2|2024-01-02|Jan 2|two|12:30|é)";
    let sentence = ("(must|must not|can't)", value)
        .prop_map(|(verb, value)| format!("The gateway {verb} listen for requests on port {value} by default."));
    let piece =
        prop_oneof![3 => sentence, 1 => "\\PC{0,20}", 1 => "[0-9.,:/ v\\-a-zé]{0,20}", 1 => "(\n|\n\n|- |# |```\n)"];
    prop::collection::vec(piece, 0..6).prop_map(|pieces| pieces.join(" "))
}

proptest! {
    #[test]
    fn any_passages_in_any_order(texts in prop::collection::vec(texts(), 0..5), turn in 0..5_usize) {
        let names: Vec<String> = (0..texts.len()).map(|at| format!("{at}.md")).collect();
        let notes: Vec<Note<'_>> =
            names.iter().zip(&texts).map(|(name, text)| ("w", name.as_str(), "Gateway", text.as_str())).collect();
        let found = look(&notes);
        let mut pairs = BTreeSet::new();
        for one in &found {
            prop_assert!(one.first < one.second);
            prop_assert!(pairs.insert((one.first, one.second, one.kind)));
            for (side, note) in [one.first, one.second].into_iter().enumerate() {
                let sentence = one.at[side].slice(&texts[note]);
                prop_assert!(sentence.is_some_and(|sentence| sentence.contains(&one.what[side])), "{one:?}");
            }
        }
        let mut turned = notes.clone();
        turned.rotate_left(if notes.is_empty() { 0 } else { turn % notes.len() });
        turned.reverse();
        let place = |at: usize| notes.iter().position(|note| note.1 == turned[at].1).unwrap();
        let mut again: Vec<Disagreement> = look(&turned)
            .into_iter()
            .map(|mut one| {
                (one.first, one.second) = (place(one.first), place(one.second));
                if one.first > one.second {
                    (one.first, one.second) = (one.second, one.first);
                    one.at.reverse();
                    one.what.reverse();
                }
                one
            })
            .collect();
        again.sort_by_key(|one| (one.first, one.second, one.kind));
        prop_assert_eq!(found, again);
    }

    #[test]
    fn any_text_in_any_language(one in "\\PC{0,120}", other in "\\PC{0,120}", at in 0..Language::ALL.len()) {
        let _ = between_in(Language::ALL[at], &one, &other);
    }
}
