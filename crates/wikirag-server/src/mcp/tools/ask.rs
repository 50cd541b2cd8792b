//! `ask`

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use wikirag_core::{Result, Step};
use wikirag_engine::{AskEvent, Asked, CheckedClaim, SourcePart, Verdict};

use super::context::{self, Block};
use crate::mcp::uri::DocumentUri;
use crate::mcp::{Call, Tool};
use crate::service::AskRequest;

pub(super) fn tool() -> Tool {
    Tool::new(
        "ask",
        "Ask the wikis",
        "Let the language model of this server answer a question from the wikis, with sources that were checked. Without one, what it \
         would have read is given instead.",
        run,
    )
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// What is asked, in any language
    #[schemars(length(max = 8192))]
    question: String,
    /// Names of the wikis to search; all where left out
    wikis: Option<Vec<String>>,
    /// Name of the composition to search; needed only where list_wikis shows several
    rag: Option<String>,
    /// Tokens that the model reads at most; 4000 where left out
    #[schemars(range(min = 100, max = 100_000))]
    budget: Option<usize>,
    /// Tokens of the answer at most; 1000 where left out
    #[schemars(range(min = 1, max = 4096))]
    max_tokens: Option<usize>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Answered {
    /// The answer, with its citations; left out where no language model answered
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<String>,
    /// Whether the wikis hold an answer; left out where nobody can tell
    #[serde(skip_serializing_if = "Option::is_none")]
    found: Option<bool>,
    /// What the answer cites
    sources: Vec<Source>,
    /// Citations of the answer that lead nowhere; they are marked in it
    invented: usize,
    /// Sentences of the answer that their sources do not bear out
    doubtful: Vec<String>,
    /// What a language model would have read, where none answered
    passages: Vec<Block>,
    /// Where passages disagree: both sides, unresolved
    disagreements: Vec<String>,
    /// What limits this, and what else is worth knowing; for people
    notes: Vec<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Source {
    /// As the answer cites it
    cite: String,
    /// Document and lines or pages; fetch takes it
    citation: String,
    /// Title of the document
    title: String,
    /// Address of the document
    url: String,
    /// What it says, in short
    quote: String,
}

async fn run(call: Call, arguments: Arguments) -> Result<Answered> {
    let Arguments { question, wikis, rag, budget, max_tokens } = arguments;
    let request = AskRequest { question, rag, wikis, budget, max_tokens };
    // How far it is, for those who wait.
    let (progress, mut written) = (call.context.progress.clone(), 0);
    let mut on_event = move |event: AskEvent<'_>| {
        if let AskEvent::Piece(text) = event {
            written += text.chars().count() as u64;
        }
        progress.report(Step { stage: "answer", done: written, total: None });
    };
    let asked = call.service.ask(&call.caller, &request, "mcp", &mut on_event, &call.context).await?;
    Ok(answered(asked))
}

fn answered(asked: Asked) -> Answered {
    let is_doubtful = |claim: &&CheckedClaim| !matches!(claim.verdict, Verdict::Supported);
    Answered {
        passages: if asked.answer.is_none() { context::blocks(&asked.context) } else { Vec::new() },
        sources: asked.sources.iter().map(|one| source(&asked.rag, one)).collect(),
        invented: asked.invented,
        doubtful: asked.claims.iter().filter(is_doubtful).map(|claim| claim.text.clone()).collect(),
        disagreements: asked.conflicts.iter().map(super::disagreement).collect(),
        notes: super::notes(&asked.degraded, &asked.hints),
        answer: asked.answer,
        found: asked.found,
    }
}

fn source(rag: &str, part: &SourcePart) -> Source {
    Source {
        cite: part.cite.clone(),
        citation: part.citation.clone(),
        title: part.title.clone(),
        url: DocumentUri::new(rag, part.wiki.as_str(), &part.path).to_string(),
        quote: part.quote.text.clone(),
    }
}
