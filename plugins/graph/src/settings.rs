//! What can be set.

use serde::Deserialize;
use wikirag_core::{Error, ErrorKind, Result, Section};

/// The settings of the layer.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// Its say where lists of several layers are fused, beside that of all others together. 0 to 10.
    pub weight: f64,
    /// The same for a question whose words are meant as they stand: a phrase, an identifier.
    pub weight_exact: f64,
    /// How it searches.
    pub mode: Mode,
    /// How likely the walk goes back to where it began, at each step: the higher, the nearer it stays. Above 0, at most 1.
    pub restart: f64,
    /// From how many of the best hits of the other layers it begins. 0 to 1000.
    pub seeds: usize,
    /// The share of the start that the pages have which the question names, where there are hits too. 0 to 1.
    pub named: f64,
    /// The share of pages that others must link to or name for the layer to have its whole say; it has none below half of that. 0 to 1;
    /// with 0 it always has.
    pub reach: f64,
    /// What each kind of edge counts.
    pub edges: Edges,
    /// The plugin that finds entities and relations; empty: none, and no passage is sent to anyone.
    pub extractor: String,
    /// The most texts that one build sends to the extractor; what is left over waits for the next. 0 to 10,000,000.
    pub most_extractions: usize,
    /// How many texts are with the extractor at once, and are committed together. 1 to 64.
    pub extractions_at_once: usize,
}

/// What is looked at.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// What lies around the start: names and their neighbours.
    Local,
    /// The communities that the start lies in: themes.
    Global,
    /// Both.
    #[default]
    Mix,
}

/// The weights of edges before the commonness of a name is taken into account. 0 to 10 each; 0 leaves them out.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Edges {
    /// A link that somebody made.
    pub link: f64,
    /// The name of a page in a text.
    pub mention: f64,
    /// A tag that two pages share.
    pub tag: f64,
    /// An identifier or another rare name that two passages share.
    pub term: f64,
    /// Back from a page to those that link or name it, in relation to the way there.
    pub back: f64,
    /// Between passages of one page.
    pub page: f64,
    /// From a passage to an entity that the extractor found in it.
    pub entity: f64,
    /// Between two entities that it found to belong together.
    pub relation: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            weight: 8.0,
            weight_exact: 0.25,
            mode: Mode::Mix,
            restart: 0.4,
            seeds: 100,
            named: 0.5,
            reach: 0.1,
            edges: Edges::default(),
            extractor: String::new(),
            most_extractions: 1000,
            extractions_at_once: 4,
        }
    }
}

impl Default for Edges {
    fn default() -> Self {
        Self { link: 1.0, mention: 1.0, tag: 0.2, term: 0.0, back: 0.15, page: 0.5, entity: 0.5, relation: 0.5 }
    }
}

impl Settings {
    /// The share of its say that the layer has where this share of pages is linked or named: 0 to 1.
    pub(crate) fn share_of(&self, reach: f64) -> f64 {
        let least = self.reach / 2.0;
        if reach >= self.reach { 1.0 } else { ((reach - least) / (self.reach - least)).max(0.0) }
    }

    /// Reads the settings.
    ///
    /// # Errors
    /// [`ErrorKind::Invalid`] naming the setting that is unknown or out of its range.
    pub(crate) fn read(section: &Section) -> Result<Self> {
        let settings: Self = section.parse()?;
        let refuse = |message: String| {
            Err(Error::new(ErrorKind::Invalid, "read settings", message).with("in", section.origin()))
        };
        let Edges { link, mention, tag, term, back, page, entity, relation } = settings.edges;
        for (name, number, most) in [
            ("weight", settings.weight, 10.0),
            ("weight_exact", settings.weight_exact, 10.0),
            ("named", settings.named, 1.0),
            ("restart", settings.restart, 1.0),
            ("reach", settings.reach, 1.0),
            ("edges.link", link, 10.0),
            ("edges.mention", mention, 10.0),
            ("edges.tag", tag, 10.0),
            ("edges.term", term, 10.0),
            ("edges.back", back, 10.0),
            ("edges.page", page, 10.0),
            ("edges.entity", entity, 10.0),
            ("edges.relation", relation, 10.0),
        ] {
            if !(0.0..=most).contains(&number) {
                return refuse(format!("`{name}` is {number}, it must lie between 0 and {most}"));
            }
        }
        if settings.restart < 0.01 {
            return refuse(format!("`restart` is {}, it must be at least 0.01", settings.restart));
        }
        for (name, number, least, most) in [
            ("seeds", settings.seeds, 0, 1000),
            ("most_extractions", settings.most_extractions, 0, 10_000_000),
            ("extractions_at_once", settings.extractions_at_once, 1, 64),
        ] {
            if !(least..=most).contains(&number) {
                return refuse(format!("`{name}` is {number}, it must lie between {least} and {most}"));
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
        let given = json!({"mode": "local", "edges": {"tag": 0}});
        let settings = Settings::read(&Section::new("x", given)).unwrap();
        let edges = Edges { tag: 0.0, ..Edges::default() };
        assert_eq!(settings, Settings { mode: Mode::Local, edges, ..Settings::default() });
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        for settings in [
            json!({"model": "x"}),
            json!({"mode": "naive"}),
            json!({"restart": 0}),
            json!({"restart": 1.5}),
            json!({"seeds": 1001}),
            json!({"weight": -1}),
            json!({"edges": {"link": 11}}),
            json!({"edges": {"relation": -1}}),
            json!({"most_extractions": -1}),
            json!({"extractions_at_once": 0}),
        ] {
            let error = Settings::read(&Section::new("a.yaml: graph", settings)).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Invalid);
            assert!(error.to_string().contains("a.yaml: graph"), "{error}");
        }
    }
}
