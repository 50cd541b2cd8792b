//! Entities by a language model: what it costs, what is kept, and what happens without it. The model is a service that marks what
//! stands between asterisks, over the real wire.

use serde_json::Value;
use wikirag_testkit::fakes::chat_service::{ChatService, MODEL, Reply, Rules};
use wikirag_tests::{Run, World};

use crate::world;

/// Each text between asterisks is an entity, and neighbours are related. To a text with `GIBBERISH` something is said.
fn written(body: &Value) -> Reply {
    let messages = body["messages"].as_array().unwrap();
    let passage = messages.last().unwrap()["content"].as_str().unwrap();
    if passage.contains("GIBBERISH") {
        return Reply::Say("I would rather talk about the weather.\nIt is fine today.".to_owned());
    }
    let names: Vec<&str> = passage.split('*').skip(1).step_by(2).filter(|name| !name.is_empty()).collect();
    let mut rows: Vec<String> = names.iter().map(|name| format!("entity<|>{name}<|>concept<|>A thing.")).collect();
    rows.extend(names.windows(2).map(|pair| format!("relation<|>{}<|>{}<|>Together.", pair[0], pair[1])));
    rows.push("<|COMPLETE|>".to_owned());
    Reply::Say(rows.join("\n"))
}

fn service(replies: impl IntoIterator<Item = Reply>) -> ChatService {
    ChatService::with(Rules { writer: Some(written), ..Rules::default() }, replies)
}

/// Uses the service at `url`, with more settings of the layer.
fn ask_at(world: &World, url: &str, of_graph: &str) {
    world.write_user_settings(&format!(
        "[plugins.graph]\nextractor = \"extract-llm\"\nreach = 0\n{of_graph}\n[plugins.extract-llm]\ngenerator = \"llm-api\"\n\
         [plugins.llm-api]\nurl = \"{url}\"\nmodel = \"{MODEL}\"\nretries = 0\n"
    ));
}

/// Four notes, of which one cannot be read by the model, with a layer for words and one for the graph.
fn harbour() -> World {
    let mut world = world();
    world.set_variable("WIKIRAG_LAYERS", "bm25,graph");
    world.write("harbour/.wiki.yaml", "name: harbour\nlanguage: en\n");
    world.write("harbour/workshop.md", "# Workshop\n\nThe clockmaker built a *tide engine* there.\n");
    world.write("harbour/sale.md", "# Sale\n\nIn 1902 the *tide engine* went to *Mercer and Sons*.\n");
    world.write("harbour/bells.md", "# Bells\n\nThey ring at noon.\n");
    world.write("harbour/odd.md", "# Odd\n\nGIBBERISH of the harbour master.\n");
    world
}

fn build(world: &World, more: &[&str]) -> Run {
    world.run(&[&["build", "harbour", "--json"], more].concat())
}

/// What the build says of the extractor.
fn report(run: &Run) -> Value {
    let layers = run.json()["layers"].clone();
    let graph = layers.as_array().unwrap().iter().find(|layer| layer["layer"] == "graph").unwrap().clone();
    graph["extraction"].clone()
}

/// Extracted, sent, known by their text, waiting.
fn numbers(report: &Value) -> [u64; 4] {
    ["extracted", "sent", "cached", "pending"].map(|key| report[key].as_u64().unwrap())
}

fn codes(world: &World) -> Vec<String> {
    let answer = world.run(&["query", "harbour", "clockmaker", "--json"]).ok().json();
    answer["degraded"].as_array().unwrap().iter().map(|reason| reason["code"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn what_the_model_finds_leads_on() {
    let (world, service) = (harbour(), service([]));
    ask_at(&world, &service.url(), "");
    let _ = build(&world, &[]).ok();
    let found = world.run(&["query", "harbour", "clockmaker", "--json"]).ok().hits();
    assert_eq!(found[..2], ["harbour/workshop.md", "harbour/sale.md"]);
    let _ = world.run(&["verify", "harbour"]).ok();
    // Without the extractor the word is on one page alone.
    world.write_user_settings("[plugins.graph]\nreach = 0\n");
    assert_eq!(world.run(&["query", "harbour", "clockmaker", "--json"]).ok().hits(), ["harbour/workshop.md"]);
}

/// [B72] What cannot be read is told by file, by the build and by `status`, and is no failure of the build.
#[test]
fn what_the_model_writes_and_nobody_can_read_is_told_by_file() {
    let (world, service) = (harbour(), service([]));
    ask_at(&world, &service.url(), "");
    let run = build(&world, &[]).ok();
    let said = report(&run);
    assert_eq!(numbers(&said), [3, 4, 0, 0]);
    assert_eq!((said["failed"][0]["path"].as_str(), said["failed"][0]["passages"].as_u64()), (Some("odd.md"), Some(1)));
    assert!(
        run.stderr.contains("warning: harbour: graph: odd.md: ") && run.stderr.contains("could be read (of 2)"),
        "{run}"
    );
    let run = world.run(&["status", "harbour"]).ok();
    assert!(run.stdout.contains("3 extracted, 1 failed\n") && run.stdout.contains("odd.md: "), "{run}");
    let status = world.run(&["status", "harbour", "--json"]).ok().json();
    let layers = status["wikis"][0]["layers"].as_array().unwrap().clone();
    assert_eq!(layers[1]["extraction"]["failed"], said["failed"]);
    assert_eq!(layers[0]["extraction"], Value::Null);
    // The layer serves that page all the same.
    assert_eq!(world.run(&["query", "harbour", "harbour master", "--json"]).ok().hits()[0], "harbour/odd.md");
    assert_eq!(codes(&world), [""; 0]);
}

/// Neither a rename nor a build anew sends what is known; a full build tries again what failed.
#[test]
fn what_was_paid_for_is_kept() {
    let (world, service) = (harbour(), service([]));
    ask_at(&world, &service.url(), "");
    let _ = build(&world, &[]).ok();
    assert_eq!(numbers(&report(&build(&world, &[]).ok())), [3, 0, 0, 0]);
    world.rename("harbour/sale.md", "harbour/old/auction.md");
    assert_eq!(numbers(&report(&build(&world, &[]).ok())), [3, 0, 1, 0]);
    assert_eq!(service.requests(), 4);
    assert_eq!(numbers(&report(&build(&world, &["--full"]).ok())), [3, 1, 3, 0]);
    assert_eq!(service.requests(), 5);
    world.append("harbour/bells.md", "\nThe *tide engine* drives them.\n");
    // A question follows the change and sends nothing.
    let found = world.run(&["query", "harbour", "noon", "--json"]).ok();
    assert_eq!((found.hits()[0].as_str(), service.requests()), ("harbour/bells.md", 5));
    assert_eq!(codes(&world), ["extraction-pending"]);
    assert_eq!(numbers(&report(&build(&world, &[]).ok())), [3, 1, 0, 0]);
    assert_eq!(codes(&world), [""; 0]);
}

/// [B56] Without the service the layer serves as it can, and the next build goes on.
#[test]
fn without_the_service_the_passages_wait() {
    let world = harbour();
    // A port where nobody listens: the one of a service that is gone.
    let nobody = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    ask_at(&world, &format!("http://{nobody}/v1"), "");
    let run = build(&world, &[]).expect(4);
    assert_eq!(numbers(&report(&run))[3], 4);
    assert!(run.stderr.contains("warning: harbour: graph: texts that wait: 4: "), "{run}");
    assert_eq!(world.run(&["query", "harbour", "clockmaker", "--json"]).ok().hits(), ["harbour/workshop.md"]);
    assert_eq!(codes(&world), ["extraction-pending"]);
    let run = world.run(&["status", "harbour"]).expect(4);
    assert!(run.stdout.contains("0 extracted, 4 waiting"), "{run}");
    let service = service([]);
    ask_at(&world, &service.url(), "");
    assert_eq!(numbers(&report(&build(&world, &[]).ok())), [3, 4, 0, 0]);
    assert_eq!(codes(&world), [""; 0]);
}

#[test]
fn a_build_sends_no_more_than_it_may() {
    let (world, service) = (harbour(), service([]));
    ask_at(&world, &service.url(), "most_extractions = 3\n");
    let run = build(&world, &[]).ok();
    assert_eq!((numbers(&report(&run))[3], service.requests()), (1, 3));
    assert!(
        run.stderr.contains("note: harbour: graph: texts that wait: 1: ") && run.stderr.contains("most_extractions"),
        "{run}"
    );
    assert_eq!(numbers(&report(&build(&world, &[]).ok())), [3, 1, 0, 0]);
}

/// [B46] A kill costs what is under way.
#[test]
fn a_kill_keeps_what_was_found() {
    let world = harbour();
    let empty = || Reply::Say("<|COMPLETE|>".to_owned());
    let service = service([empty(), empty(), Reply::Hang]);
    ask_at(&world, &service.url(), "extractions_at_once = 1\n");
    let mut child = world.spawn(&["build", "harbour"]);
    service.wait_for(3);
    child.kill().unwrap();
    let _ = child.wait().unwrap();
    let said = report(&build(&world, &[]).ok());
    assert_eq!((numbers(&said)[1], service.requests()), (2, 5));
    let _ = world.run(&["verify", "harbour"]).ok();
}

/// Where texts go, and what that costs, is for the user alone to say.
#[test]
fn a_project_cannot_have_texts_extracted() {
    let (world, service) = (harbour(), service([]));
    ask_at(&world, &service.url(), "");
    for setting in ["extractor = \"extract-llm\"", "most_extractions = 9", "extractions_at_once = 9"] {
        world.write("wikirag.toml", format!("[plugins.graph]\n{setting}\n"));
        let run = build(&world, &[]).expect(1);
        assert!(run.stderr.contains("plugins.graph"), "{run}");
    }
    assert_eq!(service.requests(), 0);
}
