//! What is asked. The shapes are those of the bodies of HTTP requests and of the arguments of tools.

use serde::{Deserialize, Serialize};
use wikirag_engine::QueryOptions;
use wikirag_engine::vault::{Direction, GraphOptions, ListOptions};

/// What is asked of.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scope {
    /// Name of the composition; may be left out where the caller sees one only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rag: Option<String>,
    /// Only these wikis of it, by name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wikis: Option<Vec<String>>,
}

/// What a result is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum By {
    /// A passage.
    #[default]
    Passage,
    /// A document: its best passage, and its others under it.
    Document,
}

/// A question.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QueryRequest {
    /// Any text.
    pub question: String,
    /// See [`Scope::rag`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rag: Option<String>,
    /// See [`Scope::wikis`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wikis: Option<Vec<String>>,
    /// Results at most, 1 to 100.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
    /// What a result is.
    #[serde(default)]
    pub by: By,
    /// Only these layers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub layers: Option<Vec<String>>,
    /// Whether results tell where their score came from.
    #[serde(default)]
    pub explain: bool,
    /// Whether an answer by less than all layers is an error.
    #[serde(default)]
    pub strict: bool,
}

impl QueryRequest {
    /// The most results of one answer. Fewer than on a command line: one request must not take much.
    pub const MAX_LIMIT: usize = 100;

    pub(super) fn scope(&self) -> Scope {
        Scope { rag: self.rag.clone(), wikis: self.wikis.clone() }
    }

    pub(super) fn options(&self) -> QueryOptions {
        QueryOptions {
            limit: self.limit,
            by: match self.by {
                By::Passage => wikirag_engine::By::Passage,
                By::Document => wikirag_engine::By::Document,
            },
            layers: self.layers.clone(),
            strict: self.strict,
            explain: self.explain,
            ..QueryOptions::default()
        }
    }
}

/// A document or a part of it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DocumentRequest {
    /// `path`, `wiki/path`, `path:LINE`, `path:FIRST-LAST`, `path#page=N`, or the id of a result.
    pub id: String,
    /// See [`Scope::rag`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rag: Option<String>,
}

/// The pages around a page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GraphRequest {
    /// Name of the wiki of the page; may be left out where the caller sees one only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wiki: Option<String>,
    /// Path, title or alias.
    pub page: String,
    /// See [`Scope::rag`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rag: Option<String>,
    /// Links away from the page, 1 to 3.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Pages at most, 1 to 500.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
    /// Whether tags are nodes.
    #[serde(default)]
    pub tags: bool,
}

impl GraphRequest {
    /// The most links away.
    pub const MAX_DEPTH: u32 = 3;
    /// The most pages of one answer.
    pub const MAX_LIMIT: usize = 500;

    pub(super) fn options(&self) -> GraphOptions {
        let GraphOptions { depth, limit, .. } = GraphOptions::default();
        GraphOptions {
            depth: self.depth.unwrap_or(depth),
            limit: self.limit.unwrap_or(limit),
            tags: self.tags,
            direction: Direction::Both,
            ..GraphOptions::default()
        }
    }
}

/// The links to a page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LinksRequest {
    /// As [`GraphRequest::wiki`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wiki: Option<String>,
    /// As [`GraphRequest::page`].
    pub page: String,
    /// See [`Scope::rag`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rag: Option<String>,
    /// Entries at most, 1 to 500.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
}

impl LinksRequest {
    /// The most entries of one answer.
    pub const MAX_LIMIT: usize = 500;

    pub(super) fn options(&self) -> ListOptions {
        ListOptions { limit: self.limit.unwrap_or(100), ..ListOptions::default() }
    }
}
