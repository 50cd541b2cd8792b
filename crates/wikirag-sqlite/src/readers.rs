//! Connections that read one file of a layer, kept open between calls.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use rusqlite::Connection;
use wikirag_core::Result;

use crate::FileId;
use crate::error::Fault;
use crate::file::FileKind;

/// Connections that are kept. More reads at once than that open their own.
const KEPT: usize = 4;

/// The readers of a file that may not exist yet.
///
/// Reads see the last commit, whoever made it, and never wait for a writer. Each is one snapshot. A file that is put in the place
/// of another is noticed by the next read.
pub(crate) struct Readers {
    kind: &'static FileKind,
    /// What a connection needs beyond being opened.
    prepare: fn(&Connection) -> Result<(), Fault>,
    path: PathBuf,
    open: Mutex<Open>,
}

#[derive(Default)]
struct Open {
    file: Option<FileId>,
    connections: Vec<Connection>,
}

impl Readers {
    /// Opens nothing yet.
    pub(crate) fn new(kind: &'static FileKind, path: PathBuf, prepare: fn(&Connection) -> Result<(), Fault>) -> Self {
        Self { kind, prepare, path, open: Mutex::default() }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Runs `work` on one snapshot; `None` where there is no file.
    pub(crate) fn read<T>(
        &self,
        operation: &'static str,
        work: impl FnOnce(&Connection) -> Result<T, Fault>,
    ) -> Result<Option<T>> {
        let run = || {
            let file = FileId::of(&self.path);
            let Some(mut connection) = self.connection(file)? else { return Ok(None) };
            let transaction = connection.transaction()?;
            let result = work(&transaction)?;
            transaction.finish()?;
            let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
            // What failed is closed: the next call opens the file anew and checks it as a whole.
            if open.file == file && open.connections.len() < KEPT {
                open.connections.push(connection);
            }
            Ok(Some(result))
        };
        run().map_err(|fault: Fault| fault.told(operation, &self.path))
    }

    /// A connection to the file `file`, which lay at the path a moment ago.
    fn connection(&self, file: Option<FileId>) -> Result<Option<Connection>, Fault> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if open.file != file {
            *open = Open { file, ..Open::default() };
        }
        if let Some(connection) = open.connections.pop() {
            return Ok(Some(connection));
        }
        drop(open);
        let connection = self.kind.reader(&self.path)?;
        connection.as_ref().map(self.prepare).transpose()?;
        Ok(connection)
    }
}
