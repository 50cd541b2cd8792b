//! JSON that a model wrote where rows were asked for.
//!
//! An entity is an object with `name` (or `entity`, `entity_name`), `kind` (or `type`, `entity_type`, `category`) and `description`; a
//! relation one with `from` and `to` (or `source` and `target`, `src` and `tgt`, `src_id` and `tgt_id`, `head` and `tail`) and
//! `description` (or `relation`, `relationship`, `label`). They may stand in lists, and those in objects under any name. A list of texts is a
//! row.

use serde_json::{Map, Value};

use crate::found::{Found, Row};
use crate::read::row_of;

const NAME: &[&str] = &["name", "entity", "entity_name"];
const KIND: &[&str] = &["kind", "entity_type", "category", "type"];
const ENDS: &[(&str, &str)] =
    &[("from", "to"), ("source", "target"), ("src", "tgt"), ("src_id", "tgt_id"), ("head", "tail")];
const DESCRIPTION: &[&str] = &["description", "entity_description", "relationship_description"];
const OF_RELATION: &[&str] = &["relation", "relationship", "label", "type"];

/// Adds what `value` says. An empty list or object is an answer that has nothing to say.
pub(crate) fn rows(value: &Value, found: &mut Found) {
    match value {
        Value::Array(items) if items.is_empty() => found.ended = true,
        Value::Array(items) => match items.iter().map(Value::as_str).collect::<Option<Vec<_>>>() {
            Some(fields) => found.add(row_of(&fields)),
            None => items.iter().for_each(|item| rows(item, found)),
        },
        Value::Object(object) if object.is_empty() => found.ended = true,
        Value::Object(object) => match row(object) {
            Some(row) => found.add(row),
            None if object.values().any(is_nested) => {
                object.values().filter(|value| is_nested(value)).for_each(|value| rows(value, found));
            }
            None => found.add(None),
        },
        _ => found.add(None),
    }
}

fn is_nested(value: &Value) -> bool {
    value.is_array() || value.is_object()
}

/// The row of an object that has the keys of one; of those it may be none all the same.
fn row(object: &Map<String, Value>) -> Option<Option<Row>> {
    let text = |key: &str| object.get(key).and_then(Value::as_str);
    let first = |keys: &[&str]| keys.iter().find_map(|key| text(key)).unwrap_or_default();
    let ends = ENDS.iter().find_map(|(from, to)| Some((text(from)?, text(to)?)));
    if let Some((from, to)) = ends {
        // Which of them a model takes for the name of the relation it knows best itself.
        let description = if first(DESCRIPTION).is_empty() { first(OF_RELATION) } else { first(DESCRIPTION) };
        return Some(Row::relation(from, to, description));
    }
    let name = NAME.iter().find_map(|key| text(key))?;
    // `"type": "entity"` says what the row is, and not what the entity is.
    let kind = KIND.iter().filter_map(|key| text(key)).find(|kind| !kind.eq_ignore_ascii_case("entity"));
    Some(Row::entity(name, kind.unwrap_or_default(), first(DESCRIPTION)))
}
