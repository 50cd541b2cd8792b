//! Answers with citations. The model is a service that says what it is told to, over the real wire.

use serde_json::{Value, json};
use wikirag_testkit::fakes::chat_service::{ChatService, MODEL, Reply};
use wikirag_tests::World;

use crate::{garden, world};

fn with(world: &World, service: &ChatService) {
    let url = service.url();
    world.write_user_settings(&format!("[plugins.llm-api]\nurl = \"{url}\"\nmodel = \"{MODEL}\"\nretries = 0\n"));
}

fn says(text: &str) -> ChatService {
    ChatService::new([Reply::Say(text.to_owned())])
}

fn ask(world: &World, question: &str) -> Value {
    world.run(&["ask", "garden", question, "--json"]).ok().json()
}

#[test]
fn an_answer_comes_with_its_sources() {
    let world = garden();
    let service = says("Sow basil in May, when nights stay warm [[herbs/basil]].");
    with(&world, &service);
    let run = world.run(&["ask", "garden", "when to sow basil"]).ok();
    assert!(run.stdout.starts_with("Sow basil in May, when nights stay warm [[herbs/basil]].\n\nSources:\n"), "{run}");
    assert!(run.stdout.contains("  garden/herbs/basil.md:1-7  Basil\n      "), "{run}");
    assert!(run.stderr.contains(&format!("{MODEL} read ")), "{run}");
    // The model saw the rules, the passages and the question.
    let seen = service.seen();
    let messages = seen[0]["messages"].as_array().unwrap();
    let user = messages[1]["content"].as_str().unwrap();
    assert_eq!((messages[0]["role"].as_str(), messages[1]["role"].as_str()), (Some("system"), Some("user")));
    assert!(user.contains("[[herbs/basil]] Basil\n") && user.ends_with("Question: when to sow basil\n"), "{user}");
}

#[test]
fn an_invented_citation_is_marked_and_counted() {
    let world = garden();
    let service = says("Sow basil in May [[herbs/basil]]. The moon matters [[lunar-sowing]] (Source: moon.pdf, p. 3).");
    with(&world, &service);
    let json = ask(&world, "when to sow basil");
    assert_eq!((json["invented"].as_u64(), json["found"].as_bool()), (Some(2), Some(true)));
    let answer = json["answer"].as_str().unwrap();
    assert!(
        answer.contains("[[lunar-sowing]] [not among the sources] (Source: moon.pdf, p. 3) [not among the sources]"),
        "{answer}"
    );
    let verdicts: Vec<&str> =
        json["claims"].as_array().unwrap().iter().map(|claim| claim["verdict"].as_str().unwrap()).collect();
    assert_eq!(verdicts, ["supported", "invented"]);
    assert_eq!(json["sources"].as_array().unwrap().len(), 1);
}

#[test]
fn what_the_sources_do_not_say_is_told() {
    let world = garden();
    let service = says("Runner beans climb poles 35 metres high [[beans]]. So be it.");
    with(&world, &service);
    let run = world.run(&["ask", "garden", "how high do runner beans climb"]).ok();
    assert!(run.stderr.contains("1 of 2 sentences say what the passages that they cite do not hold"), "{run}");
    assert!(run.stderr.contains("1 of 2 sentences cite nothing"), "{run}");
}

#[test]
fn nonsense_is_not_found_and_no_model_is_asked() {
    let world = garden();
    let service = ChatService::new([]);
    with(&world, &service);
    let json = ask(&world, "zxqv blorptang");
    assert_eq!((json["found"].as_bool(), json["support"]["is_weak"].as_bool()), (Some(false), Some(true)));
    let answer = json["answer"].as_str().unwrap();
    assert!(answer.contains("could not be found") && answer.contains("Searched: garden"), "{answer}");
    assert_eq!(service.requests(), 0);
    assert_eq!((&json["sources"], &json["invented"]), (&json!([]), &json!(0)));
}

#[test]
fn where_every_word_is_there_the_model_decides() {
    let world = garden();
    let service = says("Could not be found.");
    with(&world, &service);
    // All of it is in the notes, in several of them.
    let json = ask(&world, "does the compost heap stop climbing slugs before it flowers");
    assert_eq!((json["support"]["missing"].as_array().unwrap().len(), service.requests()), (0, 1), "{json:#}");
    assert_eq!(json["found"], false);
}

#[test]
fn a_model_may_say_that_there_is_nothing() {
    let world = garden();
    let service = says("Could not be found.");
    with(&world, &service);
    let json = ask(&world, "when to sow basil");
    assert_eq!((json["found"].as_bool(), json["claims"][0]["verdict"].as_str()), (Some(false), None));
}

#[test]
fn without_a_model_the_passages_are_the_answer() {
    let world = garden();
    let run = world.run(&["ask", "garden", "when to sow basil"]).ok();
    assert!(run.stdout.starts_with("[garden/herbs/basil.md:1-7 "), "{run}");
    assert!(run.stderr.contains("no language model is set"), "{run}");
    let json = ask(&world, "when to sow basil");
    assert_eq!((&json["answer"], &json["found"]), (&Value::Null, &Value::Null));
    assert_eq!(json["hints"].as_array().unwrap().iter().filter(|hint| hint["code"] == "no-generator").count(), 1);
    assert_ne!(world.run(&["ask", "garden", "when to sow basil", "--strict"]).code, 0);
}

#[test]
fn a_model_that_is_not_there_degrades_the_answer() {
    let world = garden();
    let service = ChatService::new([Reply::Refuse(500, "it broke")]);
    with(&world, &service);
    let run = world.run(&["ask", "garden", "when to sow basil"]).ok();
    assert!(run.stdout.starts_with("[garden/herbs/basil.md:1-7 "), "{run}");
    assert!(run.stderr.contains("the language model did not answer"), "{run}");
}

#[test]
fn questions_are_logged_unless_one_says_no() {
    let world = garden();
    let _ = world.run(&["ask", "garden", "when to sow basil"]).ok();
    let _ = world.run(&["ask", "garden", "zxqv blorptang"]).ok();
    let _ = world.run(&["ask", "garden", "secret question", "--no-log"]).ok();
    let log = world.read("garden/.index/queries.jsonl");
    let questions: Vec<String> = log
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["question"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(questions, ["when to sow basil", "zxqv blorptang"]);
}

#[test]
fn a_text_is_held_against_its_sources() {
    let world = garden();
    let _ = world.run(&["build", "garden"]).ok();
    world.write("good.md", "# Answer\n\nSow basil in May, when nights stay warm [[basil]].\n\nRunner beans climb poles (Source: garden/beans.md).\n");
    let run = world.run(&["verify-answer", "garden", "good.md"]).ok();
    assert!(run.stdout.is_empty() && run.stderr.contains("2 sentences borne out by their sources"), "{run}");
    world.write(
        "bad.md",
        "Sow basil in May [[basil]].\nThe heap wants 45 turns [[compost]].\nSlugs read books [[library]].\nSo it is, I think.\n",
    );
    let run = world.run(&["verify-answer", "garden", "bad.md"]);
    assert_eq!(run.code, 4, "{run}");
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert_eq!(
        lines,
        [
            "bad.md:2: its sources do not hold 45: The heap wants 45 turns [[compost]].",
            "bad.md:3: cites what is not there: [[library]]: Slugs read books [[library]].",
            "bad.md:4: cites nothing: So it is, I think.",
        ]
    );
    let json = world.run(&["verify-answer", "garden", "bad.md", "--json"]).json();
    assert_eq!((json["invented"].as_u64(), json["supported"].as_u64()), (Some(1), Some(1)));
}

#[test]
fn no_page_above_the_clearance_bears_anything_out() {
    let world = world();
    world.write("open/.wiki.yaml", "name: open\n");
    world.write("open/a.md", "# A\n\nThe kiln is red.\n");
    world.write("secret/.wiki.yaml", "name: secret\nsensitivity: restricted\n");
    world.write("secret/b.md", "# B\n\nThe kiln is broken.\n");
    world.write("one.rag.yaml", "wikis: [open]\n");
    let _ = world.run(&["build", "one.rag.yaml"]).ok();
    let _ = world.run(&["build", "secret"]).ok();
    world.write("claim.md", "The kiln is broken [[secret/b]].\n");
    world.write("nothing.md", "The kiln is broken [[secret/none]].\n");
    let [refused, missing] =
        ["claim.md", "nothing.md"].map(|file| world.run(&["verify-answer", "one.rag.yaml", file]).stdout);
    assert_eq!(
        refused.replace("claim.md", "").replace("/b]]", ""),
        missing.replace("nothing.md", "").replace("/none]]", "")
    );
    assert!(refused.contains("cites what is not there"), "{refused}");
}
