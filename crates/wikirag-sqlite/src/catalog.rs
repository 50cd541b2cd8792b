//! The catalog: one connection that reads, and for the writer a second one that writes.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError, TryLockError};

use rusqlite::Connection;
use wikirag_core::{CatalogId, Error, ErrorKind, Result};

use crate::error::Fault;
use crate::feed::CachedSource;
use crate::model::CatalogInfo;
use crate::open;
use crate::schema::Meta;
use crate::update::Update;

/// The catalog of one wiki.
///
/// Reads see the last commit, whoever made it, and never wait for a writer. Each call is one snapshot.
pub struct Catalog {
    path: PathBuf,
    id: CatalogId,
    // Declared before the writer so that it is closed first: the last connection tidies the log away, and one that
    // only reads cannot.
    reader: Mutex<Reading>,
    writer: Option<Mutex<Connection>>,
}

/// The connection that reads, and the document that the feed read last.
struct Reading {
    connection: Connection,
    last_source: Option<CachedSource>,
}

/// The catalog as it stood when a read began, and the document that the feed read last.
pub(crate) struct Snapshot<'a> {
    pub(crate) connection: &'a Connection,
    pub(crate) last_source: &'a mut Option<CachedSource>,
}

impl Catalog {
    /// Opens a catalog for reading, also while another process writes it.
    ///
    /// In a folder that cannot be written to, SQLite cannot make the files by which readers and writers see each
    /// other. The catalog is then read as a file that nobody changes, which is right for a copy on a read-only
    /// medium; should somebody change it all the same, reads fail with [`ErrorKind::Damaged`] and do not lie.
    ///
    /// # Errors
    /// * [`ErrorKind::IndexMissing`] where there is no file, or nothing was ever committed to it;
    /// * [`ErrorKind::StaleIndex`] where another version of the format was written;
    /// * [`ErrorKind::Damaged`] where the file is no catalog or has lost its end;
    /// * [`ErrorKind::Busy`] and [`ErrorKind::Io`] as they come.
    pub fn open(path: &Path) -> Result<Self> {
        const OPERATION: &str = "open catalog";
        let (connection, meta) = open::for_reading(path).map_err(|fault| fault.told(OPERATION, path))?;
        if meta.generation == 0 {
            return Err(open::missing("the first build has not finished").told(OPERATION, path));
        }
        Ok(Self::new(path, connection, meta, None))
    }

    /// Opens a catalog for the one writer, and makes it where there is none. The folder must be there, and the caller
    /// must hold the lock of the wiki.
    ///
    /// # Errors
    /// As [`Catalog::open`], but a catalog without a commit is none. Damage is not mended: see [`Catalog::remove`].
    pub fn open_or_create(path: &Path) -> Result<Self> {
        const OPERATION: &str = "open catalog for writing";
        let open = || {
            let writer = open::for_writing(path)?;
            let (reader, meta) = open::for_reading(path)?;
            Ok(Self::new(path, reader, meta, Some(writer)))
        };
        open().map_err(|fault: Fault| fault.told(OPERATION, path))
    }

    /// Removes a catalog with all its files, so that the next build begins anew. No error where there is none.
    ///
    /// # Errors
    /// [`ErrorKind::Io`].
    pub fn remove(path: &Path) -> Result<()> {
        open::remove(path).map_err(|fault| fault.told("remove catalog", path))
    }

    fn new(path: &Path, connection: Connection, meta: Meta, writer: Option<Connection>) -> Self {
        Self {
            path: path.to_owned(),
            id: meta.id,
            reader: Mutex::new(Reading { connection, last_source: None }),
            writer: writer.map(Mutex::new),
        }
    }

    /// Where the file lies.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) const fn id(&self) -> &CatalogId {
        &self.id
    }

    /// The state of the catalog in numbers. Reads one row.
    ///
    /// # Errors
    /// Where the catalog cannot be read.
    pub fn info(&self) -> Result<CatalogInfo> {
        self.read("read catalog", |snapshot| Ok(Meta::load(snapshot.connection)?.info()))
    }

    /// Begins an update: one transaction. Reads through this value go on and see the state before it.
    ///
    /// # Errors
    /// [`ErrorKind::Busy`] where another update is open, here or in another process; [`ErrorKind::Internal`] for a
    /// catalog that was opened for reading.
    pub fn update(&self) -> Result<Update<'_>> {
        const OPERATION: &str = "begin update";
        let Some(writer) = &self.writer else {
            let error = Error::new(ErrorKind::Internal, OPERATION, "the catalog was opened for reading");
            return Err(Fault::from(error).told(OPERATION, &self.path));
        };
        let connection = match writer.try_lock() {
            Ok(connection) => connection,
            // A thread that panicked rolled its update back on the way.
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => {
                let error = Error::new(ErrorKind::Busy, OPERATION, "another update of the catalog is open");
                return Err(Fault::from(error).told(OPERATION, &self.path));
            }
        };
        Update::begin(connection, &self.path).map_err(|fault| fault.told(OPERATION, &self.path))
    }

    /// Runs `work` on one snapshot of the catalog.
    pub(crate) fn read<T>(
        &self,
        operation: &'static str,
        work: impl FnOnce(&mut Snapshot<'_>) -> Result<T, Fault>,
    ) -> Result<T> {
        // A thread that panicked ended its snapshot on the way, so the poison of the lock says nothing.
        let mut reading = self.reader.lock().unwrap_or_else(PoisonError::into_inner);
        reading.snapshot(work).map_err(|fault| fault.told(operation, &self.path))
    }
}

impl Reading {
    fn snapshot<T>(&mut self, work: impl FnOnce(&mut Snapshot<'_>) -> Result<T, Fault>) -> Result<T, Fault> {
        let transaction = self.connection.transaction()?;
        let result = work(&mut Snapshot { connection: &transaction, last_source: &mut self.last_source })?;
        transaction.finish()?;
        Ok(result)
    }
}

impl fmt::Debug for Catalog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Catalog").field("path", &self.path).field("id", &self.id).finish_non_exhaustive()
    }
}

const _: fn() = || {
    fn shared_between_threads<T: Send + Sync>() {}
    shared_between_threads::<Catalog>();
};
