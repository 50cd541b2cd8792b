//! What is asked. The shapes are those of the bodies of HTTP requests and of the arguments of tools.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use wikirag_core::{Error, ErrorKind, Result, Sensitivity};
use wikirag_engine::vault::{Direction, GraphOptions, ListOptions};
use wikirag_engine::{AskOptions, PackOptions, QueryOptions, Refresh, Target};

/// How old a look at a folder may be. To look costs a walk over all of its files; one a second is as fresh as anybody types.
pub(super) const LOOK: Duration = Duration::from_secs(1);

/// What is asked of.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
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
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum By {
    /// A passage.
    #[default]
    Passage,
    /// A document: its best passage, and its others under it.
    Document,
}

/// A question.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct QueryRequest {
    /// Any text.
    #[schemars(length(max = 8192), regex(pattern = "\\S"))]
    pub question: String,
    /// See [`Scope::rag`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rag: Option<String>,
    /// See [`Scope::wikis`].
    #[schemars(length(min = 1))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wikis: Option<Vec<String>>,
    /// Results at most, 1 to 100.
    #[schemars(range(min = 1, max = 100))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
    /// What a result is.
    #[serde(default)]
    pub by: By,
    /// Only these layers; each named once.
    #[schemars(length(min = 1), extend("uniqueItems" = true))]
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

    pub(crate) fn scope(&self) -> Scope {
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
            refresh: Refresh::Within(LOOK),
            ..QueryOptions::default()
        }
    }
}

/// What a language model should read to answer a question.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ContextRequest {
    /// See [`QueryRequest::question`].
    #[schemars(length(max = 8192), regex(pattern = "\\S"))]
    pub question: String,
    /// See [`Scope::rag`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rag: Option<String>,
    /// See [`Scope::wikis`].
    #[schemars(length(min = 1))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wikis: Option<Vec<String>>,
    /// Tokens at most, 100 to 100000.
    #[schemars(range(min = 100, max = 100_000))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<usize>,
}

impl ContextRequest {
    /// The most tokens of one answer.
    pub const MAX_BUDGET: usize = 100_000;

    pub(crate) fn scope(&self) -> Scope {
        Scope { rag: self.rag.clone(), wikis: self.wikis.clone() }
    }

    pub(super) fn options(&self) -> PackOptions {
        let mut options = PackOptions::default();
        options.budget = self.budget.unwrap_or(options.budget);
        options.query.refresh = Refresh::Within(LOOK);
        options
    }
}

/// A document or a part of it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DocumentRequest {
    /// `path`, `wiki/path`, `path:LINE`, `path:FIRST-LAST`, `path#page=N`, or the id of a result.
    #[schemars(regex(pattern = "\\S"))]
    pub id: String,
    /// See [`Scope::rag`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rag: Option<String>,
}

/// A document by its place, or a part of it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PageRequest {
    /// Name of the wiki.
    pub wiki: String,
    /// Below the root of the wiki, with `/`.
    pub path: String,
    /// Only these lines: `FIRST-LAST` or one number, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lines: Option<String>,
    /// Only these pages of a PDF, likewise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pages: Option<String>,
    /// See [`Scope::rag`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rag: Option<String>,
}

impl PageRequest {
    pub(super) fn target(&self) -> Result<Target> {
        let path = format!("{}/{}", self.wiki, self.path);
        let (sign, range) = match (&self.lines, &self.pages) {
            (None, None) => return Ok(Target::Document { path, part: None }),
            (Some(lines), None) => (":", lines),
            (None, Some(pages)) => ("#page=", pages),
            // A document has the one or the other.
            (Some(_), Some(_)) => {
                let error = Error::new(ErrorKind::NotFound, "read request", "no document has both lines and pages");
                return Err(error.help("leave `lines` or `pages` out"));
            }
        };
        // A range is what it is in a citation, and nothing in the path may be taken for one.
        // One that runs backwards holds nothing that could be read.
        let nothing = |error: Error| {
            Error::new(ErrorKind::NotFound, "read request", error.message().to_owned())
                .help("write `10-20`, or one number")
        };
        match Target::parse(&format!("-{sign}{range}")).map_err(nothing)? {
            Target::Document { part: Some(part), .. } => Ok(Target::Document { path, part: Some(part) }),
            _ => {
                let error = Error::new(ErrorKind::Usage, "read request", "this is no range of lines or pages");
                Err(error.help("write `10-20`, or one number"))
            }
        }
    }
}

/// A question to be answered in words.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AskRequest {
    /// See [`QueryRequest::question`].
    #[schemars(length(max = 8192), regex(pattern = "\\S"))]
    pub question: String,
    /// See [`Scope::rag`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rag: Option<String>,
    /// See [`Scope::wikis`].
    #[schemars(length(min = 1))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wikis: Option<Vec<String>>,
    /// Tokens of the context at most, 100 to 100000.
    #[schemars(range(min = 100, max = 100_000))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<usize>,
    /// Tokens of the answer at most, 1 to 4096.
    #[schemars(range(min = 1, max = 4096))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<usize>,
}

impl AskRequest {
    /// The most tokens of one answer.
    pub const MAX_TOKENS: usize = 4_096;

    pub(crate) fn scope(&self) -> Scope {
        Scope { rag: self.rag.clone(), wikis: self.wikis.clone() }
    }

    pub(super) fn options(&self, surface: &'static str, clearance: Sensitivity) -> AskOptions {
        let AskOptions { pack, max_tokens, .. } = AskOptions::default();
        let query = QueryOptions { refresh: Refresh::Within(LOOK), ..QueryOptions::default() };
        AskOptions {
            pack: PackOptions { budget: self.budget.unwrap_or(pack.budget), query, ..pack },
            max_tokens: self.max_tokens.unwrap_or(max_tokens),
            surface: Some(surface),
            clearance,
            ..AskOptions::default()
        }
    }
}

/// The pages around a page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
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
    #[schemars(range(min = 1, max = 3))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Pages at most, 1 to 500.
    #[schemars(range(min = 1, max = 500))]
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
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
    #[schemars(range(min = 1, max = 500))]
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
