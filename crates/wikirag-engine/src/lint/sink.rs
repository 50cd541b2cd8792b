//! Where checks put what they find, before it is known on which line that is.

use super::finding::Severity;

/// Where in a page a finding lies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Spot {
    /// A byte of its text.
    Byte(usize),
    /// A line, from 1.
    Line(u32),
    /// The line of its front matter that sets this key.
    Key(&'static str),
    /// The whole page.
    Page,
}

/// What a check found.
#[derive(Debug, Clone)]
pub(super) struct Found {
    /// Code of the check.
    pub(super) check: &'static str,
    /// The page, by its place among those of the vault.
    pub(super) page: usize,
    pub(super) spot: Spot,
    pub(super) severity: Severity,
    pub(super) message: String,
    pub(super) remedy: String,
}

/// Takes what one check after the other finds.
#[derive(Debug, Default)]
pub(super) struct Sink {
    /// Code of the check at work.
    check: &'static str,
    found: Vec<Found>,
    /// Code of a check, and a page at fault by it.
    faulty: Vec<(&'static str, usize)>,
}

impl Sink {
    /// What follows is found by the check of this code.
    pub(super) fn begin(&mut self, check: &'static str) {
        self.check = check;
    }

    /// Adds a finding.
    pub(super) fn add(
        &mut self,
        page: usize,
        spot: Spot,
        severity: Severity,
        message: impl Into<String>,
        remedy: impl Into<String>,
    ) {
        self.faulty.push((self.check, page));
        let (message, remedy) = (message.into(), remedy.into());
        self.found.push(Found { check: self.check, page, spot, severity, message, remedy });
    }

    /// Counts one more page as being at fault, which a finding of another page speaks of.
    pub(super) fn also(&mut self, page: usize) {
        self.faulty.push((self.check, page));
    }

    /// All findings, and how many pages are at fault by the check of a code.
    pub(super) fn into_parts(mut self) -> (Vec<Found>, Vec<(&'static str, usize)>) {
        self.faulty.sort_unstable();
        self.faulty.dedup();
        (self.found, self.faulty)
    }
}
