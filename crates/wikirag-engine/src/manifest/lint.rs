//! The key `lint` of `.wiki.yaml`: what is demanded of the pages, and how much each fault counts.

use std::collections::BTreeMap;

use serde::Deserialize;
use wikirag_core::{Error, ErrorKind};

use super::shapes::Words;
use crate::lint::{CheckKind, nearest};
use crate::settings::suggest::shorten;

/// What `wikirag lint` looks for in a wiki, and how much each fault counts.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LintManifest {
    /// Points of 100 that checks take at most, by their codes, where it is not what [`CheckKind::weight`] says. With 0 a check is made
    /// and does not count.
    pub weights: BTreeMap<&'static str, f64>,
    /// Keys that the front matter of every page must have, unless it is kept for navigation or of the role `raw`. Default: none.
    pub require: Vec<String>,
    /// Codes of checks that are not made. Default: none.
    pub off: Vec<&'static str>,
}

impl LintManifest {
    /// Points that a check takes at most, 0 to 100.
    #[must_use]
    pub fn weight(&self, kind: &CheckKind) -> f64 {
        self.weights.get(kind.code).copied().unwrap_or(kind.weight)
    }
}

/// The key as it stands.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct LintText {
    weights: BTreeMap<String, f64>,
    require: Words,
    off: Words,
}

impl LintText {
    /// Understands the key.
    ///
    /// # Errors
    /// [`ErrorKind::Invalid`], for the caller to say in which file.
    pub(super) fn understood(self, operation: &'static str) -> Result<LintManifest, Error> {
        let invalid = |message: String| Error::new(ErrorKind::Invalid, operation, message);
        let code = |key: &str, name: &str| {
            CheckKind::of(name).map(|kind| kind.code).ok_or_else(|| {
                invalid(format!("`lint.{key}`: there is no check `{}`", shorten(name))).help(nearest(name))
            })
        };
        let mut weights = BTreeMap::new();
        for (name, weight) in self.weights {
            if !(0.0..=100.0).contains(&weight) {
                let message = format!("`lint.weights`: `{}` is {weight}", shorten(&name));
                return Err(invalid(message).help("give a number from 0 to 100"));
            }
            weights.insert(code("weights", &name)?, weight);
        }
        let off = self.off.0.iter().map(|name| code("off", name)).collect::<Result<_, _>>()?;
        Ok(LintManifest { weights, require: super::wiki::names("lint.require", self.require).map_err(invalid)?, off })
    }
}
