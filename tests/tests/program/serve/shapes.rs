//! What is asked and what comes back.

use std::io::{Read, Write};
use std::net::Shutdown;

use serde_json::{Value, json};

use super::{Server, estate};
use crate::garden;

#[test]
fn an_answer_is_that_of_the_command_line() {
    let world = estate();
    let server = Server::start(&world, &["estate.rag.yaml"]);
    for question in
        ["compost heap", "keys of the shed", "pinching basil", "\"heirloom beans\" -rota", "title:slugs grounds"]
    {
        let mut there = server.post("/v1/query", &json!({"question": question, "explain": true})).expect(200);
        let mut here = world.run(&["query", "estate.rag.yaml", question, "--json", "--explain"]).ok().json();
        for answer in [&mut there, &mut here] {
            answer["took_ms"] = Value::Null;
        }
        assert_eq!(there, here, "{question}");
        assert!(!there["results"].as_array().unwrap().is_empty(), "{question}");
    }
    let one = server
        .post("/v1/query", &json!({"question": "compost", "wikis": ["office"], "limit": 1, "by": "document"}))
        .expect(200);
    assert_eq!((one["results"][0]["wiki"].as_str(), one["results"].as_array().unwrap().len()), (Some("office"), 1));
}

#[test]
fn documents_links_and_graphs_are_read_by_wiki_and_path() {
    let world = estate();
    let server = Server::start(&world, &["estate.rag.yaml"]);
    let whole = server.get("/v1/documents/garden/herbs/basil.md").expect(200);
    assert_eq!(whole["text"], world.read("garden/herbs/basil.md"));
    assert_eq!(server.get("/v1/documents/garden/herbs%2Fbasil.md").expect(200), whole);
    let lines = server.get("/v1/documents/garden/herbs/basil.md?lines=5-7").expect(200);
    assert_eq!((lines["lines"].clone(), lines["text"].as_str().unwrap().contains("Pinching")), (json!([5, 7]), true));
    let found = server.post("/v1/query", &json!({"question": "pinching basil", "limit": 1})).expect(200);
    let id = found["results"][0]["id"].as_str().unwrap().replace('#', "%23");
    let passage = server.get(&format!("/v1/documents?id={id}")).expect(200);
    assert_eq!(passage["text"].as_str().unwrap().trim_end(), found["results"][0]["text"].as_str().unwrap());
    let links = server.get("/v1/links/crypt/heirloom.md").expect(200);
    assert_eq!(links["links"][0]["path"], "sapphire.md", "{links}");
    let graph = server.get("/v1/graph/crypt/sapphire?depth=1&tags=true").expect(200);
    assert_eq!(graph["nodes"][1]["id"], "heirloom.md", "{graph}");
    let wikis = server.get("/v1/wikis").expect(200);
    let names: Vec<&str> = wikis["wikis"].as_array().unwrap().iter().filter_map(|wiki| wiki["wiki"].as_str()).collect();
    assert_eq!(names, ["garden", "office", "crypt"]);
    let context = server.post("/v1/context", &json!({"question": "compost", "budget": 300})).expect(200);
    assert!(
        context["tokens"].as_u64().unwrap() <= 300 && !context["blocks"].as_array().unwrap().is_empty(),
        "{context}"
    );
    assert_eq!(server.get("/v1/models").expect(200)["data"][0]["id"], "estate");
    assert_eq!(server.get("/health").expect(200)["status"], "ok");
}

/// [B64]
#[test]
fn what_is_not_understood_is_refused_in_one_shape() {
    let world = garden();
    let server = Server::start(&world, &["garden"]);
    let json = "Content-Type: application/json";
    let typo = server.post("/v1/query", &json!({"question": "basil", "limt": 3}));
    assert_eq!(typo.error(400), "usage");
    assert!(typo.body.contains("did you mean `limit`?"), "{typo:?}");
    for body in [
        json!({}),
        json!([]),
        json!("basil"),
        json!({"question": ""}),
        json!({"question": " \n"}),
        json!({"question": 7}),
        json!({"question": "a", "limit": 0}),
        json!({"question": "a", "limit": -1}),
        json!({"question": "a", "limit": 100_000}),
        json!({"question": "a", "limit": "abc"}),
        json!({"question": "a", "layers": []}),
        json!({"question": "a", "wikis": []}),
    ] {
        assert_eq!(server.post("/v1/query", &body).error(400), "usage", "{body}");
    }
    for body in ["", "{", "{\"question\": \"a\"} x", "\u{0}"] {
        assert_eq!(server.send("POST", "/v1/query", &[json], body).error(400), "usage", "{body}");
    }
    let unknown = server.post("/v1/query", &json!({"question": "a", "layers": ["nope"]}));
    assert_eq!(unknown.error(404), "not-found");
    let deep = "[".repeat(100_000);
    assert_eq!(server.send("POST", "/v1/query", &[json], &deep).error(400), "usage");
    for kind in ["Content-Type: text/plain", "Content-Type: application/x-www-form-urlencoded", "X-Nothing: 1"] {
        assert_eq!(server.send("POST", "/v1/query", &[kind], "{\"question\": \"a\"}").error(415), "media-type");
    }
    let wrong = server.get("/v1/query");
    assert_eq!((wrong.error(405).as_str(), wrong.header("allow")), ("no-method", Some("POST")));
    let wrong = server.send("DELETE", "/v1/wikis", &[], "");
    assert_eq!((wrong.error(405).as_str(), wrong.header("allow")), ("no-method", Some("GET,HEAD")));
    for path in ["/v1", "/v1/query/", "/nope", "/v1/documents/garden", "/../etc/passwd", "/v1//query"] {
        assert_eq!(server.get(path).error(404), "no-route", "{path}");
    }
    for (path, status) in [
        ("/v1/documents/garden/herbs/basil.md?lines=9-1", 404),
        ("/v1/documents/garden/herbs/basil.md?lines=x", 400),
        ("/v1/documents/garden/herbs/basil.md?lines=1&pages=1", 404),
        ("/v1/documents/garden/herbs/basil.md?line=1", 400),
        ("/v1/documents/garden/herbs/basil.md?rag=garden&rag=garden", 400),
        ("/v1/documents/garden/%FF", 400),
        ("/v1/documents/garden/..%2Fgarden%2Fbeans.md", 404),
        ("/v1/documents/garden/%2Fetc%2Fpasswd", 404),
        ("/v1/documents/garden/%00", 404),
        ("/v1/documents?id=", 400),
        ("/v1/graph/garden/beans.md?depth=4", 400),
        ("/v1/graph/garden/beans.md?depth=x", 400),
        ("/v1/graph/garden/beans.md?tags=null", 400),
        ("/v1/graph/garden/nothing", 404),
        ("/v1/links/garden/beans.md?limit=501", 400),
    ] {
        let reply = server.get(path);
        let code = reply.error(status);
        assert!(code == "usage" || code == "not-found", "{path}: {reply:?}");
    }
    let long = server.post("/v1/query", &json!({"question": "b".repeat(9_000)}));
    assert!(matches!(long.status, 400 | 413), "{long:?}");
    let huge = server.post("/v1/query", &json!({"question": "b".repeat(2 << 20)}));
    assert_eq!(huge.error(413), "too-large");
}

#[test]
fn what_is_no_request_gets_no_answer_and_harms_nobody() {
    let world = garden();
    let server = Server::start(&world, &["garden"]);
    let mut rng = fastrand::Rng::with_seed(7);
    for length in [0, 1, 20, 4_000, 200_000] {
        let bytes: Vec<u8> = (0..length).map(|_| rng.u8(..)).collect();
        let mut stream = server.connect();
        let _ = stream.write_all(&[bytes.as_slice(), b"\r\n\r\n"].concat());
        // Nothing more comes, so that the server need not wait for it.
        let _ = stream.shutdown(Shutdown::Write);
        let _ = stream.read_to_end(&mut Vec::new());
    }
    let huge = format!("GET / HTTP/1.1\r\nHost: {}\r\nX: {}\r\n\r\n", server.address, "a".repeat(1 << 20));
    let _ = server.raw(huge.as_bytes());
    assert_eq!(server.get("/health").status, 200);
}

#[test]
fn the_description_is_that_of_the_routes() {
    let world = garden();
    let server = Server::start(&world, &["garden"]);
    let document = server.get("/openapi.json").expect(200);
    assert_eq!(document["openapi"], "3.1.0");
    let paths = document["paths"].as_object().unwrap();
    assert!(paths.len() > 10, "{paths:?}");
    for (path, methods) in paths {
        let path = path.replace("{wiki}", "garden").replace("{path}", "beans.md");
        for method in methods.as_object().unwrap().keys() {
            let reply = server.send(&method.to_uppercase(), &path, &[], "");
            assert!(!matches!(reply.status, 405 | 501), "{method} {path}: {reply:?}");
            assert!(!reply.body.contains("no-route"), "{method} {path}: {reply:?}");
        }
    }
    // Nothing is pointed at that is not there.
    let text = document.to_string();
    for reference in text.split("\"$ref\":\"#").skip(1) {
        let pointer = reference.split('"').next().unwrap();
        assert!(document.pointer(pointer).is_some(), "{pointer}");
    }
    // What a client must send is what the server asks for.
    let query = &document["paths"]["/v1/query"]["post"]["requestBody"]["content"]["application/json"]["schema"];
    assert_eq!((query["required"].clone(), query["additionalProperties"].clone()), (json!(["question"]), json!(false)));
}
