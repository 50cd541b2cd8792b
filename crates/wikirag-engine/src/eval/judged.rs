//! Judged sets as wikis, built: each its own, and all of them as one.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use futures_util::{StreamExt, TryStreamExt, stream};
use serde::Serialize;
use wikirag_core::{Context, Error, ErrorKind, Result, ResultExt, Sensitivity, Step};

use super::beir::{BeirSet, Question};
use super::measure::{Measures, Ranking};
use super::run::EvalOptions;
use super::split::Split;
use super::system::{Over, System};
use crate::locate::{ComposedWiki, Composition, LocatedWiki};
use crate::manifest::wiki::FILE_NAME as WIKI_MANIFEST;
use crate::manifest::{PluginChoice, WikiKind, yaml};
use crate::skills::FindOptions;
use crate::{BuildOptions, Engine, QueryOptions, Refresh};

/// Documents that are ranked for each question: the deepest measure.
const DEPTH: usize = 100;

/// Passages asked for, so that `DEPTH` documents come together although a long document gives several.
const PASSAGES: usize = 4 * DEPTH;

/// Documents of a ranking that are kept.
const KEPT: usize = 10;

/// The folder of the documents of a wiki that is made here, below its root. In a wiki of skills it is one whose files are entries.
const fn documents(kind: WikiKind) -> &'static str {
    match kind {
        WikiKind::Notes => "documents",
        WikiKind::Skills => "commands",
    }
}

/// The outcome of one question.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct QueryOutcome {
    /// Name of the system.
    pub system: String,
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

/// Judged sets whose indexes are up to date.
pub(super) struct Judged {
    pub(super) sets: Vec<BeirSet>,
    /// The wiki of each set.
    wikis: Vec<LocatedWiki>,
    /// All sets in one wiki, where a system asks for that.
    merged: Option<LocatedWiki>,
    /// `set/id` of each document, by `wiki/path`.
    ids: HashMap<String, String>,
    /// What the wikis are.
    kind: WikiKind,
}

impl Judged {
    /// Reads the sets of these folders and builds what the systems need and is not built yet. Every set must have a question in every
    /// one of the splits: a mean over nothing is no figure.
    pub(super) async fn open(
        engine: &Engine,
        options: &EvalOptions,
        systems: &[System],
        splits: &[Split],
        context: &Context,
    ) -> Result<Self> {
        let EvalOptions { work, kind, .. } = options;
        let sets = options.sets.iter().map(|dir| BeirSet::load(dir)).collect::<Result<Vec<_>>>()?;
        let mut names = HashSet::new();
        if let Some(twin) = sets.iter().find(|set| !names.insert(set.name.as_str())) {
            let message = format!("two sets are named {:?}", twin.name);
            return Err(Error::new(ErrorKind::Usage, "evaluate", message).help("rename one of the folders"));
        }
        for set in &sets {
            if let Some(split) = splits.iter().find(|split| split.of(&set.questions).next().is_none()) {
                let message = format!("the set {:?} has no question in the split `{}`", set.name, split.name());
                return Err(Error::new(ErrorKind::Usage, "evaluate", message).with("path", set.dir.display()));
            }
        }
        let mut judged = Self { sets, wikis: Vec::new(), merged: None, ids: HashMap::new(), kind: *kind };
        for index in 0..judged.sets.len() {
            let set = &judged.sets[index];
            let (root, name, folder) = (judged.root(work, &set.name), set.name.clone(), documents(*kind));
            let documents = set.write_documents(&root.join(folder))?;
            let ids = documents.into_iter().map(|(file, id)| (format!("{folder}/{file}"), format!("{name}/{id}")));
            let wiki = build(engine, &root, &name, *kind, context).await.with("set", &name)?;
            judged.know(&name, ids);
            judged.wikis.push(wiki);
        }
        if systems.iter().any(|system| system.over == Over::Merged) {
            judged.merged = Some(judged.merge(engine, work, context).await?);
        }
        Ok(judged)
    }

    /// Where a wiki lies. One of skills has a folder beside that of the same set as notes.
    fn root(&self, work: &Path, name: &str) -> PathBuf {
        match self.kind {
            WikiKind::Notes => work.join(name),
            WikiKind::Skills => work.join(format!("{name}.skills")),
        }
    }

    /// Makes one wiki of all sets. Which sets they are is part of its folder, so that runs over others do not build it anew each time.
    async fn merge(&mut self, engine: &Engine, work: &Path, context: &Context) -> Result<LocatedWiki> {
        let mut sets: Vec<&BeirSet> = self.sets.iter().collect();
        sets.sort_unstable_by_key(|set| &set.name);
        let names: Vec<&str> = sets.iter().map(|set| set.name.as_str()).collect();
        let hash = blake3::hash(names.join("/").as_bytes()).to_hex();
        let name = format!("merged-{}", &hash[..16]);
        let root = self.root(work, &name);
        let mut ids = Vec::new();
        for (number, set) in (1..).zip(sets) {
            // Paths are searched: no word of a question may be the name of a folder.
            let folder = format!("{}/set{number}", documents(self.kind));
            let documents = set.write_documents(&root.join(&folder))?;
            let of_set = |(file, id)| (format!("{folder}/{file}"), format!("{}/{id}", set.name));
            ids.extend(documents.into_iter().map(of_set));
        }
        self.know(&name, ids);
        build(engine, &root, &name, self.kind, context).await.with("set", &name)
    }

    fn know(&mut self, wiki: &str, documents: impl IntoIterator<Item = (String, String)>) {
        self.ids.extend(documents.into_iter().map(|(path, id)| (format!("{wiki}/{path}"), id)));
    }

    /// Asks the questions of the split, several at a time. The outcomes are in the order of the sets and their questions.
    pub(super) async fn ask(
        &self,
        engine: &Engine,
        system: &System,
        split: Split,
        context: &Context,
    ) -> Result<Vec<QueryOutcome>> {
        let compositions: Vec<Composition> =
            (0..self.sets.len()).map(|set| self.composition(system, set)).collect::<Result<_>>()?;
        let sets = self.sets.iter().zip(&compositions);
        let questions: Vec<_> = sets
            .flat_map(|(set, composition)| split.of(&set.questions).map(move |question| (set, composition, question)))
            .collect();
        let total = questions.len() as u64;
        let mut done = 0;
        stream::iter(questions)
            .map(|(set, composition, question)| self.outcome(engine, system, set, composition, question, context))
            .buffered(engine.threads())
            .inspect(|_| {
                done += 1;
                context.progress.report(Step { stage: &system.name, done, total: Some(total) });
            })
            .try_collect()
            .await
    }

    async fn outcome(
        &self,
        engine: &Engine,
        system: &System,
        set: &BeirSet,
        composition: &Composition,
        question: &Question,
        context: &Context,
    ) -> Result<QueryOutcome> {
        context.check("evaluate")?;
        let options = QueryOptions {
            limit: Some(PASSAGES),
            layers: system.layers.clone(),
            refresh: Refresh::Never,
            build: false,
            strict: true,
            passages: false,
            check_freshness: false,
            ..QueryOptions::default()
        };
        let found = self.documents(engine, composition, &question.text, options, context).await;
        let found = found.with("system", &system.name)?;
        let mut seen = HashSet::new();
        let mut ranking: Ranking = found
            .iter()
            .filter_map(|document| self.ids.get(document))
            .filter(|id| seen.insert(id.as_str()))
            .take(DEPTH)
            .cloned()
            .collect();
        let grades = question.grades.iter().map(|(id, grade)| (format!("{}/{id}", set.name), *grade)).collect();
        let measures = Measures::of(&ranking, &grades);
        ranking.truncate(KEPT);
        Ok(QueryOutcome {
            system: system.name.clone(),
            set: set.name.clone(),
            id: question.id.clone(),
            query: question.text.clone(),
            measures,
            ranking,
        })
    }

    /// The documents that are found, the best first, as `wiki/path`.
    async fn documents(
        &self,
        engine: &Engine,
        composition: &Composition,
        question: &str,
        query: QueryOptions,
        context: &Context,
    ) -> Result<Vec<String>> {
        if self.kind == WikiKind::Skills {
            let options = FindOptions { limit: DEPTH, group: false, query, ..FindOptions::default() };
            let found = engine.find_skills(composition, question, &options, context).await?;
            return Ok(found.entries.into_iter().map(|entry| entry.id).collect());
        }
        let answer = engine.query(composition, question, &query, context).await?;
        Ok(answer.results.iter().map(|result| format!("{}/{}", result.wiki, result.path)).collect())
    }

    /// What the questions of a set are asked of.
    fn composition(&self, system: &System, set: usize) -> Result<Composition> {
        let wikis: Vec<&LocatedWiki> = match system.over {
            Over::Composed => self.wikis.iter().collect(),
            Over::Merged => self.merged.iter().collect(),
            Over::Own => self.wikis.get(set).into_iter().collect(),
        };
        if wikis.is_empty() {
            let error = Error::new(ErrorKind::Internal, "evaluate", "the wiki of a system was not built");
            return Err(error.with("system", &system.name));
        }
        let composed = |wiki: &LocatedWiki| ComposedWiki {
            located: Arc::new(wiki.clone()),
            reference: wiki.manifest.name.to_string(),
            weight: 1.0,
        };
        let wikis = wikis.into_iter().map(composed).collect();
        Ok(Composition {
            route: system.route,
            fuse: system.fuse.as_deref().map(PluginChoice::named),
            ..Composition::plain("evaluation", Sensitivity::Public, wikis)
        })
    }
}

/// Builds the wiki of the documents below `root`, whole or not at all: a partly indexed set is never measured.
async fn build(engine: &Engine, root: &Path, name: &str, kind: WikiKind, context: &Context) -> Result<LocatedWiki> {
    let manifest = root.join(WIKI_MANIFEST);
    // Judged sets are public texts; none of their documents is there for navigation.
    let mut text = format!("name: {}\nsensitivity: public\nmeta: []\nindex_pages: content\n", yaml::quoted(name));
    if kind != WikiKind::default() {
        text.push_str(&format!("kind: {}\n", kind.as_str()));
    }
    if fs::read_to_string(&manifest).ok().as_deref() != Some(text.as_str()) {
        fs::write(&manifest, text).map_err(|error| {
            Error::new(ErrorKind::Io, "write manifest", error.to_string()).with("path", manifest.display())
        })?;
    }
    let wiki = LocatedWiki::at(root)?;
    let report = engine.build(&wiki, BuildOptions::default(), context).await?;
    if let Some(problem) = report.failed.first() {
        let message = format!("{} documents could not be indexed, the first: {}", report.failed.len(), problem.path);
        return Err(Error::new(ErrorKind::Partial, "evaluate", message));
    }
    Ok(wiki)
}
