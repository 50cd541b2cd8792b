//! `find_skills`

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use wikirag_core::Result;
use wikirag_engine::skills::{FoundSkill, SkillKind, Why};

use crate::mcp::{Call, Tool};
use crate::service::SkillsRequest;

pub(super) fn tool() -> Tool {
    Tool::with_text(
        "find_skills",
        "Find skills for a task",
        "Find the skills, rules, workflows, commands and agents that help with a task, in the wikis of skills. Say what is to be done in \
         plain words. Gives a short list to choose from; read the one that you choose with `get_skill`.",
        run,
    )
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// What is to be done, in plain words
    #[schemars(length(max = 8192))]
    task: String,
    /// Only entries of this kind
    kind: Option<Kind>,
    /// Names of the wikis to look in; all where left out
    wikis: Option<Vec<String>>,
    /// Name of the composition to look in; all where left out
    rag: Option<String>,
    /// Entries at most; 5 where left out
    #[schemars(range(min = 1, max = 50))]
    limit: Option<usize>,
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Skill,
    Rule,
    Workflow,
    Command,
    Agent,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Found {
    /// The entries, best first
    skills: Vec<Skill>,
    /// Tokens of this list as text
    tokens: usize,
    /// Tokens that a language model read and wrote to rerank, as far as it tells
    rerank_tokens: u64,
    /// What limits these results, and what else is worth knowing; for people
    notes: Vec<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Skill {
    /// `get_skill` takes it
    id: String,
    /// What it calls itself
    name: String,
    /// skill, rule, workflow, command or agent
    kind: String,
    /// The tap, or the wiki, that it comes from
    tap: String,
    /// What it is for, in one line
    description: String,
    /// The words of the task that it holds, and where
    why: Vec<String>,
    /// Near-identical entries
    #[serde(skip_serializing_if = "Vec::is_empty")]
    alike: Vec<String>,
    /// fresh, stale where the file has changed since it was indexed, or unknown
    freshness: String,
}

async fn run(call: Call, arguments: Arguments) -> Result<(Found, String)> {
    let Arguments { task, kind, wikis, rag, limit } = arguments;
    let kind = kind.map(|kind| match kind {
        Kind::Skill => SkillKind::Skill,
        Kind::Rule => SkillKind::Rule,
        Kind::Workflow => SkillKind::Workflow,
        Kind::Command => SkillKind::Command,
        Kind::Agent => SkillKind::Agent,
    });
    let request = SkillsRequest { task, rag, wikis, kind, limit };
    let found = call.service.skills(&call.caller, &request, &call.context).await?;
    let text = found.text();
    let result = Found {
        tokens: found.tokens.answer,
        rerank_tokens: found.tokens.rerank_read + found.tokens.rerank_written,
        notes: super::notes(&found.degraded, &found.hints),
        skills: found.entries.into_iter().map(skill).collect(),
    };
    Ok((result, text))
}

fn skill(entry: FoundSkill) -> Skill {
    let why = entry.reason.into_iter().chain(entry.why.iter().flat_map(Why::places));
    Skill {
        why: why.collect(),
        id: entry.id,
        name: entry.name,
        kind: entry.kind.as_str().to_owned(),
        tap: entry.wiki.to_string(),
        description: entry.description.text,
        alike: entry.alike.into_iter().map(|alike| alike.id).collect(),
        freshness: super::freshness(entry.freshness).to_owned(),
    }
}
