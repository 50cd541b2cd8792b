//! Tasks that somebody wrote down together with the skills that should answer them.

use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};
use wikirag_core::{Context, Error, ErrorKind, Result, Step};

use super::find::FindOptions;
use super::found::FoundSkill;
use crate::locate::Composition;
use crate::search::{QueryOptions, Refresh};
use crate::{BuildOptions, Engine};

const OPERATION: &str = "judge skills";

/// Entries that are looked at for each task.
const DEPTH: usize = 10;

/// A line of the file.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Judged {
    task: String,
    /// Any of these will do: `WIKI/PATH`, or the name of an entry.
    skills: Vec<String>,
}

/// What came of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct JudgedSkills {
    /// Of this form.
    pub version: u32,
    /// How many tasks were asked.
    pub tasks: usize,
    /// Part of the tasks with a right entry first, and among the first three, five and ten.
    pub hit_at: [HitAt; 4],
    /// The mean of one over the rank of the first right entry, 0 where it is not among the first ten.
    pub mrr: f64,
    /// The mean duration of a task in milliseconds.
    pub mean_ms: f64,
    /// What each task found, in the order of the file.
    pub asked: Vec<AskedTask>,
}

/// A part of the tasks.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct HitAt {
    /// Entries that are looked at.
    pub k: usize,
    /// The part of the tasks with a right entry among them, from 0 to 1.
    pub entries: f64,
    /// The same where near-identical entries that are named beside one count as it does.
    pub with_alike: f64,
}

/// One task.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AskedTask {
    /// As it was written.
    pub task: String,
    /// The entries that were right.
    pub skills: Vec<String>,
    /// Rank of the first right entry, from 1; `None` where it is not among the first ten.
    pub rank: Option<usize>,
    /// The same where near-identical entries count.
    pub rank_with_alike: Option<usize>,
    /// Ids of the first three that were found.
    pub found: Vec<String>,
}

impl Engine {
    /// Asks the tasks of a file, and counts how many find what they should. The wikis are brought up to date once, before.
    ///
    /// # Errors
    /// [`ErrorKind::Invalid`] with the line where the file is none; [`ErrorKind::Io`]; as [`Engine::find_skills`].
    pub async fn judge_skills(
        &self,
        file: &Path,
        composition: &Composition,
        layers: Option<Vec<String>>,
        context: &Context,
    ) -> Result<JudgedSkills> {
        let judged = read(file)?;
        composition.check()?;
        for wiki in &composition.wikis {
            self.build(&wiki.located, BuildOptions::default(), context).await?;
        }
        let query = QueryOptions { layers, refresh: Refresh::Never, build: false, ..QueryOptions::default() };
        let options = FindOptions { limit: DEPTH, query, ..FindOptions::default() };
        let mut asked = Vec::with_capacity(judged.len());
        let mut took_ms = 0.0;
        let total = Some(judged.len() as u64);
        for (done, Judged { task, skills }) in (1..).zip(judged) {
            let found = self.find_skills(composition, &task, &options, context).await?;
            took_ms += found.took_ms;
            let rank =
                |is_right: &dyn Fn(&FoundSkill) -> bool| found.entries.iter().find(|e| is_right(e)).map(|e| e.rank);
            let is_one = |id: &str, name: &str| skills.iter().any(|skill| skill == id || skill == name);
            let is_right = |entry: &FoundSkill| is_one(&entry.id, &entry.name);
            let has_right =
                |entry: &FoundSkill| is_right(entry) || entry.alike.iter().any(|alike| is_one(&alike.id, &alike.name));
            let (rank, rank_with_alike) = (rank(&is_right), rank(&has_right));
            let first = found.entries.iter().take(3).map(|entry| entry.id.clone()).collect();
            asked.push(AskedTask { task, skills, rank, rank_with_alike, found: first });
            context.progress.report(Step { stage: "tasks", done, total });
        }
        Ok(measure(asked, took_ms))
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of tasks and ranks")]
fn measure(asked: Vec<AskedTask>, took_ms: f64) -> JudgedSkills {
    let count = asked.len().max(1) as f64;
    let share = |k: usize, rank: fn(&AskedTask) -> Option<usize>| {
        asked.iter().filter(|task| rank(task).is_some_and(|rank| rank <= k)).count() as f64 / count
    };
    let hit_at = [1, 3, 5, DEPTH].map(|k| HitAt {
        k,
        entries: share(k, |task| task.rank),
        with_alike: share(k, |task| task.rank_with_alike),
    });
    let mrr = asked.iter().filter_map(|task| task.rank).map(|rank| 1.0 / rank as f64).sum::<f64>() / count;
    JudgedSkills { version: 1, tasks: asked.len(), hit_at, mrr, mean_ms: took_ms / count, asked }
}

fn read(file: &Path) -> Result<Vec<Judged>> {
    let fault = |kind, message: String| Error::new(kind, OPERATION, message).with("path", file.display());
    let text = fs::read_to_string(file).map_err(|error| fault(ErrorKind::Io, error.to_string()))?;
    let mut judged = Vec::new();
    for (number, line) in (1..).zip(text.lines()).filter(|(_, line): &(usize, &str)| !line.trim().is_empty()) {
        let invalid = |message: String| {
            let error = fault(ErrorKind::Invalid, message).with("line", number);
            error.help("write a line as in `{\"task\": \"test a React app\", \"skills\": [\"webapp-testing\"]}`")
        };
        let one: Judged = serde_json::from_str(line).map_err(|error| invalid(error.to_string()))?;
        if one.skills.is_empty() {
            return Err(invalid("no skill would answer it".to_owned()));
        }
        judged.push(one);
    }
    if judged.is_empty() {
        return Err(fault(ErrorKind::Invalid, "the file holds no task".to_owned()));
    }
    Ok(judged)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_become_shares() {
        let task = |rank: Option<usize>, rank_with_alike: Option<usize>| AskedTask {
            task: String::new(),
            skills: Vec::new(),
            rank,
            rank_with_alike,
            found: Vec::new(),
        };
        let found = measure(vec![task(Some(1), Some(1)), task(Some(4), Some(2)), task(None, None)], 6.0);
        let shares: Vec<(usize, f64, f64)> =
            found.hit_at.iter().map(|at| (at.k, at.entries * 3.0, at.with_alike * 3.0)).collect();
        assert_eq!(shares, [(1, 1.0, 1.0), (3, 1.0, 2.0), (5, 2.0, 2.0), (10, 2.0, 2.0)]);
        assert!((found.mrr - 1.25 / 3.0).abs() < 1e-12 && (found.mean_ms - 2.0).abs() < 1e-12);
    }

    #[test]
    fn a_line_that_is_none_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("tasks.jsonl");
        for (text, line) in [
            ("{\"task\": \"a\", \"skills\": [\"b\"]}\n\nx", Some("3")),
            ("{\"task\": \"a\", \"skills\": []}", Some("1")),
            ("{\"task\": \"a\", \"skill\": []}", Some("1")),
            ("\n", None),
        ] {
            fs::write(&file, text).unwrap();
            let error = read(&file).unwrap_err();
            assert_eq!((error.kind(), error.context("line")), (ErrorKind::Invalid, line), "{text}");
        }
        assert_eq!(read(&folder.path().join("none")).unwrap_err().kind(), ErrorKind::Io);
    }
}
