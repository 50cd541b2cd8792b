//! Checking the arguments of a call against the schema of its tool, so that a mistake is told in words a model can act on. None is ignored.

use rmcp::model::JsonObject;
use serde_json::Value;
use wikirag_core::{Error, ErrorKind, Result};

/// Names that other tools have for what ours call by the first of each line.
const OTHER_WORDS: &[&[&str]] = &[
    &[
        "wikis",
        "wiki",
        "collection",
        "collections",
        "source",
        "sources",
        "index",
        "indexes",
        "corpus",
        "vault",
        "vaults",
    ],
    &["wiki", "wikis", "collection", "source", "index", "corpus", "vault"],
    &["rag", "composition", "project", "workspace", "database"],
    &["query", "question", "q", "text", "search", "prompt", "input", "keywords"],
    &["question", "query", "q", "text", "prompt", "input"],
    &["limit", "k", "n", "top", "topk", "count", "num", "size", "results", "maxresults", "numresults", "topn"],
    &["id", "ids", "url", "uri", "path", "file", "document", "doc", "docid", "page"],
    &["page", "path", "file", "document", "doc", "title", "id", "note", "node"],
    &["budget", "tokens", "maxtokens", "tokenbudget", "limit"],
    &["by", "group", "groupby", "unit"],
    &["offset", "start", "from", "skip", "cursor"],
];

/// The arguments without those that are `null`, which is how some clients leave one out, and with whole numbers written as such.
///
/// # Errors
/// [`ErrorKind::Usage`] naming all that is wrong, and what is allowed.
pub(crate) fn check(schema: &JsonObject, arguments: JsonObject) -> Result<JsonObject> {
    let properties = schema.get("properties").and_then(Value::as_object);
    let names: Vec<&str> = properties.into_iter().flat_map(|known| known.keys()).map(String::as_str).collect();
    let mut faults = Vec::new();
    let mut checked = JsonObject::new();
    for (name, value) in arguments {
        let Some(property) = properties.and_then(|known| known.get(&name)) else {
            faults.push(unknown(&name, &names));
            continue;
        };
        if value.is_null() {
            continue;
        }
        match value_of(&name, property, value) {
            Ok(value) => {
                checked.insert(name, value);
            }
            Err(fault) => faults.push(fault),
        }
    }
    for required in schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str) {
        if !checked.contains_key(required) && !faults.iter().any(|fault| fault.starts_with(&format!("`{required}` "))) {
            let about = properties.and_then(|known| known.get(required)).and_then(|one| one["description"].as_str());
            faults.push(format!("`{required}` is missing: {}", about.unwrap_or("this tool needs it")));
        }
    }
    if faults.is_empty() {
        return Ok(checked);
    }
    Err(Error::new(ErrorKind::Usage, "read arguments", faults.join("\n")))
}

fn unknown(name: &str, known: &[&str]) -> String {
    let shown = short(name);
    match nearest(name, known) {
        Some(near) => format!("there is no argument `{shown}`; did you mean `{near}`?"),
        None if known.is_empty() => format!("there is no argument `{shown}`; this tool takes none"),
        None => format!("there is no argument `{shown}`; there are: {}", known.join(", ")),
    }
}

/// The known name that somebody meant: one that says the same in other words, else one with a letter or two changed.
fn nearest<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    // Longer ones cost time and mean nothing.
    if name.len() > 64 {
        return None;
    }
    let letters: String = name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    let same =
        |known: &&&str| OTHER_WORDS.iter().any(|line| line.first() == Some(*known) && line.contains(&letters.as_str()));
    let allowed = (letters.chars().count() / 3).max(1);
    let distance = |one: &str| strsim::osa_distance(&letters, one);
    let near = known.iter().map(|one| (distance(one), *one)).filter(|(distance, _)| *distance <= allowed).min();
    match near {
        Some((0 | 1, near)) => Some(near),
        near => known.iter().find(same).copied().or(near.map(|(_, near)| near)),
    }
}

/// The value, if the schema allows it.
fn value_of(name: &str, schema: &Value, value: Value) -> std::result::Result<Value, String> {
    let kind = schema["type"].as_str().unwrap_or_default();
    let wrong = |wanted: &str| Err(format!("`{name}` is {}; give {wanted}", kind_of(&value)));
    let most = |key: &str| schema[key].as_u64().and_then(|most| usize::try_from(most).ok()).unwrap_or(usize::MAX);
    match (kind, &value) {
        ("string", Value::String(text)) if text.chars().count() > most("maxLength") => {
            Err(format!("`{name}` is too long; give at most {} characters", most("maxLength")))
        }
        ("string", Value::String(text)) => match schema["enum"].as_array() {
            Some(allowed) if !allowed.contains(&value) => {
                let allowed: Vec<String> =
                    allowed.iter().filter_map(Value::as_str).map(|one| format!("`{one}`")).collect();
                Err(format!("`{name}` is `{}`; give one of {}", short(text), allowed.join(", ")))
            }
            _ => Ok(value),
        },
        ("integer", Value::Number(number)) => {
            let whole =
                number.as_i64().or_else(|| number.as_f64().filter(|one| one.fract() == 0.0).map(|one| one as i64));
            match whole {
                Some(whole) if in_range(schema, whole as f64) => Ok(whole.into()),
                _ => Err(format!("`{name}` is {number}; give a whole number{}", range(schema))),
            }
        }
        ("number", Value::Number(number)) if in_range(schema, number.as_f64().unwrap_or(f64::NAN)) => Ok(value),
        ("number", Value::Number(number)) => Err(format!("`{name}` is {number}; give a number{}", range(schema))),
        ("boolean", Value::Bool(_)) | ("object", Value::Object(_)) => Ok(value),
        ("array", Value::Array(items)) => {
            let items = items.iter().cloned();
            let items: std::result::Result<Vec<Value>, String> =
                items.map(|item| value_of(&format!("{name}[]"), &schema["items"], item)).collect();
            items.map(Value::Array)
        }
        ("string", _) => wrong("a text in quotes"),
        ("integer", _) => wrong(&format!("a whole number{}", range(schema))),
        ("number", _) => wrong(&format!("a number{}", range(schema))),
        ("boolean", _) => wrong("true or false"),
        ("array", _) => wrong("a list, as in [\"one\", \"two\"]"),
        _ => wrong("an object"),
    }
}

fn bounds(schema: &Value) -> (Option<f64>, Option<f64>) {
    (schema["minimum"].as_f64(), schema["maximum"].as_f64())
}

fn in_range(schema: &Value, number: f64) -> bool {
    let (least, most) = bounds(schema);
    least.is_none_or(|least| number >= least) && most.is_none_or(|most| number <= most) && !number.is_nan()
}

fn range(schema: &Value) -> String {
    match bounds(schema) {
        (Some(least), Some(most)) => format!(" from {least} to {most}"),
        (Some(least), None) => format!(", {least} or more"),
        (None, Some(most)) => format!(", {most} at most"),
        (None, None) => String::new(),
    }
}

fn kind_of(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(one) => format!("{one}"),
        Value::Number(number) => format!("the number {number}"),
        Value::String(text) => format!("the text \"{}\"", short(text)),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
    }
}

/// As much of what a caller wrote as belongs into a message.
fn short(text: &str) -> String {
    const MOST: usize = 80;
    let cut: String = text.chars().take(MOST).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.chars().nth(MOST).is_some() { format!("{cut}…") } else { cut }
}
