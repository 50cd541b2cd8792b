//! What can be set.

use std::path::PathBuf;
use std::time::Duration;

use serde::Deserialize;
use wikirag_core::{Error, ErrorKind, Result, Section};
use wikirag_remote::KeySource;
use wikirag_text::estimate_tokens;

use crate::Protocol;

/// The settings of the plugin. `url`, `model` and `dimensions` must be set.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// `openai` (default) or `voyage`.
    pub protocol: Protocol,
    /// Where the service is, without `/embeddings`: `https://api.openai.com/v1`.
    pub url: String,
    /// The model, as the service calls it.
    pub model: String,
    /// Width of the vectors that must come back, 1 to 16384.
    pub dimensions: usize,
    /// Whether the service is asked for that width. Few models have more than one.
    pub send_dimensions: bool,
    /// The longest text that is sent whole, in estimated tokens; longer ones are embedded in pieces. At least 16, and twice
    /// as many as each prefix has.
    pub max_tokens: usize,
    /// Put before each question.
    pub query_prefix: String,
    /// Put before each passage.
    pub passage_prefix: String,
    /// The languages that the model was made for, as ISO 639-3 codes; none: any.
    pub languages: Vec<String>,
    /// The *name* of the environment variable with the key, in capitals. Not set: no key is sent.
    pub key_env: Option<String>,
    /// The absolute path of a file that holds the key and nothing else, in place of `key_env`.
    pub key_file: Option<PathBuf>,
    /// Whether texts may go to another machine over plain `http`. A key never does.
    pub allow_http: bool,
    /// Texts a request, 1 to 2048.
    pub batch: usize,
    /// Requests at a time, 1 to 64.
    pub parallel: usize,
    /// After how long a request is given up, above 0, up to 3600.
    pub timeout_seconds: f64,
    /// How long a question may wait for its vector, all attempts together, above 0, up to 3600. After that the answer is
    /// made by the other layers.
    pub question_seconds: f64,
    /// How often a request is sent again, 0 to 20.
    pub retries: u32,
    /// The pause before a request is sent again for the first time; it doubles each time, up to 30 seconds. 0 to 30.
    pub pause_seconds: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            protocol: Protocol::default(),
            url: String::new(),
            model: String::new(),
            dimensions: 0,
            send_dimensions: false,
            max_tokens: 512,
            query_prefix: String::new(),
            passage_prefix: String::new(),
            languages: Vec::new(),
            key_env: None,
            key_file: None,
            allow_http: false,
            batch: 32,
            parallel: 2,
            timeout_seconds: 60.0,
            question_seconds: 10.0,
            retries: 4,
            pause_seconds: 0.5,
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
                .help("see `plugins.embed-api` in the documentation of the settings")
        })?;
        Ok(settings)
    }

    fn check(&self) -> Result<(), String> {
        let empty = [("url", &self.url), ("model", &self.model)].into_iter().find(|(_, value)| value.trim().is_empty());
        if let Some((name, _)) = empty {
            return Err(format!("`{name}` is not set"));
        }
        for (name, value, least, most) in [
            ("dimensions", self.dimensions, 1, 16_384),
            ("max_tokens", self.max_tokens, 16, 1 << 20),
            ("batch", self.batch, 1, 2_048),
            ("parallel", self.parallel, 1, 64),
            ("retries", self.retries as usize, 0, 20),
        ] {
            if !(least..=most).contains(&value) {
                return Err(format!("`{name}` is {value}, it must lie between {least} and {most}"));
            }
        }
        for (name, value, most) in
            [("timeout_seconds", self.timeout_seconds, 3_600.0), ("question_seconds", self.question_seconds, 3_600.0)]
        {
            if !(value >= 0.001 && value <= most) {
                return Err(format!("`{name}` is {value}, it must lie above 0 and be at most {most}"));
            }
        }
        if !(0.0..=30.0).contains(&self.pause_seconds) {
            return Err(format!("`pause_seconds` is {}, it must lie between 0 and 30", self.pause_seconds));
        }
        for (name, prefix) in [("query_prefix", &self.query_prefix), ("passage_prefix", &self.passage_prefix)] {
            if 2 * estimate_tokens(prefix) > self.max_tokens {
                return Err(format!("`{name}` takes more than half of `max_tokens`"));
            }
        }
        let code = |code: &&String| code.len() != 3 || !code.bytes().all(|byte| byte.is_ascii_lowercase());
        if let Some(code) = self.languages.iter().find(code) {
            return Err(format!("`languages` has {code:?}, which is no ISO 639-3 code such as \"eng\""));
        }
        self.key_source()?;
        Ok(())
    }

    /// Where the key is, if one is to be sent.
    ///
    /// # Errors
    /// See [`KeySource::read`].
    pub(crate) fn key_source(&self) -> Result<Option<KeySource>, &'static str> {
        KeySource::read(self.key_env.as_deref(), self.key_file.as_deref())
    }

    /// See [`Settings::timeout_seconds`].
    pub(crate) fn timeout(&self) -> Duration {
        Duration::from_secs_f64(self.timeout_seconds)
    }

    /// See [`Settings::question_seconds`].
    pub(crate) fn question_limit(&self) -> Duration {
        Duration::from_secs_f64(self.question_seconds)
    }

    /// See [`Settings::pause_seconds`].
    pub(crate) fn first_pause(&self) -> Duration {
        Duration::from_secs_f64(self.pause_seconds)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn with(key: &str, value: Value) -> Section {
        let mut settings = json!({"url": "http://localhost:1/v1", "model": "m", "dimensions": 8});
        settings[key] = value;
        Section::new("a.toml: plugins.embed-api", settings)
    }

    #[test]
    fn the_example_of_the_documentation_is_valid() {
        let text = include_str!("../example.toml");
        let settings = |text: &str| {
            let value: Value = toml::from_str(text).unwrap();
            Settings::read(&Section::new("example.toml", value["plugins"]["embed-api"].clone())).unwrap()
        };
        let first = settings(text);
        assert_eq!(
            (first.protocol, first.dimensions, first.key_env.as_deref()),
            (Protocol::Openai, 512, Some("OPENAI_API_KEY"))
        );
        // The two that stand in comments, each by itself.
        for (model, block) in ["voyage-3.5", "nomic-embed-text"].into_iter().zip(text.split("\n\n").skip(1)) {
            let lines: Vec<_> = block.lines().skip(1).map(|line| line.trim_start_matches("# ")).collect();
            assert_eq!(settings(&format!("[plugins.embed-api]\n{}", lines.join("\n"))).model, model);
        }
    }

    #[test]
    fn what_must_be_set_is_named() {
        for missing in ["url", "model", "dimensions"] {
            let mut settings = with("batch", json!(1)).value().clone();
            settings.as_object_mut().unwrap().remove(missing);
            let error = Settings::read(&Section::new("a.toml: plugins.embed-api", settings)).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Invalid);
            assert!(error.to_string().contains(missing) && error.to_string().contains("a.toml"), "{error}");
        }
        assert!(Settings::read(&Section::empty()).is_err());
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        for (key, value) in [
            ("api_key", json!("x")),
            ("dimensions", json!(0)),
            ("max_tokens", json!(15)),
            ("batch", json!(0)),
            ("parallel", json!(65)),
            ("timeout_seconds", json!(0)),
            ("timeout_seconds", json!(1e9)),
            ("question_seconds", json!(-1)),
            ("retries", json!(21)),
            ("pause_seconds", json!(-0.5)),
            ("passage_prefix", json!("long ".repeat(300))),
            ("languages", json!(["en"])),
        ] {
            let error = Settings::read(&with(key, value)).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Invalid);
            assert!(error.to_string().contains(key) && error.to_string().contains("a.toml"), "{error}");
        }
    }

    #[test]
    fn another_protocol_is_refused_with_those_there_are() {
        let error = Settings::read(&with("protocol", json!("cohere"))).unwrap_err();
        assert!(error.to_string().contains("`openai` or `voyage`"), "{error}");
    }

    #[test]
    fn a_key_in_the_place_of_its_name_is_refused_and_not_repeated() {
        assert!(Settings::read(&with("key_env", json!("SOME_KEY_2"))).is_ok());
        for setting in ["key_env", "key_file"] {
            let error = Settings::read(&with(setting, json!("sk-proj-Abc"))).unwrap_err().to_string();
            assert!(error.contains(setting) && !error.contains("sk-proj"), "{error}");
        }
    }
}
