//! Who asks.

use std::collections::BTreeSet;

use wikirag_core::Sensitivity;

/// Who asks, and what it may read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    /// For logs and metrics; never the token.
    pub name: String,
    /// What it may read. The clearance of a composition is a bound as well.
    pub clearance: Sensitivity,
    /// The wikis that it may read, by name; `None`: all that its clearance allows.
    pub wikis: Option<BTreeSet<String>>,
}

impl Caller {
    /// Whoever runs the program: it sees what the compositions and the settings say, as on the command line.
    #[must_use]
    pub fn local() -> Self {
        Self { name: "local".to_owned(), clearance: Sensitivity::Restricted, wikis: None }
    }
}
