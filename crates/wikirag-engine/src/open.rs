//! A wiki opened for reading.

use std::sync::Arc;

use wikirag_core::{ErrorKind, Readiness, Reason, Result, ResultExt, Retriever};
use wikirag_sqlite::Catalog;

use crate::Engine;
use crate::layers::{self, CATALOG_FILE};
use crate::locate::LocatedWiki;

/// A wiki with its catalog and the layers that can serve.
pub(crate) struct OpenWiki {
    pub(crate) catalog: Arc<Catalog>,
    pub(crate) layers: Vec<OpenLayer>,
    /// Why some layer serves less than it could: name of the layer and reason.
    pub(crate) problems: Vec<(String, Reason)>,
}

/// A layer that can serve.
pub(crate) struct OpenLayer {
    pub(crate) name: String,
    pub(crate) retriever: Box<dyn Retriever>,
}

/// Opens the catalog of a wiki for reading.
///
/// # Errors
/// [`ErrorKind::IndexMissing`], [`ErrorKind::StaleIndex`] or [`ErrorKind::Damaged`], with the remedy.
pub(crate) fn catalog(wiki: &LocatedWiki) -> Result<Catalog> {
    let opened = Catalog::open(&wiki.index_dir.join(CATALOG_FILE)).and_then(|catalog| {
        // The first commit of the first build makes a catalog something that can be asked.
        if catalog.info()?.generation.0 == 0 { Err(missing()) } else { Ok(catalog) }
    });
    opened
        .map_err(|error| if error.kind() == ErrorKind::IndexMissing { missing() } else { error })
        .with("wiki", &wiki.manifest.name)
}

fn missing() -> wikirag_core::Error {
    wikirag_core::Error::new(ErrorKind::IndexMissing, "open wiki", "it was never built").help("run `wikirag build`")
}

/// Opens a wiki, with those of the layers `only` (or all it has) that can serve. A layer that cannot is a problem to be
/// told, not an error, as long as another one can.
///
/// # Errors
/// As [`catalog`], and the error of the first layer where none can serve.
pub(crate) fn open(engine: &Engine, wiki: &LocatedWiki, only: Option<&[String]>) -> Result<OpenWiki> {
    let catalog = Arc::new(catalog(wiki)?);
    let mut open = OpenWiki { catalog, layers: Vec::new(), problems: Vec::new() };
    let mut first_error = None;
    let names = only.map_or_else(|| layers::names(engine, wiki), <[String]>::to_vec);
    for name in names {
        let opened = layers::open(engine, wiki, &name)
            .and_then(|layer| layers::readiness(layer.as_ref(), &open.catalog).map(|readiness| (layer, readiness)));
        match opened {
            Ok((retriever, readiness)) => {
                open.problems.extend(readiness.reasons().iter().map(|reason| (name.clone(), reason.clone())));
                match readiness {
                    Readiness::Unavailable(reasons) => {
                        first_error.get_or_insert_with(|| unavailable(&name, &reasons));
                    }
                    Readiness::Ready | Readiness::Degraded(_) => open.layers.push(OpenLayer { name, retriever }),
                }
            }
            Err(error) => {
                let remedy = error.remedy().unwrap_or("run `wikirag doctor`").to_owned();
                let reason = Reason::new(error.kind().code(), error.to_string(), remedy);
                open.problems.push((name, reason));
                first_error.get_or_insert(error);
            }
        }
    }
    match first_error {
        Some(error) if open.layers.is_empty() => Err(error.with("wiki", &wiki.manifest.name)),
        _ => Ok(open),
    }
}

/// The error for a layer that must serve and cannot. The codes of reasons are those of error kinds where they say the same.
fn unavailable(name: &str, reasons: &[Reason]) -> wikirag_core::Error {
    let first = reasons.first();
    let code = first.map_or("", |reason| &reason.code);
    let kind = match code {
        "foreign-catalog" => ErrorKind::StaleIndex,
        code => ErrorKind::ALL.into_iter().find(|kind| kind.code() == code).unwrap_or(ErrorKind::Unavailable),
    };
    let sentence = first.map_or_else(|| "it gives no reason".to_owned(), |reason| reason.sentence.clone());
    let error = wikirag_core::Error::new(kind, "open layer", sentence).with("layer", name);
    match first {
        Some(reason) => error.help(reason.remedy.clone()),
        None => error,
    }
}
