//! [B60] A wiki above the clearance answers exactly as one that is not there, whichever way one asks.

use serde_json::{Value, json};

use super::client::Client;
use super::plot;

const TEMPLATE: &str = "wiki://{rag}/{wiki}/{+path}";

/// Every way to ask for something of the wiki `name`. The document, page and passage are those of `vault`.
fn ways(name: &str, chunk: &str) -> Vec<(&'static str, Value)> {
    let tool = |tool: &str, arguments: Value| ("tools/call", json!({ "name": tool, "arguments": arguments }));
    let complete = |argument: &str, given: Value| {
        let reference = json!({ "type": "ref/resource", "uri": TEMPLATE });
        (
            "completion/complete",
            json!({ "ref": reference, "argument": { "name": argument, "value": "" }, "context": { "arguments": given } }),
        )
    };
    vec![
        tool("search", json!({ "query": "hidden basil", "wikis": [name] })),
        tool("search", json!({ "query": "hidden basil", "wikis": ["garden", name] })),
        tool("search", json!({ "query": "hidden basil", "rag": name })),
        tool("context", json!({ "question": "hidden basil", "wikis": [name] })),
        tool("ask", json!({ "question": "hidden basil", "wikis": [name] })),
        tool("fetch", json!({ "id": format!("{name}/hidden.md") })),
        tool("fetch", json!({ "id": format!("{name}/hidden.md:1-2") })),
        tool("fetch", json!({ "id": format!("{name}#{chunk}") })),
        tool("fetch", json!({ "id": format!("../{name}/hidden.md") })),
        tool("fetch", json!({ "id": format!("wiki://plot/{name}/hidden.md") })),
        tool("fetch", json!({ "id": format!("wiki://{name}/{name}/hidden.md") })),
        tool("find_skills", json!({ "task": "hidden basil", "wikis": [name] })),
        tool("find_skills", json!({ "task": "hidden basil", "rag": name })),
        tool("get_skill", json!({ "id": format!("{name}/hidden.md") })),
        tool("links", json!({ "page": "hidden", "wiki": name })),
        tool("links", json!({ "page": format!("{name}/hidden.md") })),
        tool("status", json!({ "wikis": [name] })),
        tool("status", json!({ "rag": name })),
        tool("list_wikis", json!({ "rag": name })),
        ("resources/read", json!({ "uri": format!("wiki://plot/{name}/hidden.md") })),
        ("resources/read", json!({ "uri": format!("wiki://{name}/{name}/hidden.md") })),
        ("resources/list", json!({ "cursor": format!("wiki://plot/{name}/a.md") })),
        complete("path", json!({ "rag": "plot", "wiki": name })),
        complete("wiki", json!({ "rag": name })),
    ]
}

#[test]
fn a_refused_wiki_is_as_one_that_is_not_there() {
    let world = plot();
    // It is built, by one who may, so that there is everything to leak.
    let all = world.run(&["--set", "clearance=restricted", "query", "vault", "hidden basil", "--json"]).ok();
    let id = all.results()[0]["id"].as_str().unwrap().to_owned();
    let chunk = id.split_once('#').unwrap().1;
    let mut client = Client::start(&world, &["plot.rag.yaml"]);
    client.ok("search", json!({ "query": "basil" }));
    for ((method, refused), (_, missing)) in ways("vault", chunk).into_iter().zip(ways("yacht", chunk)) {
        let mut answer = |params: &Value| {
            let mut answer = client.request(method, params.clone());
            answer["id"] = Value::Null;
            answer.to_string()
        };
        assert_eq!(answer(&refused), answer(&missing).replace("yacht", "vault"), "{method} {refused}");
    }
    let mut said = String::new();
    for (method, params) in [
        ("tools/list", json!({})),
        ("resources/list", json!({})),
        ("resources/templates/list", json!({})),
        ("prompts/list", json!({})),
        ("tools/call", json!({ "name": "list_wikis" })),
        ("tools/call", json!({ "name": "status" })),
        ("tools/call", json!({ "name": "search", "arguments": { "query": "hidden basil of the vault" } })),
        ("tools/call", json!({ "name": "links", "arguments": { "page": "basil" } })),
        (
            "completion/complete",
            json!({ "ref": { "type": "ref/resource", "uri": TEMPLATE }, "argument": { "name": "wiki", "value": "" } }),
        ),
        (
            "completion/complete",
            json!({ "ref": { "type": "ref/resource", "uri": TEMPLATE }, "argument": { "name": "path", "value": "hid" } }),
        ),
    ] {
        said.push_str(&client.request(method, params).to_string());
    }
    assert!(!said.to_lowercase().contains("vault") && !said.contains("idden"), "{said}");
    let (status, _, errors) = client.close();
    assert!(status.success() && !errors.contains("vault"), "{errors}");
}

/// What is served is read anew for each call, so a level that was raised holds at once.
#[test]
fn a_level_that_is_raised_holds_at_once() {
    let world = plot();
    let mut client = Client::start(&world, &["plot.rag.yaml"]);
    client.ok("search", json!({ "query": "basil" }));
    world.write("garden/.wiki.yaml", "name: garden\ntitle: The garden\nsensitivity: restricted\n");
    for (method, params) in [
        ("tools/call", json!({ "name": "search", "arguments": { "query": "basil" } })),
        ("tools/call", json!({ "name": "fetch", "arguments": { "id": "garden/herbs/basil.md" } })),
        ("tools/call", json!({ "name": "context", "arguments": { "question": "basil" } })),
        ("tools/call", json!({ "name": "links", "arguments": { "page": "basil" } })),
        ("tools/call", json!({ "name": "list_wikis" })),
        ("tools/call", json!({ "name": "status" })),
        ("resources/list", json!({})),
        ("resources/read", json!({ "uri": "wiki://plot/garden/herbs/basil.md" })),
    ] {
        let answer = client.request(method, params.clone());
        let said = answer.to_string();
        let is_error = answer["result"]["isError"] == true || answer["error"].is_object();
        assert!(is_error && !said.contains("asil") && !said.contains("arden"), "{method} {params}: {said}");
    }
}

/// A composition that lists what it may not see is not served at all.
#[test]
fn what_may_not_be_seen_is_not_served() {
    let world = plot();
    let _ = world.run(&["mcp", "vault"]).expect(6);
    world.write("both.rag.yaml", "wikis: [garden, vault]\n");
    let run = world.run(&["mcp", "both.rag.yaml"]).expect(6);
    assert!(run.stdout.is_empty() && !run.stderr.contains("ecrets"), "{run}");
}
