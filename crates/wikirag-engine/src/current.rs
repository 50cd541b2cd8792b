//! The catalog of a wiki as its folder is now, for those who read pages.

use std::sync::Arc;
use std::time::Duration;

use wikirag_core::{Context, ErrorKind, Result};
use wikirag_sqlite::Catalog;

use crate::{BuildOptions, Engine, LocatedWiki, open};

/// Who reads pages asks no layer that costs much.
const FOR_READING: BuildOptions = BuildOptions { full: false, costly_layers_within: Some(Duration::ZERO) };

/// A catalog that is as new as can be had.
pub(crate) struct Current {
    pub(crate) catalog: Arc<Catalog>,
    /// Why it may be older than the documents, if it may.
    pub(crate) behind: Option<String>,
}

impl Engine {
    /// Brings the index of a wiki up to its folder where `refresh` says so, and opens its catalog. Where another process builds, or
    /// the index cannot be written to, an older catalog does.
    ///
    /// # Errors
    /// What the build fails with, unless an older catalog serves; [`ErrorKind::IndexMissing`], [`ErrorKind::StaleIndex`] or
    /// [`ErrorKind::Damaged`] where there is none to open.
    pub(crate) async fn current(&self, wiki: &Arc<LocatedWiki>, refresh: bool, context: &Context) -> Result<Current> {
        let behind = if refresh {
            match self.build(wiki, FOR_READING, context).await {
                Ok(_) => None,
                Err(error) if matches!(error.kind(), ErrorKind::Busy | ErrorKind::Io) => {
                    // Without a catalog the reason is what kept the build from making one.
                    let Ok(catalog) = open::catalog_of(self, wiki).await else { return Err(error) };
                    return Ok(Current { catalog, behind: Some(error.statement()) });
                }
                Err(error) => return Err(error),
            }
        } else {
            Some("nobody looked for changed files".to_owned())
        };
        Ok(Current { catalog: open::catalog_of(self, wiki).await?, behind })
    }
}
