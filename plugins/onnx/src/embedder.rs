//! The embedder.

use std::cmp::Reverse;
use std::sync::Arc;

use async_trait::async_trait;
use wikirag_core::{Context, Embedder, PluginSetup, Readiness, RecentVectors, Result, Role, Vectors, offload};
use wikirag_models::{Kind, Recipe};

use crate::local::Local;
use crate::pool::Rank;
use crate::pooling::{Shape, weighted_mean};
use crate::settings::Settings;
use crate::spread::spread;

const OPERATION: &str = "embed";

/// Raised whenever the same text and files give another vector: other windows, another engine for patterns.
const FORMAT: u32 = 1;

/// Makes the embedder. Reads its recipe and loads nothing.
pub(crate) fn make(setup: &PluginSetup) -> Result<Box<dyn Embedder>> {
    let settings = Settings::read(&setup.settings)?;
    let local = Local::new(settings.model.clone().as_deref(), Kind::Embedder, setup, settings)?;
    let recipe = local.recipe();
    let shape = Shape { pooling: recipe.pooling, dimensions: recipe.dimensions, normalise: recipe.normalise };
    let fingerprint = fingerprint(recipe);
    let inner = Inner { local, shape, recent: RecentVectors::default() };
    Ok(Box::new(Onnx { fingerprint, inner: Arc::new(inner) }))
}

/// Everything that a vector depends on, but for the version of the library: another one rounds otherwise, which moves a vector
/// far less than a word does.
fn fingerprint(recipe: &Recipe) -> String {
    let Recipe { name, model, tokenizer, pooling, normalise, max_tokens, .. } = recipe;
    let Recipe { query_prefix, passage_prefix, output, .. } = recipe;
    format!(
        "onnx {FORMAT}; {name}; model {}; tokenizer {}; output {}; pooling {}; normalise {normalise}; max_tokens {max_tokens}; \
         query {query_prefix:?}; passage {passage_prefix:?}",
        model.sha256,
        tokenizer.sha256,
        output.as_deref().unwrap_or("only"),
        pooling.as_str(),
    )
}

struct Onnx {
    fingerprint: String,
    inner: Arc<Inner>,
}

struct Inner {
    local: Local,
    shape: Shape,
    recent: RecentVectors,
}

impl Inner {
    fn embed(&self, texts: &[String], role: Role, context: &Context) -> Result<Vectors> {
        let rows = match (texts, role) {
            ([question], Role::Query) => {
                let vector = || self.vector(question, role, Rank::Question, context);
                vec![self.recent.get_or_embed(question, vector)?]
            }
            _ => self.many(texts, role, context)?,
        };
        Vectors::new(rows.concat(), self.shape.dimensions)
    }

    /// Embeds many texts on as many sessions as pay, each text by itself.
    fn many(&self, texts: &[String], role: Role, context: &Context) -> Result<Vec<Vec<f32>>> {
        let workers = self.local.workers(texts.iter().map(String::len).sum()).min(texts.len());
        // The longest first: the last ones to be taken up are short, and no core waits long for another.
        let mut order: Vec<usize> = (0..texts.len()).collect();
        order.sort_by_key(|place| Reverse(texts[*place].len()));
        spread(&order, workers, |place| self.vector(&texts[place], role, Rank::Bulk, context))
    }

    /// The vector of one text.
    fn vector(&self, text: &str, role: Role, rank: Rank, context: &Context) -> Result<Vec<f32>> {
        context.check(OPERATION)?;
        let prefix = match role {
            Role::Query => &self.local.recipe().query_prefix,
            Role::Passage => &self.local.recipe().passage_prefix,
        };
        let mut parts = Vec::new();
        for window in self.local.splitter()?.windows(prefix, text)? {
            context.check(OPERATION)?;
            let tokens = window.ids.len();
            let vector = self.local.run(rank, &window, |dims, values| self.shape.vector(dims, values, tokens))?;
            parts.push((vector, window.weight));
        }
        weighted_mean(parts)
    }
}

#[async_trait]
impl Embedder for Onnx {
    fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    fn dimensions(&self) -> usize {
        self.inner.shape.dimensions
    }

    fn languages(&self) -> &[String] {
        &self.inner.local.recipe().languages
    }

    fn noise(&self) -> Option<f64> {
        self.inner.local.recipe().noise
    }

    fn max_tokens(&self) -> usize {
        self.inner.local.recipe().max_tokens
    }

    fn readiness(&self) -> Readiness {
        match self.inner.local.known_fault() {
            None => Readiness::Ready,
            Some(reason) => Readiness::Unavailable(vec![reason]),
        }
    }

    async fn embed(&self, texts: &[&str], role: Role, context: &Context) -> Result<Vectors> {
        context.check(OPERATION)?;
        let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
        let (inner, context) = (Arc::clone(&self.inner), context.clone());
        let vectors = offload(move || inner.embed(&texts, role, &context)).await;
        vectors.map_err(|error| error.with("model", &self.inner.local.recipe().name))
    }
}
