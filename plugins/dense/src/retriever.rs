//! The layer.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use wikirag_core::{
    CatalogId, ChangeFeed, Context, ErrorKind, FeedPosition, LayerSetup, PortableIndex, Query, RankedList, Readiness,
    Result, ResultExt, Retriever, Role, SyncReport, offload,
};
use wikirag_sqlite::{VectorState, VectorStore};

use crate::model::{Model, embed, reason, space_of};
use crate::settings::Settings;
use crate::sync;

/// The file of the index, in the folder of the layer.
const FILE: &str = "dense.db";

/// Makes the layer. Opens nothing yet, and loads no model.
pub(crate) fn make(setup: &LayerSetup) -> Result<Box<dyn Retriever>> {
    let settings = Settings::read(&setup.plugin.settings)?;
    let model = Model::find(&setup.plugin, &settings.embedder)?;
    let store = Arc::new(VectorStore::new(setup.dir.join(FILE)));
    Ok(Box::new(Dense { store, dir: setup.dir.clone(), model, settings, wiki: setup.wiki.to_string() }))
}

struct Dense {
    store: Arc<VectorStore>,
    dir: PathBuf,
    model: Model,
    settings: Settings,
    wiki: String,
}

impl Dense {
    /// Whether the vectors that are there, if any, are those of the embedder that is set.
    fn check_state(&self, state: Option<&VectorState>) -> Result<()> {
        match (state, &self.model) {
            (Some(state), Model::Known(embedder)) => {
                state.must_be_of(&space_of(&**embedder)).with("path", self.store.path().display())
            }
            _ => Ok(()),
        }
    }

    /// The reasons of the embedder and of the index in one, those of the embedder first: where both are missing, the
    /// index can only be made once there is an embedder.
    fn joined(&self, index: Result<()>) -> Readiness {
        let model = self.model.readiness();
        let Err(error) = index else { return model };
        let mut reasons = match model {
            Readiness::Unavailable(reasons) => reasons,
            Readiness::Ready | Readiness::Degraded(_) => Vec::new(),
        };
        reasons.push(reason(&error));
        Readiness::Unavailable(reasons)
    }

    async fn state(&self) -> Result<Option<VectorState>> {
        let store = Arc::clone(&self.store);
        offload(move || store.state()).await
    }

    async fn embedded(&self, query: &Query, context: &Context) -> Result<Vec<f32>> {
        let vectors = embed(&**self.model.get()?, &[&query.text], Role::Query, context).await?;
        Ok(vectors.rows().next().unwrap_or_default().to_vec())
    }

    async fn found(&self, query: &Query, context: &Context) -> Result<RankedList> {
        context.check("search")?;
        let Some(state) = self.state().await? else { return Err(self.store.missing()) };
        self.check_state(Some(&state))?;
        // Nothing is asked of the embedder that no answer needs: it may have a model to load.
        if state.chunks == 0 || query.want == 0 {
            return Ok(RankedList::default());
        }
        let embedder = self.model.get()?;
        let question = self.embedded(query, context).await?;
        let (store, space, want, context) =
            (Arc::clone(&self.store), space_of(&**embedder), query.want, context.clone());
        let mut list = offload(move || store.search(&space, &question, want, &context)).await?;
        if let Some(least) = self.settings.min_score.or(embedder.noise()) {
            list.hits.retain(|hit| hit.score.get() >= least);
        }
        Ok(list)
    }
}

#[async_trait]
impl Retriever for Dense {
    fn readiness(&self) -> Readiness {
        let index = self.store.state().and_then(|state| match state {
            Some(state) => self.check_state(Some(&state)),
            None => Err(self.store.missing()),
        });
        self.joined(index)
    }

    /// A build without `--full` embeds what is new, and never all that is there under another model: that is for
    /// somebody to decide who knows how long it takes.
    fn sync_readiness(&self) -> Readiness {
        self.joined(self.store.state().and_then(|state| self.check_state(state.as_ref())))
    }

    fn is_costly(&self) -> bool {
        true
    }

    fn weight(&self, query: &Query) -> f64 {
        if query.is_exact { self.settings.weight_exact } else { self.settings.weight }
    }

    fn scale(&self) -> Option<String> {
        self.model.get().ok().map(|embedder| format!("cosine {}", embedder.fingerprint()))
    }

    fn chunks(&self) -> Result<u64> {
        let state = self.store.state().with("wiki", &self.wiki)?;
        Ok(state.map_or(0, |state| state.chunks))
    }

    fn position(&self) -> Result<Option<(CatalogId, FeedPosition)>> {
        let state = self.store.state().with("wiki", &self.wiki)?;
        Ok(state.map(|state| (state.catalog, state.position)))
    }

    async fn sync(&self, feed: Arc<dyn ChangeFeed>, context: &Context) -> Result<SyncReport> {
        let synced = async {
            context.check("sync")?;
            let embedder = Arc::clone(self.model.get()?);
            let place = sync::Place { dir: self.dir.clone(), store: Arc::clone(&self.store) };
            sync::follow(place, embedder, feed, self.settings.batch, context).await
        };
        synced.await.with("wiki", &self.wiki)
    }

    /// The vectors are copied: to make them anew would need the model, and take as long as a build.
    async fn write_portable(
        &self,
        feed: Arc<dyn ChangeFeed>,
        dir: &Path,
        _context: &Context,
    ) -> Result<Option<PortableIndex>> {
        let (store, to) = (Arc::clone(&self.store), dir.join(FILE));
        let written = offload(move || store.write_portable(&to, feed.catalog(), feed.head()?)).await;
        let state = written.with("wiki", &self.wiki)?;
        Ok(Some(PortableIndex { format: VectorStore::FORMAT.to_string(), model: Some(state.fingerprint) }))
    }

    async fn search(&self, query: &Query, context: &Context) -> Result<RankedList> {
        self.found(query, context).await.with("wiki", &self.wiki)
    }

    async fn question_vector(&self, query: &Query, context: &Context) -> Result<Option<Vec<f32>>> {
        self.embedded(query, context).await.map(Some)
    }

    fn nearness(&self, question: &[f32]) -> Result<Option<f64>> {
        let space = space_of(&**self.model.get()?);
        match self.store.nearness(&space, question) {
            // The store itself gives the answer all the same; `verify` tells of the damage.
            Err(error) if error.kind() == ErrorKind::Damaged => Ok(None),
            known => known.with("wiki", &self.wiki),
        }
    }

    async fn verify(&self) -> Result<()> {
        let store = Arc::clone(&self.store);
        offload(move || store.verify()).await.with("wiki", &self.wiki)
    }
}
