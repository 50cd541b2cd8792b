//! What is above a caller leaves no trace, and neither does the machine.

use serde_json::json;
use wikirag_tests::World;

use super::server::Reply;
use super::{Server, estate, token};
use crate::world_of_all_layers;

/// What an answer must not hold for a caller of the team: names, titles, paths and words of the wiki `crypt`.
const TRACES: [&str; 4] = ["crypt", "apphire", "eirloom", "confidential"];

/// Every way to a wiki, a page of it and a passage.
fn ways(server: &Server, authorization: &str, wiki: &str, page: &str) -> Vec<(String, Reply)> {
    let mut replies = Vec::new();
    let json = "Content-Type: application/json";
    for body in [
        json!({"question": "compost beans", "wikis": [wiki]}),
        json!({"question": "compost beans", "rag": wiki}),
        json!({"question": format!("{page} beans")}),
        json!({"question": "compost", "wikis": ["garden", wiki]}),
        json!({"question": "compost", "limit": 100, "explain": true}),
    ] {
        for path in ["/v1/query", "/v1/context"] {
            let mut body = body.clone();
            if path == "/v1/context" {
                body.as_object_mut().unwrap().retain(|name, _| name != "limit" && name != "explain");
            }
            let body = body.to_string();
            replies.push((format!("{path} {body}"), server.send("POST", path, &[authorization, json], &body)));
        }
    }
    for path in [
        format!("/v1/documents/{wiki}/{page}.md"),
        format!("/v1/documents/{wiki}/{page}.md?lines=1-2"),
        format!("/v1/documents/office/..%2F{wiki}%2F{page}.md"),
        format!("/v1/documents?id={page}.md"),
        format!("/v1/documents?id={wiki}%2F{page}.md"),
        format!("/v1/documents?id={wiki}%230123456789abcdef"),
        format!("/v1/graph/{wiki}/{page}"),
        format!("/v1/graph/office/{page}"),
        format!("/v1/links/{wiki}/{page}.md"),
        format!("/v1/links/office/{page}.md"),
        format!("/v1/wikis?rag={wiki}"),
        "/v1/wikis".to_owned(),
        "/v1/models".to_owned(),
        "/metrics".to_owned(),
    ] {
        replies.push((path.clone(), server.send("GET", &path, &[authorization], "")));
    }
    replies
}

/// Without what is different each time.
fn lasting(body: &str) -> String {
    body.split(',').filter(|part| !part.starts_with("\"took_ms\"")).collect::<Vec<_>>().join(",")
}

/// [B60]
#[test]
fn a_refused_wiki_answers_as_one_that_is_not_there() {
    let world = estate();
    let team = format!("Authorization: Bearer {}", token(&world, &["team"]));
    let server = Server::start(&world, &["estate.rag.yaml", "--tokens", "tokens.toml", "--log-questions"]);
    // Names of the same length, so that nothing but the name differs.
    let refused = ways(&server, &team, "crypt", "sapphire");
    let missing = ways(&server, &team, "grove", "nonesuch");
    for ((way, refused), (_, missing)) in refused.iter().zip(&missing) {
        let same = refused.body.replace("crypt", "grove").replace("sapphire", "nonesuch");
        assert_eq!(refused.status, missing.status, "{way}");
        // Figures go on.
        if way != "/metrics" {
            assert_eq!(lasting(&same), lasting(&missing.body), "{way}");
        }
        let told = refused.body.replace("crypt", if way.contains("crypt") { "" } else { "crypt" });
        let told = told.replace("sapphire", if way.contains("sapphire") { "" } else { "sapphire" });
        let trace = TRACES.iter().find(|trace| told.contains(**trace));
        assert_eq!(trace, None, "{way}: {refused:?}");
    }
    // The composition may see what is above `internal`, but this caller's view of it may not.
    let log = world.read("serve.log");
    assert!(log.contains("\"question\":\"compost\""), "{log}");
}

#[test]
fn questions_stay_out_of_the_log_above_internal_and_unless_they_are_wanted() {
    let world = estate();
    let ask = |server: &Server| server.post("/v1/query", &json!({"question": "where lies the hoard"})).expect(200);
    ask(&Server::start(&world, &["estate.rag.yaml", "--log-questions"]));
    assert!(!world.read("serve.log").contains("hoard"), "{}", world.read("serve.log"));
    ask(&Server::start(&world, &["office"]));
    assert!(!world.read("serve.log").contains("hoard"));
    ask(&Server::start(&world, &["office", "--log-questions"]));
    assert!(world.read("serve.log").contains("where lies the hoard"));
}

#[test]
fn a_request_is_a_line_of_the_log_without_paths_of_pages() {
    let world = estate();
    let team = format!("Authorization: Bearer {}", token(&world, &["team"]));
    let server = Server::start(&world, &["estate.rag.yaml", "--tokens", "tokens.toml"]);
    let _ = ways(&server, &team, "crypt", "sapphire");
    server.get("/crypt/sapphire");
    let log = world.read("serve.log");
    assert!(!TRACES.iter().any(|trace| log.contains(trace)), "{log}");
    let lines: Vec<serde_json::Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of_query = lines.iter().find(|line| line["route"] == "/v1/query").unwrap();
    assert_eq!((of_query["status"].as_u64(), of_query["caller"].as_str()), (Some(404), Some("team")), "{of_query}");
}

fn no_place(world: &World, way: &str, reply: &Reply) {
    for place in [world.path(""), world.home("")] {
        assert!(!reply.body.contains(place.to_str().unwrap().trim_end_matches('/')), "{way}: {reply:?}");
    }
    assert!(!reply.body.contains("/tmp/") && !reply.body.contains("/home"), "{way}: {reply:?}");
}

/// Without the model that a layer needs, with a damaged index, and without an index: each answer says what is wrong, not where.
#[test]
fn no_answer_tells_where_on_the_machine_anything_lies() {
    let mut world = world_of_all_layers();
    world.set_variable("WIKIRAG_LAYERS", "bm25,dense");
    world.write("garden/beans.md", "# Beans\n\nBeans climb poles over the compost. See [[basil]].\n");
    world.write("garden/basil.md", "# Basil\n\nSow basil in May.\n");
    world.write("g.rag.yaml", "wikis: [garden]\n");
    let _ = world.run(&["build", "g.rag.yaml"]);
    let server = Server::start(&world, &["g.rag.yaml"]);
    let check = |what: &str| {
        let mut degraded = 0;
        for (way, reply) in ways(&server, "X-Nothing: 1", "garden", "beans") {
            no_place(&world, &format!("{what}: {way}"), &reply);
            degraded += usize::from(reply.body.contains("\"degraded\":[{") || reply.status >= 500);
        }
        degraded
    };
    assert!(check("without a model") > 0);
    for file in ["garden/.index/catalog.db", "g.rag.yaml"] {
        world.write(file, "\u{0}not what was written\n: [");
        check(file);
    }
    world.remove("garden");
    assert!(check("without a wiki") > 0);
    // The operator is told where.
    assert!(world.read("serve.log").contains("g.rag.yaml"), "{}", world.read("serve.log"));
}
