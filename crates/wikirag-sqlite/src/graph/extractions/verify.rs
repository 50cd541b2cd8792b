//! Checking all that can be checked.

use rusqlite::Connection;
use wikirag_core::{Context, Extraction};

use super::super::schema::Meta;
use super::super::store::parse;
use super::schema::{check, waiting_checksum};
use super::store::{count, each, passages};
use crate::error::Fault;
use crate::verify::check_pages;

/// Questions about the tables whose answer is a count of rows that should not be.
const CONTRADICTIONS: [(&str, &str); 2] = [
    ("texts that wait and are known", "SELECT count(*) FROM waiting WHERE text IN (SELECT text FROM extractions)"),
    (
        "passages whose text is not known and does not wait",
        "SELECT count(*) FROM passages
         WHERE text NOT IN (SELECT text FROM extractions) AND text NOT IN (SELECT text FROM waiting)",
    ),
];

/// Checks every page of the file and every row, and that the tables agree with one another.
pub(super) fn check_all(connection: &Connection, context: &Context) -> Result<(), Fault> {
    check_pages(connection)?;
    let meta = Meta::load(connection)?;
    each(connection, context, |_, found, failure| {
        if failure.is_empty() {
            parse::<Extraction>("extraction", 0, found)?;
        }
        Ok(())
    })?;
    let mut known = 0;
    passages(connection, context, |_, _, _| known += 1)?;
    let mut statement = connection.prepare_cached("SELECT text, passage, checksum FROM waiting")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let text = row.get(0)?;
        let passage = row.get_ref(1)?.as_str().map_err(rusqlite::Error::from)?;
        check("a text that waits", waiting_checksum(&text, passage), row.get(2)?)?;
    }
    for (what, select) in CONTRADICTIONS {
        let rows = count(connection, select)?;
        if rows > 0 {
            return Err(Fault::damaged(format!("{what}: {rows}")));
        }
    }
    if known == meta.chunks {
        return Ok(());
    }
    Err(Fault::damaged(format!("there are {known} passages of {}", meta.chunks)))
}
