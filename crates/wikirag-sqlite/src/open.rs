//! The connections of a catalog.

use std::path::Path;

use rusqlite::Connection;
use wikirag_core::{Error, ErrorKind};

use crate::error::Fault;
use crate::file::FileKind;
pub(crate) use crate::file::remove;
use crate::schema::{self, APPLICATION_ID, FORMAT, Meta};

const CATALOG: FileKind =
    FileKind { name: "catalog", application_id: APPLICATION_ID, format: FORMAT, create: schema::create };

/// The error of a catalog that is not there yet.
pub(crate) fn missing(message: &'static str) -> Fault {
    Error::new(ErrorKind::IndexMissing, "open catalog", message).help("run `wikirag build`").into()
}

/// A connection that reads, and the state of the catalog as it was opened.
pub(crate) fn for_reading(path: &Path) -> Result<(Connection, Meta), Fault> {
    let Some(connection) = CATALOG.reader(path)? else { return Err(missing("there is no catalog")) };
    let meta = Meta::load(&connection)?;
    Ok((connection, meta))
}

/// A connection that writes; makes the catalog where there is none.
pub(crate) fn for_writing(path: &Path) -> Result<Connection, Fault> {
    let connection = CATALOG.writer(path)?;
    Meta::load(&connection)?;
    // FULL, not NORMAL: layers keep positions in the feed, so a commit that they have seen must outlive a power cut.
    // It costs one sync a build. The cache holds the index pages of a few hundred thousand chunks, the log is cut back
    // after a large build.
    connection
        .execute_batch("PRAGMA synchronous = FULL; PRAGMA cache_size = -32768; PRAGMA journal_size_limit = 8388608;")?;
    Ok(connection)
}
