//! Which keys there are and what kind of value each takes.
//!
//! Checked by hand rather than by `serde`, because only here the line, the environment variable or the flag is
//! known that a fault came from.

use std::path::PathBuf;

use serde_json::{Map, Value, json};

use super::suggest;

/// What kind of value a key takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// One word of a fixed set.
    Word,
    /// A whole number, not negative.
    Number,
    /// `true` or `false`.
    Switch,
    /// A path; relative to the folder of the file, or to the current folder where it comes from no file.
    Path,
    /// A list of such paths.
    Paths,
    /// A list of words.
    Words,
    /// Plugin names with a table each, whose keys only the plugin knows.
    Plugins,
}

/// Every key, in the order of the documentation on [`Settings`](super::Settings).
pub(super) const KEYS: [(&str, Kind); 14] = [
    ("data_dir", Kind::Path),
    ("index_dir", Kind::Path),
    ("wiki_path", Kind::Paths),
    ("limit", Kind::Number),
    ("per_document", Kind::Number),
    ("clearance", Kind::Word),
    ("layers", Kind::Words),
    ("refresh.max_files", Kind::Number),
    ("build.threads", Kind::Number),
    ("build.memory_mb", Kind::Number),
    ("build.file_seconds", Kind::Number),
    ("questions.log", Kind::Switch),
    ("questions.max_bytes", Kind::Number),
    ("plugins", Kind::Plugins),
];

/// What is off about one key of a layer.
#[derive(Debug, PartialEq)]
pub(super) struct Fault {
    /// The dotted key.
    pub(super) key: String,
    /// What is off.
    pub(super) message: String,
    /// How to mend it.
    pub(super) help: Option<String>,
}

impl Fault {
    pub(super) fn new(key: &str, message: impl Into<String>) -> Self {
        Self { key: key.to_owned(), message: message.into(), help: None }
    }

    fn unknown(key: &str) -> Self {
        Self {
            message: format!("there is no setting `{}`", suggest::shorten(key)),
            help: Some(remedy(key)),
            ..Self::new(key, "")
        }
    }
}

/// Checks names and kinds of all keys of one layer.
pub(super) fn check(values: &Map<String, Value>) -> Result<(), Fault> {
    values.iter().try_for_each(|(key, value)| check_key(key, value))
}

fn check_key(key: &str, value: &Value) -> Result<(), Fault> {
    if let Some(kind) = kind_of(key) {
        return check_kind(key, kind, value);
    }
    let below = format!("{key}.");
    if !KEYS.iter().any(|(known, _)| known.starts_with(&below)) {
        return Err(Fault::unknown(key));
    }
    match value {
        Value::Object(table) => table.iter().try_for_each(|(name, value)| check_key(&format!("{key}.{name}"), value)),
        _ => Err(Fault::new(key, format!("`{key}` is a table, not {}", describe(value)))),
    }
}

fn check_kind(key: &str, kind: Kind, value: &Value) -> Result<(), Fault> {
    let (fits, expected) = match kind {
        Kind::Word => (value.is_string(), "a word in quotes"),
        Kind::Number => (value.is_u64(), "a whole number that is not negative"),
        Kind::Switch => (value.is_boolean(), "`true` or `false`"),
        Kind::Path => (is_path(value), "a path in quotes"),
        Kind::Paths => (value.as_array().is_some_and(|paths| paths.iter().all(is_path)), "a list of paths in quotes"),
        Kind::Words => (value.as_array().is_some_and(|words| words.iter().all(is_word)), "a list of words in quotes"),
        Kind::Plugins => (value.is_object(), "a table"),
    };
    if !fits {
        return Err(Fault::new(key, format!("`{key}` takes {expected}, not {}", describe(value))));
    }
    if let (Kind::Plugins, Value::Object(plugins)) = (kind, value)
        && let Some((name, value)) = plugins.iter().find(|(_, value)| !value.is_object())
    {
        let key = format!("{key}.{}", suggest::shorten(name));
        return Err(Fault::new(&key, format!("`{key}` takes the settings of a plugin, not {}", describe(value))));
    }
    Ok(())
}

fn is_word(value: &Value) -> bool {
    value.as_str().is_some_and(|word| !word.trim().is_empty())
}

fn is_path(value: &Value) -> bool {
    value.as_str().is_some_and(|path| !path.is_empty() && !path.contains('\0'))
}

fn describe(value: &Value) -> String {
    match value {
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "a table".to_owned(),
        value => suggest::shorten(&value.to_string()),
    }
}

/// The kind of a key that stands in the table itself.
pub(super) fn kind_of(key: &str) -> Option<Kind> {
    KEYS.iter().find(|(known, _)| *known == key).map(|(_, kind)| *kind)
}

/// The remedy for a key that does not exist: `memory_mb` is a part of `build.memory_mb`, `limti` a slip of the hand.
pub(super) fn remedy(key: &str) -> String {
    let last = key.rsplit('.').next().unwrap_or(key);
    let part = KEYS.iter().find(|(known, _)| known.rsplit('.').next() == Some(last));
    match part {
        Some((known, _)) => format!("did you mean `{known}`?"),
        None => {
            let keys = KEYS.map(|(known, _)| known);
            let tables = keys.iter().filter_map(|known| known.split_once('.')).map(|(table, _)| table);
            match suggest::near(key, tables).first() {
                Some(table) => format!("did you mean `{table}`?"),
                None => suggest::remedy(key, &keys),
            }
        }
    }
}

/// Reads the text of an environment variable or a flag as a value for `key`, and nests it: `build.threads` and `2`
/// give `{"build": {"threads": 2}}`.
pub(super) fn from_text(key: &str, text: &str) -> Result<Map<String, Value>, Fault> {
    let value = match kind_of(key) {
        Some(Kind::Word | Kind::Path) => json!(text),
        Some(Kind::Number) => text.trim().parse::<u64>().map_or_else(|_| json!(text), |number| json!(number)),
        Some(Kind::Switch) => text.trim().parse::<bool>().map_or_else(|_| json!(text), |switch| json!(switch)),
        Some(Kind::Paths) => paths_from_text(text),
        Some(Kind::Words) => {
            text.split(',').map(str::trim).filter(|word| !word.is_empty()).map(|word| json!(word)).collect()
        }
        _ if key.starts_with("plugins.") => super::toml_text::value(text).unwrap_or_else(|| json!(text)),
        Some(Kind::Plugins) | None => return Err(Fault::unknown(key)),
    };
    let nested = key.rsplit('.').fold(value, |value, name| {
        let mut table = Map::new();
        table.insert(name.to_owned(), value);
        Value::Object(table)
    });
    match nested {
        Value::Object(table) => Ok(table),
        // `rsplit` yields at least one part, so the fold always ends with a table.
        _ => Err(Fault::unknown(key)),
    }
}

/// Several folders stand in one text as in `PATH`.
fn paths_from_text(text: &str) -> Value {
    let paths = std::env::split_paths(text).filter(|path| *path != PathBuf::new());
    // What was cut out of a `str` is one.
    paths.map(|path| json!(path.to_string_lossy())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(value: Value) -> Fault {
        check(value.as_object().unwrap()).unwrap_err()
    }

    #[test]
    fn a_misspelt_key_gets_a_suggestion() {
        assert_eq!(fault(json!({"limti": 1})).help.unwrap(), "did you mean `limit`?");
        assert_eq!(fault(json!({"biuld": {"threads": 1}})).help.unwrap(), "did you mean `build`?");
        assert_eq!(fault(json!({"memory_mb": 1})).help.unwrap(), "did you mean `build.memory_mb`?");
        let inner = fault(json!({"build": {"thread": 1}}));
        assert_eq!(
            (inner.key.as_str(), inner.help.as_deref()),
            ("build.thread", Some("did you mean `build.threads`?"))
        );
        assert!(fault(json!({"zzzzzz": 1})).help.unwrap().contains("wiki_path"));
    }

    #[test]
    fn kinds_are_checked() {
        for bad in [
            json!({"limit": "ten"}),
            json!({"limit": -1}),
            json!({"limit": 1.5}),
            json!({"clearance": 3}),
            json!({"wiki_path": "a"}),
            json!({"wiki_path": [1]}),
            json!({"data_dir": ""}),
            json!({"data_dir": "a\u{0}b"}),
            json!({"build": 1}),
            json!({"questions": {"log": "yes"}}),
            json!({"layers": "bm25"}),
            json!({"layers": [""]}),
            json!({"plugins": []}),
            json!({"plugins": {"bm25": 1}}),
        ] {
            let key = bad.as_object().unwrap().keys().next().unwrap().clone();
            assert!(fault(bad).key.starts_with(&key));
        }
    }

    #[test]
    fn text_is_read_by_the_kind_of_its_key() {
        let read = |key, text| Value::Object(from_text(key, text).unwrap());
        assert_eq!(read("build.threads", " 2 "), json!({"build": {"threads": 2}}));
        assert_eq!(read("questions.log", " false"), json!({"questions": {"log": false}}));
        assert_eq!(read("questions.log", "no"), json!({"questions": {"log": "no"}}));
        assert_eq!(read("layers", "bm25, dense,"), json!({"layers": ["bm25", "dense"]}));
        assert_eq!(read("data_dir", "7"), json!({"data_dir": "7"}));
        assert_eq!(read("plugins.bm25.k1", "1.5"), json!({"plugins": {"bm25": {"k1": 1.5}}}));
        assert_eq!(read("plugins.a.words", "['x', 'y']"), json!({"plugins": {"a": {"words": ["x", "y"]}}}));
        assert_eq!(read("plugins.a.name", "not = toml"), json!({"plugins": {"a": {"name": "not = toml"}}}));
        assert!(from_text("build", "1").is_err());
        assert!(from_text("plugins", "1").is_err());
    }

    #[cfg(unix)]
    #[test]
    fn folders_are_separated_as_in_path() {
        let read = Value::Object(from_text("wiki_path", "/a::b").unwrap());
        assert_eq!(read, json!({"wiki_path": ["/a", "b"]}));
    }
}
