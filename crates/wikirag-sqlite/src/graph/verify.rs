//! Checking all that can be checked.

use std::collections::{HashMap, HashSet};

use rusqlite::Connection;
use wikirag_core::Context;

use super::schema::{Meta, check_order};
use super::store::facts;
use crate::error::Fault;
use crate::verify::check_pages;

/// Checks every page of the file and every row, and that the tables agree with one another.
pub(super) fn check(connection: &Connection, context: &Context) -> Result<(), Fault> {
    check_pages(connection)?;
    let meta = Meta::load(connection)?;
    let facts = facts(connection, context)?;
    let names: HashSet<u32> = facts.names.iter().map(|(id, _)| *id).collect();
    let mut counted = HashMap::new();
    for (id, document, passage) in &facts.passages {
        *counted.entry(document.0).or_insert(0u64) += 1;
        if let Some(name) = passage.names.iter().find(|name| !names.contains(name)) {
            return Err(Fault::damaged(format!("passage {id} holds the name {name}, which is not there")));
        }
    }
    if let Some((id, page)) = facts.pages.iter().find(|(_, page)| page.names.iter().any(|name| !names.contains(name))) {
        return Err(Fault::damaged(format!("page {id} ({}) has a name that is not there", page.path)));
    }
    let mut statement = connection.prepare("SELECT id, chunks FROM pages")?;
    let mut rows = statement.query([])?;
    let mut pages = 0;
    while let Some(row) = rows.next()? {
        pages += 1;
        let (id, chunks): (u64, u64) = (row.get(0)?, row.get(1)?);
        let found = counted.get(&id).copied().unwrap_or(0);
        if found != chunks {
            return Err(Fault::damaged(format!("page {id} has {chunks} passages, and {found} are there")));
        }
    }
    let words: u64 = connection.query_row("SELECT count(*) FROM words", [], |row| row.get(0))?;
    let mut statement = connection.prepare("SELECT id, words, checksum FROM orders")?;
    let mut rows = statement.query([])?;
    let mut orders = 0;
    while let Some(row) = rows.next()? {
        orders += 1;
        let (id, order): (u64, Vec<u8>) = (row.get(0)?, row.get(1)?);
        check_order(id, &order, row.get(2)?)?;
    }
    let passages = facts.passages.len() as u64;
    if pages != counted.len() || passages != meta.chunks || words != passages || orders != passages {
        let message = format!("{passages} passages, words of {words}, {} stated", meta.chunks);
        return Err(Fault::damaged(format!("the tables do not fit each other: {message}")));
    }
    Ok(())
}
