//! Each tool, and what it says to a call that is wrong.

use serde_json::{Value, json};

use super::client::Client;
use super::plot;

#[test]
fn search_gives_what_fetch_takes() {
    let world = plot();
    let mut client = Client::start(&world, &["plot.rag.yaml"]);
    let found = client.ok("search", json!({ "query": "when to sow basil" }));
    let best = &found["results"][0];
    assert_eq!(best["id"], "garden/herbs/basil.md", "{found}");
    assert_eq!(best["url"], "wiki://plot/garden/herbs/basil.md");
    assert_eq!(best["title"], "Basil");
    let citation = best["citation"].as_str().unwrap();
    assert!(citation.starts_with("garden/herbs/basil.md:"), "{citation}");
    assert!(best["score"].as_f64().unwrap() > 0.0 && best["snippet"].as_str().unwrap().contains("basil"));

    let whole = client.ok("fetch", json!({ "id": best["id"] }));
    assert_eq!(whole["text"], world.read("garden/herbs/basil.md"));
    assert_eq!((&whole["id"], &whole["url"], &whole["title"]), (&best["id"], &best["url"], &best["title"]));
    assert_eq!(client.ok("fetch", json!({ "id": best["url"] })), whole);
    let part = client.ok("fetch", json!({ "id": citation }));
    assert_eq!(part["metadata"]["citation"], citation);
    assert_eq!(part["text"].as_str().unwrap().trim_end(), best["text"].as_str().unwrap().trim_end());
    let line = client.ok("fetch", json!({ "id": "garden/herbs/basil.md:3" }));
    assert_eq!(line["text"].as_str().unwrap().trim_end(), "Sow basil in May, when nights stay warm.");
}

/// Clients that know no structured results read the same as JSON.
#[test]
fn the_text_beside_a_result_is_the_result() {
    let world = plot();
    let mut client = Client::start(&world, &["plot.rag.yaml"]);
    for (tool, arguments) in [("search", json!({ "query": "basil" })), ("fetch", json!({ "id": "garden/beans.md" }))] {
        let result = client.call(tool, arguments);
        assert_eq!(result["content"].as_array().unwrap().len(), 1);
        let text: Value = serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
        assert_eq!(text, result["structuredContent"]);
    }
}

#[test]
fn long_documents_come_in_parts() {
    let world = plot();
    let text: String = (0..9_000).map(|number| format!("Row {number} of leeks, ä.\n")).collect();
    world.write("garden/long.md", &text);
    let mut client = Client::start(&world, &["plot.rag.yaml"]);
    client.ok("search", json!({ "query": "leeks" }));
    let (mut whole, mut offset) = (String::new(), json!(0));
    while !offset.is_null() {
        let part = client.ok("fetch", json!({ "id": "garden/long.md", "offset": offset }));
        whole.push_str(part["text"].as_str().unwrap());
        offset = part["next_offset"].clone();
    }
    assert_eq!(whole, text);
    assert!(client.fails("fetch", json!({ "id": "garden/long.md", "offset": text.len() })).contains("characters"));
}

#[test]
fn links_status_and_lists() {
    let world = plot();
    let mut client = Client::start(&world, &["plot.rag.yaml"]);
    let before = client.ok("status", json!({}));
    assert_eq!(before["wikis"][0]["built"], false, "{before}");
    client.ok("search", json!({ "query": "basil" }));
    let status = client.ok("status", json!({ "wikis": ["garden"] }));
    assert_eq!(status["wikis"][0]["layers"][0]["readiness"], "ready", "{status}");
    let wikis = client.ok("list_wikis", json!({}));
    assert_eq!(wikis["wikis"][0]["title"], "The garden", "{wikis}");
    assert_eq!(wikis["wikis"][0]["documents"], 4, "{wikis}");
    let links = client.ok("links", json!({ "page": "Basil" }));
    assert_eq!(links["incoming"][0]["id"], "garden/_index.md", "{links}");
    let links = client.ok("links", json!({ "page": "_index.md", "limit": 2 }));
    assert_eq!(links["outgoing"].as_array().unwrap().len(), 2, "{links}");
}

#[test]
fn context_stays_within_its_budget() {
    let world = plot();
    let mut client = Client::start(&world, &["plot.rag.yaml"]);
    for budget in [100, 200, 4_000] {
        let packed = client.ok("context", json!({ "question": "how to grow basil and beans", "budget": budget }));
        assert!(packed["tokens"].as_u64().unwrap() <= budget, "{packed}");
        for block in packed["blocks"].as_array().unwrap() {
            let fetched = client.ok("fetch", json!({ "id": block["id"] }));
            assert_eq!(fetched["text"], block["text"], "{block}");
        }
    }
}

#[test]
fn without_a_language_model_ask_gives_the_sources() {
    let world = plot();
    let mut client = Client::start(&world, &["plot.rag.yaml"]);
    let answered = client.ok("ask", json!({ "question": "when to sow basil?" }));
    assert!(answered["answer"].is_null(), "{answered}");
    assert_eq!(answered["passages"][0]["title"], "Basil", "{answered}");
    assert!(answered["notes"].to_string().contains("no language model"), "{answered}");
}

/// [B64] What is wrong with a call is said, with what is allowed, and nothing is ignored.
#[test]
fn wrong_calls_are_told_how_to_be_right() {
    let world = plot();
    let mut client = Client::start(&world, &["plot.rag.yaml"]);
    for (tool, arguments, said) in [
        ("search", json!({ "query": "x", "collection": "garden" }), "did you mean `wikis`?"),
        ("search", json!({ "query": "x", "collections": ["garden"] }), "did you mean `wikis`?"),
        ("search", json!({ "query": "x", "wiki": ["garden"] }), "did you mean `wikis`?"),
        ("search", json!({ "query": "x", "top_k": 3 }), "did you mean `limit`?"),
        ("search", json!({ "query": "x", "limits": 3 }), "did you mean `limit`?"),
        ("search", json!({ "question": "x" }), "did you mean `query`?"),
        ("search", json!({ "query": "x", "zebra": 1 }), "there are: query, wikis, rag, limit, by"),
        ("search", json!({}), "`query` is missing"),
        ("search", json!({ "query": null }), "`query` is missing"),
        ("search", json!({ "query": 7 }), "the number 7"),
        ("search", json!({ "query": "x".repeat(8_193) }), "at most 8192 characters"),
        ("search", json!({ "query": "x", "limit": "abc" }), "a whole number from 1 to 100"),
        ("search", json!({ "query": "x", "limit": 0 }), "a whole number from 1 to 100"),
        ("search", json!({ "query": "x", "limit": -1 }), "a whole number from 1 to 100"),
        ("search", json!({ "query": "x", "limit": 100_000 }), "a whole number from 1 to 100"),
        ("search", json!({ "query": "x", "limit": 1.5 }), "a whole number from 1 to 100"),
        ("search", json!({ "query": "x", "limit": 1e300 }), "a whole number from 1 to 100"),
        ("search", json!({ "query": "x", "by": "wiki" }), "one of `passage`, `document`"),
        ("search", json!({ "query": "x", "wikis": "garden" }), "give a list"),
        ("search", json!({ "query": "x", "wikis": [3] }), "`wikis[]` is the number 3"),
        ("search", json!({ "query": "x", "wikis": [] }), "`wikis` names none"),
        ("fetch", json!({ "path": "garden/beans.md" }), "did you mean `id`?"),
        ("fetch", json!({ "id": "" }), "nothing to get"),
        ("fetch", json!({ "id": "garden/beans.md:9-2" }), "no range"),
        ("context", json!({ "question": "x", "budget": 0 }), "from 100 to 100000"),
        ("context", json!({ "query": "x" }), "did you mean `question`?"),
        ("links", json!({ "path": "beans.md" }), "did you mean `page`?"),
        ("links", json!({ "page": "beans", "depth": 3 }), "there are: page, wiki, rag, limit"),
        ("status", json!({ "index": "garden" }), "did you mean `wikis`?"),
        ("list_wikis", json!({ "all": true }), "there are: rag"),
    ] {
        let text = client.fails(tool, arguments.clone());
        assert!(text.contains(said), "{tool} {arguments}: {text}");
    }
    // A mistake among others hides none of them.
    let text = client.fails("search", json!({ "query": 7, "limit": 0, "collection": "x" }));
    assert_eq!(text.lines().count(), 3, "{text}");
    assert_eq!(
        client.ok("search", json!({ "query": "basil", "limit": 1.0, "wikis": null }))["results"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
    let unknown = client.call("serch", json!({}));
    assert!(unknown["code"] == -32602 && unknown["message"].as_str().unwrap().contains("search, fetch"), "{unknown}");
}

/// [B60] No name is more than a name.
#[test]
fn special_values_mean_nothing() {
    let world = plot();
    let mut client = Client::start(&world, &["plot.rag.yaml"]);
    client.ok("search", json!({ "query": "basil" }));
    for name in ["__all__", "*", "../", "..", ".", "../vault", "", " ", "garden/../vault", "%2e%2e", "\u{0}"] {
        for (tool, arguments) in [
            ("search", json!({ "query": "basil", "wikis": [name] })),
            ("search", json!({ "query": "basil", "rag": name })),
            ("fetch", json!({ "id": format!("{name}/hidden.md") })),
            ("fetch", json!({ "id": "beans.md", "rag": name })),
            ("context", json!({ "question": "basil", "wikis": [name] })),
            ("ask", json!({ "question": "basil", "wikis": [name] })),
            ("links", json!({ "page": "hidden", "wiki": name })),
            ("links", json!({ "page": "basil", "rag": name })),
            ("status", json!({ "wikis": [name] })),
            ("list_wikis", json!({ "rag": name })),
        ] {
            let text = client.fails(tool, arguments.clone());
            assert!(!text.contains("Hidden") && !text.contains("vault of"), "{tool} {arguments}: {text}");
        }
    }
}

#[test]
fn any_text_is_a_question() {
    let world = plot();
    let mut client = Client::start(&world, &["plot.rag.yaml"]);
    for query in ["", " \n"] {
        assert!(client.fails("search", json!({ "query": query })).contains("empty"));
    }
    for query in ["\u{0}", "\"", "-", "(((", "title:", "\u{1F600}", "AND OR NOT", "a\nb", &"long ".repeat(1_600)] {
        client.ok("search", json!({ "query": query }));
    }
}

#[test]
fn several_compositions_are_told_apart() {
    let world = plot();
    world.write("all.rag.yaml", "wikis: [garden, vault]\nclearance: restricted\n");
    let mut client = Client::start(&world, &["plot.rag.yaml", "all.rag.yaml"]);
    let text = client.fails("search", json!({ "query": "basil" }));
    assert!(text.contains("`plot`, `all`"), "{text}");
    let found = client.ok("search", json!({ "query": "hidden basil", "rag": "all" }));
    assert_eq!(found["results"][0]["url"], "wiki://all/vault/hidden.md", "{found}");
    let found = client.ok("search", json!({ "query": "hidden basil", "rag": "plot" }));
    assert!(!found.to_string().contains("vault"), "{found}");
    assert_eq!(client.ok("list_wikis", json!({}))["wikis"].as_array().unwrap().len(), 3);
    client.fails("fetch", json!({ "id": "wiki://all/vault/hidden.md", "rag": "plot" }));
}
