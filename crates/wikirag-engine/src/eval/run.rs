//! One system, measured; and what all evaluations share.

use std::path::PathBuf;

use serde::Serialize;
use wikirag_core::{Context, Result};

use super::beir::BeirSet;
use super::judged::{Judged, QueryOutcome};
use super::measure::Measures;
use super::split::Split;
use super::system::{MakeEngine, System};
use crate::Engine;
use crate::manifest::WikiKind;

/// Version of what `--json` prints; it is raised when a field changes its meaning.
pub(super) const VERSION: u32 = 1;

/// What is asked.
#[derive(Debug, Clone)]
pub struct EvalOptions {
    /// BEIR folders. Several are composed, and every question is asked of the whole.
    pub sets: Vec<PathBuf>,
    /// Where documents and indexes lie; made once, used again.
    pub work: PathBuf,
    /// Which of the questions.
    pub split: Split,
    /// What the sets are made: wikis of notes, whose passages are searched, or of skills, where each document is an entry and each question a
    /// task.
    pub kind: WikiKind,
}

/// The means of one set.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SetResult {
    /// Name of the set.
    pub name: String,
    /// Questions asked.
    pub queries: usize,
    /// Means over the questions.
    #[serde(flatten)]
    pub measures: Measures,
}

/// What a system reached.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SystemResult {
    /// Name of the system.
    pub system: String,
    /// One entry per set.
    pub sets: Vec<SetResult>,
    /// Means over the sets, each of which counts alike.
    pub mean: Measures,
    /// Every question.
    #[serde(skip)]
    pub outcomes: Vec<QueryOutcome>,
}

/// The result of one system, as `--json` prints it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Evaluation {
    /// Of this form.
    pub version: u32,
    /// Which questions were asked.
    pub split: Split,
    /// What came of it.
    #[serde(flatten)]
    pub result: SystemResult,
}

impl Engine {
    /// Builds what is not built yet and asks every question of the split.
    ///
    /// # Errors
    /// Where a set cannot be read or indexed whole, since a partly indexed set is never measured; where a set has no question in the
    /// split; what a system or an answer is refused for.
    pub async fn evaluate(
        &self,
        options: &EvalOptions,
        system: &System,
        make: MakeEngine<'_>,
        context: &Context,
    ) -> Result<Evaluation> {
        let engine = system.engine(self, make)?;
        let (systems, splits) = (std::slice::from_ref(system), &[options.split]);
        let judged = Judged::open(self, options, systems, splits, context).await?;
        let outcomes = judged.ask(&engine, system, options.split, context).await?;
        let result = SystemResult::of(&judged.sets, &system.name, outcomes);
        Ok(Evaluation { version: VERSION, split: options.split, result })
    }
}

impl SystemResult {
    pub(super) fn of(sets: &[BeirSet], system: &str, outcomes: Vec<QueryOutcome>) -> Self {
        let result = |set: &BeirSet| {
            let of_set: Vec<Measures> =
                outcomes.iter().filter(|outcome| outcome.set == set.name).map(|outcome| outcome.measures).collect();
            SetResult { name: set.name.clone(), queries: of_set.len(), measures: Measures::mean(&of_set) }
        };
        let results: Vec<SetResult> = sets.iter().map(result).collect();
        let mean = Measures::mean(&results.iter().map(|set| set.measures).collect::<Vec<_>>());
        Self { system: system.to_owned(), sets: results, mean, outcomes }
    }
}
