//! From the errors of SQLite to ours.

use std::io;
use std::path::Path;

use rusqlite::ErrorCode;
use wikirag_core::{Error, ErrorKind};

/// How a file that cannot be read any more is mended: the catalog is made anew from the documents, a layer from the
/// catalog.
pub(crate) const REBUILD: &str = "run `wikirag build --full`";

/// What went wrong inside the crate, before the operation and the path are known.
#[derive(Debug)]
pub(crate) enum Fault {
    /// SQLite or a conversion of one of its values failed.
    Sql(rusqlite::Error),
    /// The operating system refused something.
    Io { message: &'static str, error: io::Error },
    /// What was read is not what was written.
    Damaged { document: Option<String>, what: String },
    /// The caller asked for something that cannot be.
    Told(Error),
}

impl From<rusqlite::Error> for Fault {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sql(error)
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        Self::Told(error)
    }
}

impl Fault {
    pub(crate) fn damaged(what: impl Into<String>) -> Self {
        Self::Damaged { document: None, what: what.into() }
    }

    pub(crate) fn damaged_in(document: &str, what: impl Into<String>) -> Self {
        Self::Damaged { document: Some(document.to_owned()), what: what.into() }
    }

    pub(crate) const fn io(message: &'static str, error: io::Error) -> Self {
        Self::Io { message, error }
    }

    /// Whether SQLite could not open or make one of the files it needs.
    pub(crate) fn is_cannot_open(&self) -> bool {
        matches!(self, Self::Sql(rusqlite::Error::SqliteFailure(failure, _))
            if matches!(failure.code, ErrorCode::CannotOpen | ErrorCode::ReadOnly))
    }

    /// The error that callers see.
    pub(crate) fn told(self, operation: &'static str, path: &Path) -> Error {
        match self {
            Self::Told(error) => error.with("path", path.display()),
            Self::Io { message, error } => {
                Error::new(ErrorKind::Io, operation, message).with("path", path.display()).caused_by(error)
            }
            Self::Damaged { document, what } => {
                let error = Error::new(ErrorKind::Damaged, operation, what).with("path", path.display());
                let error = match document {
                    Some(document) => error.with("document", document),
                    None => error,
                };
                error.help(REBUILD)
            }
            Self::Sql(error) => {
                let (kind, message, help) = classify(&error);
                let told = Error::new(kind, operation, message).with("path", path.display()).caused_by(error);
                match help {
                    Some(help) => told.help(help),
                    None => told,
                }
            }
        }
    }
}

fn classify(error: &rusqlite::Error) -> (ErrorKind, &'static str, Option<&'static str>) {
    use rusqlite::Error as Sql;
    let damaged = |message| (ErrorKind::Damaged, message, Some(REBUILD));
    match error {
        Sql::SqliteFailure(failure, _) => match failure.code {
            ErrorCode::DatabaseCorrupt => damaged("the database is damaged"),
            ErrorCode::NotADatabase => damaged("the file is no database"),
            ErrorCode::Unknown
            | ErrorCode::SchemaChanged
            | ErrorCode::TypeMismatch
            | ErrorCode::ConstraintViolation => damaged("the tables are not those that this program makes"),
            ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked | ErrorCode::FileLockingProtocolFailed => {
                (ErrorKind::Busy, "another process is writing the database", Some("try again when it has finished"))
            }
            ErrorCode::DiskFull => (ErrorKind::Io, "the disk is full", Some("make room and try again")),
            ErrorCode::ReadOnly | ErrorCode::PermissionDenied | ErrorCode::AuthorizationForStatementDenied => {
                (ErrorKind::Io, "the database may not be written", None)
            }
            ErrorCode::CannotOpen => (ErrorKind::Io, "the database cannot be opened", None),
            ErrorCode::SystemIoFailure | ErrorCode::NoLargeFileSupport | ErrorCode::OutOfMemory => {
                (ErrorKind::Io, "reading or writing the database failed", None)
            }
            ErrorCode::TooBig => (ErrorKind::Invalid, "a text is larger than the database can keep", None),
            ErrorCode::OperationInterrupted => (ErrorKind::Cancelled, "stopped on request", None),
            _ => (ErrorKind::Internal, "SQLite was used wrongly", None),
        },
        // Our statements are fixed and fit our tables: where they do not, the tables are not ours any more.
        Sql::SqlInputError { .. } => damaged("the tables are not those that this program makes"),
        Sql::FromSqlConversionFailure(..)
        | Sql::IntegralValueOutOfRange(..)
        | Sql::Utf8Error(..)
        | Sql::InvalidColumnType(..)
        | Sql::QueryReturnedNoRows => damaged("a value in the database is not what was written"),
        Sql::ToSqlConversionFailure(_) => (ErrorKind::Invalid, "a number is larger than the database can keep", None),
        Sql::InvalidPath(_) | Sql::NulError(_) => (ErrorKind::Io, "the path of the database cannot be used", None),
        _ => (ErrorKind::Internal, "SQLite was used wrongly", None),
    }
}

#[cfg(test)]
mod tests {
    use rusqlite::ffi;

    use super::*;

    fn kind_of(code: i32) -> ErrorKind {
        Fault::from(rusqlite::Error::SqliteFailure(ffi::Error::new(code), None)).told("test", Path::new("c.db")).kind()
    }

    #[test]
    fn causes_are_told_apart() {
        assert_eq!(kind_of(ffi::SQLITE_CORRUPT), ErrorKind::Damaged);
        assert_eq!(kind_of(ffi::SQLITE_NOTADB), ErrorKind::Damaged);
        assert_eq!(kind_of(ffi::SQLITE_BUSY), ErrorKind::Busy);
        assert_eq!(kind_of(ffi::SQLITE_FULL), ErrorKind::Io);
        assert_eq!(kind_of(ffi::SQLITE_IOERR_WRITE), ErrorKind::Io);
        assert_eq!(kind_of(ffi::SQLITE_TOOBIG), ErrorKind::Invalid);
        assert_eq!(kind_of(ffi::SQLITE_MISUSE), ErrorKind::Internal);
    }

    #[test]
    fn damage_names_file_document_and_remedy() {
        let error = Fault::damaged_in("a/b.md", "the passage is gone").told("read chunk", Path::new("c.db"));
        assert_eq!(
            error.to_string(),
            "read chunk: the passage is gone (path: c.db, document: a/b.md); run `wikirag build --full`"
        );
    }
}
