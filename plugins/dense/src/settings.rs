//! What can be set.

use serde::Deserialize;
use wikirag_core::{Error, ErrorKind, Result, Section};

/// The settings of the layer.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// The plugin that embeds.
    pub embedder: String,
    /// How many texts are embedded between two commits: what a kill may cost, and what an embedder can spread over
    /// its cores or its service at once. 1 to 4096.
    pub batch: usize,
    /// Hits with a lower cosine are left out: -1 to 1. What is near and what is far differs from model to model, so
    /// nothing is left out by default.
    pub min_score: Option<f64>,
}

impl Default for Settings {
    fn default() -> Self {
        Self { embedder: "onnx".to_owned(), batch: 128, min_score: None }
    }
}

impl Settings {
    /// Reads the settings.
    ///
    /// # Errors
    /// [`ErrorKind::Invalid`] naming the setting that is unknown or out of its range.
    pub(crate) fn read(section: &Section) -> Result<Self> {
        let settings: Self = section.parse()?;
        let refuse = |message: String| {
            Err(Error::new(ErrorKind::Invalid, "read settings", message).with("in", section.origin()))
        };
        if !(1..=4096).contains(&settings.batch) {
            return refuse(format!("`batch` is {}, it must lie between 1 and 4096", settings.batch));
        }
        if let Some(score) = settings.min_score.filter(|score| !(-1.0..=1.0).contains(score)) {
            return refuse(format!("`min_score` is {score}, it must lie between -1 and 1"));
        }
        Ok(settings)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_not_set_keeps_its_default() {
        assert_eq!(Settings::read(&Section::empty()).unwrap(), Settings::default());
        let settings = Settings::read(&Section::new("x", json!({"batch": 7}))).unwrap();
        assert_eq!(settings, Settings { batch: 7, ..Settings::default() });
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        for settings in [json!({"model": "x"}), json!({"batch": 0}), json!({"min_score": 1.5}), json!({"batch": -1})] {
            let error = Settings::read(&Section::new("a.yaml: dense", settings)).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Invalid);
            assert!(error.to_string().contains("a.yaml: dense"), "{error}");
        }
    }
}
