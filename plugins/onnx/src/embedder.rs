//! The embedder.

use std::cmp::Reverse;
use std::panic::resume_unwind;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::Duration;

use async_trait::async_trait;
use ort::environment::Environment;
use wikirag_core::{
    Context, Embedder, Error, ErrorKind, PluginSetup, Readiness, Reason, RecentVectors, Result, Role, Vectors, offload,
};
use wikirag_models::{Kind, Recipe, Store};

use crate::installation::{ANOTHER_LIBRARY, Files, Installation, runtime_unusable};
use crate::model::Model;
use crate::pool::{Pool, Rank};
use crate::pooling::{Shape, weighted_mean};
use crate::runtime;
use crate::settings::{Probe, Settings};
use crate::spread::spread;
use crate::tokens::Splitter;
use crate::trial::{Trial, Verdict};
use crate::verdicts::Verdicts;

const OPERATION: &str = "embed";

/// Raised whenever the same text and files give another vector: other windows, another engine for patterns.
const FORMAT: u32 = 1;

/// Makes the embedder. Reads its recipe and loads nothing.
pub(crate) fn make(setup: &PluginSetup) -> Result<Box<dyn Embedder>> {
    let settings = Settings::read(&setup.settings)?;
    let Some(data) = setup.host.data_dir() else {
        let message = "this program keeps no data folder, and models lie in one";
        return Err(Error::new(ErrorKind::Unavailable, "make embedder", message).help("give it one"));
    };
    let store = Store::new(data);
    let recipe = store.recipe(&settings.model)?;
    if recipe.kind != Kind::Embedder {
        let message = format!("`{}` is a {}, no embedder", recipe.name, recipe.kind.as_str());
        return Err(Error::new(ErrorKind::Invalid, "make embedder", message)
            .with("in", setup.settings.origin())
            .help("name another one as `model`; `wikirag model list` shows what there is"));
    }
    let prober = setup.host.prober().filter(|_| settings.probe == Probe::Process).map(<[_]>::to_vec);
    let inner = Inner {
        shape: Shape { pooling: recipe.pooling, dimensions: recipe.dimensions, normalise: recipe.normalise },
        prober,
        probe_limit: settings.probe_limit(),
        verdicts: Verdicts::new(&data.join("probes"), &recipe.name),
        pool: Pool::new(settings.threads.map_or(setup.host.threads(), usize::from)),
        opened: OnceLock::new(),
        opening: Mutex::new(()),
        recent: RecentVectors::default(),
        installation: Installation::new(store, recipe, settings.runtime, settings.probe),
    };
    Ok(Box::new(Onnx { fingerprint: fingerprint(inner.recipe()), inner: Arc::new(inner) }))
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
    installation: Installation,
    shape: Shape,
    prober: Option<Vec<PathBuf>>,
    probe_limit: Duration,
    verdicts: Verdicts,
    opened: OnceLock<Opened>,
    /// Held while library and tokenizer are opened, so that they are opened once.
    opening: Mutex<()>,
    pool: Pool<Model>,
    recent: RecentVectors,
}

/// What is loaded once for all sessions.
struct Opened {
    environment: Environment,
    splitter: Splitter,
    files: Files,
}

/// A further session takes as long to open as this many bytes of text take to embed.
const BYTES_A_SESSION: usize = 4096;

impl Inner {
    fn recipe(&self) -> &Recipe {
        self.installation.recipe()
    }

    /// What stands in the way, as far as it is known without loading anything.
    fn known_fault(&self) -> Option<Reason> {
        if self.opened.get().is_some() {
            return None;
        }
        let files = match self.installation.files() {
            Ok(files) => files,
            Err(reason) => return Some(reason),
        };
        if let Some(fault) = runtime::known_fault(&files.library) {
            return Some(runtime_unusable(&files.library, &fault, ANOTHER_LIBRARY));
        }
        self.prober.as_ref()?;
        let trial = self.trial(&files);
        self.reason(&trial, self.verdicts.get(&trial)?)
    }

    fn trial(&self, files: &Files) -> Trial {
        Trial::new(files.library.clone(), files.model.clone(), self.recipe())
    }

    /// Library and tokenizer, opened by the first who asks.
    fn opened(&self) -> Result<&Opened> {
        if let Some(opened) = self.opened.get() {
            return Ok(opened);
        }
        let _opening = self.opening.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(opened) = self.opened.get() {
            return Ok(opened);
        }
        let files = self.installation.files().map_err(unavailable)?;
        if let Some(prober) = &self.prober {
            self.probe(prober, &files)?;
        }
        // The two take about as long as each other.
        let (environment, splitter) = thread::scope(|scope| {
            let splitter = scope.spawn(|| Splitter::open(&files.tokenizer, self.recipe().max_tokens));
            let environment = runtime::environment(&files.library);
            (environment, splitter.join().unwrap_or_else(|panic| resume_unwind(panic)))
        });
        let environment =
            environment.map_err(|fault| unavailable(runtime_unusable(&files.library, &fault, ANOTHER_LIBRARY)))?;
        let splitter = splitter?;
        Ok(self.opened.get_or_init(|| Opened { environment, splitter, files }))
    }

    /// Goes on where library and model are known to work, or are found to work now in a process of their own.
    fn probe(&self, prober: &[PathBuf], files: &Files) -> Result<()> {
        let trial = self.trial(files);
        let verdict = match self.verdicts.get(&trial) {
            Some(known) => known,
            None => {
                let verdict = trial.in_child(prober, self.probe_limit)?;
                self.verdicts.put(&trial, &verdict);
                verdict
            }
        };
        self.reason(&trial, verdict).map_or(Ok(()), |reason| Err(unavailable(reason)))
    }

    fn reason(&self, trial: &Trial, verdict: Verdict) -> Option<Reason> {
        let again = format!("to try the same again, remove {}", self.verdicts.path().display());
        match verdict {
            Verdict::Usable => None,
            Verdict::RuntimeUnusable(fault) => {
                Some(runtime_unusable(&trial.library, &fault, &format!("{ANOTHER_LIBRARY}; {again}")))
            }
            Verdict::ModelUnusable(fault) => {
                let sentence = format!("the model `{}` cannot be used: {fault}", self.recipe().name);
                let remedy = format!("mend its recipe, or take a later ONNX Runtime; {again}");
                Some(Reason::new("model-unusable", sentence, remedy))
            }
        }
    }

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
        let bytes: usize = texts.iter().map(String::len).sum();
        let workers = (1 + bytes / BYTES_A_SESSION).max(self.pool.made()).min(self.pool.limit()).min(texts.len());
        // The longest first: the last ones to be taken up are short, and no core waits long for another.
        let mut order: Vec<usize> = (0..texts.len()).collect();
        order.sort_by_key(|place| Reverse(texts[*place].len()));
        spread(&order, workers, |place| self.vector(&texts[place], role, Rank::Bulk, context))
    }

    /// The vector of one text.
    fn vector(&self, text: &str, role: Role, rank: Rank, context: &Context) -> Result<Vec<f32>> {
        context.check(OPERATION)?;
        let opened = self.opened()?;
        let prefix = match role {
            Role::Query => &self.recipe().query_prefix,
            Role::Passage => &self.recipe().passage_prefix,
        };
        let mut parts = Vec::new();
        for window in opened.splitter.windows(prefix, text)? {
            context.check(OPERATION)?;
            let make = || Model::open(&opened.environment, &opened.files.model, self.recipe().output.as_deref());
            let vector = self.pool.with(rank, make, |model| {
                model.run(&window, |dims, values| self.shape.vector(dims, values, window.ids.len()))
            })?;
            parts.push((vector, window.weight));
        }
        weighted_mean(parts)
    }
}

/// A reason as the error of a call.
fn unavailable(reason: Reason) -> Error {
    Error::new(ErrorKind::Unavailable, OPERATION, reason.sentence).with("reason", reason.code).help(reason.remedy)
}

#[async_trait]
impl Embedder for Onnx {
    fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    fn dimensions(&self) -> usize {
        self.inner.shape.dimensions
    }

    fn max_tokens(&self) -> usize {
        self.inner.recipe().max_tokens
    }

    fn readiness(&self) -> Readiness {
        match self.inner.known_fault() {
            None => Readiness::Ready,
            Some(reason) => Readiness::Unavailable(vec![reason]),
        }
    }

    async fn embed(&self, texts: &[&str], role: Role, context: &Context) -> Result<Vectors> {
        context.check(OPERATION)?;
        let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
        let (inner, context) = (Arc::clone(&self.inner), context.clone());
        offload(move || inner.embed(&texts, role, &context))
            .await
            .map_err(|error| error.with("model", &self.inner.recipe().name))
    }
}
