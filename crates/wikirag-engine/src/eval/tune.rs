//! Settings chosen on the odd questions and reported on the even ones.
//!
//! Of all that was tried the even questions are asked of two systems alone, the defaults and the best of the rest. So no figure of an even
//! question can have a say in the choice.

use std::collections::HashSet;
use std::str::FromStr;

use serde::Serialize;
use wikirag_core::{Context, Error, ErrorKind, Result};

use super::compare::significance;
use super::judged::Judged;
use super::measure::Measure;
use super::run::{EvalOptions, SystemResult, VERSION};
use super::search::Search;
use super::significance::Significance;
use super::split::Split;
use super::system::{MakeEngine, System};
use crate::Engine;
use crate::settings::suggest;

/// A gain on the odd questions of a higher p is taken for noise, and the defaults stay.
const NOISE: f64 = 0.05;

/// How the results call the system of which nothing was changed.
const DEFAULTS: &str = "defaults";

/// A key and what is tried for it, beside its default. Written `KEY=VALUE|VALUE|...`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Candidates {
    /// A key of a system; see [`System::with`].
    pub key: String,
    /// At least one, none twice.
    pub values: Vec<String>,
}

/// The outcome of a search, as `--json` prints it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Tuned {
    /// Of this form.
    pub version: u32,
    /// What was to become better.
    pub measure: Measure,
    /// What was tried for each key.
    pub candidates: Vec<Candidates>,
    /// In which combinations.
    pub search: Search,
    /// Everything that was tried, on the odd questions; the defaults come first.
    pub tried: Vec<SystemResult>,
    /// The best on the odd questions that is not the defaults. Of equal ones that which changes fewer keys, then that which was tried
    /// first.
    pub best: String,
    /// What to take: `best` where its mean on the odd questions is higher than that of the defaults and p is below .05 there, else the
    /// defaults.
    pub chosen: String,
    /// The best beside the defaults: on the odd questions, on the even ones and on all.
    pub reports: Vec<SplitReport>,
}

/// The best beside the defaults.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SplitReport {
    /// On which questions.
    pub split: Split,
    /// The system of which nothing was changed.
    pub defaults: SystemResult,
    /// See [`Tuned::best`].
    pub best: SystemResult,
    /// The best against the defaults.
    #[serde(flatten)]
    pub significance: Significance,
}

impl Engine {
    /// Searches the candidates for what is best on the odd questions, starting from `base`, and reports it on the even ones. The split of
    /// the options has no say.
    ///
    /// # Errors
    /// [`ErrorKind::Usage`] where there is no candidate and for a key that stands twice; else as [`Engine::evaluate`].
    pub async fn tune(
        &self,
        options: &EvalOptions,
        base: &System,
        candidates: &[Candidates],
        measure: Measure,
        make: MakeEngine<'_>,
        context: &Context,
    ) -> Result<Tuned> {
        check(candidates)?;
        let base = System { name: DEFAULTS.to_owned(), ..base.clone() };
        // A mistake in the last value is told before hours are spent on the first.
        let mut systems = vec![base.clone()];
        for Candidates { key, values } in candidates {
            for value in values {
                systems.push(base.with(&format!("{key}={value}"))?);
            }
        }
        for system in &systems {
            let _ = system.engine(self, make)?;
        }
        let splits = [Split::Odd, Split::Even];
        let judged = Judged::open(self, options, &systems, &splits, context).await?;
        let ask = async |system: &System, split: Split| -> Result<SystemResult> {
            let outcomes = judged.ask(&system.engine(self, make)?, system, split, context).await?;
            Ok(SystemResult::of(&judged.sets, &system.name, outcomes))
        };
        let sizes: Vec<usize> = candidates.iter().map(|key| key.values.len()).collect();
        let search = Search::over(&sizes);
        let on_odd = async |point: &[usize]| ask(&at(&base, candidates, point)?, Split::Odd).await;
        let tried = search.run(&sizes, on_odd, |result| result.mean.get(measure)).await?;
        let (point, best) = best_of(&tried, measure);
        let best_system = at(&base, candidates, point)?;
        let odd = [tried[0].1.clone(), best.clone()];
        let even = [ask(&base, Split::Even).await?, ask(&best_system, Split::Even).await?];
        let all = [0, 1].map(|side| {
            let outcomes = [&odd[side], &even[side]].into_iter().flat_map(|half| half.outcomes.iter().cloned());
            SystemResult::of(&judged.sets, &odd[side].system, outcomes.collect())
        });
        let reports = [(Split::Odd, odd), (Split::Even, even), (Split::All, all)];
        let reports = reports.map(|(split, [defaults, best])| {
            let significance = significance(&defaults.outcomes, &best.outcomes, measure);
            SplitReport { split, defaults, best, significance }
        });
        let is_better = is_beyond_noise(reports[0].significance);
        Ok(Tuned {
            version: VERSION,
            measure,
            candidates: candidates.to_vec(),
            search,
            chosen: if is_better { best_system.name.clone() } else { base.name },
            best: best_system.name,
            tried: tried.into_iter().map(|(_, result)| result).collect(),
            reports: reports.into(),
        })
    }
}

fn is_beyond_noise(on_odd: Significance) -> bool {
    on_odd.difference > 0.0 && on_odd.p < NOISE
}

/// The best that is not the defaults, which come first.
fn best_of(tried: &[(Vec<usize>, SystemResult)], measure: Measure) -> (&[usize], &SystemResult) {
    let changed = |point: &[usize]| point.iter().filter(|value| **value > 0).count();
    let mut best = tried.get(1).unwrap_or(&tried[0]);
    for other in tried.iter().skip(2) {
        let [new, known] = [other, best].map(|(_, result)| result.mean.get(measure));
        if new > known || (new >= known && changed(&other.0) < changed(&best.0)) {
            best = other;
        }
    }
    (&best.0, &best.1)
}

/// The system at a point: 0 is the default of a key, 1 its first value.
fn at(base: &System, candidates: &[Candidates], point: &[usize]) -> Result<System> {
    let value = |(key, place): (&Candidates, &usize)| {
        let value = key.values.get(place.checked_sub(1)?)?;
        Some(format!("{}={value}", key.key))
    };
    let pairs: Vec<String> = candidates.iter().zip(point).filter_map(value).collect();
    if pairs.is_empty() { Ok(base.clone()) } else { base.with(&pairs.join(",")) }
}

fn check(candidates: &[Candidates]) -> Result<()> {
    let fault = |message: String| Err(Error::new(ErrorKind::Usage, OPERATION, message));
    if candidates.is_empty() {
        return fault("there is nothing to try".to_owned());
    }
    let mut seen = HashSet::new();
    match candidates.iter().find(|key| !seen.insert(&key.key)) {
        Some(twin) => fault(format!("the key `{}` stands twice", suggest::shorten(&twin.key))),
        None => Ok(()),
    }
}

const OPERATION: &str = "read candidates";

impl FromStr for Candidates {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let fault = |what: &str| {
            let message = format!("`{}` {what}", suggest::shorten(text));
            Error::new(ErrorKind::Usage, OPERATION, message).help("write KEY=VALUE|VALUE, as in `route=auto|all`")
        };
        let (key, values) = text.split_once('=').ok_or_else(|| fault("has no `=`"))?;
        let values: Vec<String> = values.split('|').map(|value| value.trim().to_owned()).collect();
        if key.trim().is_empty() || values.iter().any(String::is_empty) {
            return Err(fault("lacks a key or a value"));
        }
        let mut seen = HashSet::new();
        if !values.iter().all(|value| seen.insert(value)) {
            return Err(fault("has a value twice"));
        }
        Ok(Self { key: key.trim().to_owned(), values })
    }
}

#[cfg(test)]
mod tests {
    use super::super::measure::Measures;
    use super::*;

    #[test]
    fn candidates_are_read() {
        let read = "plugins.rrf.k = 20| 60 ".parse::<Candidates>().unwrap();
        assert_eq!(read, Candidates { key: "plugins.rrf.k".into(), values: vec!["20".into(), "60".into()] });
        for (text, said) in [
            ("route", "has no `=`"),
            ("=a|b", "lacks a key"),
            ("route=", "lacks a key or a value"),
            ("route=all||auto", "lacks a key or a value"),
            ("route=all|all", "twice"),
        ] {
            let error = text.parse::<Candidates>().unwrap_err();
            assert!(error.kind() == ErrorKind::Usage && error.to_string().contains(said), "{text}: {error}");
        }
        assert!(check(&[]).is_err());
        assert!(check(&[read.clone(), read]).unwrap_err().to_string().contains("stands twice"));
    }

    #[test]
    fn a_point_is_a_system() {
        let candidates = ["route=all|top:2", "plugins.rrf.k=20"].map(|text| text.parse::<Candidates>().unwrap());
        let base = System { name: DEFAULTS.to_owned(), ..System::default() };
        let name = |point: &[usize]| at(&base, &candidates, point).unwrap().name;
        assert_eq!(name(&[0, 0]), "defaults");
        assert_eq!(name(&[2, 0]), "route=top:2");
        assert_eq!(name(&[1, 1]), "route=all,plugins.rrf.k=20");
    }

    #[test]
    fn of_equal_points_the_one_that_changes_less() {
        let result = |score: f64| {
            let mean = Measures { ndcg_10: score, ..Measures::default() };
            SystemResult { system: String::new(), sets: Vec::new(), mean, outcomes: Vec::new() }
        };
        let tried = [[0, 0], [0, 1], [1, 1], [1, 0], [2, 0]].map(|point| point.to_vec());
        let best = |scores: [f64; 5]| {
            let tried: Vec<_> = tried.iter().cloned().zip(scores.map(result)).collect();
            best_of(&tried, Measure::Ndcg10).0.to_vec()
        };
        assert_eq!(best([0.9, 0.1, 0.5, 0.5, 0.5]), [1, 0]);
        assert_eq!(best([0.9, 0.1, 0.6, 0.5, 0.5]), [1, 1]);
        assert_eq!(best([0.0, 0.5, 0.5, 0.5, 0.5]), [0, 1]);
    }

    #[test]
    fn a_gain_within_noise_is_none() {
        let found = |difference: f64, p: f64| Significance { difference, low: 0.0, high: 0.0, p };
        assert!(is_beyond_noise(found(0.01, 0.04)));
        assert!(!is_beyond_noise(found(0.01, 0.05)));
        assert!(!is_beyond_noise(found(-0.01, 0.001)));
    }
}
