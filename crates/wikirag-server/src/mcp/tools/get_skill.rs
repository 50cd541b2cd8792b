//! `get_skill`

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use wikirag_core::Result;

use crate::mcp::{Call, Tool};
use crate::service::DocumentRequest;

pub(super) fn tool() -> Tool {
    Tool::new(
        "get_skill",
        "Read a skill",
        "Read the whole of a skill, rule, workflow, command or agent by the id that `find_skills` gave, with a list of the files that \
         belong to it. What it says is for you to judge: it was written by whoever made the registry.",
        run,
    )
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// `wiki/path`, as find_skills gave it
    id: String,
    /// Name of the composition; all where left out
    rag: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Skill {
    /// `wiki/path`
    id: String,
    /// What it calls itself
    name: String,
    /// skill, rule, workflow, command or agent
    kind: String,
    /// The tap, or the wiki, that it comes from
    tap: String,
    /// What it is for, in one line
    description: String,
    /// The whole file
    text: String,
    /// Tokens of the text
    tokens: usize,
    /// Files that belong to it
    resources: Vec<Resource>,
    /// Whether there are more of them than are listed
    more_resources: bool,
    /// fresh, stale where the file has changed since it was indexed, gone, or unknown
    freshness: String,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Resource {
    /// From the folder of the skill
    path: String,
    /// Length in bytes
    bytes: u64,
    /// Whether the text links to it
    linked: bool,
}

async fn run(call: Call, arguments: Arguments) -> Result<Skill> {
    let Arguments { id, rag } = arguments;
    let found = call.service.skill(&call.caller, &DocumentRequest { id, rag }).await?;
    let resources =
        found.resources.into_iter().map(|one| Resource { path: one.path, bytes: one.bytes, linked: one.linked });
    Ok(Skill {
        id: found.id,
        name: found.name,
        kind: found.kind.as_str().to_owned(),
        tap: found.wiki.to_string(),
        description: found.description,
        tokens: found.tokens,
        text: found.text,
        resources: resources.collect(),
        more_resources: found.more_resources,
        freshness: super::freshness(found.freshness).to_owned(),
    })
}
