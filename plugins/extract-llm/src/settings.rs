//! What can be set.

use serde::Deserialize;
use wikirag_core::{Error, ErrorKind, Result, Section};

/// The settings of the plugin.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// The plugin that writes. Must be set: passages are sent to it.
    pub generator: String,
    /// The kinds of entities that are asked for, 1 to 32.
    pub types: Vec<String>,
    /// How often the model is asked for what it missed, 0 to 5. Each time costs about as much as the first.
    pub gleanings: usize,
    /// The longest answer, in tokens of the model. 64 to 65536.
    pub max_tokens: usize,
    /// The longest passage, in estimated tokens; longer ones are refused. 16 to 1048576.
    pub max_passage_tokens: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            generator: String::new(),
            types: ["organization", "person", "place", "event", "concept", "tool"].map(str::to_owned).into(),
            gleanings: 0,
            // A passage of 512 tokens has some twenty entities and as many relations, of forty tokens each.
            max_tokens: 2_048,
            max_passage_tokens: 2_048,
        }
    }
}

impl Settings {
    /// Reads the settings.
    ///
    /// # Errors
    /// [`ErrorKind::Invalid`] naming the setting that is missing, unknown or out of its range.
    pub(crate) fn read(section: &Section) -> Result<Self> {
        let settings: Self = section.parse()?;
        settings.check().map_err(|message| {
            Error::new(ErrorKind::Invalid, "read settings", message)
                .with("in", section.origin())
                .help("see `extract-llm` in the documentation of extraction")
        })?;
        Ok(settings)
    }

    fn check(&self) -> Result<(), String> {
        if self.generator.trim().is_empty() {
            return Err("`generator` is not set".to_owned());
        }
        for (name, value, least, most) in [
            ("gleanings", self.gleanings, 0, 5),
            ("max_tokens", self.max_tokens, 64, 1 << 16),
            ("max_passage_tokens", self.max_passage_tokens, 16, 1 << 20),
        ] {
            if !(least..=most).contains(&value) {
                return Err(format!("`{name}` is {value}, it must lie between {least} and {most}"));
            }
        }
        if !(1..=32).contains(&self.types.len()) {
            return Err(format!("`types` has {} words, it must have 1 to 32", self.types.len()));
        }
        // They become part of a list in a sentence.
        let odd = |kind: &&String| {
            let words = kind.chars().all(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_' | '/'));
            kind.trim().is_empty() || !words || kind.chars().count() > 40
        };
        match self.types.iter().find(odd) {
            Some(kind) => Err(format!("`types` has {kind:?}; a kind is one or a few words")),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn with(key: &str, value: Value) -> Result<Settings> {
        let mut settings = json!({"generator": "writer"});
        settings[key] = value;
        Settings::read(&Section::new("a.toml: plugins.extract-llm", settings))
    }

    #[test]
    fn what_is_not_set_keeps_its_default() {
        let settings = with("gleanings", json!(1)).unwrap();
        assert_eq!(settings, Settings { generator: "writer".to_owned(), gleanings: 1, ..Settings::default() });
    }

    #[test]
    fn without_a_generator_it_is_off() {
        let error = Settings::read(&Section::empty()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Invalid);
        assert!(error.to_string().contains("`generator` is not set"), "{error}");
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        for (key, value) in [
            ("model", json!("x")),
            ("generator", json!(" ")),
            ("gleanings", json!(6)),
            ("max_tokens", json!(63)),
            ("max_passage_tokens", json!(15)),
            ("types", json!([])),
            ("types", json!(["person", ""])),
            ("types", json!(["a\nb"])),
            ("types", json!(["person, place"])),
        ] {
            let error = with(key, value).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Invalid);
            assert!(error.to_string().contains(key) && error.to_string().contains("a.toml"), "{error}");
        }
    }
}
