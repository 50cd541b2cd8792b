//! What can be set. Nothing of it touches what is written: a change takes effect at once, without a build.

use serde::Deserialize;
use wikirag_core::{Error, ErrorKind, Result, Section};

/// The settings of the layer.
///
/// `k1`, `b` and the weights of title, body and exact forms were chosen by the mean nDCG@10 over the queries with odd
/// numbers of six test collections (abstracts, library records, news), cut into passages as by default; the figures of
/// all queries are in `docs/quality.md`. The weights of headings, names and path are not measured: those sets have none. A bonus for the number of distinct
/// words that a chunk holds (BM25+) and steeper weights for rare words gained nothing there and were left out.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// How soon repeating a word stops to count: 0 is at once. 0 to 10.
    pub k1: f32,
    /// How much the length of a field counts against it: 0 not at all, 1 fully.
    pub b: f32,
    /// How much an occurrence counts by the field in which it stands.
    pub weights: Weights,
}

/// Weights of the fields: an occurrence in a field of weight 2 counts as two in one of weight 1. 0 takes a field out;
/// 100 at most.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Weights {
    /// Title of the document.
    pub title: f32,
    /// Headings above the passage.
    pub headings: f32,
    /// Aliases, tags and summary of the document.
    pub names: f32,
    /// Path of the document.
    pub path: f32,
    /// The passage, by stems.
    pub body: f32,
    /// The passage, by exact forms: what a word gains beside `body` where it stands as it was asked; ten times as
    /// much where it was asked with accents.
    pub exact: f32,
}

impl Default for Settings {
    fn default() -> Self {
        Self { k1: 2.5, b: 0.85, weights: Weights::default() }
    }
}

impl Default for Weights {
    fn default() -> Self {
        Self { title: 2.0, headings: 1.0, names: 1.0, path: 0.5, body: 1.0, exact: 0.1 }
    }
}

impl Settings {
    /// Reads the settings.
    ///
    /// # Errors
    /// [`ErrorKind::Invalid`] naming the setting that is unknown or out of its range.
    pub(crate) fn read(section: &Section) -> Result<Self> {
        let settings: Self = section.parse()?;
        let Weights { title, headings, names, path, body, exact } = settings.weights;
        for (name, value, most) in [
            ("k1", settings.k1, 10.0),
            ("b", settings.b, 1.0),
            ("weights.title", title, 100.0),
            ("weights.headings", headings, 100.0),
            ("weights.names", names, 100.0),
            ("weights.path", path, 100.0),
            ("weights.body", body, 100.0),
            ("weights.exact", exact, 100.0),
        ] {
            if !(0.0..=most).contains(&value) {
                let message = format!("`{name}` is {value}, it must lie between 0 and {most}");
                return Err(Error::new(ErrorKind::Invalid, "read settings", message).with("in", section.origin()));
            }
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
        let settings = Settings::read(&Section::new("x", json!({"weights": {"title": 3}}))).unwrap();
        assert_eq!(settings, Settings { weights: Weights { title: 3.0, ..Weights::default() }, ..Settings::default() });
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        for settings in [json!({"k2": 1}), json!({"b": 1.5}), json!({"weights": {"body": -1}}), json!({"k1": "x"})] {
            let error = Settings::read(&Section::new("a.yaml: bm25", settings)).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Invalid);
            assert!(error.to_string().contains("a.yaml: bm25"), "{error}");
        }
    }
}
