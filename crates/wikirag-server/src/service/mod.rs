//! What can be asked of the compositions that are served, at the clearance of whoever asks.
//!
//! A caller's view of a composition is that composition without the wikis it may not read, made before anything is opened. What
//! is left out is nowhere: not in an answer, a count, an error or a suggestion, as if it were not on the list.

mod caller;
mod fault;
mod operations;
mod places;
mod questions;
mod requests;
mod skills;
mod view;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use wikirag_core::{Error, ErrorKind, Result, offload};
use wikirag_engine::locate::{self, Missing};
use wikirag_engine::{Composition, Engine};

pub use caller::Caller;
pub use fault::Fault;
pub use operations::WikiCard;
pub use questions::GapsRequest;
pub use requests::{
    AskRequest, By, ContextRequest, DocumentRequest, GraphRequest, LinksRequest, PageRequest, QueryRequest, Scope,
};
pub use skills::SkillsRequest;

/// The compositions that are served. Cloning shares them.
#[derive(Debug, Clone)]
pub struct Service {
    engine: Engine,
    rags: Arc<[Served]>,
    cwd: Arc<Path>,
}

/// One composition that is served.
#[derive(Debug)]
struct Served {
    /// What was said at the start: a file, a folder, or the name of a wiki.
    reference: String,
    /// Its name then. It stays what callers know it by.
    name: String,
}

impl Service {
    /// Serves what `references` mean, taken from the absolute folder `cwd`. All of them are loaded once, so that what is wrong with
    /// one is told now; no index is opened.
    ///
    /// # Errors
    /// [`ErrorKind::Usage`] where there is none, or two have one name; as [`locate::composition`].
    pub fn new(engine: Engine, references: &[String], cwd: PathBuf) -> Result<Self> {
        let mut rags: Vec<Served> = Vec::new();
        for reference in references {
            let name = locate::composition(reference, &cwd, engine.settings(), Missing::Refuse)?.name;
            if rags.iter().any(|known| known.name == name) {
                let message = format!("two of the compositions are called `{name}`");
                return Err(Error::new(ErrorKind::Usage, "serve", message).help("give one of them another `name`"));
            }
            rags.push(Served { reference: reference.clone(), name });
        }
        if rags.is_empty() {
            let error = Error::new(ErrorKind::Usage, "serve", "there is nothing to serve");
            return Err(error.help("name a composition (`*.rag.yaml`), a folder, or a wiki"));
        }
        Ok(Self { engine, rags: rags.into(), cwd: cwd.into() })
    }

    /// The engine, for what concerns no caller.
    #[must_use]
    pub const fn engine(&self) -> &Engine {
        &self.engine
    }

    /// Names of the compositions of which `caller` may see anything, in the order in which they are served.
    ///
    /// # Errors
    /// [`ErrorKind::Unavailable`] where a composition cannot be loaded any more.
    pub async fn rags(&self, caller: &Caller) -> Result<Vec<String>> {
        let mut names = Vec::new();
        for served in self.rags.iter() {
            if view::of(self.load(served).await?, caller).is_some() {
                names.push(served.name.clone());
            }
        }
        Ok(names)
    }

    /// What `caller` sees of the composition, and of the wikis, that `scope` names.
    ///
    /// # Errors
    /// [`ErrorKind::NotFound`] for a composition or a wiki that is not there, or that the caller may not know of, in the same words;
    /// [`ErrorKind::Usage`] where there are several compositions and none is named.
    pub async fn composition(&self, caller: &Caller, scope: &Scope) -> Result<Composition> {
        let composition = match &scope.rag {
            Some(name) => match self.rags.iter().find(|served| served.name == *name) {
                Some(served) => view::of(self.load(served).await?, caller),
                None => None,
            }
            .ok_or_else(|| view::no_rag(name))?,
            None => self.only(caller).await?,
        };
        match &scope.wikis {
            Some(wikis) => view::narrow(composition, wikis),
            None => Ok(composition),
        }
    }

    /// All wikis of all compositions that the caller sees, as one.
    async fn all(&self, caller: &Caller) -> Result<Composition> {
        let mut seen = Vec::new();
        for served in self.rags.iter() {
            seen.extend(view::of(self.load(served).await?, caller));
        }
        if seen.is_empty() {
            return Err(nothing_here());
        }
        locate::join(seen)
    }

    /// The one composition that the caller sees.
    async fn only(&self, caller: &Caller) -> Result<Composition> {
        let mut seen = Vec::new();
        for served in self.rags.iter() {
            seen.extend(view::of(self.load(served).await?, caller));
        }
        match (seen.pop(), seen.is_empty()) {
            (Some(only), true) => Ok(only),
            (None, _) => Err(nothing_here()),
            (Some(last), false) => {
                let names: Vec<String> =
                    seen.iter().chain([&last]).map(|composition| format!("`{}`", composition.name)).collect();
                let error =
                    Error::new(ErrorKind::Usage, "find composition", "it is not said which composition is asked");
                Err(error.help(format!("set `rag` to one of: {}", names.join(", "))))
            }
        }
    }

    /// Reads the manifests anew: a level that was raised holds for the next request.
    async fn load(&self, served: &Served) -> Result<Composition> {
        let (engine, cwd, reference) = (self.engine.clone(), Arc::clone(&self.cwd), served.reference.clone());
        let loaded = offload(move || locate::composition(&reference, &cwd, engine.settings(), Missing::Refuse)).await;
        // What is wrong with it may be said of a wiki that the caller must not know.
        loaded.map_err(|error| {
            Error::new(ErrorKind::Unavailable, "load composition", "the composition cannot be loaded at the moment")
                .with("rag", &served.name)
                .caused_by(error)
        })
    }
}

fn nothing_here() -> Error {
    Error::new(ErrorKind::NotFound, "find composition", "there is no composition here")
}
