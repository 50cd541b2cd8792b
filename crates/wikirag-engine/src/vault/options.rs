//! What one asks a vault for.

use serde::Serialize;

/// Which way links are followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// From a page to those it links to.
    Out,
    /// From a page to those that link to it.
    In,
    /// Both.
    #[default]
    Both,
}

/// How the graph around a page is made.
#[derive(Debug, Clone)]
pub struct GraphOptions {
    /// How many links away from the page, at most [`GraphOptions::MAX_DEPTH`].
    pub depth: u32,
    /// Which way.
    pub direction: Direction,
    /// Nodes at most; the page itself is always one.
    pub limit: usize,
    /// Whether tags are nodes.
    pub tags: bool,
    /// Whether a name of a page that stands in another without a link leads there as well.
    pub mentions: bool,
    /// Whether the index is brought up to date first.
    pub refresh: bool,
}

impl GraphOptions {
    /// Most pages of a vault are fewer links away from each other.
    pub const MAX_DEPTH: u32 = 10;
    /// Nodes where nobody says how many.
    pub const LIMIT: usize = 100;
}

impl Default for GraphOptions {
    fn default() -> Self {
        Self { depth: 2, direction: Direction::Both, limit: Self::LIMIT, tags: false, mentions: false, refresh: true }
    }
}

/// How backlinks and mentions are listed.
#[derive(Debug, Clone)]
pub struct ListOptions {
    /// Entries at most.
    pub limit: usize,
    /// Whether the index is brought up to date first.
    pub refresh: bool,
}

impl Default for ListOptions {
    fn default() -> Self {
        Self { limit: usize::MAX, refresh: true }
    }
}
