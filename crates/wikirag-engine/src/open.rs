//! Wikis opened for reading, and kept open for the next question.

use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use wikirag_core::{ChunkId, Error, ErrorKind, Readiness, Reason, Result, ResultExt, Retriever, offload};
use wikirag_sqlite::{Catalog, FileId};

use crate::Engine;
use crate::layers::{self, CATALOG_FILE};
use crate::locate::LocatedWiki;
use crate::passages::{KnownPassage, PassageMemory};
use crate::seal::Seal;

/// Wikis that are kept open. More would hold file handles and maps for wikis that nobody asks.
const KEPT: usize = 64;

/// A wiki with its catalog and the layers that can serve now.
#[derive(Clone)]
pub(crate) struct OpenWiki {
    pub(crate) catalog: Arc<Catalog>,
    passages: Passages,
    pub(crate) layers: Vec<OpenLayer>,
    /// Why some layer serves less than it could: name of the layer and reason.
    pub(crate) problems: Vec<(String, Reason)>,
}

/// The memory for passages, and the number of the catalog in it.
#[derive(Clone)]
struct Passages {
    memory: Arc<PassageMemory>,
    catalog: u64,
}

impl OpenWiki {
    /// The passages of these chunks, in this order; `None` for an id that no chunk has.
    ///
    /// # Errors
    /// Those of [`Catalog::passages`].
    pub(crate) fn passages(&self, ids: &[ChunkId]) -> Result<Vec<Option<Arc<KnownPassage>>>> {
        self.passages.memory.load(&self.catalog, self.passages.catalog, ids)
    }
}

/// A layer that can serve.
#[derive(Clone)]
pub(crate) struct OpenLayer {
    pub(crate) name: String,
    pub(crate) retriever: Arc<dyn Retriever>,
}

/// What earlier questions opened.
#[derive(Default)]
pub(crate) struct OpenWikis {
    /// The wikis that are open, the one used last at the end.
    open: Mutex<Vec<Arc<Handle>>>,
    /// Layers that are asked what they know of a question without a search, by index folder and name. They hold some kilobytes each, and
    /// no file open.
    unopened: Mutex<HashMap<(PathBuf, String), Arc<dyn Retriever>>>,
    /// Seals as they were last read, by index folder.
    seals: Mutex<HashMap<PathBuf, (FileId, Arc<Seal>)>>,
    /// Passages that earlier questions found.
    passages: Arc<PassageMemory>,
    /// Catalogs opened so far.
    catalogs: AtomicU64,
}

/// One wiki that is open. Layers are opened when first asked for.
struct Handle {
    index_dir: PathBuf,
    identity: Option<FileId>,
    catalog: Arc<Catalog>,
    /// No other catalog that this process opened has it.
    number: u64,
    layers: Mutex<HashMap<String, Arc<dyn Retriever>>>,
}

impl fmt::Debug for OpenWikis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        f.debug_list().entries(open.iter().map(|handle| &handle.index_dir)).finish()
    }
}

impl OpenWikis {
    /// The seal in an index folder, read anew only where it is another file.
    pub(crate) fn seal(&self, index_dir: &Path) -> Option<Arc<Seal>> {
        let file = Seal::file(index_dir)?;
        let known = self.seals.lock().unwrap_or_else(PoisonError::into_inner).get(index_dir).cloned();
        if let Some((_, seal)) = known.filter(|(known, _)| *known == file) {
            return Some(seal);
        }
        let seal = Arc::new(Seal::read(index_dir)?);
        let mut seals = self.seals.lock().unwrap_or_else(PoisonError::into_inner);
        seals.insert(index_dir.to_owned(), (file, Arc::clone(&seal)));
        Some(seal)
    }

    /// A layer for what it knows without a search.
    pub(crate) fn unopened(&self, engine: &Engine, wiki: &LocatedWiki, name: &str) -> Result<OpenLayer> {
        let key = (wiki.index_dir.clone(), name.to_owned());
        let known = self.unopened.lock().unwrap_or_else(PoisonError::into_inner).get(&key).cloned();
        let retriever = match known {
            Some(retriever) => retriever,
            None => {
                let made: Arc<dyn Retriever> = layers::open_layer(engine, wiki, name)?.into();
                let mut unopened = self.unopened.lock().unwrap_or_else(PoisonError::into_inner);
                Arc::clone(unopened.entry(key).or_insert(made))
            }
        };
        Ok(OpenLayer { name: name.to_owned(), retriever })
    }

    fn handle(&self, wiki: &LocatedWiki) -> Result<Arc<Handle>> {
        let path = wiki.index_dir.join(CATALOG_FILE);
        let identity = FileId::of(&path);
        {
            let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(at) = open.iter().position(|handle| handle.index_dir == wiki.index_dir) {
                let handle = open.remove(at);
                // A catalog made anew lies in a new file; whoever holds the old one would see the old state for ever.
                if identity.is_some() && handle.identity == identity {
                    open.push(Arc::clone(&handle));
                    return Ok(handle);
                }
            }
        }
        // Opened without the lock: a slow wiki must not keep the others waiting. Where two threads open one wiki, the
        // one that comes last is kept.
        let handle = Arc::new(Handle {
            index_dir: wiki.index_dir.clone(),
            identity,
            catalog: Arc::new(Catalog::open(&path)?),
            number: self.catalogs.fetch_add(1, Ordering::Relaxed),
            layers: Mutex::default(),
        });
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.retain(|other| other.index_dir != wiki.index_dir);
        if open.len() == KEPT {
            open.remove(0);
        }
        open.push(Arc::clone(&handle));
        Ok(handle)
    }
}

impl Handle {
    fn layer(&self, engine: &Engine, wiki: &LocatedWiki, name: &str) -> Result<Arc<dyn Retriever>> {
        let mut layers = self.layers.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(layer) = layers.get(name) {
            return Ok(Arc::clone(layer));
        }
        let layer: Arc<dyn Retriever> = layers::open_layer(engine, wiki, name)?.into();
        layers.insert(name.to_owned(), Arc::clone(&layer));
        Ok(layer)
    }

    /// A layer that cannot serve is opened anew next time: it may lie in another place by then (see [`layers::open_layer`]).
    fn forget(&self, name: &str) {
        self.layers.lock().unwrap_or_else(PoisonError::into_inner).remove(name);
    }
}

/// The catalog of a wiki, for reading.
///
/// # Errors
/// [`ErrorKind::IndexMissing`], [`ErrorKind::StaleIndex`] or [`ErrorKind::Damaged`], with the remedy.
pub(crate) fn catalog(engine: &Engine, wiki: &LocatedWiki) -> Result<Arc<Catalog>> {
    let found = engine.open_wikis().handle(wiki);
    found.map(|handle| Arc::clone(&handle.catalog)).map_err(named).with("wiki", &wiki.manifest.name)
}

/// [`catalog`], off the async runtime.
pub(crate) async fn catalog_of(engine: &Engine, wiki: &Arc<LocatedWiki>) -> Result<Arc<Catalog>> {
    let (engine, wiki) = (engine.clone(), Arc::clone(wiki));
    offload(move || catalog(&engine, &wiki)).await
}

/// [`open`], off the async runtime.
pub(crate) async fn open_of(engine: &Engine, wiki: &Arc<LocatedWiki>, only: Option<&[String]>) -> Result<OpenWiki> {
    let (engine, wiki, only) = (engine.clone(), Arc::clone(wiki), only.map(<[String]>::to_vec));
    offload(move || open(&engine, &wiki, only.as_deref())).await
}

/// The layers of a wiki that can be asked what they know of words without opening it; a layer that cannot be had says nothing.
pub(crate) fn counting(engine: &Engine, wiki: &LocatedWiki) -> Vec<OpenLayer> {
    let names = layers::names(engine, wiki);
    names.iter().filter_map(|name| engine.open_wikis().unopened(engine, wiki, name).ok()).collect()
}

fn named(error: Error) -> Error {
    if error.kind() != ErrorKind::IndexMissing {
        return error;
    }
    Error::new(ErrorKind::IndexMissing, "open wiki", "it was never built").help("run `wikirag build`")
}

/// Opens a wiki, with those of the layers `only` (or all it has) that can serve. A layer that cannot is a problem to be
/// told, not an error, as long as another one can.
///
/// # Errors
/// As [`catalog`], and the error of the first layer where none can serve.
pub(crate) fn open(engine: &Engine, wiki: &LocatedWiki, only: Option<&[String]>) -> Result<OpenWiki> {
    let handle = engine.open_wikis().handle(wiki).map_err(named).with("wiki", &wiki.manifest.name)?;
    let passages = Passages { memory: Arc::clone(&engine.open_wikis().passages), catalog: handle.number };
    let catalog = Arc::clone(&handle.catalog);
    let mut open = OpenWiki { catalog, passages, layers: Vec::new(), problems: Vec::new() };
    let mut first_error = None;
    let all = layers::names(engine, wiki);
    if let Some(stranger) = only.into_iter().flatten().find(|name| !all.contains(name)) {
        let message = format!("the wiki has no layer `{stranger}`");
        return Err(Error::new(ErrorKind::NotFound, "open wiki", message)
            .with("wiki", &wiki.manifest.name)
            .help(format!("it has: {}", all.join(", "))));
    }
    let names = only.map_or(all, <[String]>::to_vec);
    for name in names {
        let opened = handle
            .layer(engine, wiki, &name)
            .and_then(|layer| layers::readiness(layer.as_ref(), &open.catalog).map(|readiness| (layer, readiness)))
            // Of a layer that was never built the reason is what keeps it from being built.
            .map(|(layer, readiness)| match readiness {
                Readiness::Unavailable(own) => {
                    let reasons = layers::left_out(engine, wiki, layer.as_ref()).unwrap_or(own);
                    (layer, Readiness::Unavailable(reasons))
                }
                usable => (layer, usable),
            });
        match opened {
            Ok((retriever, readiness)) => {
                open.problems.extend(readiness.reasons().iter().map(|reason| (name.clone(), reason.clone())));
                match readiness {
                    Readiness::Unavailable(reasons) => {
                        handle.forget(&name);
                        first_error.get_or_insert_with(|| unavailable(&name, &reasons));
                    }
                    Readiness::Ready | Readiness::Degraded(_) => open.layers.push(OpenLayer { name, retriever }),
                }
            }
            Err(error) => {
                handle.forget(&name);
                let remedy = error.remedy().unwrap_or("run `wikirag doctor`").to_owned();
                let code = code_of(&error).to_owned();
                open.problems.push((name, Reason { code: code.into(), sentence: error.statement(), remedy }));
                first_error.get_or_insert(error);
            }
        }
    }
    match first_error {
        Some(error) if open.layers.is_empty() => Err(error.with("wiki", &wiki.manifest.name)),
        _ => Ok(open),
    }
}

/// The code of an error among the reasons of an answer: the one that a plugin gives it as the context `reason`, else that of
/// its kind.
pub(crate) fn code_of(error: &Error) -> &str {
    error.context("reason").unwrap_or_else(|| error.kind().code())
}

/// The error for a layer that must serve and cannot. The codes of reasons are those of error kinds where they say the same.
pub(crate) fn unavailable(name: &str, reasons: &[Reason]) -> Error {
    let Some(first) = reasons.first() else {
        return Error::new(ErrorKind::Unavailable, "open layer", "it gives no reason").with("layer", name);
    };
    let kind = match first.code.as_ref() {
        "foreign-catalog" => ErrorKind::StaleIndex,
        code => ErrorKind::ALL.into_iter().find(|kind| kind.code() == code).unwrap_or(ErrorKind::Unavailable),
    };
    Error::new(kind, "open layer", first.sentence.clone()).with("layer", name).help(first.remedy.clone())
}
