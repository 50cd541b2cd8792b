//! The pages of a wiki as its manifests have it now.

use std::collections::HashMap;

use wikirag_core::{Result, ResultExt};
use wikirag_sqlite::{Catalog, StoredPage};

use crate::LocatedWiki;
use crate::scan::still_belongs;

/// All documents of the catalog that are still part of the wiki, sorted by path: an index is older than the manifests, see
/// [`still_belongs`].
///
/// # Errors
/// Where the catalog cannot be read.
pub(crate) fn pages_of(wiki: &LocatedWiki, catalog: &Catalog) -> Result<Vec<StoredPage>> {
    let mut pages = catalog.pages().with("wiki", &wiki.manifest.name)?;
    let mut belonging = Belonging::new(wiki);
    pages.retain(|page| belonging.has(&page.path));
    Ok(pages)
}

/// Whether paths are still part of a wiki, see [`still_belongs`]. The disk is looked at once for each folder.
pub(crate) struct Belonging<'w> {
    wiki: &'w LocatedWiki,
    folders: HashMap<String, bool>,
}

impl<'w> Belonging<'w> {
    pub(crate) fn new(wiki: &'w LocatedWiki) -> Self {
        Self { wiki, folders: HashMap::new() }
    }

    pub(crate) fn has(&mut self, path: &str) -> bool {
        if !self.wiki.manifest.includes(path) {
            return false;
        }
        let folder = path.rfind('/').map_or("", |at| &path[..at]);
        match self.folders.get(folder) {
            Some(belongs) => *belongs,
            None => {
                let belongs = still_belongs(self.wiki, path);
                self.folders.insert(folder.to_owned(), belongs);
                belongs
            }
        }
    }
}
