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
    /// Its say where lists of several layers are fused; 1 is that of a layer of words. 0 to 10.
    pub weight: f64,
    /// The same for a question whose words are meant as they stand: a phrase, an identifier.
    pub weight_exact: f64,
    /// Hits with a lower cosine are left out: -1 to 1. By default what the embedder calls noise: a question that means
    /// nothing to any passage finds none, rather than those that it is the least far from.
    pub min_score: Option<f64>,
}

impl Default for Settings {
    fn default() -> Self {
        Self { embedder: "onnx".to_owned(), batch: 128, weight: 2.0, weight_exact: 0.25, min_score: None }
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
        for (name, weight) in [("weight", settings.weight), ("weight_exact", settings.weight_exact)] {
            if !(0.0..=10.0).contains(&weight) {
                return refuse(format!("`{name}` is {weight}, it must lie between 0 and 10"));
            }
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
        for settings in [
            json!({"model": "x"}),
            json!({"batch": 0}),
            json!({"min_score": 1.5}),
            json!({"weight": -1.0}),
            json!({"weight_exact": 11}),
        ] {
            let error = Settings::read(&Section::new("a.yaml: dense", settings)).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Invalid);
            assert!(error.to_string().contains("a.yaml: dense"), "{error}");
        }
    }
}
