//! A wiki as the checks see it.

use std::sync::OnceLock;

use wikirag_core::{Date, Result};
use wikirag_sqlite::{Catalog, FileEntry, StoredPage};
use wikirag_vault::{Page, Pages, Resolution};

use crate::LocatedWiki;
use crate::manifest::{Role, WikiManifest};
use crate::pages::{Belonging, pages_of};

/// A wiki with all that its catalog knows but the texts.
pub(super) struct Vault {
    pub(super) manifest: WikiManifest,
    /// Sorted by path.
    pub(super) pages: Vec<StoredPage>,
    /// The ledger, sorted by path. What the wiki leaves out is in it: nothing of that may be told.
    pub(super) files: Vec<FileEntry>,
    pub(super) as_of: Date,
    names: Pages,
    resolved: OnceLock<Vec<Vec<Resolution>>>,
}

impl Vault {
    pub(super) fn load(wiki: &LocatedWiki, catalog: &Catalog, as_of: Date) -> Result<Self> {
        let (pages, files) = (pages_of(wiki, catalog)?, catalog.files()?);
        let mut belonging = Belonging::new(wiki);
        let page = |page: &StoredPage| Page {
            path: page.path.clone(),
            title: page.title.clone(),
            aliases: page.aliases.clone(),
        };
        let named = files.iter().filter(|file| belonging.has(&file.path)).map(|file| file.path.clone());
        let names = Pages::new(pages.iter().map(page).collect(), named);
        Ok(Self { manifest: wiki.manifest.clone(), pages, files, as_of, names, resolved: OnceLock::new() })
    }

    /// The page at this path.
    pub(super) fn page_at(&self, path: &str) -> Option<usize> {
        self.pages.binary_search_by(|page| page.path.as_str().cmp(path)).ok()
    }

    /// What the links of each page mean, in their order.
    pub(super) fn links(&self) -> &[Vec<Resolution>] {
        self.resolved.get_or_init(|| {
            let of_page = |page: &StoredPage| {
                page.links.iter().map(|link| self.names.resolve(&page.path, link.kind, &link.target)).collect()
            };
            self.pages.iter().map(of_page).collect()
        })
    }

    /// Whether the page was collected and not written: nobody links to such a page, and what it says is not ours to mend.
    pub(super) fn is_raw(&self, page: usize) -> bool {
        self.pages[page].role == Role::Raw.as_str()
    }
}
