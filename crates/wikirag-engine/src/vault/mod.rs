//! A wiki as a person walks it: from page to page along its links, back along them, and along names that nobody linked.
//!
//! Only the catalog is read. What a link means says [`wikirag_vault`]; nothing here guesses where several pages fit.

mod backlinks;
mod edges;
mod excerpt;
mod graph;
mod links;
mod mentions;
mod options;
mod prose;
mod seek;
mod walk;

#[cfg(test)]
mod tests;

use std::sync::OnceLock;

use wikirag_core::{Link, Result};
use wikirag_sqlite::{Catalog, FileEntry, StoredPage};
use wikirag_vault::{Page, Pages, Resolution};

pub use backlinks::{Backlink, Backlinks};
pub use graph::{Edge, EdgeKind, Node, NodeKind, PageGraph, Unresolved};
pub use mentions::{MentionedName, Mentions, PageMention};
pub use options::{Direction, GraphOptions, ListOptions};

use crate::LocatedWiki;
use crate::pages::{Belonging, pages_of};
use links::Links;

/// A wiki with all that its catalog knows but the texts, and what its links mean.
#[derive(Debug)]
pub(crate) struct Vault {
    /// Sorted by path.
    pub(crate) pages: Vec<StoredPage>,
    /// The same pages, in the same order, and the files beside them, by their names.
    pub(crate) names: Pages,
    links: OnceLock<Links>,
}

impl Vault {
    /// Reads the pages of a wiki, and the files beside them out of its ledger.
    ///
    /// # Errors
    /// Where the catalog cannot be read.
    pub(crate) fn open(wiki: &LocatedWiki, catalog: &Catalog) -> Result<Self> {
        Self::with_ledger(wiki, catalog, &catalog.files()?)
    }

    /// As [`Vault::open`], for those who have read the ledger.
    ///
    /// # Errors
    /// Where the catalog cannot be read.
    pub(crate) fn with_ledger(wiki: &LocatedWiki, catalog: &Catalog, ledger: &[FileEntry]) -> Result<Self> {
        let mut belonging = Belonging::new(wiki);
        let files = ledger.iter().filter(|file| belonging.has(&file.path)).map(|file| file.path.clone());
        Ok(Self::new(pages_of(wiki, catalog)?, files))
    }

    fn new(pages: Vec<StoredPage>, files: impl IntoIterator<Item = String>) -> Self {
        let page = |page: &StoredPage| Page {
            path: page.path.clone(),
            title: page.title.clone(),
            aliases: page.aliases.clone(),
        };
        let names = Pages::new(pages.iter().map(page).collect(), files);
        Self { pages, names, links: OnceLock::new() }
    }

    /// The page at this path.
    pub(crate) fn page_at(&self, path: &str) -> Option<usize> {
        self.pages.binary_search_by(|page| page.path.as_str().cmp(path)).ok()
    }

    /// What the links of all pages mean; resolved when it is first asked for.
    pub(crate) fn links(&self) -> &Links {
        self.links.get_or_init(|| Links::of(&self.pages, &self.names))
    }

    /// The links of a page, in their order, each with what it means.
    pub(crate) fn links_of(&self, page: usize) -> impl Iterator<Item = (&Link, &Resolution)> {
        self.pages[page].links.iter().zip(self.links().of_page(page))
    }
}
