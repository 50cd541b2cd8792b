//! What can be set.

use serde::Deserialize;
use wikirag_core::{Error, ErrorKind, Result, Section};

/// The settings of the plugin.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// The plugin that writes. Must be set: question and passages are sent to it.
    pub generator: String,
    /// Passages that the model is shown, 2 to 200.
    pub candidates: usize,
    /// The beginning of a passage that the model is shown, in estimated tokens. 16 to 4096.
    pub passage_tokens: usize,
    /// The longest answer, in tokens of the model. 64 to 65536.
    pub max_tokens: usize,
    /// How long an answer may take, 1 to 600.
    pub seconds: u64,
}

impl Default for Settings {
    fn default() -> Self {
        // 60 lines with a reason each.
        Self { generator: String::new(), candidates: 60, passage_tokens: 160, max_tokens: 2_400, seconds: 30 }
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
                .help("see `rerank-llm` in docs/manifests.md")
        })?;
        Ok(settings)
    }

    fn check(&self) -> Result<(), String> {
        if self.generator.trim().is_empty() {
            return Err("`generator` is not set".to_owned());
        }
        let seconds = usize::try_from(self.seconds).unwrap_or(usize::MAX);
        for (name, value, least, most) in [
            ("candidates", self.candidates, 2, 200),
            ("passage_tokens", self.passage_tokens, 16, 4_096),
            ("max_tokens", self.max_tokens, 64, 1 << 16),
            ("seconds", seconds, 1, 600),
        ] {
            if !(least..=most).contains(&value) {
                return Err(format!("`{name}` is {value}, it must lie between {least} and {most}"));
            }
        }
        Ok(())
    }
}
