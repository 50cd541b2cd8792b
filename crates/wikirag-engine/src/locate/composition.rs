//! What is searched together: the wikis of a `*.rag.yaml`, or one wiki on its own.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use wikirag_core::{Error, ErrorKind, Result, Sensitivity};

use super::{LocatedWiki, Locator, canonical, refusal};
use crate::manifest::{PluginChoice, RagManifest, Route, rag};
use crate::settings::{Settings, suggest};

const OPERATION: &str = "load composition";

/// Wikis that are searched together. That there is one means that all of them may be read.
#[derive(Debug, Clone, PartialEq)]
pub struct Composition {
    /// How answers call it.
    pub name: String,
    /// What it may see.
    pub clearance: Sensitivity,
    /// The wikis in the order of the file, at least one, none twice and no two of one name.
    pub wikis: Vec<ComposedWiki>,
    /// References that mean nothing, in the order of the file; only with [`Missing::Report`].
    pub missing: Vec<String>,
    /// Which of the wikis are asked.
    pub route: Route,
    /// What makes one list of many; `None`: the default of the program.
    pub fuse: Option<PluginChoice>,
    /// What looks at the best hits a second time, one stage after the other; `None`: the default where the program has it.
    pub rerank: Option<Vec<PluginChoice>>,
    /// How many hits an answer has, if not as many as the settings say; at least 1.
    pub limit: Option<usize>,
    /// How many passages of one document an answer has, if not as many as the settings say; at least 1.
    pub per_document: Option<usize>,
    /// The composition file, if there is one.
    pub path: Option<PathBuf>,
}

/// One wiki of a composition.
#[derive(Debug, Clone, PartialEq)]
pub struct ComposedWiki {
    /// The wiki. Shared: each question hands it on.
    pub located: Arc<LocatedWiki>,
    /// How the composition refers to it.
    pub reference: String,
    /// How much its hits count; finite and above 0.
    pub weight: f64,
}

/// What is done about wikis of a composition that do not exist.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Missing {
    /// The composition is not loaded.
    #[default]
    Refuse,
    /// They are listed, as long as there is one wiki left.
    Report,
}

impl Composition {
    /// These wikis together, with nothing said of how they are asked.
    pub(crate) fn plain(name: impl Into<String>, clearance: Sensitivity, wikis: Vec<ComposedWiki>) -> Self {
        Self {
            name: name.into(),
            clearance,
            wikis,
            missing: Vec::new(),
            route: Route::default(),
            fuse: None,
            rerank: None,
            limit: None,
            per_document: None,
            path: None,
        }
    }

    /// Asserts once more that each of the wikis may be read at the clearance. The fields are open to whoever embeds the
    /// engine, so all that reads out of wikis begins with this.
    ///
    /// # Errors
    /// [`ErrorKind::Refused`] naming the references of those that may not.
    pub fn check(&self) -> Result<()> {
        let is_above = |wiki: &&ComposedWiki| !wiki.located.manifest.sensitivity.is_readable_at(self.clearance);
        let above: Vec<&str> = self.wikis.iter().filter(is_above).map(|wiki| wiki.reference.as_str()).collect();
        if above.is_empty() { Ok(()) } else { Err(refusal(&above, self.clearance)) }
    }
}

/// Loads the composition file `reference`, or makes a composition of the one wiki that `reference` means, which may be
/// read at the clearance of the settings. Relative paths are taken from `cwd`, which is absolute; those in a composition
/// file from its folder.
///
/// All manifests are read before anything is decided, and nothing else is. So the answer depends neither on the order of
/// the wikis nor on what an index holds.
///
/// # Errors
/// [`ErrorKind::Refused`] where a wiki may not be read, whatever else is off, naming no more of it than the reference;
/// otherwise what is off with the file or with one of the wikis; see [`Locator::wiki`].
pub fn composition(reference: &str, cwd: &Path, settings: &Settings, missing: Missing) -> Result<Composition> {
    let path = cwd.join(reference);
    if rag::is_rag_path(&path) && !path.is_dir() {
        return compose(RagManifest::load(&path)?, settings, missing).map_err(|error| error.with("in", path.display()));
    }
    let located = Locator::new(settings, cwd, settings.clearance).wiki(reference).map_err(|error| {
        if error.kind() != ErrorKind::NotFound || !path.is_file() {
            return error;
        }
        Error::new(ErrorKind::Invalid, OPERATION, "the file is neither a wiki nor a composition")
            .with("path", path.display())
            .help("a wiki is a folder, and the name of a composition file ends with `.rag.yaml`")
    })?;
    let name = located.manifest.name.to_string();
    let wiki = ComposedWiki { located: Arc::new(located), reference: reference.trim().to_owned(), weight: 1.0 };
    Ok(Composition::plain(name, settings.clearance, vec![wiki]))
}

fn compose(rag: RagManifest, settings: &Settings, missing: Missing) -> Result<Composition> {
    let folder = rag.path.parent().unwrap_or(Path::new("")).to_owned();
    let locator = Locator::new(settings, &folder, rag.clearance).with_siblings();
    let found = rag.wikis.into_iter().map(|entry| (locator.wiki(&entry.reference), entry));

    let (mut wikis, mut refused, mut absent, mut fault) = (Vec::new(), Vec::new(), Vec::new(), None);
    for (located, entry) in found {
        match located {
            Ok(located) => {
                let located = Arc::new(located);
                wikis.push(ComposedWiki { located, reference: entry.reference, weight: entry.weight });
            }
            Err(error) if error.kind() == ErrorKind::Refused => refused.push(entry.reference),
            Err(error) if error.kind() == ErrorKind::NotFound => absent.push((entry.reference, error)),
            Err(error) => fault = fault.or(Some(error)),
        }
    }
    if !refused.is_empty() {
        refused.sort_unstable();
        refused.dedup();
        let references: Vec<&str> = refused.iter().map(String::as_str).collect();
        return Err(refusal(&references, rag.clearance)
            .help("take it off the list or raise the `clearance` of the composition"));
    }
    if let Some(fault) = fault {
        return Err(fault);
    }
    let names: Vec<String> = absent.iter().map(|(reference, _)| reference.clone()).collect();
    if missing == Missing::Refuse || wikis.is_empty() {
        let mut errors = absent.into_iter().map(|(_, error)| error);
        if let Some(first) = errors.next() {
            let others: Vec<String> =
                names.iter().skip(1).map(|name| format!("`{}`", suggest::shorten(name))).collect();
            return Err(if others.is_empty() { first } else { first.with("also missing", others.join(", ")) });
        }
    }
    check_distinct(&wikis)?;
    Ok(Composition {
        name: rag.name,
        clearance: rag.clearance,
        wikis,
        missing: names,
        route: rag.route,
        fuse: rag.fuse,
        rerank: rag.rerank,
        limit: rag.limit,
        per_document: rag.per_document,
        path: Some(rag.path),
    })
}

/// A wiki listed twice would count twice, and of two wikis of one name no citation could say which it means.
pub(super) fn check_distinct(wikis: &[ComposedWiki]) -> Result<()> {
    let mut roots: HashMap<PathBuf, &str> = HashMap::new();
    let mut names: HashMap<&str, &str> = HashMap::new();
    for wiki in wikis {
        let reference = wiki.reference.as_str();
        let clash = |first: &str, what: String| {
            let message = format!("`{}` and `{}` are {what}", suggest::shorten(first), suggest::shorten(reference));
            Error::new(ErrorKind::Invalid, OPERATION, message)
        };
        if let Some(first) = roots.insert(canonical(&wiki.located.root), reference) {
            return Err(clash(first, "the same wiki".to_owned()).help("list it once"));
        }
        let name = wiki.located.manifest.name.as_str();
        if let Some(first) = names.insert(name, reference) {
            let error = clash(first, format!("both called `{name}`"));
            return Err(error.help("give one of them another `name` in its manifest"));
        }
    }
    Ok(())
}
