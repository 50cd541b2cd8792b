use std::collections::BTreeSet;

use proptest::prelude::*;
use wikirag_core::{Entity, Extraction, Relation};

use super::*;
use crate::rows::written;

fn extraction(answer: &str) -> Extraction {
    read(answer).extraction(|_| false)
}

fn entity(name: &str, kind: &str, description: &str) -> Entity {
    Entity { name: name.to_owned(), kind: kind.to_owned(), description: description.to_owned() }
}

fn relation(from: &str, to: &str, description: &str) -> Relation {
    Relation { from: from.to_owned(), to: to.to_owned(), description: description.to_owned() }
}

/// What each of the forms below says.
fn curie() -> Extraction {
    Extraction {
        entities: vec![entity("Marie Curie", "person", "She found radium."), entity("Paris", "place", "A city.")],
        relations: vec![relation("Marie Curie", "Paris", "She worked there.")],
        ..Extraction::default()
    }
}

const ROWS: &str = "entity<|>Marie Curie<|>person<|>She found radium.\nentity<|>Paris<|>place<|>A city.\n\
                    relation<|>Marie Curie<|>Paris<|>She worked there.\n<|COMPLETE|>";

#[test]
fn every_form_says_the_same() {
    let forms = [
        ROWS.to_owned(),
        ROWS.replace('\n', "\r\n"),
        ROWS.replace("<|>", "<|#|>"),
        ROWS.replace("<|>", "|>"),
        ROWS.replace("<|>", "\t"),
        ROWS.replace("entity", "- **Entity**").replace("relation", "3. `Relationship`"),
        ROWS.replace("<|COMPLETE|>", ""),
        format!("```text\n{ROWS}\n```\n"),
        format!("<think>\nentity<|>Berlin<|>place<|>No.\n</think>\n{ROWS}"),
        format!("entity<|>Berlin<|>place<|>No.\n</think>\n{ROWS}"),
        "| entity | Marie Curie | person | She found radium. |\n|---|---|---|---|\n| entity | Paris | place | A city. |\n\
         | relation | Marie Curie | Paris | She worked there. |"
            .to_owned(),
        "(\"entity\"<|>\"Marie Curie\"<|>\"person\"<|>\"She found radium.\")##\n(\"entity\"<|>\"Paris\"<|>\"place\"<|>\"A city.\")##\n\
         (\"relationship\"<|>\"Marie Curie\"<|>\"Paris\"<|>\"She worked there.\"<|>9)<|COMPLETE|>"
            .to_owned(),
        "(\"entity\"<|>\"Marie Curie\"<|>\"person\"<|>\"She found radium.\")##(\"entity\"<|>\"Paris\"<|>\"place\"<|>\"A city.\")\
         (\"relationship\"<|>\"Marie Curie\"<|>\"Paris\"<|>\"She worked there.\")##"
            .to_owned(),
        "(\"entity\", \"Marie Curie\", \"person\", \"She found radium.\"),\n(\"entity\",\"Paris\",\"place\",\"A city.\"),\n\
         (\"relation\", \"Marie Curie\", \"Paris\", \"She worked there.\")"
            .to_owned(),
        r#"{"type": "entity", "name": "Marie Curie", "entity_type": "person", "description": "She found radium."}
           {"type": "entity", "name": "Paris", "entity_type": "place", "description": "A city."}
           {"type": "relation", "source": "Marie Curie", "target": "Paris", "description": "She worked there."}"#
            .to_owned(),
        r#"```json
{
  "entities": [
    {"name": "Marie Curie", "type": "person", "description": "She found radium."},
    {"name": "Paris", "type": "place", "description": "A city."}
  ],
  "relationships": [
    {"src_id": "Marie Curie", "tgt_id": "Paris", "relationship": "She worked there."}
  ]
}
```"#
        .to_owned(),
        r#"["entity", "Marie Curie", "person", "She found radium."],
           ["entity", "Paris", "place", "A city."],
           ["relation", "Marie Curie", "Paris", "She worked there."]"#
            .to_owned(),
    ];
    for form in forms {
        assert_eq!(extraction(&form), curie(), "{form}");
    }
}

#[test]
fn prose_is_counted_and_hides_nothing() {
    let found = extraction(&format!("Sure! Here they are:\n\n{ROWS}\n\nI hope this helps.\nAsk me more!"));
    assert_eq!(found, Extraction { unreadable: 3, ..curie() });
}

#[test]
fn an_answer_that_breaks_off_gives_what_is_whole() {
    let found = extraction(&ROWS[..ROWS.find("<|>Paris<|>She").unwrap()]);
    assert_eq!(found.entities, curie().entities);
    assert_eq!((found.relations.len(), found.unreadable), (0, 1));

    let list = r#"{"entities": [{"name": "Marie Curie", "type": "person", "description": "She found radium."},
        {"name": "Paris", "type": "place", "description": "A city."}, {"name": "Pol"#;
    for cut in [list.to_owned(), list.replace('\n', " ")] {
        assert_eq!(extraction(&cut).entities, curie().entities, "{cut}");
        assert_eq!(extraction(&cut).unreadable, 2, "{cut}");
    }
}

#[test]
fn names_are_merged_and_relations_need_both_ends() {
    let found = extraction(
        "relation<|>PARIS<|>marie curie<|>Her town.\n\
         entity<|>Marie Curie<|><|>A chemist.\n\
         entity<|>MARIE  CURIE<|>Person<|>A physicist of note.\n\
         entity<|>Paris<|>place<|>\n\
         relation<|>Paris<|>Marie Curie<|>Her town\n\
         relation<|>Paris<|>Poland<|>Far away.\n\
         relation<|>Paris<|>paris<|>The same.",
    );
    let expected = Extraction {
        entities: vec![
            entity("Marie Curie", "person", "A physicist of note.\nA chemist."),
            entity("Paris", "place", ""),
        ],
        relations: vec![relation("Paris", "Marie Curie", "Her town")],
        unreadable: 0,
        dropped: 2,
    };
    assert_eq!(found, expected);
}

#[test]
fn rows_that_say_too_little_or_too_much() {
    let long = "word ".repeat(40);
    for (row, what) in [
        ("entity<|>Paris", "no kind"),
        ("entity<|>...<|>place<|>A city.", "a name of marks"),
        ("entity<|><|>place<|>A city.", "no name"),
        (&*format!("entity<|>{long}<|>place<|>"), "a sentence as a name"),
        ("place<|>Paris<|>A city.", "neither an entity nor a relation"),
        ("relation<|>Paris", "one end"),
    ] {
        assert_eq!(extraction(row), Extraction { unreadable: 1, ..Extraction::default() }, "{what}");
    }
    let without_kind = extraction("entity<|>Paris<|>The capital city of France.");
    assert_eq!(without_kind.entities, [entity("Paris", "", "The capital city of France.")]);
    let with_mark = extraction("entity<|>F#<|>tool<|>A language<|>with pipes: x |> f.");
    assert_eq!(with_mark.entities, [entity("F#", "tool", "A language with pipes: x |> f.")]);
    let of_lightrag =
        extraction("entity<|>a<|>x<|>\nentity<|>b<|>x<|>\nrelation<|#|>a<|#|>b<|#|>power, use<|#|>It drives b.<|#|>8");
    assert_eq!(of_lightrag.relations, [relation("a", "b", "power, use It drives b.")]);
    let in_numbers =
        extraction("entity<|>a<|>x<|>\nentity<|>b<|>x<|>\nrelation<|>a<|>b<|>1867\nrelation<|>b<|>a<|>nan<|>0.5");
    assert_eq!(in_numbers.relations, [relation("a", "b", "1867"), relation("b", "a", "nan")]);
}

#[test]
fn nothing_is_told_from_nonsense() {
    let essay = "It is a fine text.\nI like it.\nIt goes on.\nAnd on.\n<|COMPLETE|>";
    assert!(!read(essay).is_understood());
    for nothing in ["<|COMPLETE|>", "No entities found.\n<|COMPLETE|>", "complete", "[]", "{}", r#"{"entities": []}"#] {
        let found = read(nothing);
        assert!(found.is_understood() && found.len() == 0, "{nothing}");
    }
    for nonsense in
        ["", "\n", "I'm sorry, but I can't help with that.", "<think>\nentity<|>a<|>b<|>c", "null", "{\"a\": 1}", "```"]
    {
        assert!(!read(nonsense).is_understood(), "{nonsense}");
    }
}

/// Names that have nothing to be taken off.
fn name() -> impl Strategy<Value = String> {
    "[\\p{L}\\p{N}][\\p{L}\\p{N}#+().,:;/&|<>{}-]{0,8}( [\\p{L}\\p{N}'\"#-]{1,8}){0,2}"
        .prop_filter("packing", |name| clean(name) == *name && name.contains(char::is_alphanumeric))
}

fn sentence() -> impl Strategy<Value = String> {
    "(\\p{Lu}[\\p{L}\\p{N} ,()<>{}\"'-]{0,20}[\\p{L}\\p{N}]\\.)?".prop_filter("packing", |text| clean(text) == *text)
}

/// Extractions as an extractor may give them.
fn extractions() -> impl Strategy<Value = Extraction> {
    let entities = prop::collection::vec((name(), "([a-z]{1,9})?", prop::collection::vec(sentence(), 1..4)), 0..8);
    let relations =
        prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), sentence()), 0..8);
    (entities, relations).prop_map(|(entities, relations)| {
        let mut found = Extraction::default();
        let mut names = BTreeSet::new();
        for (name, kind, said) in entities {
            if names.insert(wikirag_text::caseless(&name).into_owned()) {
                let description = match &said[..] {
                    [one] => one.clone(),
                    all => Extraction::merged(all.iter().map(String::as_str)),
                };
                found.entities.push(Entity { name, kind, description });
            }
        }
        let mut pairs = BTreeSet::new();
        for (from, to, description) in relations.iter().filter(|_| !found.entities.is_empty()) {
            let (from, to) = (from.index(found.entities.len()), to.index(found.entities.len()));
            if from != to && pairs.insert((from, to)) {
                let name = |place: usize| &found.entities[place].name;
                found.relations.push(relation(name(from), name(to), description));
            }
        }
        found
    })
}

/// Pieces of which answers are made, good and bad.
fn answers() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        prop::sample::select(vec![
            "entity",
            "relation",
            "(\"entity\"",
            "<|>",
            "<|#|>",
            "|>",
            "<|",
            "##",
            ")",
            "(",
            "\"",
            "\n",
            "<|COMPLETE|>",
            "<think>",
            "</think>",
            "```json",
            "{",
            "}",
            "[",
            "]",
            "\"name\":",
            "\"from\":",
            "\"to\":",
            ",",
            ":",
            "- ",
            "1. ",
            "\t",
            "|",
            "null",
            "Paris",
            "'",
            "{\"name\":\"a\",\"kind\":\"b\"}",
            "\nentity<|>a<|>b<|>c",
            "\nrelation<|>a<|>paris<|>c",
            "\u{feff}",
            "\r",
        ])
        .prop_map(str::to_owned),
        "\\PC{0,3}",
        any::<String>(),
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn what_is_written_is_read_again(found in extractions()) {
        prop_assert_eq!(extraction(&written(&found)), found);
    }

    #[test]
    fn any_answer_is_read_and_keeps_the_promises(answer in answers()) {
        let found = extraction(&answer);
        let mut names = BTreeSet::new();
        for entity in &found.entities {
            prop_assert!(entity.name.contains(char::is_alphanumeric) && clean(&entity.name) == entity.name, "{:?}", entity);
            prop_assert!(names.insert(entity.name.to_lowercase()), "{:?} twice", entity);
        }
        for relation in &found.relations {
            let has = |name: &str| found.entities.iter().any(|entity| entity.name == name);
            prop_assert!(has(&relation.from) && has(&relation.to) && relation.from != relation.to, "{:?}", relation);
        }
        let again = extraction(&written(&found));
        let names = |found: &Extraction| found.entities.iter().map(|entity| entity.name.clone()).collect::<Vec<_>>();
        let pairs = |found: &Extraction| found.relations.iter().map(|r| (r.from.clone(), r.to.clone())).collect::<Vec<_>>();
        prop_assert_eq!((names(&again), pairs(&again), again.unreadable, again.dropped), (names(&found), pairs(&found), 0, 0));
    }
}
