//! Tools of other programs, and what becomes of those that fail.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use wikirag_core::{Error, ErrorKind};

use super::super::{Tool, ToolSet};
use super::{World, call, caller, post};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Plan {
    /// How it ends
    end: String,
}

#[derive(Serialize, JsonSchema)]
struct Done {
    /// Who called
    who: String,
}

/// A tool that ends as it is told to.
fn ending() -> Tool {
    Tool::new("end", "End", "Ends", |call, Plan { end }| async move {
        match end.as_str() {
            "well" => Ok(Done { who: call.caller.name }),
            "missing" => {
                Err(Error::new(ErrorKind::Invalid, "end", "this program has no planner").help("build it with one"))
            }
            "broken" => Err(Error::new(ErrorKind::Damaged, "end", "the file /etc/index is damaged")),
            _ => panic!("as told"),
        }
    })
}

#[tokio::test]
async fn a_program_adds_its_own_tools() {
    let world = World::new();
    let tools = ToolSet::standard().add(ending()).unwrap();
    assert_eq!(tools.tools().last().unwrap().name(), "end");
    assert_eq!(tools.clone().add(ending()).unwrap_err().kind(), ErrorKind::Invalid);
    let server = world.server(tools);
    let result = call(&server, "end", json!({ "end": "well" })).await;
    assert_eq!(result["structuredContent"], json!({ "who": "test" }), "{result}");
    let result = call(&server, "end", json!({ "end": "well", "ned": 1 })).await;
    assert!(result["content"][0]["text"].as_str().unwrap().contains("did you mean `end`?"), "{result}");
}

#[tokio::test]
async fn what_fails_is_told_and_the_server_lives_on() {
    let world = World::new();
    let server = world.server(ToolSet::empty().add(ending()).unwrap());
    for (end, said) in [
        ("missing", "this program has no planner\nbuild it with one"),
        // What only the operator can mend, and where, is for the log.
        ("broken", "this cannot be answered at the moment"),
        ("panic", "the tool broke; this is a fault of the program, and its log tells more"),
    ] {
        let result = call(&server, "end", json!({ "end": end })).await;
        assert_eq!(result["isError"], true, "{result}");
        assert_eq!(result["content"][0]["text"], said);
        assert_eq!(call(&server, "end", json!({ "end": "well" })).await["isError"], false);
    }
}

/// A handler may break before it has given anything to wait for.
#[tokio::test]
async fn a_handler_that_breaks_at_once_is_told_as_well() {
    let world = World::new();
    let tool = Tool::new("end", "End", "Ends", |_, Plan { end }| {
        assert!(end.is_empty(), "as told");
        async { Ok(Done { who: String::new() }) }
    });
    let server = world.server(ToolSet::empty().add(tool).unwrap());
    assert_eq!(call(&server, "end", json!({ "end": "x" })).await["isError"], true);
    assert_eq!(call(&server, "end", json!({ "end": "" })).await["isError"], false);
}

/// Behind a layer that was forgotten there is nobody who may see anything.
#[tokio::test]
async fn a_request_without_a_caller_is_refused() {
    let world = World::new();
    let server = world.server(ToolSet::standard());
    for (method, params) in [
        ("tools/call", json!({ "name": "list_wikis" })),
        ("resources/list", json!({})),
        ("resources/read", json!({ "uri": "wiki://plot/garden/basil.md" })),
    ] {
        let answer = post(&server, None, method, params.clone()).await;
        assert_eq!(answer["error"]["code"], -32603, "{method}: {answer}");
        let known = caller(wikirag_core::Sensitivity::Public, None);
        let answer = post(&server, Some(&known), method, params).await;
        assert!(answer["error"].is_null() || method == "resources/read", "{method}: {answer}");
    }
}
