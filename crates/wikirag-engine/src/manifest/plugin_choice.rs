//! A plugin by name, with settings for it.

use serde_json::{Map, Value};
use wikirag_core::Section;

use super::shapes::WordOr;

/// A plugin by name, with settings for it. In YAML either the name alone (`chunker: markdown`) or a table whose key
/// `name` is the name and whose other keys are the settings (`chunker: {name: markdown, max_tokens: 256}`).
#[derive(Debug, Clone, PartialEq)]
pub struct PluginChoice {
    /// The key of the plugin in the registry.
    pub name: String,
    /// Its settings, which only the plugin understands.
    pub settings: Section,
}

/// The same as it stands in YAML.
pub(super) type ChoiceText = WordOr<Map<String, Value>>;

impl PluginChoice {
    /// The plugin `name` with its default settings.
    #[must_use]
    pub fn named(name: impl Into<String>) -> Self {
        Self { name: name.into(), settings: Section::empty() }
    }

    /// Takes what stands in the manifest. `base` is what is meant where no name is given; where it is of the same
    /// name, its settings hold where `text` does not set another value. `origin` is the file with the key.
    /// The error is the fault in words.
    pub(super) fn read(text: ChoiceText, base: &Self, origin: String) -> Result<Self, String> {
        let mut table = match text {
            WordOr::Word(name) => Map::from_iter([("name".to_owned(), Value::String(name))]),
            WordOr::Table(table) => table,
        };
        let name = match table.remove("name") {
            None => base.name.clone(),
            Some(Value::String(name)) if !name.trim().is_empty() => name.trim().to_owned(),
            Some(_) => return Err("its `name` is no name of a plugin".to_owned()),
        };
        let mut settings = match base.settings.value() {
            Value::Object(settings) if base.name == name => settings.clone(),
            _ => Map::new(),
        };
        settings.extend(table);
        Ok(Self { name, settings: Section::new(origin, Value::Object(settings)) })
    }
}
