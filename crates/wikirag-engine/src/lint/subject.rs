//! A wiki as the checks see it.

use wikirag_core::{Date, Result};
use wikirag_sqlite::{Catalog, FileEntry};

use crate::LocatedWiki;
use crate::manifest::{Role, WikiManifest};
use crate::vault::Vault;

/// A wiki with all that its catalog knows but the texts.
pub(super) struct Subject {
    pub(super) manifest: WikiManifest,
    pub(super) vault: Vault,
    /// The ledger, sorted by path. What the wiki leaves out is in it: nothing of that may be told.
    pub(super) files: Vec<FileEntry>,
    pub(super) as_of: Date,
}

impl Subject {
    pub(super) fn load(wiki: &LocatedWiki, catalog: &Catalog, as_of: Date) -> Result<Self> {
        let files = catalog.files()?;
        let vault = Vault::with_ledger(wiki, catalog, &files)?;
        Ok(Self { manifest: wiki.manifest.clone(), vault, files, as_of })
    }

    /// Whether the page was collected and not written: nobody links to such a page, and what it says is not ours to mend.
    pub(super) fn is_raw(&self, page: usize) -> bool {
        self.vault.pages[page].role == Role::Raw.as_str()
    }
}
