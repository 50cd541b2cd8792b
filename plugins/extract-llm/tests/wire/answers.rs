//! What comes of the answers that small models give.

use wikirag_core::{Entity, Relation};
use wikirag_testkit::fakes::chat_service::Reply;

use crate::replied;

const PASSAGE: &str = "The ferry MS Aurora crosses from Kiel to Oslo. It was built by the Meyer yard in 2004.";

fn said(text: &str) -> Result<wikirag_core::Extraction, String> {
    replied(&Reply::Say(text.to_owned()), PASSAGE)
}

#[test]
fn a_good_answer() {
    let found = said(
        "entity<|>MS Aurora<|>tool<|>A ferry, built by the Meyer yard in 2004.\n\
         entity<|>Kiel<|>place<|>A port of the ferry.\n\
         entity<|>Oslo<|>place<|>A port of the ferry.\n\
         relation<|>MS Aurora<|>Oslo<|>She crosses to it.\n\
         <|COMPLETE|>",
    )
    .unwrap();
    assert_eq!(found.entities.len(), 3);
    assert_eq!(
        found.entities[0],
        Entity {
            name: "MS Aurora".to_owned(),
            kind: "tool".to_owned(),
            description: "A ferry, built by the Meyer yard in 2004.".to_owned()
        }
    );
    let she_crosses =
        Relation { from: "MS Aurora".to_owned(), to: "Oslo".to_owned(), description: "She crosses to it.".to_owned() };
    assert_eq!((found.relations, found.unreadable, found.dropped), (vec![she_crosses], 0, 0));
}

#[test]
fn a_half_broken_answer() {
    let found = said(
        "Sure, here are the entities and relations:\n\n\
         **Entities**\n\
         1. entity<|#|>MS Aurora<|#|>Tool<|#|>\"A ferry\"\n\
         2. (\"entity\"<|>\"Kiel\"<|>\"place\"<|>\"A port\")##\n\
         - entity|>Oslo|>place\n\
         - entity: Meyer yard, organization\n\
         - relation<|>ms aurora<|>Kiel<|>crosses<|>8\n\
         - relation<|>Meyer yard<|>MS Aurora<|>built it\n\
         Let me know if you need more!",
    )
    .unwrap();
    let names: Vec<_> = found.entities.iter().map(|entity| (&*entity.name, &*entity.kind)).collect();
    assert_eq!(names, [("MS Aurora", "tool"), ("Kiel", "place"), ("Oslo", "place")]);
    // Prose, the heading and the row with colon and commas; the yard is no entity then, so its relation goes.
    assert_eq!((found.relations.len(), found.unreadable, found.dropped), (1, 4, 1));
    assert_eq!((&*found.relations[0].from, &*found.relations[0].description), ("MS Aurora", "crosses"));
}

#[test]
fn nothing_that_can_be_read_is_an_error_of_the_passage() {
    for text in [
        "The passage describes a ferry that runs between Kiel and Oslo and was built in 2004.",
        "I'm sorry, but I can't assist with that request.",
        "<think>\nThe user wants entities. entity<|>Kiel<|>place<|>A port.",
        "",
        "{\"error\": \"cannot comply\"}",
    ] {
        let error = said(text).unwrap_err();
        assert!(error.starts_with("[invalid] extract entities: "), "{error}");
        assert!(error.contains("model: small-talker") && !error.contains("Kiel"), "{error}");
    }
}

#[test]
fn an_answer_without_rows_that_ends_properly_is_none() {
    assert_eq!(said("<|COMPLETE|>").unwrap(), wikirag_core::Extraction::default());
}

#[test]
fn an_answer_that_is_cut_gives_what_is_whole() {
    let rows = "entity<|>Kiel<|>place<|>A port.\nentity<|>Oslo<|>place<|>A port.\n".to_owned();
    let endless = format!("{rows}{}", "relation<|>Kiel<|>Oslo<|>A line of ferries that goes on ".repeat(50));
    let found = replied(&Reply::Cut(endless), PASSAGE).unwrap();
    assert_eq!((found.entities.len(), found.relations.len()), (2, 1));

    let error = replied(&Reply::Cut("Let me think about that. ".repeat(50)), PASSAGE).unwrap_err();
    assert!(error.contains("was cut at `max_tokens`") && error.contains("raise `extract-llm.max_tokens`"), "{error}");
}

#[test]
fn what_is_copied_from_the_example_is_left_out() {
    let copied = "entity<|>Kiel<|>place<|>A port.\nentity<|>ODILE VARGA<|>person<|>A clockmaker.\n\
                  relation<|>Odile Varga<|>Kiel<|>She lives there.";
    let found = said(copied).unwrap();
    assert_eq!((found.entities.len(), found.relations.len(), found.dropped), (1, 0, 2));
    let hers = replied(&Reply::Say(copied.to_owned()), "Odile Varga lives in Kiel.").unwrap();
    assert_eq!((hers.entities.len(), hers.relations.len(), hers.dropped), (2, 1, 0));
}

#[test]
fn trouble_of_the_service_is_passed_on() {
    let refused = replied(&Reply::Refuse(503, "overloaded"), PASSAGE).unwrap_err();
    assert!(refused.starts_with("[unavailable]") && refused.contains("overloaded"), "{refused}");
    let broken = replied(&Reply::BreakOff("entity<|>Kiel<|>place<|>A port.".to_owned()), PASSAGE).unwrap_err();
    assert!(broken.starts_with("[unavailable]") && broken.contains("broke off"), "{broken}");
}
