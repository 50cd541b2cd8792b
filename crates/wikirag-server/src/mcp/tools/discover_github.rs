//! `discover_github`

use rmcp::model::ToolAnnotations;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use wikirag_core::{Error, ErrorKind, Result};
use wikirag_taps::{Found, discover};

use crate::mcp::{Call, Tool};

/// Repositories where no number is given.
const USUAL: usize = 10;

/// The one tool that looks beyond the wikis.
pub(super) fn tool() -> Tool {
    let title = "Search GitHub for skills";
    let tool = Tool::new(
        "discover_github",
        title,
        "Search GitHub for repositories of skills, through the program `gh` of this machine. Nothing is added: a person does that with \
         `wikirag tap add URL`.",
        run,
    );
    tool.annotated(
        ToolAnnotations::with_title(title).read_only(true).destructive(false).idempotent(true).open_world(true),
    )
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// What to look for, in a few words
    #[schemars(length(max = 256))]
    query: String,
    /// Repositories at most; 10 where left out
    #[schemars(range(min = 1, max = 100))]
    limit: Option<usize>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Discovered {
    /// Those with matching skills first, then by stars
    repositories: Vec<Repository>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Repository {
    /// `OWNER/NAME`
    repository: String,
    /// As `wikirag tap add` takes it
    url: String,
    /// What its owner says of it; may be empty
    description: String,
    /// How many people have marked it; left out where the search did not tell
    #[serde(skip_serializing_if = "Option::is_none")]
    stars: Option<u64>,
    /// Paths of skills in it that match
    skills: Vec<String>,
}

async fn run(call: Call, arguments: Arguments) -> Result<Discovered> {
    let Arguments { query, limit } = arguments;
    let found = discover(&query, limit.unwrap_or(USUAL), &call.context).await.map_err(told)?;
    let repository = |one: Found| Repository {
        repository: one.repository,
        url: one.url,
        description: one.description.unwrap_or_default(),
        stars: one.stars,
        skills: one.skills,
    };
    Ok(Discovered { repositories: found.into_iter().map(repository).collect() })
}

/// A search that fails may not fail again, and says nothing of this machine that a caller must not know: so it is told, unlike what is wrong
/// with an index.
fn told(error: Error) -> Error {
    if error.kind() != ErrorKind::Unavailable {
        return error;
    }
    let told = Error::new(ErrorKind::TimedOut, "search GitHub", error.message().to_owned());
    told.help(error.remedy().unwrap_or("try again in a minute").to_owned()).caused_by(error)
}
