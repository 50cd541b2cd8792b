//! Each caller sees its own part of a composition, and of the rest not that it is there.

use serde_json::{Value, json};
use wikirag_core::{Context, Sensitivity};

use super::super::ToolSet;
use super::{World, call, caller, post};
use crate::service::QueryRequest;

const TEMPLATE: &str = "wiki://{rag}/{wiki}/{+path}";

/// Every way to ask for something of a wiki, a composition or both, called `wiki` and `rag`.
fn ways(rag: &str, wiki: &str, chunk: &str) -> Vec<(&'static str, Value)> {
    let tool = |tool: &str, arguments: Value| ("tools/call", json!({ "name": tool, "arguments": arguments }));
    let complete = |argument: &str, value: &str| {
        let given = json!({ "arguments": { "rag": rag, "wiki": wiki } });
        let reference = json!({ "type": "ref/resource", "uri": TEMPLATE });
        (
            "completion/complete",
            json!({ "ref": reference, "argument": { "name": argument, "value": value }, "context": given }),
        )
    };
    vec![
        tool("search", json!({ "query": "hidden basil", "wikis": [wiki], "rag": rag })),
        tool("search", json!({ "query": "hidden basil", "wikis": ["garden", wiki], "rag": rag })),
        tool("context", json!({ "question": "hidden basil", "wikis": [wiki], "rag": rag })),
        tool("ask", json!({ "question": "hidden basil", "wikis": [wiki], "rag": rag })),
        tool("fetch", json!({ "id": format!("{wiki}/hidden.md"), "rag": rag })),
        tool("fetch", json!({ "id": format!("{wiki}/hidden.md:1-2"), "rag": rag })),
        tool("fetch", json!({ "id": format!("{wiki}#{chunk}"), "rag": rag })),
        tool("fetch", json!({ "id": format!("wiki://{rag}/{wiki}/hidden.md") })),
        tool("links", json!({ "page": "hidden", "wiki": wiki, "rag": rag })),
        tool("status", json!({ "wikis": [wiki], "rag": rag })),
        tool("status", json!({ "wikis": [wiki] })),
        ("resources/read", json!({ "uri": format!("wiki://{rag}/{wiki}/hidden.md") })),
        ("resources/list", json!({ "cursor": format!("wiki://{rag}/{wiki}/a.md") })),
        complete("path", "hid"),
        complete("path", ""),
        complete("wiki", &wiki[..1]),
    ]
}

/// What is said to whoever asks for nothing by name.
const OPEN: &[(&str, &str)] = &[
    ("tools/list", "{}"),
    ("resources/list", "{}"),
    ("prompts/list", "{}"),
    ("tools/call", r#"{"name": "list_wikis"}"#),
    ("tools/call", r#"{"name": "status"}"#),
    ("tools/call", r#"{"name": "search", "arguments": {"query": "hidden basil"}}"#),
    ("tools/call", r#"{"name": "search", "arguments": {"query": "hidden basil", "rag": "all"}}"#),
    ("tools/call", r#"{"name": "links", "arguments": {"page": "basil", "rag": "all"}}"#),
];

#[tokio::test]
async fn what_a_caller_may_not_read_is_not_there() {
    let world = World::new();
    let server = world.server(ToolSet::standard());
    // Everything is built, by one who may.
    let found = call(&server, "search", json!({ "query": "hidden basil", "rag": "all" })).await;
    assert!(found.to_string().contains("vault/hidden.md"), "{found}");
    let (all, context) = (caller(Sensitivity::Restricted, None), Context::new());
    let hidden = QueryRequest { question: "hidden".to_owned(), rag: Some("all".to_owned()), ..QueryRequest::default() };
    let id = world.service.query(&all, &hidden, &context).await.unwrap().results[0].id.clone();
    let chunk = id.split_once('#').unwrap().1;
    for few in [
        caller(Sensitivity::Public, None),
        caller(Sensitivity::Confidential, None),
        caller(Sensitivity::Restricted, Some(&["garden"])),
        caller(Sensitivity::Restricted, Some(&["garden", "*"])),
    ] {
        for ((method, refused), (_, missing)) in
            ways("all", "vault", chunk).into_iter().zip(ways("all", "yacht", chunk))
        {
            let answer = post(&server, Some(&few), method, refused.clone()).await.to_string();
            let expected = post(&server, Some(&few), method, missing).await.to_string().replace("yacht", "vault");
            assert_eq!(answer, expected, "{few:?} {method} {refused}");
            assert!(!answer.contains("Hidden") && !answer.contains("ecrets"), "{answer}");
        }
        for (method, params) in OPEN {
            let answer = post(&server, Some(&few), method, serde_json::from_str(params).unwrap()).await.to_string();
            assert!(!answer.contains("vault") && !answer.contains("idden.md"), "{few:?} {method} {params}: {answer}");
        }
    }
    // A caller of whose compositions nothing is left has none.
    let none = caller(Sensitivity::Restricted, Some(&["shed"]));
    for ((method, refused), (_, missing)) in ways("all", "garden", chunk).into_iter().zip(ways("yarn", "garden", chunk))
    {
        let answer = post(&server, Some(&none), method, refused.clone()).await.to_string();
        let expected = post(&server, Some(&none), method, missing).await.to_string().replace("yarn", "all");
        assert_eq!(answer, expected, "{method} {refused}");
    }
}
