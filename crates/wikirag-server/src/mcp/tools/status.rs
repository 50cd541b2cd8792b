//! `status`

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use wikirag_core::{Error, ErrorKind, Result};
use wikirag_engine::LayerStatus;

use crate::mcp::{Call, Tool};
use crate::service::{Scope, WikiCard};

pub(super) fn tool() -> Tool {
    Tool::new(
        "status",
        "Show how the wikis stand",
        "Show how the wikis stand: documents, passages, and whether each way of searching them is ready. Use it where results are missing.",
        run,
    )
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// Only the wikis of this composition
    rag: Option<String>,
    /// Names of the wikis; all where left out
    wikis: Option<Vec<String>>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Standing {
    /// The wikis, in the order of their compositions
    wikis: Vec<Wiki>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Wiki {
    /// Name of the composition that lists it
    rag: String,
    /// Name of the wiki
    wiki: String,
    /// Whether it has an index that can be read; the first search builds one
    built: bool,
    /// Documents that can be found
    #[serde(skip_serializing_if = "Option::is_none")]
    documents: Option<u64>,
    /// Passages
    #[serde(skip_serializing_if = "Option::is_none")]
    passages: Option<u64>,
    /// The ways of searching it
    layers: Vec<Layer>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Layer {
    /// Name of the layer
    layer: String,
    /// ready, degraded or unavailable
    readiness: String,
    /// Passages that it holds
    passages: u64,
    /// Changes that it has not followed yet
    pending: u64,
    /// Why it is not ready, and what mends that
    reasons: Vec<String>,
}

async fn run(call: Call, arguments: Arguments) -> Result<Standing> {
    let Arguments { rag, wikis } = arguments;
    let cards = call.service.wikis(&call.caller, rag.as_deref()).await?;
    if let Some(wanted) = &wikis {
        // In the words in which all operations say it.
        let is_known = |name: &String| cards.iter().any(|card| card.wiki == *name);
        if let Some(stranger) = wanted.iter().find(|name| !is_known(name)) {
            return Err(no_wiki(&call, rag, stranger).await);
        }
    }
    let is_wanted = |card: &WikiCard| wikis.as_ref().is_none_or(|wanted| wanted.contains(&card.wiki));
    Ok(Standing { wikis: cards.into_iter().filter(is_wanted).map(wiki).collect() })
}

/// Why there is no such wiki. With several compositions none of which is named, that is all there is to say.
async fn no_wiki(call: &Call, rag: Option<String>, name: &str) -> Error {
    let scope = Scope { rag, wikis: Some(vec![name.to_owned()]) };
    match call.service.composition(&call.caller, &scope).await {
        Err(error) if error.kind() == ErrorKind::NotFound => error,
        _ => Error::new(ErrorKind::NotFound, "find wiki", "there is no wiki of this name here")
            .help("`list_wikis` tells which there are"),
    }
}

fn wiki(card: WikiCard) -> Wiki {
    Wiki {
        rag: card.rag,
        wiki: card.wiki,
        built: card.documents.is_some(),
        documents: card.documents,
        passages: card.chunks,
        layers: card.layers.into_iter().map(layer).collect(),
    }
}

fn layer(status: LayerStatus) -> Layer {
    Layer {
        layer: status.layer,
        readiness: status.readiness.to_owned(),
        passages: status.chunks,
        pending: status.pending,
        reasons: status.reasons.iter().map(|reason| format!("{}; {}", reason.sentence, reason.remedy)).collect(),
    }
}
