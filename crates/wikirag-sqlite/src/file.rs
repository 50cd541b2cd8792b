//! From a path to a connection: what is checked of every file of ours, how one is made, and what a read-only folder
//! takes.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};
use wikirag_core::{Error, ErrorKind};

use crate::error::{Fault, REBUILD};

/// How long a reader waits for a lock before it reports `Busy`: only for the short moments at which a log is begun or
/// put away.
const READER_PATIENCE: Duration = Duration::from_secs(5);

/// How long a writer waits, for the same moments and for another writer. Shorter, since the lock of the wiki has kept
/// other builds away already and whoever writes all the same will not be done soon.
const WRITER_PATIENCE: Duration = Duration::from_secs(1);

/// More than there are statements in this crate.
const STATEMENTS: usize = 64;

/// The files that SQLite keeps beside a database.
const SIDE_FILES: [&str; 3] = ["-wal", "-shm", "-journal"];

/// One kind of file of ours. Both numbers stand in its first page, where SQLite keeps a place for them.
pub(crate) struct FileKind {
    /// For messages: "the ... is damaged".
    pub(crate) name: &'static str,
    /// Marks a SQLite file as one of this kind.
    pub(crate) application_id: i32,
    /// Version of the tables. A file of another version is rebuilt, never converted.
    pub(crate) format: u32,
    /// Makes the tables in an empty database and writes both numbers.
    pub(crate) create: fn(&Connection) -> Result<(), Fault>,
}

impl FileKind {
    /// A connection that reads, or `None` where there is no file.
    pub(crate) fn reader(&self, path: &Path) -> Result<Option<Connection>, Fault> {
        let path = absolute(path)?;
        if !self.is_there(&path)? {
            return Ok(None);
        }
        let read_only = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let opened = self.connect(&path, &path, read_only);
        match opened {
            // The side files cannot be made here. Without a log the file alone is the whole state.
            Err(fault) if fault.is_cannot_open() && !has_log(&path) => {
                self.connect(&path, &immutable_uri(&path), read_only | OpenFlags::SQLITE_OPEN_URI)
            }
            opened => opened,
        }
        .map(Some)
    }

    /// A connection that writes; makes the file where there is none.
    pub(crate) fn writer(&self, path: &Path) -> Result<Connection, Fault> {
        let path = absolute(path)?;
        if !self.is_there(&path)? {
            self.make(&path)?;
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = self.connect(&path, &path, flags)?;
        connection.busy_timeout(WRITER_PATIENCE)?;
        Ok(connection)
    }

    /// Makes an empty file beside `path` and moves it there, so that nobody ever sees half of one.
    fn make(&self, path: &Path) -> Result<(), Fault> {
        let draft = draft_of(path);
        remove_file(&draft)?;
        remove_side_files(&draft)?;
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(&draft, flags)?;
        (self.create)(&connection)?;
        // Kept in the file: every connection from here on writes to a log and never makes a reader wait.
        connection.pragma_update(None, "journal_mode", "wal")?;
        connection.close().map_err(|(_, error)| error)?;
        // A log that was left by a removed file would be replayed into the new one.
        remove_side_files(path)?;
        fs::rename(&draft, path).map_err(|error| Fault::io("the new file cannot be put in its place", error))
    }

    /// Opens `target` (the path or a URI for it) and checks that it is a whole file of this kind and format.
    ///
    /// The file is never opened by other means than SQLite's: closing any handle of a file drops the locks that the
    /// whole process has on it.
    fn connect(&self, path: &Path, target: &Path, flags: OpenFlags) -> Result<Connection, Fault> {
        let connection = Connection::open_with_flags(target, flags)?;
        connection.busy_timeout(READER_PATIENCE)?;
        connection.set_prepared_statement_cache_capacity(STATEMENTS);
        // The file may come from a stranger: its schema must do nothing of its own, be it by functions, triggers or views.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false)?;
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false)?;
        // Pages are checked as they are read. No memory map: a file cut short under one ends the process.
        connection.execute_batch(
            "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0; PRAGMA cache_size = -8192;",
        )?;

        let name = self.name;
        let application: i64 = connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
        if application != i64::from(self.application_id) {
            return Err(Fault::damaged(format!("the file is no {name}")));
        }
        let format: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
        if format != i64::from(self.format) {
            let message = format!("the {name} has format {format}, this program reads format {}", self.format);
            return Err(Error::new(ErrorKind::StaleIndex, "open file", message).help(REBUILD).into());
        }
        // SQLite refuses a file that has lost whole pages, but takes a piece of a page for a page.
        let page_size: u64 = connection.pragma_query_value(None, "page_size", |row| row.get(0))?;
        let size = fs::metadata(path).map_err(|error| Fault::io("the size of the file cannot be read", error))?.len();
        if !size.is_multiple_of(page_size.max(1)) && !has_log(path) {
            return Err(Fault::damaged(format!("the file ends inside a page, at byte {size}")));
        }
        Ok(connection)
    }

    /// Whether something lies at `path`; an error where that is no file.
    fn is_there(&self, path: &Path) -> Result<bool, Fault> {
        match fs::metadata(path) {
            Ok(metadata) if metadata.is_file() => Ok(true),
            Ok(_) => Err(Fault::damaged(format!("the path of the {} is no file", self.name))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(Fault::io("the file cannot be looked at", error)),
        }
    }
}

/// Removes a file of ours and its side files. The database goes first: without it the others mean nothing, and it is
/// never left without its log.
pub(crate) fn remove(path: &Path) -> Result<(), Fault> {
    let path = absolute(path)?;
    for file in [path.clone(), draft_of(&path)] {
        remove_file(&file)?;
        remove_side_files(&file)?;
    }
    Ok(())
}

fn draft_of(path: &Path) -> PathBuf {
    with_suffix(path, "-new")
}

/// Whether changes wait beside the file that are not in it yet.
fn has_log(path: &Path) -> bool {
    fs::metadata(with_suffix(path, "-wal")).is_ok_and(|metadata| metadata.is_file() && metadata.len() > 0)
}

fn remove_side_files(path: &Path) -> Result<(), Fault> {
    SIDE_FILES.iter().try_for_each(|suffix| remove_file(&with_suffix(path, suffix)))
}

fn remove_file(path: &Path) -> Result<(), Fault> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(Fault::io("a file cannot be removed", error)),
        _ => Ok(()),
    }
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    PathBuf::from(name)
}

/// The path from the root: SQLite takes a relative one that begins with `file:` for a URI.
fn absolute(path: &Path) -> Result<PathBuf, Fault> {
    std::path::absolute(path).map_err(|error| Fault::io("the path of the file cannot be used", error))
}

/// The URI by which SQLite opens a file without locks and side files.
fn immutable_uri(path: &Path) -> PathBuf {
    let mut uri = String::from("file://");
    let bytes = path.as_os_str().as_encoded_bytes();
    if !bytes.starts_with(b"/") {
        // `C:\wiki` becomes `file:///C:/wiki`.
        uri.push('/');
    }
    for byte in bytes {
        match byte {
            b'\\' if cfg!(windows) => uri.push('/'),
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'_' | b'-' | b':' => uri.push(char::from(*byte)),
            other => uri.push_str(&format!("%{other:02X}")),
        }
    }
    uri.push_str("?immutable=1");
    PathBuf::from(uri)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_uri_hides_nothing_from_sqlite() {
        assert_eq!(
            immutable_uri(Path::new("/a b/ü?#%/c.db")),
            Path::new("file:///a%20b/%C3%BC%3F%23%25/c.db?immutable=1")
        );
    }
}
