//! The layer.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use wikirag_core::{
    CatalogId, ChangeFeed, ChunkId, Context, Error, ErrorKind, ExtractionReport, FeedPosition, LayerSetup,
    PortableIndex, Query, Ranked, RankedList, Readiness, Reason, Result, ResultExt, Retriever, Score, SyncReport,
    offload,
};
use wikirag_sqlite::{ExtractionWriter, GraphState, GraphStore, GraphWriter};

use crate::extraction::{self, Extractions};
use crate::follower::{RECIPE, follow};
use crate::graph::Graph;
use crate::seeds::{SHARPNESS, seeds};
use crate::settings::{Mode, Settings};
use crate::walk::walk;

/// The file of the index, in the folder of the layer.
const FILE: &str = "graph.db";

/// In mode `mix`, what communities have to say beside the walk.
const GLOBAL_SHARE: f64 = 0.1;

/// Makes the layer. Opens nothing yet.
pub(crate) fn make(setup: &LayerSetup) -> Result<Box<dyn Retriever>> {
    let settings = Settings::read(&setup.plugin.settings)?;
    let inner = Inner {
        extractions: Extractions::new(setup, &settings),
        previous: setup.previous.clone(),
        store: GraphStore::new(setup.dir.join(FILE)),
        dir: setup.dir.clone(),
        settings,
        wiki: setup.wiki.to_string(),
        graph: Mutex::default(),
    };
    Ok(Box::new(GraphLayer(Arc::new(inner))))
}

struct GraphLayer(Arc<Inner>);

struct Inner {
    store: GraphStore,
    dir: PathBuf,
    /// Where the index lies that this one takes the place of.
    previous: Option<PathBuf>,
    settings: Settings,
    /// Where an extractor is set.
    extractions: Option<Extractions>,
    wiki: String,
    /// The graph as it was last read.
    graph: Mutex<Option<Arc<Graph>>>,
}

impl Inner {
    fn graph(&self, context: &Context) -> Result<Arc<Graph>> {
        let known = self.graph.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let extracted = self.extractions.as_ref().map(|known| known.store.state()).transpose()?.flatten();
        let extracted = extracted.map(|state| state.version);
        // Where an extractor found something since, the graph is worked out anew, also from facts that are known.
        let same = known.as_ref().filter(|graph| graph.extracted == extracted);
        match self.store.facts(same.map(|graph| &graph.version), context)? {
            None => known.ok_or_else(|| self.store.missing()),
            Some((state, facts)) => {
                must_be_of_today(&state)?;
                let extractions =
                    self.extractions.as_ref().map(|known| known.store.facts(context)).transpose()?.flatten();
                let graph = Graph::new(state.version, &facts, extractions.as_ref(), &self.settings.edges, context)?;
                let graph = Arc::new(graph);
                *self.graph.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(&graph));
                Ok(graph)
            }
        }
    }

    /// How the facts stand, and why less is known than an extractor could find.
    fn standing(&self) -> Result<Option<Reason>> {
        let state = self.store.state()?.ok_or_else(|| self.store.missing())?;
        must_be_of_today(&state)?;
        self.extractions.as_ref().map_or(Ok(None), |known| known.lack(&state))
    }

    /// What an extractor found cost much: an index that is built in the place of another one begins with that.
    fn take_over(&self) -> Result<()> {
        let Some(previous) = &self.previous else { return Ok(()) };
        ExtractionWriter::take_over(&previous.join(extraction::FILE), &self.dir.join(extraction::FILE)).map(|_| ())
    }

    fn search(&self, query: &Query, context: &Context) -> Result<RankedList> {
        context.check("search")?;
        let graph = self.graph(context)?;
        if query.want == 0 || self.settings.share_of(graph.reach) == 0.0 {
            return Ok(RankedList::default());
        }
        let seeds = seeds(&graph, query, &self.settings);
        let visited = walk(&graph, &seeds, &self.settings, context)?;
        let found = match self.settings.mode {
            Mode::Local => visited,
            Mode::Global => themes(&graph, &visited),
            Mode::Mix => {
                let themes = themes(&graph, &visited);
                let mix = |(local, global): (&f64, &f64)| (1.0 - GLOBAL_SHARE) * local + GLOBAL_SHARE * global;
                visited.iter().zip(&themes).map(mix).collect()
            }
        };
        // A hit from which no edge leads on keeps about the share of the best one that it had. Wikis are weighed by such shares: a list that fell
        // more steeply than the one it came from would leave all but its first hit behind those of other wikis.
        let score = |mass: f64| Score::new(mass.powf(1.0 / f64::from(SHARPNESS))).ok();
        let hit = |(chunk, mass): (&ChunkId, f64)| Some(Ranked { chunk: *chunk, score: score(mass)? });
        let found = graph.chunks.iter().zip(found).filter(|(_, mass)| *mass > 0.0);
        Ok(best(found.filter_map(hit).collect(), query.want))
    }
}

/// The best `want` hits. A walk leaves something nearly everywhere, so most hits are never put in order.
fn best(mut hits: Vec<Ranked>, want: usize) -> RankedList {
    if hits.len() > want {
        hits.select_nth_unstable_by(want, |a, b| b.score.cmp(&a.score).then(a.chunk.cmp(&b.chunk)));
        hits.truncate(want);
    }
    RankedList::from_unordered(hits, want)
}

/// What the communities say in which the walk was: each passage of them has its share of what the walk left in its community, by how
/// much leads to its page there.
fn themes(graph: &Graph, visited: &[f64]) -> Vec<f64> {
    let community = |page: u32| graph.communities.get(page as usize).map_or(0, |community| *community as usize);
    let degree = |page: u32| 1.0 + graph.back.sum(page as usize);
    let mut masses = vec![0.0; graph.passages.len()];
    let mut degrees = vec![0.0; graph.passages.len()];
    for (page, mass) in graph.page_of.iter().zip(visited) {
        masses[community(*page)] += mass;
        degrees[community(*page)] += degree(*page);
    }
    graph.page_of.iter().map(|page| masses[community(*page)] * degree(*page) / degrees[community(*page)]).collect()
}

/// # Errors
/// [`ErrorKind::StaleIndex`] for facts that were found in another way.
fn must_be_of_today(state: &GraphState) -> Result<()> {
    if state.recipe == RECIPE {
        return Ok(());
    }
    let message = format!("the graph was made by recipe {}, this program makes it by recipe {RECIPE}", state.recipe);
    Err(Error::new(ErrorKind::StaleIndex, "open graph", message).help("run `wikirag build --full`"))
}

#[async_trait]
impl Retriever for GraphLayer {
    fn readiness(&self) -> Readiness {
        match self.0.standing() {
            Ok(None) => Readiness::Ready,
            Ok(Some(lack)) => Readiness::Degraded(vec![lack]),
            Err(error) => {
                let remedy = error.remedy().unwrap_or("run `wikirag doctor`");
                Readiness::Unavailable(vec![Reason::new(error.kind().code(), error.message(), remedy)])
            }
        }
    }

    fn needs_seeds(&self) -> bool {
        true
    }

    fn weight(&self, query: &Query) -> f64 {
        let settings = &self.0.settings;
        let weight = if query.is_exact { settings.weight_exact } else { settings.weight };
        let graph = self.0.graph.lock().unwrap_or_else(PoisonError::into_inner).clone();
        graph.map_or(weight, |graph| weight * settings.share_of(graph.reach))
    }

    fn chunks(&self) -> Result<u64> {
        let state = self.0.store.state().with("wiki", &self.0.wiki)?;
        Ok(state.map_or(0, |state| state.chunks))
    }

    fn position(&self) -> Result<Option<(CatalogId, FeedPosition)>> {
        let state = self.0.store.state().with("wiki", &self.0.wiki)?;
        Ok(state.map(|state| (state.catalog, state.position)))
    }

    async fn sync(&self, feed: Arc<dyn ChangeFeed>, context: &Context) -> Result<SyncReport> {
        let (inner, reported) = (Arc::clone(&self.0), context.clone());
        let synced = offload(move || {
            reported.check("sync")?;
            inner.store.state()?.as_ref().map(must_be_of_today).transpose()?;
            let report = follow(&inner.dir, &inner.store, &feed, &reported)?;
            inner.take_over()?;
            Ok(report)
        });
        synced.await.with("wiki", &self.0.wiki)
    }

    async fn extract(
        &self,
        feed: Arc<dyn ChangeFeed>,
        may_ask: bool,
        context: &Context,
    ) -> Result<Option<ExtractionReport>> {
        let Some(extractions) = &self.0.extractions else { return Ok(None) };
        extractions.extract(feed, may_ask, context).await.map(Some).with("wiki", &self.0.wiki)
    }

    fn extraction(&self) -> Result<Option<ExtractionReport>> {
        let Some(extractions) = &self.0.extractions else { return Ok(None) };
        self.chunks().and_then(|chunks| extractions.report(chunks)).map(Some).with("wiki", &self.0.wiki)
    }

    /// What an extractor found stays here: it follows by itself, from a file that no two machines have alike.
    async fn write_portable(
        &self,
        feed: Arc<dyn ChangeFeed>,
        dir: &Path,
        context: &Context,
    ) -> Result<Option<PortableIndex>> {
        let (to, context) = (dir.to_owned(), context.clone());
        let written = offload(move || {
            let file = to.join(FILE);
            // Its readers are closed before the writer is, which tidies up behind them.
            follow(&to, &GraphStore::new(&file), &feed, &context)?;
            GraphWriter::open(&file, feed.catalog(), RECIPE)?.finish_portable()
        });
        written.await.with("wiki", &self.0.wiki)?;
        Ok(Some(PortableIndex { format: format!("{}.{RECIPE}", GraphStore::FORMAT), model: None }))
    }

    async fn search(&self, query: &Query, context: &Context) -> Result<RankedList> {
        let (inner, query, asked) = (Arc::clone(&self.0), query.clone(), context.clone());
        offload(move || inner.search(&query, &asked)).await.with("wiki", &self.0.wiki)
    }

    async fn verify(&self) -> Result<()> {
        let inner = Arc::clone(&self.0);
        let verified = offload(move || {
            inner.store.verify(&Context::new())?;
            inner.extractions.as_ref().map_or(Ok(()), |known| known.store.verify(&Context::new()))
        });
        verified.await.with("wiki", &self.0.wiki)
    }
}
