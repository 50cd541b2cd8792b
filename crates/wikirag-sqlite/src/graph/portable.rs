//! A graph in one form: equal passages give equal bytes.

use rusqlite::Connection;
use wikirag_core::{CatalogId, Result};

use super::schema::{FORMAT, Meta};
use super::{GraphStore, GraphWriter};
use crate::error::Fault;

impl GraphStore {
    /// Version of the form of the file.
    pub const FORMAT: u32 = FORMAT;
}

impl GraphWriter {
    /// Takes out of a new graph what is not of its passages: the id of the file, and how many commits it was written in. To be
    /// called once the feed was followed to its end.
    ///
    /// # Errors
    /// Where the graph cannot be written.
    pub fn finish_portable(self) -> Result<()> {
        self.0.close(finish)
    }
}

fn finish(connection: &Connection, catalog: &CatalogId) -> Result<(), Fault> {
    let meta = Meta { id: catalog.0.clone(), commits: 1, ..Meta::load(connection)? };
    connection.execute("UPDATE meta SET id = ?1 WHERE one = 1", [&meta.id])?;
    meta.store(connection)?;
    connection.execute_batch("VACUUM")?;
    Ok(())
}
