//! The order of a language model, which is a service that says what it is told to, over the real wire.

use serde_json::Value;
use wikirag_testkit::fakes::chat_service::{ChatService, MODEL, Reply};
use wikirag_tests::World;

use crate::garden;

fn asking(service: &ChatService) -> World {
    let world = garden();
    world.write_user_settings(&format!(
        "[plugins.llm-api]\nurl = \"{}\"\nmodel = \"{MODEL}\"\nretries = 0\n[plugins.rerank-llm]\ngenerator = \"llm-api\"\n",
        service.url()
    ));
    world.write("all.rag.yaml", "wikis: [garden]\nrerank: [rerank-llm, trust]\n");
    world
}

fn query(world: &World) -> Value {
    world.run(&["query", "all.rag.yaml", "basil beans slugs compost", "--json"]).ok().json()
}

fn paths(json: &Value) -> Vec<&str> {
    json["results"].as_array().unwrap().iter().map(|result| result["path"].as_str().unwrap()).collect()
}

#[test]
fn results_come_in_the_order_of_the_model_with_its_reasons() {
    let service = ChatService::new([Reply::Say("3 | says what slugs like\n1 | the herb\n".to_owned())]);
    let world = asking(&service);
    let plain: Value = world.run(&["query", "garden", "basil beans slugs compost", "--json"]).ok().json();
    let json = query(&world);
    let (before, after) = (paths(&plain), paths(&json));
    assert_eq!((after[0], after[1], after.len()), (before[2], before[0], before.len()), "{json:#}");
    assert_eq!(json["results"][0]["reason"], "says what slugs like");
    assert_eq!(json["results"][2].get("reason"), None);
    assert_eq!(json["degraded"], serde_json::json!([]));
}

#[test]
fn a_model_that_writes_no_order_leaves_that_of_the_program_and_is_told() {
    for reply in [Reply::Say("As a language model I like all of them.".to_owned()), Reply::Refuse(500, "it broke")] {
        let service = ChatService::new([reply]);
        let world = asking(&service);
        let plain: Value = world.run(&["query", "garden", "basil beans slugs compost", "--json"]).ok().json();
        let json = query(&world);
        assert_eq!(paths(&plain), paths(&json));
        let degraded = json["degraded"].as_array().unwrap();
        assert_eq!((degraded.len(), degraded[0]["layer"].as_str()), (1, Some("rerank-llm")), "{json:#}");
    }
}

#[test]
fn skills_come_in_the_order_of_the_model_and_what_it_cost_is_told() {
    let service = ChatService::new([Reply::Say("2 | merges them\n1 | only reads\n".to_owned())]);
    let world = asking(&service);
    world.write("garden/.wiki.yaml", "name: garden\nkind: skills\nlayers: [bm25]\n");
    world.write(
        "garden/read/SKILL.md",
        "---\nname: read\ndescription: Reads files, files, files\n---\nFiles are read.\n",
    );
    world.write("garden/merge/SKILL.md", "---\nname: merge\ndescription: Joins files\n---\nJoined they are.\n");
    let plain: Value = world.run(&["skills", "what about files", "garden", "--json"]).ok().json();
    let json: Value = world.run(&["skills", "what about files", "all.rag.yaml", "--json"]).ok().json();
    let names = |json: &Value| {
        let entries = json["entries"].as_array().unwrap().clone();
        entries.iter().map(|entry| entry["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names(&plain).iter().rev().cloned().collect::<Vec<_>>(), names(&json), "{json:#}");
    assert_eq!(json["entries"][0]["reason"], "merges them");
    // The service tells what it wrote, and that it read nothing.
    assert!(json["tokens"]["rerank_written"].as_u64().unwrap() > 0, "{json:#}");
    assert_eq!(plain["tokens"]["rerank_written"], 0);
}
