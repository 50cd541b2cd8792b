//! Resources, prompts, completion, and what the server says of itself.

use serde_json::{Value, json};

use super::client::Client;
use super::plot;

const TEMPLATE: &str = "wiki://{rag}/{wiki}/{+path}";

#[test]
fn the_server_says_what_it_does() {
    let world = plot();
    let mut client = Client::start(&world, &["plot.rag.yaml"]);
    let tools = client.request("tools/list", json!({}))["result"]["tools"].clone();
    let names: Vec<&str> = tools.as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    let of_wikis = ["search", "fetch", "context", "ask", "links", "status", "list_wikis", "find_skills", "get_skill"];
    assert_eq!(names, [&of_wikis[..], &["discover_github"]].concat());
    for tool in tools.as_array().unwrap() {
        let hints = &tool["annotations"];
        let looks_beyond = tool["name"] == "discover_github";
        assert_eq!((&hints["readOnlyHint"], &hints["openWorldHint"]), (&json!(true), &json!(looks_beyond)), "{tool}");
        assert_eq!(hints["idempotentHint"], true, "{tool}");
        assert!(tool["title"].is_string() && tool["description"].is_string(), "{tool}");
        for schema in ["inputSchema", "outputSchema"] {
            assert_eq!(faults(&tool[schema]), Vec::<String>::new(), "{tool}");
        }
    }
}

/// What some client does not understand of a schema.
fn faults(schema: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    match schema {
        Value::Object(object) => {
            let forbidden = ["anyOf", "oneOf", "allOf", "$ref", "$defs", "format"];
            faults.extend(forbidden.iter().filter(|word| object.contains_key(**word)).map(|word| (*word).to_owned()));
            if object.get("type").is_some_and(Value::is_array) {
                faults.push("a list of types".to_owned());
            }
            if object.get("type").is_some_and(|kind| kind == "object")
                && object.get("additionalProperties") != Some(&json!(false))
            {
                faults.push("open object".to_owned());
            }
            faults.extend(object.values().flat_map(faults_of));
        }
        Value::Array(array) => faults.extend(array.iter().flat_map(faults_of)),
        _ => {}
    }
    faults
}

fn faults_of(schema: &Value) -> Vec<String> {
    faults(schema)
}

#[test]
fn documents_are_resources() {
    let world = plot();
    let mut client = Client::start(&world, &["plot.rag.yaml"]);
    client.ok("search", json!({ "query": "basil" }));
    let listed = client.request("resources/list", json!({}))["result"].clone();
    let resources = listed["resources"].as_array().unwrap();
    assert_eq!(resources.len(), 5, "{listed}");
    assert!(listed["nextCursor"].is_null(), "{listed}");
    for resource in resources {
        let read = client.request("resources/read", json!({ "uri": resource["uri"] }))["result"].clone();
        let path = resource["name"].as_str().unwrap();
        assert_eq!(read["contents"][0]["text"], world.read(path), "{read}");
        assert_eq!(read["contents"][0]["uri"], resource["uri"]);
        assert_eq!(read["contents"][0]["mimeType"], "text/markdown");
    }
    let templates = client.request("resources/templates/list", json!({}))["result"].clone();
    assert_eq!(templates["resourceTemplates"][0]["uriTemplate"], TEMPLATE);
}

#[test]
fn long_lists_come_page_by_page() {
    let world = plot();
    let mut expected: Vec<String> = ["_index.md", "beans.md", "compost.md", "herbs/basil.md", "slugs.md"]
        .map(|path| format!("garden/{path}"))
        .into();
    for number in 0..430 {
        // Characters that mean something in an address.
        let path = format!("garden/bed {number}?#%2F ä.md");
        world.write(&path, format!("# Bed {number}\n\nLeeks.\n"));
        expected.push(path);
    }
    expected.sort();
    let mut client = Client::start(&world, &["plot.rag.yaml"]);
    client.ok("search", json!({ "query": "leeks" }));
    let (mut names, mut pages, mut cursor) = (Vec::new(), 0, Value::Null);
    loop {
        let params = if cursor.is_null() { json!({}) } else { json!({ "cursor": cursor }) };
        let page = client.request("resources/list", params)["result"].clone();
        for resource in page["resources"].as_array().unwrap() {
            names.push(resource["name"].as_str().unwrap().to_owned());
        }
        pages += 1;
        cursor = page["nextCursor"].clone();
        if cursor.is_null() {
            break;
        }
    }
    assert_eq!((names, pages), (expected, 3));
    let odd = client.request("resources/read", json!({ "uri": "wiki://plot/garden/bed%207%3F%23%252F%20%C3%A4.md" }));
    assert!(odd["result"]["contents"][0]["text"].as_str().unwrap().contains("# Bed 7"), "{odd}");
    for (method, cursor) in [
        ("resources/list", "next"),
        ("resources/list", "wiki://plot/nowhere/x"),
        ("tools/list", "x"),
        ("prompts/list", ""),
    ] {
        let refused = client.request(method, json!({ "cursor": cursor }));
        assert_eq!(refused["error"]["code"], -32602, "{refused}");
    }
}

#[test]
fn prompts_are_filled_in() {
    let world = plot();
    let mut client = Client::start(&world, &["plot.rag.yaml"]);
    let prompts = client.request("prompts/list", json!({}))["result"]["prompts"].clone();
    for prompt in prompts.as_array().unwrap() {
        let subject = &prompt["arguments"][0];
        assert_eq!(subject["required"], true);
        let arguments = json!({ subject["name"].as_str().unwrap(): "basil", "wiki": "garden" });
        let filled =
            client.request("prompts/get", json!({ "name": prompt["name"], "arguments": arguments }))["result"].clone();
        let text = filled["messages"][0]["content"]["text"].as_str().unwrap();
        assert!(text.contains("basil") && text.contains("`garden`"), "{text}");
    }
    for params in [json!({ "name": "nothing" }), json!({ "name": "explore" })] {
        assert_eq!(client.request("prompts/get", params)["error"]["code"], -32602);
    }
}

#[test]
fn arguments_are_completed() {
    let world = plot();
    let mut client = Client::start(&world, &["plot.rag.yaml"]);
    client.ok("search", json!({ "query": "basil" }));
    let mut values = |reference: Value, name: &str, value: &str, given: Value| {
        let params = json!({ "ref": reference, "argument": { "name": name, "value": value }, "context": { "arguments": given } });
        client.request("completion/complete", params)["result"]["completion"]["values"].clone()
    };
    let template = || json!({ "type": "ref/resource", "uri": TEMPLATE });
    assert_eq!(values(template(), "rag", "", json!({})), json!(["plot"]));
    assert_eq!(values(template(), "wiki", "gar", json!({ "rag": "plot" })), json!(["garden"]));
    assert_eq!(
        values(template(), "path", "b", json!({ "rag": "plot", "wiki": "garden" })),
        json!(["beans.md", "herbs/basil.md"])
    );
    assert_eq!(values(template(), "wiki", "", json!({ "rag": "other" })), json!([]));
    assert_eq!(values(json!({ "type": "ref/prompt", "name": "explore" }), "wiki", "g", json!({})), json!(["garden"]));
    assert_eq!(values(json!({ "type": "ref/prompt", "name": "explore" }), "topic", "g", json!({})), json!([]));
}
