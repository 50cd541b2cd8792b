//! What a check finds.

use std::fmt;

use serde::Serialize;
use wikirag_core::PlaceRange;

/// How grave a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Something is broken, or must not stand there.
    Error,
    /// Something that a reader stumbles over.
    Warning,
    /// Something that one may want to know.
    Note,
}

impl Severity {
    /// As it stands in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}

/// Where in its file a finding lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum At {
    /// The line, from 1.
    Line(u32),
    /// Of a file of pages the page, from 1.
    Page(u32),
}

impl From<PlaceRange> for At {
    fn from(place: PlaceRange) -> Self {
        match place {
            PlaceRange::Lines(first, _) => Self::Line(first),
            PlaceRange::Pages(first, _) => Self::Page(first),
        }
    }
}

/// As it stands behind a path: `:7`, `#page=3`.
impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Line(line) => PlaceRange::Lines(line, line).fmt(f),
            Self::Page(page) => PlaceRange::Pages(page, page).fmt(f),
        }
    }
}

/// One thing that a check found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// Code of the check.
    pub check: &'static str,
    /// How grave it is.
    pub severity: Severity,
    /// Of the file, below the root of the wiki.
    pub path: String,
    /// Where in the file: `line` or `page`. The first line where the whole file is meant.
    #[serde(flatten)]
    pub at: At,
    /// What is there.
    pub message: String,
    /// How to mend it.
    pub remedy: String,
}

/// `path:line: severity[check] message; remedy`
impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { check, severity, path, at, message, remedy } = self;
        write!(f, "{path}{at}: {}[{check}] {message}; {remedy}", severity.as_str())
    }
}
