//! TOML text as plain values, with the line of every key.

use std::collections::BTreeMap;
use std::ops::Range;

use serde_json::{Map, Value};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A parsed file.
#[derive(Debug, PartialEq)]
pub(super) struct Parsed {
    /// The values. Dates are text.
    pub(super) values: Map<String, Value>,
    /// The line of each key, from 1, by dotted key.
    pub(super) lines: BTreeMap<String, usize>,
}

/// Where the text is no TOML.
#[derive(Debug, PartialEq)]
pub(super) struct Malformed {
    /// What the parser says.
    pub(super) message: String,
    /// The line, from 1.
    pub(super) line: usize,
}

/// Parses a whole file.
pub(super) fn parse(text: &str) -> Result<Parsed, Malformed> {
    let lines = Lines::of(text);
    let malformed = |message: String, span: Range<usize>| Malformed { message, line: lines.at(span.start) };
    let table = DeTable::parse(text)
        .map_err(|error| malformed(error.message().to_owned(), error.span().unwrap_or_default()))?;
    let mut keys = BTreeMap::new();
    let values = convert_table(table.get_ref(), "", &mut |key, span| {
        keys.entry(key.to_owned()).or_insert_with(|| lines.at(span.start));
    })
    .map_err(|(message, span)| malformed(message, span))?;
    Ok(Parsed { values, lines: keys })
}

/// Reads a lone TOML value, as it stands behind a `=`.
pub(super) fn value(text: &str) -> Option<Value> {
    let value = DeValue::parse(text).ok()?;
    convert(&value, "", &mut |_, _| {}).ok()
}

type Seen<'a> = dyn FnMut(&str, Range<usize>) + 'a;
type Fault = (String, Range<usize>);

// The depth is bounded by the parser's own limit on nesting.
fn convert_table(table: &DeTable<'_>, prefix: &str, seen: &mut Seen<'_>) -> Result<Map<String, Value>, Fault> {
    let mut map = Map::new();
    for (name, value) in table {
        let key = if prefix.is_empty() { name.get_ref().to_string() } else { format!("{prefix}.{}", name.get_ref()) };
        seen(&key, name.span());
        map.insert(name.get_ref().to_string(), convert(value, &key, seen)?);
    }
    Ok(map)
}

fn convert(value: &Spanned<DeValue<'_>>, key: &str, seen: &mut Seen<'_>) -> Result<Value, Fault> {
    let fault = |message: &str| (message.to_owned(), value.span());
    Ok(match value.get_ref() {
        DeValue::String(text) => Value::from(text.as_ref()),
        DeValue::Boolean(flag) => Value::from(*flag),
        DeValue::Datetime(date) => Value::from(date.to_string()),
        DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix())
            .map(Value::from)
            .map_err(|_| fault("the number does not fit into 64 bits"))?,
        DeValue::Float(number) => number
            .as_str()
            .parse()
            .ok()
            .and_then(serde_json::Number::from_f64)
            .map(Value::Number)
            .ok_or_else(|| fault("the number is not finite"))?,
        DeValue::Array(items) => {
            Value::Array(items.iter().map(|item| convert(item, key, seen)).collect::<Result<_, _>>()?)
        }
        DeValue::Table(table) => Value::Object(convert_table(table, key, seen)?),
    })
}

/// The starts of all lines, so that many offsets of one text are found fast.
struct Lines(Vec<usize>);

impl Lines {
    fn of(text: &str) -> Self {
        Self(text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at).collect())
    }

    /// The line of the byte at `offset`, from 1.
    fn at(&self, offset: usize) -> usize {
        self.0.partition_point(|end| *end < offset) + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_and_lines() {
        let parsed =
            parse("limit = 0x1F\n\n[build]\nthreads = 2\n[plugins.a]\nwhen = 2026-01-02\nk = 1.5\nl = [1, 'x']\n");
        let parsed = parsed.unwrap();
        assert_eq!(
            Value::Object(parsed.values),
            json!({"limit": 31, "build": {"threads": 2}, "plugins": {"a": {"when": "2026-01-02", "k": 1.5, "l": [1, "x"]}}})
        );
        assert_eq!(parsed.lines["build.threads"], 4);
        assert_eq!(parsed.lines["plugins.a.k"], 7);
    }

    #[test]
    fn malformed_text_names_its_line() {
        assert_eq!(parse("a = 1\nb = [1\n").unwrap_err().line, 2);
        assert_eq!(parse("a = 1\nb = nan\n").unwrap_err().line, 2);
        assert_eq!(parse("a = 1\n\na = 2\n").unwrap_err().line, 3);
        assert!(parse(&format!("a = {}", "[".repeat(100_000))).is_err());
        assert!(parse(&format!("a{} = 1", ".b".repeat(100_000))).is_err());
    }
}
