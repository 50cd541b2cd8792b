//! What a check is, and the table of all.

use super::subject::Subject;
use super::{contradiction, duplicate, front_matter, graph, hot, links, personal, secret, sink::Sink, stale};

/// A check at work on one wiki.
pub(super) trait Check {
    /// Looks at the text of the page at `page`. Called once for each page, in no certain order.
    fn page(&mut self, _subject: &Subject, _page: usize, _text: &str, _sink: &mut Sink) {}

    /// Looks at the whole, after all pages.
    fn whole(&mut self, _subject: &Subject, _sink: &mut Sink) {}
}

/// A check as manifest and command line know it.
#[derive(Debug, Clone, Copy)]
pub struct CheckKind {
    /// Its name, in lower case with `-`.
    pub code: &'static str,
    /// What it looks for.
    pub about: &'static str,
    /// Points of 100 that it takes at most, where the manifest says nothing else.
    pub weight: f64,
    /// Whether it reads the texts of pages.
    pub(super) reads: bool,
    pub(super) make: fn() -> Box<dyn Check>,
}

/// All checks, by their codes.
pub static CHECKS: [CheckKind; 12] = [
    CheckKind {
        code: "ambiguous-link",
        about: "links that several pages or files fit",
        weight: 15.0,
        reads: false,
        make: || Box::new(links::Ambiguous),
    },
    CheckKind {
        code: "broken-anchor",
        about: "links to a heading or block that its page has not",
        weight: 15.0,
        reads: true,
        make: || Box::new(links::Anchors::default()),
    },
    CheckKind {
        code: "broken-link",
        about: "links to a page or file that is not there",
        weight: 30.0,
        reads: false,
        make: || Box::new(links::Broken),
    },
    CheckKind {
        code: "contradiction",
        about: "pages whose front matter says that they contradict another",
        weight: 20.0,
        reads: false,
        make: || Box::new(contradiction::Contradiction),
    },
    CheckKind {
        code: "duplicate",
        about: "pages that are near-copies of another, and pages of one title",
        weight: 20.0,
        reads: true,
        make: || Box::new(duplicate::Duplicate::default()),
    },
    CheckKind {
        code: "front-matter",
        about: "front matter that cannot be read, or lacks what the manifest demands",
        weight: 20.0,
        reads: false,
        make: || Box::new(front_matter::FrontMatter),
    },
    CheckKind {
        code: "hot-cache",
        about: "a hot cache of more than 500 words",
        weight: 10.0,
        reads: true,
        make: || Box::new(hot::HotCache),
    },
    CheckKind {
        code: "isolated",
        about: "groups of pages that no link joins with the main part",
        weight: 10.0,
        reads: false,
        make: || Box::new(graph::Isolated),
    },
    CheckKind {
        code: "orphan",
        about: "pages that no other page links to",
        weight: 15.0,
        reads: false,
        make: || Box::new(graph::Orphan),
    },
    CheckKind {
        code: "personal",
        about: "mail addresses, card and account numbers, social security numbers",
        weight: 20.0,
        reads: true,
        make: || Box::new(personal::Personal),
    },
    CheckKind {
        code: "secret",
        about: "private keys, tokens and passwords",
        weight: 60.0,
        reads: true,
        make: || Box::new(secret::Secret::default()),
    },
    CheckKind {
        code: "stale",
        about: "pages that are stale by their own front matter",
        weight: 20.0,
        reads: false,
        make: || Box::new(stale::Stale),
    },
];

impl CheckKind {
    /// The check of this code.
    #[must_use]
    pub fn of(code: &str) -> Option<&'static Self> {
        CHECKS.iter().find(|kind| kind.code == code)
    }

    /// The codes of all checks.
    pub fn codes() -> impl Iterator<Item = &'static str> {
        CHECKS.iter().map(|kind| kind.code)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = include_str!("../../../../docs/lint.md");

    #[test]
    fn the_page_lists_the_checks_with_their_weights() {
        let rows = PAGE.lines().filter_map(|line| line.strip_prefix("| `")?.strip_suffix(" |"));
        let rows: Vec<(&str, f64)> =
            rows.filter_map(|row| Some((row.split('`').next()?, row.rsplit(" | ").next()?.parse().ok()?))).collect();
        assert_eq!(rows, CHECKS.iter().map(|kind| (kind.code, kind.weight)).collect::<Vec<_>>());
        assert!(CHECKS.windows(2).all(|pair| pair[0].code < pair[1].code));
    }
}
