//! A file that follows a catalog, as its one writer has it open.

use std::fmt;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, TransactionBehavior};
use wikirag_core::{CatalogId, Result};

use super::schema::Meta;
use crate::error::Fault;
use crate::file::FileKind;

/// The connection, and what each commit writes into the state.
pub(super) struct Journal {
    path: PathBuf,
    connection: Connection,
    catalog: CatalogId,
    recipe: String,
}

impl Journal {
    /// Opens the file at `path` to follow `catalog`, and makes it where there is none. The folder must be there.
    pub(super) fn open(kind: &FileKind, path: &Path, catalog: &CatalogId, recipe: &str) -> Result<Self> {
        let open = || {
            let connection = kind.writer(path)?;
            // What a power cut takes back takes the position back with it, so nothing need wait for the disk.
            connection.execute_batch(
                "PRAGMA synchronous = NORMAL; PRAGMA cache_size = -32768; PRAGMA journal_size_limit = 8388608;",
            )?;
            Meta::load(&connection)?;
            Ok(Self { path: path.to_owned(), connection, catalog: catalog.clone(), recipe: recipe.to_owned() })
        };
        open().map_err(|fault: Fault| fault.told("open graph for writing", path))
    }

    /// How what is written is made.
    pub(super) fn recipe(&self) -> &str {
        &self.recipe
    }

    /// Commits what `work` writes, and the state as it leaves it: all of it, or nothing where it fails.
    pub(super) fn commit<T>(&mut self, work: impl FnOnce(&Connection, &Path, &mut Meta) -> Result<T>) -> Result<T> {
        let Self { path, connection, catalog, recipe } = self;
        let commit = || {
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let mut meta = Meta::load(&transaction)?;
            let done = work(&transaction, path, &mut meta)?;
            meta.commits += 1;
            meta.catalog.clone_from(catalog);
            meta.recipe.clone_from(recipe);
            meta.store(&transaction)?;
            transaction.commit()?;
            Ok(done)
        };
        commit().map_err(|fault: Fault| fault.told("write graph", path))
    }

    /// Does `work` and puts the log away: the file alone is the whole state then.
    pub(super) fn close(self, work: fn(&Connection, &CatalogId) -> Result<(), Fault>) -> Result<()> {
        let Self { path, connection, catalog, .. } = self;
        let close = || {
            work(&connection, &catalog)?;
            connection.close().map_err(|(_, error)| Fault::from(error))
        };
        close().map_err(|fault| fault.told("write graph", &path))
    }

    /// Runs `work` outside of a commit.
    pub(super) fn run<T>(&self, work: impl FnOnce(&Connection) -> Result<T, Fault>) -> Result<T> {
        work(&self.connection).map_err(|fault| fault.told("read graph", &self.path))
    }
}

impl fmt::Debug for Journal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Journal").field("path", &self.path).finish_non_exhaustive()
    }
}
