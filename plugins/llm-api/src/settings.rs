//! What can be set.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use serde::Deserialize;
use wikirag_core::{Error, ErrorKind, Result, Section};
use wikirag_remote::KeySource;

use crate::Protocol;

/// Headers that the plugin or the connection sets, or that would be a key.
const OWN_HEADERS: [&str; 16] = [
    "accept",
    "accept-encoding",
    "anthropic-version",
    "api-key",
    "authorization",
    "connection",
    "content-length",
    "content-type",
    "cookie",
    "expect",
    "host",
    "proxy-authorization",
    "te",
    "transfer-encoding",
    "upgrade",
    "x-api-key",
];

/// What the limit of tokens is called in OpenAI's protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LimitName {
    /// The name that nearly all services know.
    #[default]
    MaxTokens,
    /// The name that newer models of OpenAI want.
    MaxCompletionTokens,
}

/// The settings of the plugin. `url` and `model` must be set.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// `openai` (default) or `anthropic`.
    pub protocol: Protocol,
    /// Where the service is, without `/chat/completions` or `/messages`: `https://api.openai.com/v1`.
    pub url: String,
    /// The model, as the service calls it.
    pub model: String,
    /// The *name* of the environment variable with the key, in capitals. Not set: no key is sent.
    pub key_env: Option<String>,
    /// The absolute path of a file that holds the key and nothing else, in place of `key_env`.
    pub key_file: Option<PathBuf>,
    /// Whether prompts may go to another machine over plain `http`. A key never does.
    pub allow_http: bool,
    /// Headers beside those that every request has, by name; none of them a key.
    pub headers: BTreeMap<String, String>,
    /// How freely the model writes, 0 to 2. Not set: as the service has it. Some models take none.
    pub temperature: Option<f64>,
    /// What the limit of tokens is called: `max_tokens` (default) or `max_completion_tokens`. In OpenAI's protocol only.
    pub limit_name: LimitName,
    /// Whether OpenAI's protocol is asked to count tokens (`stream_options`). Services that do not know it mostly ignore it.
    pub ask_usage: bool,
    /// Requests at a time, 1 to 64.
    pub parallel: usize,
    /// How long finding the service may take, above 0, up to 3600.
    pub connect_seconds: f64,
    /// How long the service may be silent before it begins to write, above 0, up to 3600: it reads the prompt, and may have
    /// to load the model.
    pub first_seconds: f64,
    /// How long it may be silent once it writes, above 0, at most `first_seconds`.
    pub between_seconds: f64,
    /// How long an answer may take, all attempts together, above 0, up to 86400.
    pub timeout_seconds: f64,
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
            key_env: None,
            key_file: None,
            allow_http: false,
            headers: BTreeMap::new(),
            temperature: None,
            limit_name: LimitName::default(),
            ask_usage: true,
            parallel: 4,
            connect_seconds: 10.0,
            first_seconds: 120.0,
            between_seconds: 60.0,
            timeout_seconds: 600.0,
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
                .help("see `plugins.llm-api` in the documentation of the settings")
        })?;
        Ok(settings)
    }

    fn check(&self) -> Result<(), String> {
        let empty = [("url", &self.url), ("model", &self.model)].into_iter().find(|(_, value)| value.trim().is_empty());
        if let Some((name, _)) = empty {
            return Err(format!("`{name}` is not set"));
        }
        for (name, value, least, most) in
            [("parallel", self.parallel, 1, 64), ("retries", self.retries as usize, 0, 20)]
        {
            if !(least..=most).contains(&value) {
                return Err(format!("`{name}` is {value}, it must lie between {least} and {most}"));
            }
        }
        for (name, value, most) in [
            ("connect_seconds", self.connect_seconds, 3_600.0),
            ("first_seconds", self.first_seconds, 3_600.0),
            ("between_seconds", self.between_seconds, self.first_seconds),
            ("timeout_seconds", self.timeout_seconds, 86_400.0),
        ] {
            if !(value >= 0.001 && value <= most) {
                return Err(format!("`{name}` is {value}, it must lie above 0 and be at most {most}"));
            }
        }
        if !(0.0..=30.0).contains(&self.pause_seconds) {
            return Err(format!("`pause_seconds` is {}, it must lie between 0 and 30", self.pause_seconds));
        }
        if let Some(odd) = self.temperature.filter(|value| !(0.0..=2.0).contains(value)) {
            return Err(format!("`temperature` is {odd}, it must lie between 0 and 2"));
        }
        self.check_headers()?;
        self.key_source()?;
        Ok(())
    }

    /// Values are not quoted: somebody may have written a key there.
    fn check_headers(&self) -> Result<(), String> {
        for (name, value) in &self.headers {
            let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
            if name.is_empty() || !name.bytes().all(is_token) {
                return Err(format!("`headers` has the name {name:?}, which no header has"));
            }
            if OWN_HEADERS.contains(&&*name.to_ascii_lowercase()) {
                return Err(format!(
                    "`headers` has `{name}`, which cannot be set here; a key comes from `key_env` or `key_file`"
                ));
            }
            if !value.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic()) {
                return Err(format!("`headers` has characters in `{name}` that no header has"));
            }
        }
        Ok(())
    }

    /// Where the key is, if one is to be sent.
    ///
    /// # Errors
    /// See [`KeySource::read`].
    pub(crate) fn key_source(&self) -> Result<Option<KeySource>, &'static str> {
        KeySource::read(self.key_env.as_deref(), self.key_file.as_deref())
    }

    /// See [`Settings::connect_seconds`].
    pub(crate) fn connect(&self) -> Duration {
        Duration::from_secs_f64(self.connect_seconds)
    }

    /// See [`Settings::first_seconds`].
    pub(crate) fn first(&self) -> Duration {
        Duration::from_secs_f64(self.first_seconds)
    }

    /// See [`Settings::between_seconds`].
    pub(crate) fn between(&self) -> Duration {
        Duration::from_secs_f64(self.between_seconds)
    }

    /// See [`Settings::timeout_seconds`].
    pub(crate) fn timeout(&self) -> Duration {
        Duration::from_secs_f64(self.timeout_seconds)
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
        let mut settings = json!({"url": "http://localhost:1/v1", "model": "m"});
        settings[key] = value;
        Section::new("a.toml: plugins.llm-api", settings)
    }

    #[test]
    fn the_example_of_the_documentation_is_valid() {
        let text = include_str!("../example.toml");
        let settings = |text: &str| {
            let value: Value = toml::from_str(text).unwrap();
            Settings::read(&Section::new("example.toml", value["plugins"]["llm-api"].clone())).unwrap()
        };
        let first = settings(text);
        assert_eq!((first.protocol, first.key_env.as_deref()), (Protocol::Openai, Some("OPENAI_API_KEY")));
        // The two that stand in comments, each by itself.
        for (protocol, block) in [Protocol::Anthropic, Protocol::Openai].into_iter().zip(text.split("\n\n").skip(1)) {
            let lines: Vec<_> = block.lines().skip(1).map(|line| line.trim_start_matches("# ")).collect();
            assert_eq!(settings(&format!("[plugins.llm-api]\n{}", lines.join("\n"))).protocol, protocol);
        }
    }

    #[test]
    fn what_must_be_set_is_named() {
        for missing in ["url", "model"] {
            let error = Settings::read(&with(missing, json!(" "))).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Invalid);
            assert!(error.to_string().contains(missing) && error.to_string().contains("a.toml"), "{error}");
        }
        assert!(Settings::read(&Section::empty()).is_err());
    }

    #[test]
    fn words_that_are_none_are_refused_with_those_there_are() {
        for (key, words) in [("protocol", "`openai` or `anthropic`"), ("limit_name", "`max_tokens` or `max_comp")] {
            let error = Settings::read(&with(key, json!("cohere"))).unwrap_err();
            assert!(error.to_string().contains(words), "{error}");
        }
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        for (key, value) in [
            ("api_key", json!("x")),
            ("temperature", json!(2.5)),
            ("temperature", json!(-0.1)),
            ("parallel", json!(0)),
            ("connect_seconds", json!(0)),
            ("first_seconds", json!(4_000)),
            ("between_seconds", json!(121)),
            ("timeout_seconds", json!(-1)),
            ("retries", json!(21)),
            ("pause_seconds", json!(31)),
            ("key_file", json!("sk-secret")),
            ("key_env", json!("sk-secret")),
            ("headers", json!({"a b": "x"})),
            ("headers", json!({"": "x"})),
            ("headers", json!({"Authorization": "Bearer sk-secret"})),
            ("headers", json!({"X-API-Key": "sk-secret"})),
            ("headers", json!({"x-title": "sk-secret\r\nhost: example.com"})),
        ] {
            let error = Settings::read(&with(key, value.clone())).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Invalid);
            let told = error.to_string();
            assert!(told.contains(key) && told.contains("a.toml") && !told.contains("sk-secret"), "{value}: {told}");
        }
        let fine = json!({"HTTP-Referer": "https://example.com", "x-title": "wikirag"});
        assert_eq!(Settings::read(&with("headers", fine)).unwrap().headers.len(), 2);
    }
}
