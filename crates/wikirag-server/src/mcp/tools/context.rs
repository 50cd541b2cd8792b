//! `context`

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use wikirag_core::Result;
use wikirag_engine::{Packed, PackedBlock};

use crate::mcp::uri::DocumentUri;
use crate::mcp::{Call, Tool};
use crate::service::ContextRequest;

pub(super) fn tool() -> Tool {
    Tool::with_text(
        "context",
        "Pack what to read",
        "Pack the passages that a question needs under a budget of tokens: whole sections where they fit, each once, the most useful \
         first. Use it instead of many calls of `search` and `fetch`.",
        run,
    )
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// What is asked, in any language
    #[schemars(length(max = 8192))]
    question: String,
    /// Tokens of the packed text at most; 4000 where left out
    #[schemars(range(min = 100, max = 100_000))]
    budget: Option<usize>,
    /// Names of the wikis to search; all where left out
    wikis: Option<Vec<String>>,
    /// Name of the composition to search; needed only where list_wikis shows several
    rag: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Packing {
    /// What to read: curated documents first, then the most useful first
    blocks: Vec<Block>,
    /// Tokens of the packed text
    tokens: usize,
    /// Tokens at most
    budget: usize,
    /// What counted the tokens
    counter: String,
    /// Passages that were found and had no room
    left_out: usize,
    /// Where blocks disagree: both sides, unresolved
    disagreements: Vec<String>,
    /// What limits this, and what else is worth knowing; for people
    notes: Vec<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Block {
    /// fetch gives exactly this text for it, as long as the document is what it was
    id: String,
    /// How to cite it: document and lines or pages
    citation: String,
    /// Title of the document
    title: String,
    /// Address of the document
    url: String,
    /// Headings above the block, outermost first, without the title
    headings: Vec<String>,
    /// curated, raw, or empty where nobody said
    role: String,
    /// Hash of the text
    hash: String,
    /// The text
    text: String,
}

pub(super) fn blocks(packed: &Packed) -> Vec<Block> {
    let block = |block: &PackedBlock| Block {
        id: block.id.clone(),
        citation: block.citation.clone(),
        title: block.title.clone(),
        url: DocumentUri::new(&packed.rag, block.wiki.as_str(), &block.path).to_string(),
        headings: block.headings.clone(),
        role: block.role.clone(),
        hash: block.hash.clone(),
        text: block.text.clone(),
    };
    packed.blocks.iter().map(block).collect()
}

async fn run(call: Call, arguments: Arguments) -> Result<(Packing, String)> {
    let Arguments { question, budget, wikis, rag } = arguments;
    let request = ContextRequest { question, rag, wikis, budget };
    let packed = call.service.context(&call.caller, &request, &call.context).await?;
    let result = Packing {
        blocks: blocks(&packed),
        tokens: packed.tokens,
        budget: packed.budget,
        counter: packed.counter.clone(),
        left_out: packed.left_out,
        disagreements: packed.conflicts.iter().map(super::disagreement).collect(),
        notes: super::notes(&packed.degraded, &packed.hints),
    };
    let text = match packed.blocks.as_slice() {
        [] => ["nothing was packed"]
            .into_iter()
            .chain(result.notes.iter().map(String::as_str))
            .collect::<Vec<_>>()
            .join("\n"),
        _ => packed.text(),
    };
    Ok((result, text))
}
