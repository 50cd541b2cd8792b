//! Repositories that may be worth a tap, as GitHub's search knows them, through the program `gh`.

use std::collections::BTreeMap;
use std::process::Command;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use wikirag_core::{Context, Error, ErrorKind, Result, offload};

use crate::process::{self, Job};

const OPERATION: &str = "search GitHub";

const INSTALL: &str = "install the GitHub CLI (`gh`) and sign in with `gh auth login`";

/// How long one search may take.
const TIME: Duration = Duration::from_secs(30);

/// The longest answer that is read, in bytes.
const MAX_ANSWER: u64 = 8 << 20;

/// The longest question, in bytes. GitHub takes no longer one.
const MAX_QUERY: usize = 256;

/// The most repositories that are asked for.
pub const MAX_FOUND: usize = 100;

/// The file that a skill is described in.
const SKILL_FILE: &str = "SKILL.md";

/// A repository that was found.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Found {
    /// `OWNER/NAME`.
    pub repository: String,
    /// Its address, as `wikirag tap add` takes it.
    pub url: String,
    /// What its owner says of it.
    pub description: Option<String>,
    /// How many people have marked it; `None` where the search did not tell.
    pub stars: Option<u64>,
    /// When something was pushed to it, RFC 3339; `None` where the search did not tell.
    pub pushed: Option<String>,
    /// Paths of the skills in it that match, sorted.
    pub skills: Vec<String>,
}

/// Searches GitHub for repositories and for skills in them, at most `limit` (1 to [`MAX_FOUND`]) of each; those with matching
/// skills first, then by stars and name. Nothing is kept for the next time.
///
/// # Errors
/// [`ErrorKind::Usage`] for a question without a word or of more than 256 bytes; [`ErrorKind::NotFound`] where there is no `gh`;
/// [`ErrorKind::Unavailable`], which may pass by itself, where a search fails; [`ErrorKind::TimedOut`];
/// [`ErrorKind::Cancelled`].
pub async fn discover(query: &str, limit: usize, context: &Context) -> Result<Vec<Found>> {
    let words: Vec<String> = query.split_whitespace().map(str::to_owned).collect();
    if words.is_empty() || query.contains('\0') {
        return Err(Error::new(ErrorKind::Usage, OPERATION, "the question holds no word"));
    }
    if query.len() > MAX_QUERY {
        let message = format!("the question is longer than {MAX_QUERY} bytes");
        return Err(Error::new(ErrorKind::Usage, OPERATION, message).help("ask with fewer words"));
    }
    let (limit, context) = (limit.clamp(1, MAX_FOUND), context.clone());
    offload(move || {
        let repositories: Vec<Repository> = search("repos", REPOSITORY_FIELDS, &[], &words, limit, &context)?;
        let files: Vec<CodeFile> = search("code", CODE_FIELDS, &["--filename", SKILL_FILE], &words, limit, &context)?;
        Ok(merged(repositories, files))
    })
    .await
}

const REPOSITORY_FIELDS: &str = "fullName,url,description,stargazersCount,pushedAt";
const CODE_FIELDS: &str = "repository,path";

/// A line of `gh search repos --json`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Repository {
    full_name: String,
    url: String,
    #[serde(default)]
    description: Option<String>,
    #[serde(default)]
    stargazers_count: Option<u64>,
    #[serde(default)]
    pushed_at: Option<String>,
}

/// A line of `gh search code --json`.
#[derive(Debug, Deserialize)]
struct CodeFile {
    path: String,
    repository: CodeRepository,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct CodeRepository {
    name_with_owner: String,
    url: String,
}

fn search<T: serde::de::DeserializeOwned>(
    what: &'static str,
    fields: &str,
    flags: &[&str],
    words: &[String],
    limit: usize,
    context: &Context,
) -> Result<Vec<T>> {
    let mut command = Command::new("gh");
    command.args(["search", what, "--json", fields, "--limit", &limit.to_string()]).args(flags);
    // Each word by itself: one argument with blanks in it is taken for a phrase.
    command.arg("--").args(words);
    command.env("GH_PROMPT_DISABLED", "1").env("GH_NO_UPDATE_NOTIFIER", "1").env("NO_COLOR", "1");
    let job = Job { operation: OPERATION, command, install: INSTALL, max_output: MAX_ANSWER, watch: &mut || Ok(()) };
    let ended = process::run(job, &context.clone().with_time_limit(TIME))?;
    let failed = |said: String| {
        Error::new(ErrorKind::Unavailable, OPERATION, format!("`gh search {what}` failed: {said}"))
            .temporary()
            .help("try again in a minute: GitHub allows few searches a minute. `gh auth status` tells whether you are signed in")
    };
    if !ended.status.success() {
        let said = if ended.said.is_empty() { ended.status.to_string() } else { ended.said };
        return Err(failed(said));
    }
    serde_json::from_slice(&ended.stdout)
        .map_err(|error| failed(format!("its answer is not what was asked for: {error}")))
}

/// One entry a repository.
fn merged(repositories: Vec<Repository>, files: Vec<CodeFile>) -> Vec<Found> {
    let mut found: BTreeMap<String, Found> = BTreeMap::new();
    for repository in repositories {
        let description = repository.description.filter(|description| !description.trim().is_empty());
        found.insert(
            repository.full_name.clone(),
            Found {
                repository: repository.full_name,
                url: repository.url,
                description,
                stars: repository.stargazers_count,
                pushed: repository.pushed_at,
                skills: Vec::new(),
            },
        );
    }
    for CodeFile { path, repository } in files {
        let entry = found.entry(repository.name_with_owner.clone()).or_insert_with(|| Found {
            repository: repository.name_with_owner,
            url: repository.url,
            ..Found::default()
        });
        entry.skills.push(path);
    }
    let mut found: Vec<Found> = found.into_values().collect();
    found.iter_mut().for_each(|found| {
        found.skills.sort_unstable();
        found.skills.dedup();
    });
    // Stable, so names decide at last.
    found.sort_by_key(|found| std::cmp::Reverse((found.skills.len(), found.stars)));
    found
}

#[cfg(test)]
mod tests {
    use futures_lite::future::block_on;

    use super::*;

    #[test]
    fn a_question_without_words_asks_nobody() {
        for query in ["", " \n", &"x".repeat(257), "a\0b"] {
            let error = block_on(discover(query, 5, &Context::new())).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Usage, "{query:?}");
        }
    }

    #[test]
    fn files_are_folded_into_their_repositories() {
        let repositories = serde_json::from_str(
            r#"[{"fullName":"a/many","url":"https://example.org/a/many","description":"","stargazersCount":9,"pushedAt":"2026-01-02T03:04:05Z"},
                {"fullName":"a/few","url":"https://example.org/a/few","description":"Few.","stargazersCount":1,"pushedAt":null}]"#,
        )
        .unwrap();
        let files = serde_json::from_str(
            r#"[{"path":"y/SKILL.md","repository":{"id":"R_1","isFork":false,"isPrivate":false,"nameWithOwner":"b/skills","url":"https://example.org/b/skills"}},
                {"path":"x/SKILL.md","repository":{"nameWithOwner":"b/skills","url":"https://example.org/b/skills"}},
                {"path":"z/SKILL.md","repository":{"nameWithOwner":"a/few","url":"https://example.org/a/few"}}]"#,
        )
        .unwrap();
        let found = merged(repositories, files);
        let names: Vec<_> = found.iter().map(|found| found.repository.as_str()).collect();
        assert_eq!(names, ["b/skills", "a/few", "a/many"]);
        assert_eq!(found[0].skills, ["x/SKILL.md", "y/SKILL.md"]);
        assert_eq!((found[0].stars, found[1].stars, found[1].description.as_deref()), (None, Some(1), Some("Few.")));
        assert_eq!(found[2].description, None);
    }
}
