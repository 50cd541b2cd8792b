//! Several systems over the same questions, each against the first.

use std::collections::HashSet;

use serde::Serialize;
use wikirag_core::{Context, Error, ErrorKind, Result};

use super::judged::{Judged, QueryOutcome};
use super::measure::{Measure, Ranking};
use super::run::{EvalOptions, SystemResult, VERSION};
use super::significance::Significance;
use super::split::Split;
use super::system::{MakeEngine, System};
use crate::Engine;

/// How systems are compared.
#[derive(Debug, Clone, Copy, Default)]
pub struct CompareOptions {
    /// What is compared.
    pub measure: Measure,
    /// How many of the largest losses and wins of each system are told.
    pub worst: usize,
}

/// Systems side by side, as `--json` prints them.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Comparison {
    /// Of this form.
    pub version: u32,
    /// Which questions were asked.
    pub split: Split,
    /// What is compared.
    pub measure: Measure,
    /// The systems as given; the first is the baseline.
    pub systems: Vec<Compared>,
}

/// One system beside the others.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Compared {
    /// What it reached.
    #[serde(flatten)]
    pub result: SystemResult,
    /// How it stands against the baseline; `None` for the baseline itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub against_baseline: Option<Against>,
}

/// A system against the baseline.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Against {
    /// The difference of the means.
    #[serde(flatten)]
    pub significance: Significance,
    /// Questions that lost most, the largest loss first. As many as were asked for, or fewer.
    pub losses: Vec<Change>,
    /// Questions that won most, the largest win first.
    pub wins: Vec<Change>,
}

/// A question that two systems answer differently well.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Change {
    /// Name of the set.
    pub set: String,
    /// Id of the question.
    pub id: String,
    /// The question.
    pub query: String,
    /// What the baseline made of it.
    pub baseline: Side,
    /// What the system made of it.
    pub system: Side,
}

/// What one system made of a question.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Side {
    /// The measure that is compared.
    pub score: f64,
    /// The first ten documents, as `set/id`.
    pub ranking: Ranking,
}

impl Engine {
    /// Asks the same questions of each system and tests each against the first.
    ///
    /// # Errors
    /// [`ErrorKind::Usage`] for fewer than two systems and for one that stands twice; else as [`Engine::evaluate`].
    pub async fn compare(
        &self,
        options: &EvalOptions,
        systems: &[System],
        compare: CompareOptions,
        make: MakeEngine<'_>,
        context: &Context,
    ) -> Result<Comparison> {
        check(systems)?;
        // A mistake in the last system is told before hours are spent on the first.
        let engines = systems.iter().map(|system| system.engine(self, make)).collect::<Result<Vec<_>>>()?;
        let splits = [options.split];
        let judged = Judged::open(self, options, systems, &splits, context).await?;
        let mut compared: Vec<Compared> = Vec::with_capacity(systems.len());
        for (system, engine) in systems.iter().zip(engines) {
            let outcomes = judged.ask(&engine, system, options.split, context).await?;
            let against = |baseline: &Compared| against(&baseline.result.outcomes, &outcomes, compare);
            let against_baseline = compared.first().map(against);
            compared
                .push(Compared { against_baseline, result: SystemResult::of(&judged.sets, &system.name, outcomes) });
        }
        Ok(Comparison { version: VERSION, split: options.split, measure: compare.measure, systems: compared })
    }
}

/// Whether there are two at least, and none twice.
pub(super) fn check(systems: &[System]) -> Result<()> {
    let fault = |message: String| Error::new(ErrorKind::Usage, "compare systems", message);
    if systems.len() < 2 {
        return Err(fault("there is nothing to compare".to_owned()).help("name two systems at least"));
    }
    let mut names = HashSet::new();
    match systems.iter().find(|system| !names.insert(&system.name)) {
        Some(twin) => Err(fault(format!("the system `{}` stands twice", twin.name))),
        None => Ok(()),
    }
}

/// Tests two systems over the same questions in the same order.
pub(super) fn significance(baseline: &[QueryOutcome], system: &[QueryOutcome], measure: Measure) -> Significance {
    let mut sets: Vec<(&str, Vec<f64>)> = Vec::new();
    for (old, new) in baseline.iter().zip(system) {
        let difference = new.measures.get(measure) - old.measures.get(measure);
        match sets.iter_mut().find(|(name, _)| *name == old.set) {
            Some((_, differences)) => differences.push(difference),
            None => sets.push((&old.set, vec![difference])),
        }
    }
    Significance::of(&sets.into_iter().map(|(_, differences)| differences).collect::<Vec<_>>())
}

fn against(baseline: &[QueryOutcome], system: &[QueryOutcome], options: CompareOptions) -> Against {
    let side = |outcome: &QueryOutcome| Side {
        score: outcome.measures.get(options.measure),
        ranking: outcome.ranking.clone(),
    };
    let mut changes: Vec<Change> = baseline
        .iter()
        .zip(system)
        .map(|(old, new)| Change {
            set: old.set.clone(),
            id: old.id.clone(),
            query: old.query.clone(),
            baseline: side(old),
            system: side(new),
        })
        .collect();
    // Stable: of equal ones the first asked comes first.
    changes.sort_by(|a, b| a.gain().total_cmp(&b.gain()));
    let losses = changes.iter().filter(|change| change.gain() < 0.0).take(options.worst).cloned().collect();
    changes.sort_by(|a, b| b.gain().total_cmp(&a.gain()));
    let wins = changes.into_iter().filter(|change| change.gain() > 0.0).take(options.worst).collect();
    Against { significance: significance(baseline, system, options.measure), losses, wins }
}

impl Change {
    /// By how much the system is better; below 0 it is worse.
    #[must_use]
    pub fn gain(&self) -> f64 {
        self.system.score - self.baseline.score
    }
}

#[cfg(test)]
mod tests {
    use super::super::measure::Measures;
    use super::*;

    fn outcomes(system: &str, scores: [f64; 4]) -> Vec<QueryOutcome> {
        let of = |(index, score): (usize, f64)| QueryOutcome {
            system: system.to_owned(),
            set: if index < 3 { "long" } else { "short" }.to_owned(),
            id: index.to_string(),
            query: format!("question {index}"),
            measures: Measures { ndcg_10: score, ..Measures::default() },
            ranking: vec![system.to_owned()],
        };
        scores.into_iter().enumerate().map(of).collect()
    }

    #[test]
    fn the_largest_changes_come_first_and_each_set_counts_alike() {
        let (old, new) = (outcomes("old", [0.5, 0.5, 0.5, 0.5]), outcomes("new", [0.25, 1.0, 0.5, 0.75]));
        let found = against(&old, &new, CompareOptions { worst: 1, ..CompareOptions::default() });
        assert!((found.significance.difference - (0.25 / 3.0 + 0.25) / 2.0).abs() < 1e-12, "{found:?}");
        let ids = |changes: &[Change]| changes.iter().map(|change| change.id.clone()).collect::<Vec<_>>();
        assert_eq!((ids(&found.losses), ids(&found.wins)), (vec!["0".to_owned()], vec!["1".to_owned()]));
        assert_eq!(found.wins[0].baseline, Side { score: 0.5, ranking: vec!["old".to_owned()] });
        let all = against(&old, &new, CompareOptions { worst: 9, ..CompareOptions::default() });
        assert_eq!((ids(&all.losses).len(), ids(&all.wins)), (1, vec!["1".to_owned(), "3".to_owned()]));
    }

    #[test]
    fn two_different_systems_at_least() {
        let system = |name: &str| System { name: name.to_owned(), ..System::default() };
        assert!(check(&[system("a")]).is_err());
        assert!(check(&[system("a"), system("b"), system("a")]).unwrap_err().to_string().contains("stands twice"));
        assert!(check(&[system("a"), system("b")]).is_ok());
    }
}
