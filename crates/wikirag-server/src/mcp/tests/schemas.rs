//! Schemas, and real results against them.

use rmcp::model::JsonObject;
use serde_json::{Value, json};

use super::super::{ToolSet, arguments, schema};
use super::{World, call};

#[test]
fn every_client_understands_the_schemas() {
    for tool in ToolSet::standard().tools() {
        let output = tool.spec.output_schema.as_ref().unwrap();
        for schema in [&tool.spec.input_schema, output] {
            assert_eq!(schema::faults(schema), Vec::<String>::new(), "{}: {schema:?}", tool.name());
        }
    }
}

#[tokio::test]
async fn results_are_what_their_schemas_say() {
    let world = World::new();
    let tools = ToolSet::standard();
    let server = world.server(tools.clone());
    let calls = [
        ("search", json!({ "query": "basil", "rag": "all", "by": "document" })),
        ("fetch", json!({ "id": "wiki://all/vault/hidden.md" })),
        ("context", json!({ "question": "basil", "rag": "plot" })),
        ("ask", json!({ "question": "basil", "rag": "plot" })),
        ("links", json!({ "page": "basil", "wiki": "garden", "rag": "plot" })),
        ("status", json!({})),
        ("list_wikis", json!({})),
        ("find_skills", json!({ "task": "merge files" })),
        ("get_skill", json!({ "id": "tap/pdf/SKILL.md" })),
    ];
    for ((tool, given), known) in calls.into_iter().zip(tools.tools()) {
        assert_eq!(tool, known.name());
        let result = call(&server, tool, given).await;
        assert_ne!(result["isError"], true, "{tool}: {result}");
        let structured: JsonObject = result["structuredContent"].as_object().unwrap().clone();
        is_exactly(&Value::Object(structured), &Value::Object((**known.spec.output_schema.as_ref().unwrap()).clone()));
    }
}

/// The check of arguments serves for results as well: each object has what it must have, and nothing else.
fn is_exactly(value: &Value, schema: &Value) {
    match value {
        Value::Object(object) => {
            assert_eq!(arguments::check(schema.as_object().unwrap(), object.clone()).unwrap(), *object);
            for (name, value) in object {
                is_exactly(value, &schema["properties"][name]);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| is_exactly(item, &schema["items"])),
        _ => {}
    }
}
