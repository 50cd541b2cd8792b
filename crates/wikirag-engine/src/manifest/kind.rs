//! What a wiki is a collection of.

use serde::{Deserialize, Serialize};
use serde_json::json;
use wikirag_core::Section;

use super::PluginChoice;

/// See [`WikiManifest::kind`](super::WikiManifest::kind).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum WikiKind {
    /// Pages to read.
    #[default]
    Notes,
    /// What agents are given to work with: skills, rules, workflows, commands, agents. See [`skills`](crate::skills).
    Skills,
}

impl WikiKind {
    /// The word used in manifests.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Notes => "notes",
            Self::Skills => "skills",
        }
    }

    /// How documents are cut where the manifest does not say it.
    ///
    /// Those of an entry have about a thousand characters (by four a token) and repeat up to 150 of the one before; an entry has at most
    /// forty, which grow with it.
    #[must_use]
    pub fn chunker(self) -> PluginChoice {
        let mut chunker = PluginChoice::named("markdown");
        if self == Self::Skills {
            let settings = json!({ "max_tokens": 250, "overlap": 38, "max_chunks": 40 });
            chunker.settings = Section::new("kind: skills", settings);
        }
        chunker
    }
}
