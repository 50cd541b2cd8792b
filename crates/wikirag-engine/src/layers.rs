//! The layers of a wiki: which there are, making them, and keeping them on the catalog's heels.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use wikirag_core::{
    ChangeFeed, Context, Error, ErrorKind, ExtractionReport, FeedPosition, LayerSetup, Readiness, Reason, Result,
    ResultExt, Retriever, SyncReport,
};
use wikirag_sqlite::Catalog;

use crate::Engine;
use crate::build::{BuildOptions, LayerReport};
use crate::locate::LocatedWiki;
use crate::manifest::Layers;
use crate::open;

/// The catalog of a wiki, below its index folder.
pub(crate) const CATALOG_FILE: &str = "catalog.db";

/// The layers that the wiki has: those its manifest lists, or those of the settings, or every retriever of this program.
pub(crate) fn names(engine: &Engine, wiki: &LocatedWiki) -> Vec<String> {
    match (&wiki.manifest.layers, &engine.settings().layers) {
        (Layers::Named(names), _) | (Layers::Auto, Some(names)) => names.clone(),
        (Layers::Auto, None) => engine.registry().names_of("retriever").map(str::to_owned).collect(),
    }
}

/// Whether somebody named the layers of the wiki, so that each must be there. Otherwise a wiki does without those that are
/// not ready.
pub(crate) fn are_named(engine: &Engine, wiki: &LocatedWiki) -> bool {
    wiki.manifest.layers != Layers::Auto || engine.settings().layers.is_some()
}

/// Why the wiki does without a layer: nobody named it, it has no index, and what it would need to make one is not there.
pub(crate) fn left_out(engine: &Engine, wiki: &LocatedWiki, layer: &dyn Retriever) -> Option<Vec<Reason>> {
    if are_named(engine, wiki) || !matches!(layer.position(), Ok(None)) {
        return None;
    }
    match layer.sync_readiness() {
        Readiness::Unavailable(reasons) => Some(reasons),
        Readiness::Ready | Readiness::Degraded(_) => None,
    }
}

/// Whether the wiki does without the layer `name` at this moment, see [`left_out`].
pub(crate) fn is_left_out(engine: &Engine, wiki: &LocatedWiki, name: &str) -> bool {
    open_layer(engine, wiki, name).is_ok_and(|layer| left_out(engine, wiki, layer.as_ref()).is_some())
}

/// Opens one layer. Creates nothing.
pub(crate) fn open_layer(engine: &Engine, wiki: &LocatedWiki, name: &str) -> Result<Box<dyn Retriever>> {
    let [place, new, old] = folders(name);
    let is_there = |folder: &str| wiki.index_dir.join(folder).exists();
    // In the middle of a swap, and after a kill there, the new index is whole and not in its place yet.
    let folder = if !is_there(&place) && is_there(&old) && is_there(&new) { new } else { place };
    open_at(engine, wiki, name, &folder)
}

/// The folders of a layer: its place, the new index that is built beside it, and the old one that made room for that.
fn folders(name: &str) -> [String; 3] {
    [name.to_owned(), format!("{name}.new"), format!("{name}.old")]
}

fn open_at(engine: &Engine, wiki: &LocatedWiki, name: &str, folder: &str) -> Result<Box<dyn Retriever>> {
    let setup = LayerSetup {
        plugin: engine.setup(name),
        wiki: wiki.manifest.name.clone(),
        dir: wiki.index_dir.join(folder),
        previous: (folder != name).then(|| wiki.index_dir.join(name)),
        write_memory: engine.settings().build.memory_mb << 20,
        write_threads: engine.threads(),
    };
    engine.registry().retriever(name, &setup)
}

/// Brings every layer up to the catalog, those that cost little first. With `full` each is built beside the old one and
/// takes its place.
///
/// # Errors
/// The first failure, after every layer had its turn.
pub(crate) async fn sync_all(
    engine: &Engine,
    wiki: &LocatedWiki,
    catalog: &Arc<Catalog>,
    options: BuildOptions,
    context: &Context,
) -> Result<Vec<LayerReport>> {
    let mut reports = Vec::new();
    let mut first_error = None;
    let mut costly = Vec::new();
    let mut cheap = Vec::new();
    for name in names(engine, wiki) {
        // A layer that cannot even be opened says why in its turn.
        let is_costly = open_layer(engine, wiki, &name).is_ok_and(|layer| layer.is_costly());
        if is_costly { &mut costly } else { &mut cheap }.push(name);
    }
    let within = |context: &Context| match options.costly_layers_within {
        Some(limit) => context.clone().with_time_limit(limit),
        None => context.clone(),
    };
    let turns =
        cheap.iter().map(|name| (name, context.clone())).chain(costly.iter().map(|name| (name, within(context))));
    for (name, limited) in turns {
        let synced = match tidy(wiki, name) {
            Err(error) => Err(error),
            Ok(()) if options.full => rebuild(engine, wiki, name, catalog, &limited).await,
            Ok(()) => sync(engine, wiki, name, name, catalog, &limited).await,
        };
        // For a question: its answer tells how each layer stands.
        if options.costly_layers_within.is_some() && synced.is_err() {
            context.check("sync")?;
            continue;
        }
        match synced.with("layer", name).with("wiki", &wiki.manifest.name) {
            Ok(report) => reports.push(report),
            Err(error) => _ = first_error.get_or_insert(error),
        }
    }
    // After all layers: it may take longer than all of them.
    for report in reports.iter_mut().filter(|report| report.left_out.is_none()) {
        let name = report.layer.clone();
        match extract(engine, wiki, &name, catalog, options, context).await.with("layer", &name) {
            Ok(extraction) => report.extraction = extraction,
            Err(_) if options.costly_layers_within.is_some() => context.check("extract")?,
            Err(error) => _ = first_error.get_or_insert(error.with("wiki", &wiki.manifest.name)),
        }
    }
    match first_error {
        None => Ok(reports),
        Some(error) => Err(error),
    }
}

/// What an extractor finds for a layer. For a question nobody is asked.
async fn extract(
    engine: &Engine,
    wiki: &LocatedWiki,
    name: &str,
    catalog: &Arc<Catalog>,
    options: BuildOptions,
    context: &Context,
) -> Result<Option<ExtractionReport>> {
    let feed: Arc<dyn ChangeFeed> = Arc::<Catalog>::clone(catalog);
    open_layer(engine, wiki, name)?.extract(feed, options.costly_layers_within.is_none(), context).await
}

async fn sync(
    engine: &Engine,
    wiki: &LocatedWiki,
    name: &str,
    folder: &str,
    catalog: &Arc<Catalog>,
    context: &Context,
) -> Result<LayerReport> {
    let layer = open_at(engine, wiki, name, folder)?;
    if let Some((known, position)) = layer.position()?
        && known == *catalog.catalog()
        && catalog.pending(position)? == 0
    {
        // There is nothing to do for an index that is sound; of one that is not, nobody may say that all is well.
        if let Readiness::Unavailable(reasons) = layer.readiness() {
            return Err(open::unavailable(name, &reasons));
        }
        return Ok(LayerReport { layer: name.to_owned(), ..LayerReport::default() });
    }
    if let Readiness::Unavailable(reasons) = layer.sync_readiness() {
        if are_named(engine, wiki) {
            return Err(open::unavailable(name, &reasons));
        }
        let pending = pending(layer.as_ref(), catalog).unwrap_or(catalog.info()?.chunks);
        let left_out = reasons.into_iter().next();
        return Ok(LayerReport { layer: name.to_owned(), pending, left_out, ..LayerReport::default() });
    }
    let feed: Arc<dyn ChangeFeed> = Arc::<Catalog>::clone(catalog);
    let done = layer.sync(feed, context).await?;
    let pending = pending(layer.as_ref(), catalog)?;
    let SyncReport { upserted, deleted, .. } = done;
    Ok(LayerReport { layer: name.to_owned(), upserted, deleted, pending, ..LayerReport::default() })
}

async fn rebuild(
    engine: &Engine,
    wiki: &LocatedWiki,
    name: &str,
    catalog: &Arc<Catalog>,
    context: &Context,
) -> Result<LayerReport> {
    let [place, new, old] = folders(name);
    let dir = |folder: &str| wiki.index_dir.join(folder);
    let report = sync(engine, wiki, name, &new, catalog, context).await?;
    if report.left_out.is_some() {
        // The old one, where there is one, is worth more than none.
        return Ok(report);
    }
    rename(&dir(&place), &dir(&old))?;
    rename(&dir(&new), &dir(&place))?;
    remove(&dir(&old))?;
    Ok(report)
}

/// Ends a swap that a kill interrupted, and sweeps away what else one may have left.
fn tidy(wiki: &LocatedWiki, name: &str) -> Result<()> {
    let [place, new, old] = folders(name).map(|folder| wiki.index_dir.join(folder));
    if !place.exists() && old.exists() {
        rename(&new, &place)?;
    }
    remove(&new)?;
    remove(&old)
}

fn remove(dir: &Path) -> Result<()> {
    match fs::remove_dir_all(dir) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(Error::new(ErrorKind::Io, "remove old index", error.to_string()).with("path", dir.display()))
        }
        _ => Ok(()),
    }
}

fn rename(from: &Path, to: &Path) -> Result<()> {
    match fs::rename(from, to) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(Error::new(ErrorKind::Io, "swap index", error.to_string()).with("path", from.display()))
        }
        _ => Ok(()),
    }
}

/// How many changes of the catalog the layer has not followed.
pub(crate) fn pending(layer: &dyn Retriever, catalog: &Catalog) -> Result<u64> {
    match layer.position()? {
        Some((known, position)) if known == *catalog.catalog() => catalog.pending(position),
        _ => catalog.pending(FeedPosition::default()),
    }
}

/// How far a layer can serve: what it says of itself, and how far it is behind the catalog.
pub(crate) fn readiness(layer: &dyn Retriever, catalog: &Catalog) -> Result<Readiness> {
    let own = layer.readiness();
    if !own.is_usable() {
        return Ok(own);
    }
    let remedy = "run `wikirag build`";
    match layer.position()? {
        Some((known, position)) if known == *catalog.catalog() => {
            let behind = catalog.pending(position)?;
            if behind == 0 {
                return Ok(own);
            }
            let mut reasons = own.reasons().to_vec();
            reasons.push(Reason::new("behind", format!("{behind} changes of the wiki are not in it yet"), remedy));
            Ok(Readiness::Degraded(reasons))
        }
        // Its ids mean nothing here: wrong hits are worse than none.
        Some(_) => {
            let reason = Reason::new("foreign-catalog", "it was built from another catalog", remedy);
            Ok(Readiness::Unavailable(vec![reason]))
        }
        None => Ok(Readiness::Unavailable(vec![Reason::new("index-missing", "it was never built", remedy)])),
    }
}
