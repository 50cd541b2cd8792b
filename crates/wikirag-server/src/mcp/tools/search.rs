//! `search`

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use wikirag_core::Result;
use wikirag_engine::{Answer, SearchResult};

use crate::mcp::uri::DocumentUri;
use crate::mcp::{Call, Tool};
use crate::service::{self, QueryRequest};

pub(super) fn tool() -> Tool {
    Tool::new(
        "search",
        "Search the wikis",
        "Find the passages of the wikis that answer a question, best first, each with its citation. Takes words or a whole question. Read \
         more of a document with `fetch`.",
        run,
    )
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// What to look for: words or a question, in any language. "Quotes" keep words together, -word leaves a word out, field:value asks
    /// front matter
    #[schemars(length(max = 8192))]
    query: String,
    /// Names of the wikis to search; all where left out
    wikis: Option<Vec<String>>,
    /// Name of the composition to search; needed only where list_wikis shows several
    rag: Option<String>,
    /// Results at most
    #[schemars(range(min = 1, max = 100))]
    limit: Option<usize>,
    /// What a result is: each passage, or each document once with its best passage
    by: Option<By>,
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum By {
    Passage,
    Document,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Found {
    /// The passages, best first
    results: Vec<Passage>,
    /// Passages that were ranked before the cut at the limit
    total: usize,
    /// What limits these results, and what else is worth knowing; for people
    notes: Vec<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Passage {
    /// Of the document; fetch takes it
    id: String,
    /// Of the document
    title: String,
    /// Address of the document, for a citation
    url: String,
    /// The passage
    text: String,
    /// Document and lines (or pages) of the passage: how to cite it. fetch takes it as well
    citation: String,
    /// Name of the wiki
    wiki: String,
    /// Headings above the passage, outermost first
    headings: Vec<String>,
    /// The part of the passage that says most
    snippet: String,
    /// Comparable within these results only
    score: f64,
    /// fresh, stale where the file has changed since it was indexed, or unknown
    freshness: String,
    /// Where other passages say something else: both sides, unresolved
    #[serde(skip_serializing_if = "Vec::is_empty")]
    disagrees: Vec<String>,
}

async fn run(call: Call, arguments: Arguments) -> Result<Found> {
    let Arguments { query, wikis, rag, limit, by } = arguments;
    let by = match by {
        Some(By::Document) => service::By::Document,
        Some(By::Passage) | None => service::By::Passage,
    };
    let request = QueryRequest { question: query, rag, wikis, limit, by, ..QueryRequest::default() };
    let Answer { rag, results, total, degraded, hints, .. } =
        call.service.search(&call.caller, &request, "mcp", &call.context).await?;
    let results = results.into_iter().map(|result| passage(&rag, result)).collect();
    Ok(Found { results, total, notes: super::notes(&degraded, &hints) })
}

fn passage(rag: &str, result: SearchResult) -> Passage {
    let id = format!("{}/{}", result.wiki, result.path);
    Passage {
        url: DocumentUri::new(rag, result.wiki.as_str(), &result.path).to_string(),
        citation: format!("{id}{}", result.place),
        wiki: result.wiki.to_string(),
        freshness: super::freshness(result.freshness).to_owned(),
        disagrees: result.conflicts.iter().map(super::disagreement).collect(),
        id,
        title: result.title,
        text: result.text,
        headings: result.headings,
        snippet: result.snippet.text,
        score: result.score,
    }
}
