//! Asking every question of a judged set, or of several composed.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde::Serialize;
use wikirag_core::{Context, Error, ErrorKind, Result, ResultExt, Sensitivity};

use super::beir::BeirSet;
use super::measure::{Measures, Ranking};
use crate::locate::{ComposedWiki, Composition, LocatedWiki};
use crate::manifest::wiki::FILE_NAME as WIKI_MANIFEST;
use crate::manifest::{PluginChoice, Route, yaml};
use crate::{BuildOptions, Engine, QueryOptions, Refresh};

/// Documents that are ranked for each question: the deepest measure.
const DEPTH: usize = 100;

/// Passages asked for, so that `DEPTH` documents come together although a long document gives several.
const PASSAGES: usize = 4 * DEPTH;

/// How to evaluate.
#[derive(Debug, Clone)]
pub struct EvalOptions {
    /// BEIR folders. Several are composed, and every question is asked of the whole.
    pub sets: Vec<PathBuf>,
    /// Where documents and indexes lie; made once, used again.
    pub work: PathBuf,
    /// Only these layers.
    pub layers: Option<Vec<String>>,
    /// How the wikis are weighed.
    pub route: Route,
}

/// The outcome of one question.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct QueryOutcome {
    /// Name of the set.
    pub set: String,
    /// Id of the question.
    pub id: String,
    /// The question.
    pub query: String,
    /// Its measures.
    #[serde(flatten)]
    pub measures: Measures,
    /// The first ten documents, as `set/id`.
    pub ranking: Ranking,
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

/// The result: `sets` and `mean` are what `--json` prints.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Evaluation {
    /// One entry per set.
    pub sets: Vec<SetResult>,
    /// Means over the sets.
    pub mean: Measures,
    /// Every question.
    #[serde(skip)]
    pub outcomes: Vec<QueryOutcome>,
}

impl Engine {
    /// Builds what is not built yet and asks every question.
    ///
    /// # Errors
    /// Where a set cannot be read or indexed whole; a partly indexed set is never measured.
    pub async fn evaluate(&self, options: &EvalOptions, context: &Context) -> Result<Evaluation> {
        let sets = options.sets.iter().map(|dir| BeirSet::load(dir)).collect::<Result<Vec<_>>>()?;
        let mut names = HashSet::new();
        if let Some(twin) = sets.iter().find(|set| !names.insert(set.name.as_str())) {
            let message = format!("two sets are named {:?}", twin.name);
            return Err(Error::new(ErrorKind::Usage, "evaluate", message).help("rename one of the folders"));
        }
        let mut ids = HashMap::new();
        let mut wikis = Vec::new();
        for set in &sets {
            let wiki = self.wiki_of(set, &options.work, &mut ids, context).await.with("set", &set.name)?;
            wikis.push(ComposedWiki { located: wiki, reference: set.name.clone(), weight: 1.0 });
        }
        let composition = Composition {
            name: "evaluation".to_owned(),
            clearance: Sensitivity::Public,
            wikis,
            route: options.route,
            fuse: PluginChoice::named("rrf"),
            rerank: None,
            limit: None,
            missing: Vec::new(),
            path: None,
        };
        let query_options = QueryOptions {
            limit: Some(PASSAGES),
            layers: options.layers.clone(),
            refresh: Refresh::Never,
            build: false,
            strict: true,
            passages: false,
            check_freshness: false,
            ..QueryOptions::default()
        };
        let mut outcomes = Vec::new();
        for set in &sets {
            for question in &set.questions {
                context.check("evaluate")?;
                let answer = self.query(&composition, &question.text, &query_options, context).await?;
                let mut seen = HashSet::new();
                let ranking: Ranking = answer
                    .results
                    .iter()
                    .filter_map(|result| ids.get(&format!("{}/{}", result.wiki, result.path)))
                    .filter(|id| seen.insert(id.as_str()))
                    .take(DEPTH)
                    .cloned()
                    .collect();
                let grades = question.grades.iter().map(|(id, grade)| (format!("{}/{id}", set.name), *grade)).collect();
                outcomes.push(QueryOutcome {
                    set: set.name.clone(),
                    id: question.id.clone(),
                    query: question.text.clone(),
                    measures: Measures::of(&ranking, &grades),
                    ranking: ranking.into_iter().take(10).collect(),
                });
            }
        }
        Ok(summed(&sets, outcomes))
    }

    /// Makes the wiki of a set below `work` and builds it. Adds to `ids`: `wiki/path` to `set/id`.
    async fn wiki_of(
        &self,
        set: &BeirSet,
        work: &Path,
        ids: &mut HashMap<String, String>,
        context: &Context,
    ) -> Result<LocatedWiki> {
        let root = work.join(&set.name);
        let documents = set.write_documents(&root)?;
        let manifest = root.join(WIKI_MANIFEST);
        // Judged sets are public texts; none of their documents is there for navigation.
        let text = format!("name: {}\nsensitivity: public\nmeta: []\nindex_pages: content\n", yaml::quoted(&set.name));
        if fs::read_to_string(&manifest).ok().as_deref() != Some(text.as_str()) {
            fs::write(&manifest, text).map_err(|error| {
                Error::new(ErrorKind::Io, "write manifest", error.to_string()).with("path", manifest.display())
            })?;
        }
        let wiki = LocatedWiki::at(&root)?;
        let report = self.build(&wiki, BuildOptions::default(), context).await?;
        if let Some(problem) = report.failed.first() {
            let message =
                format!("{} documents could not be indexed, the first: {}", report.failed.len(), problem.path);
            return Err(Error::new(ErrorKind::Partial, "evaluate", message));
        }
        let name = &wiki.manifest.name;
        ids.extend(documents.into_iter().map(|(path, id)| (format!("{name}/{path}"), format!("{}/{id}", set.name))));
        Ok(wiki)
    }
}

fn summed(sets: &[BeirSet], outcomes: Vec<QueryOutcome>) -> Evaluation {
    let result = |set: &BeirSet| {
        let of_set: Vec<Measures> =
            outcomes.iter().filter(|outcome| outcome.set == set.name).map(|outcome| outcome.measures).collect();
        SetResult { name: set.name.clone(), queries: of_set.len(), measures: Measures::mean(&of_set) }
    };
    let results: Vec<SetResult> = sets.iter().map(result).collect();
    let mean = Measures::mean(&results.iter().map(|set| set.measures).collect::<Vec<_>>());
    Evaluation { sets: results, mean, outcomes }
}
