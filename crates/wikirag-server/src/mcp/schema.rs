//! JSON Schemas of arguments and results, in the part of the language that every client understands: no unions, no references, no
//! properties beside those that are named.

use rmcp::model::JsonObject;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::Value;

/// The schema of what a tool takes.
pub(crate) fn of_input<T: JsonSchema>() -> JsonObject {
    plain::<T>(SchemaSettings::draft2020_12().for_deserialize())
}

/// The schema of what a tool gives.
pub(super) fn of_output<T: JsonSchema>() -> JsonObject {
    plain::<T>(SchemaSettings::draft2020_12().for_serialize())
}

fn plain<T: JsonSchema>(mut settings: SchemaSettings) -> JsonObject {
    settings.inline_subschemas = true;
    settings.meta_schema = None;
    let mut schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    simplify(&mut schema);
    let mut schema = match schema {
        Value::Object(schema) => schema,
        // A schema that is `true` or `false`: a type without any properties.
        _ => JsonObject::new(),
    };
    // Name and comment of the type tell a client nothing.
    schema.remove("title");
    schema.remove("description");
    schema.entry("type").or_insert_with(|| "object".into());
    schema.entry("properties").or_insert_with(|| JsonObject::new().into());
    schema.insert("additionalProperties".to_owned(), false.into());
    schema
}

/// An optional property is one that may be left out, so nothing needs to be `null`; widths of numbers are no matter of JSON.
fn simplify(schema: &mut Value) {
    match schema {
        Value::Object(object) => {
            if let Some(Value::Array(types)) = object.get_mut("type") {
                types.retain(|one| one != "null");
                if let [only] = types.as_mut_slice() {
                    let only = only.take();
                    object.insert("type".to_owned(), only);
                }
            }
            if let Some(Value::Array(values)) = object.get_mut("enum") {
                values.retain(|one| !one.is_null());
            }
            if let Some(values) = object.get("oneOf").and_then(words) {
                object.remove("oneOf");
                object.insert("type".to_owned(), "string".into());
                object.insert("enum".to_owned(), values);
            }
            object.remove("format");
            if let Some(Value::String(description)) = object.get_mut("description") {
                *description = description.replace('\n', " ");
            }
            if object.get("default").is_some_and(Value::is_null) {
                object.remove("default");
            }
            if object.get("type").is_some_and(|kind| kind == "object") {
                object.insert("additionalProperties".to_owned(), false.into());
            }
            object.values_mut().for_each(simplify);
        }
        Value::Array(array) => array.iter_mut().for_each(simplify),
        _ => {}
    }
}

/// The words of a choice of which each has a comment of its own.
fn words(choice: &Value) -> Option<Value> {
    let of_one = |one: &Value| one.get("const").filter(|word| word.is_string()).cloned();
    choice.as_array()?.iter().map(of_one).collect::<Option<Vec<Value>>>().map(Value::Array)
}

/// What is wrong with a schema: everything in it that some client does not understand. Empty where nothing is.
#[cfg(test)]
pub(super) fn faults(schema: &JsonObject) -> Vec<String> {
    fn walk(value: &Value, at: &str, faults: &mut Vec<String>) {
        let Value::Object(object) = value else { return };
        for word in ["anyOf", "oneOf", "allOf", "not", "$ref", "$defs", "definitions", "format", "default", "nullable"]
        {
            if object.contains_key(word) {
                faults.push(format!("{at}: {word}"));
            }
        }
        match object.get("type").and_then(Value::as_str) {
            Some("object") => {
                if object.get("additionalProperties") != Some(&Value::Bool(false)) {
                    faults.push(format!("{at}: additionalProperties"));
                }
                for (name, property) in object.get("properties").and_then(Value::as_object).into_iter().flatten() {
                    let at = format!("{at}.{name}");
                    if property.get("description").and_then(Value::as_str).is_none_or(str::is_empty) {
                        faults.push(format!("{at}: no description"));
                    }
                    walk(property, &at, faults);
                }
            }
            Some("array") => match object.get("items") {
                Some(items) => walk(items, &format!("{at}[]"), faults),
                None => faults.push(format!("{at}: no items")),
            },
            Some("string" | "integer" | "number" | "boolean") => {}
            other => faults.push(format!("{at}: type {other:?}")),
        }
    }
    let mut faults = Vec::new();
    walk(&Value::Object(schema.clone()), "", &mut faults);
    faults
}
