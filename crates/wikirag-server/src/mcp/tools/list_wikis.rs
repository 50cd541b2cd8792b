//! `list_wikis`

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use wikirag_core::Result;

use crate::mcp::{Call, Tool};
use crate::service::WikiCard;

pub(super) fn tool() -> Tool {
    Tool::new("list_wikis", "List the wikis", "List the wikis that can be searched, with their titles and sizes.", run)
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// Only the wikis of this composition
    rag: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Wikis {
    /// The wikis, in the order of their compositions
    wikis: Vec<Wiki>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Wiki {
    /// Name of the composition that lists it
    rag: String,
    /// Name of the wiki
    wiki: String,
    /// Its title
    title: String,
    /// Its trust level: public, internal, confidential or restricted
    sensitivity: String,
    /// Documents that can be found; left out where the wiki was never built
    #[serde(skip_serializing_if = "Option::is_none")]
    documents: Option<u64>,
}

async fn run(call: Call, arguments: Arguments) -> Result<Wikis> {
    let cards = call.service.wikis(&call.caller, arguments.rag.as_deref()).await?;
    let wiki = |card: WikiCard| Wiki {
        rag: card.rag,
        wiki: card.wiki,
        title: card.title,
        sensitivity: card.sensitivity.to_string(),
        documents: card.documents,
    };
    Ok(Wikis { wikis: cards.into_iter().map(wiki).collect() })
}
