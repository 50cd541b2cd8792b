//! Front matter in YAML or TOML, turned into the one form that the engine keeps.

use std::cell::RefCell;
use std::fmt;

use serde::de::{DeserializeSeed, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::Value;
use wikirag_core::Metadata;

/// What a front matter block says.
#[derive(Debug)]
pub(crate) struct Parsed {
    /// The mapping, keys in their own order.
    pub meta: Metadata,
    /// Keys that stand more than once in one mapping.
    pub repeated: Vec<String>,
}

/// Why a front matter block says nothing.
#[derive(Debug)]
pub(crate) struct Fault {
    /// The line it was seen at, from 1, counted in the text that was parsed.
    pub line: Option<usize>,
    /// The parser's words, on one line.
    pub message: String,
}

/// Aliases may multiply a small file into a huge mapping; front matter needs far less than this.
const MAX_ALIAS_EVENTS: usize = 20_000;

/// Reads YAML. `Ok(None)` where it is YAML, but no mapping.
///
/// Dates stay strings, as do numbers with leading zeros or underscores (`0042` is an id). Of the YAML 1.1
/// booleans only `true` and `false` count: `answer: no` is a word.
pub(crate) fn yaml(source: &str) -> Result<Option<Parsed>, Fault> {
    let options = serde_saphyr::options! {
        duplicate_keys: serde_saphyr::DuplicateKeyPolicy::PassThrough,
        alias_limits: serde_saphyr::alias_limits! { max_total_replayed_events: MAX_ALIAS_EVENTS },
        leading_zero_numbers_as_strings: true,
        underscored_numbers_as_strings: true,
        strict_booleans: true,
        null_as_string: true,
        non_finite_float_policy: serde_saphyr::NonFiniteFloatPolicy::AsString,
        with_snippet: false,
    };
    let repeated = RefCell::new(Vec::new());
    let value = serde_saphyr::with_deserializer_from_str_with_options(source, options, |deserializer| {
        Node { repeated: &repeated }.deserialize(deserializer)
    });
    match value {
        Ok(Value::Object(meta)) => Ok(Some(Parsed { meta, repeated: repeated.into_inner() })),
        Ok(_) => Ok(None),
        Err(error) => Err(Fault {
            line: error.location().and_then(|place| usize::try_from(place.line()).ok()),
            message: one_line(&error.to_string()),
        }),
    }
}

/// Reads TOML. Dates become strings.
pub(crate) fn toml(source: &str) -> Result<Parsed, Fault> {
    match ::toml::from_str::<::toml::Table>(source) {
        Ok(table) => Ok(Parsed { meta: from_table(table), repeated: Vec::new() }),
        Err(error) => Err(Fault {
            line: error.span().map(|span| crate::lines::line_number(source.as_bytes(), span.start)),
            message: one_line(error.message()),
        }),
    }
}

fn one_line(message: &str) -> String {
    message.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn from_table(table: ::toml::Table) -> Metadata {
    table.into_iter().map(|(key, value)| (key, from_toml(value))).collect()
}

fn from_toml(value: ::toml::Value) -> Value {
    match value {
        ::toml::Value::String(text) => Value::String(text),
        ::toml::Value::Integer(number) => number.into(),
        ::toml::Value::Float(number) => float(number),
        ::toml::Value::Boolean(truth) => truth.into(),
        ::toml::Value::Datetime(time) => Value::String(time.to_string()),
        ::toml::Value::Array(items) => items.into_iter().map(from_toml).collect(),
        ::toml::Value::Table(table) => Value::Object(from_table(table)),
    }
}

/// JSON knows no infinity: such a number stays as it was written.
fn float(number: f64) -> Value {
    serde_json::Number::from_f64(number).map_or_else(|| Value::String(number.to_string()), Value::Number)
}

/// One node of the YAML tree. Not `Value`'s own `Deserialize`, because that one drops all but the last of repeated keys
/// and refuses keys that are no strings.
#[derive(Clone, Copy)]
struct Node<'a> {
    repeated: &'a RefCell<Vec<String>>,
}

impl<'de> DeserializeSeed<'de> for Node<'_> {
    type Value = Value;

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Node<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a YAML value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(float(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_none<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_some<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        self.deserialize(deserializer)
    }

    fn visit_newtype_struct<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        self.deserialize(deserializer)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(self)? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut map = Metadata::new();
        while let Some(key) = entries.next_key_seed(self)? {
            let key = match key {
                Value::String(key) => key,
                other => serde_json::to_string(&other).map_err(A::Error::custom)?,
            };
            let value = entries.next_value_seed(self)?;
            match map.get_mut(&key) {
                None => {
                    map.insert(key, value);
                }
                Some(earlier) => {
                    combine(earlier, value);
                    self.repeated.borrow_mut().push(key);
                }
            }
        }
        Ok(Value::Object(map))
    }
}

/// The values of a repeated key. Lists grow, so that no alias or tag is lost; of two single values the later
/// one stands, as in most YAML libraries.
fn combine(earlier: &mut Value, later: Value) {
    match (earlier, later) {
        (Value::Array(list), Value::Array(more)) => list.extend(more),
        (Value::Array(list), single) => list.push(single),
        (single, Value::Array(mut list)) => {
            list.insert(0, single.take());
            *single = Value::Array(list);
        }
        (single, later) => *single = later,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(source: &str) -> Value {
        Value::Object(yaml(source).unwrap().unwrap().meta)
    }

    #[test]
    fn scalars_keep_their_form() {
        let source =
            "date: 2026-03-31\nid: 0042\nbig: 1_000\nok: true\nanswer: no\nn: 7\nx: .inf\nnone:\npath: C:\\agent\n";
        assert_eq!(
            read(source),
            json!({"date": "2026-03-31", "id": "0042", "big": "1_000", "ok": true, "answer": "no", "n": 7,
                "x": ".inf", "none": null, "path": "C:\\agent"})
        );
    }

    #[test]
    fn keys_become_strings() {
        assert_eq!(read("1: a\ntrue: b\n"), json!({"1": "a", "true": "b"}));
        assert_eq!(read("title: {{title}}\n"), json!({"title": {"{\"title\":null}": null}}));
    }

    #[test]
    fn repeated_keys_lose_no_list() {
        let parsed = yaml("title: one\ntitle: two\naliases: x\naliases: [y, z]\n").unwrap().unwrap();
        assert_eq!(parsed.repeated, ["title", "aliases"]);
        assert_eq!(Value::Object(parsed.meta), json!({"title": "two", "aliases": ["x", "y", "z"]}));
    }

    #[test]
    fn what_is_no_mapping_is_none() {
        assert!(yaml("just a string").unwrap().is_none());
        assert!(yaml("- a\n- b\n").unwrap().is_none());
        assert!(yaml("# comment\n").unwrap().is_none());
    }

    #[test]
    fn faults_name_a_line() {
        let fault = yaml("a: b\ntitle: *Italic*\n").unwrap_err();
        assert_eq!(fault.line, Some(2), "{}", fault.message);
        assert_eq!(yaml("a: 1\nb:\n\tc: d\n").unwrap_err().line, Some(3));
        assert!(toml("a = 1\nb = \n").unwrap_err().line == Some(2));
    }

    #[test]
    fn alias_bombs_and_loops_are_faults() {
        let mut bomb = String::from("a: &a [x,x,x,x,x,x,x,x,x]\n");
        for (name, of) in ('b'..'i').zip('a'..) {
            bomb += &format!("{name}: &{name} [{}]\n", vec![format!("*{of}"); 9].join(","));
        }
        assert!(yaml(&bomb).is_err());
        assert!(yaml("loop: &l [*l]\n").is_err());
        assert_eq!(read("base: &b {x: 1}\nother: *b\n"), json!({"base": {"x": 1}, "other": {"x": 1}}));
    }

    #[test]
    fn deep_nesting_is_a_fault() {
        assert!(yaml(&format!("a: {}", "[".repeat(100_000))).is_err());
        assert!(yaml(&"- ".repeat(100_000)).is_err());
        assert!(toml(&format!("a = {}", "[".repeat(100_000))).is_err());
    }

    #[test]
    fn toml_values_become_json() {
        let parsed = toml("title = \"T\"\ndate = 2026-03-31\ntags = [\"a\"]\nx = inf\n[t]\nn = 1\n").unwrap();
        assert_eq!(
            Value::Object(parsed.meta),
            json!({"title": "T", "date": "2026-03-31", "tags": ["a"], "x": "inf", "t": {"n": 1}})
        );
    }
}
