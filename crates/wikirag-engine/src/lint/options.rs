//! Which checks are made, and how.

use wikirag_core::{Date, Error, ErrorKind, Result};

use super::check::{CHECKS, CheckKind};
use crate::manifest::LintManifest;
use crate::settings::suggest;

/// How to lint.
#[derive(Debug, Clone, PartialEq)]
pub struct LintOptions {
    /// The day on which pages are fresh or stale. `None`: today, UTC.
    pub as_of: Option<Date>,
    /// Whether the index is brought up to its folder first. Without, what was indexed is what is looked at.
    pub refresh: bool,
    /// Codes of the checks to make, also those that the manifest turns off. `None`: all that it does not turn off.
    check: Option<Vec<&'static str>>,
    /// Codes of checks to leave out.
    skip: Vec<&'static str>,
}

impl Default for LintOptions {
    fn default() -> Self {
        Self { as_of: None, refresh: true, check: None, skip: Vec::new() }
    }
}

impl LintOptions {
    /// Makes only these checks, or all where `check` is `None`, without those of `skip`.
    ///
    /// # Errors
    /// [`ErrorKind::Usage`] for a code that no check has, with the nearest one.
    pub fn of_checks(check: Option<&[String]>, skip: &[String]) -> Result<Self> {
        let codes = |names: &[String]| names.iter().map(|name| known(name)).collect::<Result<Vec<_>>>();
        Ok(Self { check: check.map(codes).transpose()?, skip: codes(skip)?, ..Self::default() })
    }

    /// The checks to make in a wiki with these settings.
    pub(super) fn chosen(&self, manifest: &LintManifest) -> Vec<&'static CheckKind> {
        let is_chosen = |kind: &&CheckKind| match &self.check {
            Some(check) => check.contains(&kind.code),
            None => !manifest.off.contains(&kind.code),
        };
        CHECKS.iter().filter(is_chosen).filter(|kind| !self.skip.contains(&kind.code)).collect()
    }
}

fn known(name: &str) -> Result<&'static str> {
    let name = name.trim();
    CheckKind::of(name).map(|kind| kind.code).ok_or_else(|| {
        let message = format!("there is no check `{}`", suggest::shorten(name));
        Error::new(ErrorKind::Usage, "choose checks", message).help(nearest(name))
    })
}

/// The remedy for a code that no check has.
pub(crate) fn nearest(name: &str) -> String {
    match suggest::near(name, CheckKind::codes()).first() {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("the checks are: {}", CheckKind::codes().collect::<Vec<_>>().join(", ")),
    }
}
