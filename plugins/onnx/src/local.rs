//! A model of this machine: from files on the disk to runs on as many cores as it may use.

use std::panic::resume_unwind;
use std::path::PathBuf;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::Duration;

use ort::environment::Environment;
use wikirag_core::{Error, ErrorKind, PluginSetup, Reason, Result};
use wikirag_models::{Kind, Recipe, Store};

use crate::installation::{ANOTHER_LIBRARY, Files, Installation, runtime_unusable};
use crate::model::Model;
use crate::pool::{Pool, Rank};
use crate::runtime;
use crate::settings::{Probe, Settings};
use crate::tokens::{Splitter, Window};
use crate::trial::{Trial, Verdict};
use crate::verdicts::Verdicts;

/// One model with its tokenizer and the library, opened when they are needed.
pub(crate) struct Local {
    installation: Installation,
    prober: Option<Vec<PathBuf>>,
    probe_limit: Duration,
    verdicts: Verdicts,
    opened: OnceLock<Opened>,
    /// Held while library and tokenizer are opened, so that they are opened once.
    opening: Mutex<()>,
    pool: Pool<Model>,
}

/// What is loaded once for all sessions.
struct Opened {
    environment: Environment,
    splitter: Splitter,
    files: Files,
}

const MAKE: &str = "make model";

/// A further session takes as long to open as this many bytes of text take to run.
const BYTES_A_SESSION: usize = 4096;

impl Local {
    /// The model of the recipe `name`, or of the default one, which must be of this kind. Reads the recipe and loads nothing.
    ///
    /// # Errors
    /// [`ErrorKind::NotFound`] and [`ErrorKind::Invalid`] where the recipe is none or of another kind, and
    /// [`ErrorKind::Unavailable`] in a program without a data folder.
    pub(crate) fn new(name: Option<&str>, kind: Kind, setup: &PluginSetup, settings: Settings) -> Result<Self> {
        let Some(data) = setup.host.data_dir() else {
            let message = "this program keeps no data folder, and models lie in one";
            return Err(Error::new(ErrorKind::Unavailable, MAKE, message).help("give it one"));
        };
        let store = Store::new(data);
        let recipe = name.map_or_else(|| store.default_recipe(), |name| store.recipe(name))?;
        if recipe.kind != kind {
            let (name, is, asked) = (&recipe.name, recipe.kind.as_str(), kind.as_str());
            let message = format!("`{name}` is a recipe of the kind {is}, not {asked}");
            return Err(Error::new(ErrorKind::Invalid, MAKE, message)
                .with("in", setup.settings.origin())
                .help("name another one; `wikirag model list` shows what there is"));
        }
        Ok(Self {
            prober: setup.host.prober().filter(|_| settings.probe == Probe::Process).map(<[_]>::to_vec),
            probe_limit: settings.probe_limit(),
            verdicts: Verdicts::new(&data.join("probes"), &recipe.name),
            pool: Pool::new(settings.threads.map_or(setup.host.threads(), usize::from)),
            opened: OnceLock::new(),
            opening: Mutex::new(()),
            installation: Installation::new(store, recipe, settings.runtime, settings.probe),
        })
    }

    pub(crate) fn recipe(&self) -> &Recipe {
        self.installation.recipe()
    }

    /// What stands in the way, as far as it is known without loading anything.
    pub(crate) fn known_fault(&self) -> Option<Reason> {
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

    /// The tokenizer.
    ///
    /// # Errors
    /// [`ErrorKind::Unavailable`] with the reason where model or library cannot be used.
    pub(crate) fn splitter(&self) -> Result<&Splitter> {
        Ok(&self.opened()?.splitter)
    }

    /// Runs the model over one window on a session that is free, or a new one where there may be more, and `read` over shape
    /// and values of its output. Waits for its turn.
    ///
    /// # Errors
    /// Those of [`Model::open`], [`Model::run`] and `read`, and as [`Local::splitter`].
    pub(crate) fn run<T>(
        &self,
        rank: Rank,
        window: &Window,
        read: impl FnOnce(&[i64], &[f32]) -> Result<T>,
    ) -> Result<T> {
        let opened = self.opened()?;
        let open = || Model::open(&opened.environment, &opened.files.model, self.recipe().output.as_deref());
        self.pool.with(rank, open, |model| model.run(window, read))
    }

    /// How many sessions pay for texts of so many bytes together: those that there are, and further ones for much text.
    pub(crate) fn workers(&self, bytes: usize) -> usize {
        (1 + bytes / BYTES_A_SESSION).max(self.pool.made()).min(self.pool.limit())
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
}

/// A reason as the error of a call.
fn unavailable(reason: Reason) -> Error {
    Error::new(ErrorKind::Unavailable, "load model", reason.sentence).with("reason", reason.code).help(reason.remedy)
}
