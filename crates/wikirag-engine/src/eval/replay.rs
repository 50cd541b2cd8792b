//! The questions of a log, asked of several systems: how much of what people see would change, and how long they would wait.
//!
//! Nobody judged these questions, so this tells of change and not of quality.

use std::collections::HashSet;
use std::path::Path;
use std::time::Instant;

use serde::Serialize;
use wikirag_core::{Context, Error, ErrorKind, Result, ResultExt, Step};

use super::compare::check;
use super::run::VERSION;
use super::system::{MakeEngine, Over, System};
use crate::locate::Composition;
use crate::manifest::PluginChoice;
use crate::{Engine, Hint, QueryOptions, Refresh};

/// Systems over the questions of a log, as `--json` prints them.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Replay {
    /// Of this form.
    pub version: u32,
    /// Name of the composition.
    pub rag: String,
    /// Distinct questions that were asked.
    pub questions: usize,
    /// Hits of an answer that are compared.
    pub k: usize,
    /// The systems as given; the first is the baseline.
    pub systems: Vec<Replayed>,
    /// What else one may want to know.
    pub hints: Vec<Hint>,
}

/// One system beside the others.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Replayed {
    /// Name of the system.
    pub system: String,
    /// Milliseconds that half of the questions took at most.
    pub p50_ms: f64,
    /// Milliseconds that 95 of 100 questions took at most.
    pub p95_ms: f64,
    /// How its answers stand to those of the baseline; `None` for the baseline itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub against_baseline: Option<Stability>,
}

/// How much of the answers stays.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Stability {
    /// The mean over the questions of the share of the first `k` hits that both answers have, of as many as the longer one has; 1 where
    /// both are empty.
    #[serde(rename = "overlap@k")]
    pub overlap: f64,
    /// The share of the questions whose first hit is the same, or that have none in both.
    #[serde(rename = "top-1")]
    pub top_1: f64,
    /// Questions whose answers have least in common, as many as were asked for; none whose answers are the same.
    pub changes: Vec<Moved>,
}

/// A question that two systems answer differently.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Moved {
    /// The question.
    pub query: String,
    /// The share of hits that both have.
    #[serde(rename = "overlap@k")]
    pub overlap: f64,
    /// The pages of the baseline, as `wiki/path`, best first, each once.
    pub baseline: Vec<String>,
    /// The pages of the system.
    pub system: Vec<String>,
}

/// An answer, and how long it took.
struct Answered {
    /// The ids of its hits, best first.
    hits: Vec<String>,
    pages: Vec<String>,
    took_ms: f64,
}

impl Engine {
    /// Asks the distinct questions of the log `file`, as far as the clearance of the composition allows them to be read, of each system,
    /// and compares what each finds with what the first finds. A system says how the wikis of the composition are searched. Its `worst`
    /// questions are told.
    ///
    /// Indexes are brought up to date before the first question. Then the systems are asked in turn, each question of all of them before
    /// the next, so that a machine that slows down slows down all.
    ///
    /// # Errors
    /// [`ErrorKind::NotFound`] where there is no log, or no question in it that may be read; [`ErrorKind::Usage`] for fewer than two
    /// systems, for one that stands twice, and for one over anything but the composition; what a system or an answer is refused for,
    /// and where an answer is served by less than all layers.
    pub async fn replay(
        &self,
        file: &Path,
        composition: &Composition,
        systems: &[System],
        worst: usize,
        make: MakeEngine<'_>,
        context: &Context,
    ) -> Result<Replay> {
        check(systems)?;
        if let Some(system) = systems.iter().find(|system| system.over != Over::Composed) {
            let error =
                Error::new(ErrorKind::Usage, OPERATION, "a log is asked of its composition: `over` has no meaning");
            return Err(error.with("system", &system.name));
        }
        let engines = systems.iter().map(|system| system.engine(self, make)).collect::<Result<Vec<_>>>()?;
        let asked: Vec<_> =
            systems.iter().zip(&engines).map(|(system, engine)| Asked::of(system, engine, composition)).collect();
        let logged = self.questions_at(file, composition).await?;
        let questions = logged.distinct();
        let Some(first) = questions.first() else {
            let error = Error::new(ErrorKind::NotFound, OPERATION, "the log holds no question that may be read");
            return Err(error.with("path", file.display()));
        };
        for asked in &asked {
            asked.ask(first, Refresh::Auto, context).await?;
        }
        let mut answers: Vec<Vec<Answered>> = asked.iter().map(|_| Vec::new()).collect();
        for (number, question) in questions.iter().enumerate() {
            for turn in 0..asked.len() {
                let place = (number + turn) % asked.len();
                answers[place].push(asked[place].ask(question, Refresh::Never, context).await?);
            }
            let (done, total) = (number as u64 + 1, Some(questions.len() as u64));
            context.progress.report(Step { stage: "questions", done, total });
        }
        let mut replayed = Vec::with_capacity(systems.len());
        for (place, (system, own)) in systems.iter().zip(&answers).enumerate() {
            let mut times: Vec<f64> = own.iter().map(|answer| answer.took_ms).collect();
            times.sort_by(f64::total_cmp);
            let baseline = answers.first().filter(|_| place > 0);
            replayed.push(Replayed {
                system: system.name.clone(),
                p50_ms: percentile(&times, 50),
                p95_ms: percentile(&times, 95),
                against_baseline: baseline.map(|baseline| stability(&questions, baseline, own, worst)),
            });
        }
        let k = composition.limit.unwrap_or(self.settings().limit);
        let (rag, questions, hints) = (composition.name.clone(), questions.len(), logged.hints);
        Ok(Replay { version: VERSION, rag, questions, k, systems: replayed, hints })
    }
}

const OPERATION: &str = "replay questions";

/// A system over a composition.
struct Asked<'a> {
    name: &'a str,
    engine: &'a Engine,
    composition: Composition,
    layers: Option<Vec<String>>,
}

impl<'a> Asked<'a> {
    fn of(system: &'a System, engine: &'a Engine, composition: &Composition) -> Self {
        let mut composition = composition.clone();
        composition.route = system.route;
        if let Some(fuse) = &system.fuse {
            composition.fuse = Some(PluginChoice::named(fuse));
        }
        Self { name: &system.name, engine, composition, layers: system.layers.clone() }
    }

    async fn ask(&self, question: &str, refresh: Refresh, context: &Context) -> Result<Answered> {
        context.check(OPERATION)?;
        let options = QueryOptions { layers: self.layers.clone(), refresh, strict: true, ..QueryOptions::default() };
        let started = Instant::now();
        let answer = self.engine.query(&self.composition, question, &options, context).await;
        let took_ms = started.elapsed().as_secs_f64() * 1e3;
        let answer = answer.with("system", self.name)?;
        let mut seen = HashSet::new();
        let pages = answer.results.iter().map(|result| format!("{}/{}", result.wiki, result.path));
        let pages = pages.filter(|page| seen.insert(page.clone())).collect();
        Ok(Answered { hits: answer.results.into_iter().map(|result| result.id).collect(), pages, took_ms })
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of hits and questions")]
fn stability(questions: &[String], baseline: &[Answered], system: &[Answered], worst: usize) -> Stability {
    let (mut sum, mut stays) = (0.0, 0);
    let mut changes = Vec::new();
    for (query, (old, new)) in questions.iter().zip(baseline.iter().zip(system)) {
        let overlap = overlap(&old.hits, &new.hits);
        sum += overlap;
        stays += usize::from(old.hits.first() == new.hits.first());
        if old.hits != new.hits {
            changes.push((query.clone(), overlap, old, new));
        }
    }
    // Stable, so that equal ones stay in the order of their text.
    changes.sort_by(|a, b| a.1.total_cmp(&b.1));
    let moved = |(query, overlap, old, new): (String, f64, &Answered, &Answered)| Moved {
        query,
        overlap,
        baseline: old.pages.clone(),
        system: new.pages.clone(),
    };
    let count = questions.len().max(1) as f64;
    let changes = changes.into_iter().take(worst).map(moved).collect();
    Stability { overlap: sum / count, top_1: stays as f64 / count, changes }
}

/// Which share of the hits of the longer list both have.
#[expect(clippy::cast_precision_loss, reason = "counts of hits")]
fn overlap(one: &[String], other: &[String]) -> f64 {
    let longer = one.len().max(other.len());
    let both = one.iter().collect::<HashSet<_>>().intersection(&other.iter().collect()).count();
    if longer == 0 { 1.0 } else { both as f64 / longer as f64 }
}

/// The smallest of the sorted values that so many of a hundred are not above (nearest rank).
fn percentile(sorted: &[f64], percent: usize) -> f64 {
    let rank = (sorted.len() * percent).div_ceil(100);
    sorted.get(rank.saturating_sub(1)).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hits(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    fn answered(names: &[&str]) -> Answered {
        Answered { hits: hits(names), pages: hits(names), took_ms: 1.0 }
    }

    #[test]
    fn by_hand_overlap_and_top_1() {
        assert_eq!(overlap(&hits(&["a", "b"]), &hits(&["b", "a"])), 1.0);
        assert_eq!(overlap(&hits(&["a", "b", "c", "d"]), &hits(&["d"])), 0.25);
        assert_eq!(overlap(&[], &[]), 1.0);
        assert_eq!(overlap(&hits(&["a"]), &[]), 0.0);

        let baseline = [answered(&["a", "b"]), answered(&["a", "b"]), answered(&["a"]), answered(&[])];
        let system = [answered(&["a", "b"]), answered(&["b", "a"]), answered(&["x"]), answered(&[])];
        let found = stability(&hits(&["same", "turned", "other", "none"]), &baseline, &system, 9);
        assert_eq!((found.overlap, found.top_1), (0.75, 0.5));
        let queries: Vec<&str> = found.changes.iter().map(|moved| moved.query.as_str()).collect();
        assert_eq!(queries, ["other", "turned"]);
        assert_eq!(stability(&hits(&["same"]), &baseline, &system, 0).changes, []);
    }

    #[test]
    fn percentiles_by_nearest_rank() {
        let values: Vec<f64> = (1..=20).map(f64::from).collect();
        assert_eq!((percentile(&values, 50), percentile(&values, 95)), (10.0, 19.0));
        assert_eq!((percentile(&[7.0], 50), percentile(&[7.0], 95)), (7.0, 7.0));
        assert_eq!(percentile(&[], 95), 0.0);
    }
}
