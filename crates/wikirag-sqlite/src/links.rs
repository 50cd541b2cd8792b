//! The links of documents, and which of them belong to a passage.

use rusqlite::{Connection, OptionalExtension};
use wikirag_core::{DocId, Link, Span};

use crate::error::Fault;
use crate::model::NewDocument;
use crate::put::to_json;
use crate::read::parse;

/// The links of a document before and after it was put.
pub(crate) struct Put<'a> {
    old: Vec<Link>,
    new: &'a [Link],
}

/// Writes the links of a document. `is_known`: it was there before and may have some.
pub(crate) fn put<'a>(
    connection: &Connection,
    document: DocId,
    new: &NewDocument<'a>,
    is_known: bool,
) -> Result<Put<'a>, Fault> {
    const UPSERT: &str = "INSERT INTO links (document, links) VALUES (?1, ?2)
         ON CONFLICT (document) DO UPDATE SET links = excluded.links";
    let put = Put { old: if is_known { load(connection, document, new.path)? } else { Vec::new() }, new: new.links };
    if put.differ() {
        if put.new.is_empty() {
            remove(connection, document)?;
        } else {
            connection.prepare_cached(UPSERT)?.execute((document.0, to_json(put.new)?))?;
        }
    }
    Ok(put)
}

impl Put<'_> {
    pub(crate) fn differ(&self) -> bool {
        self.old != self.new
    }

    /// Whether a passage that lay at `old` and lies at `new` has other links now. Each comes with whether it is the first of
    /// its document.
    pub(crate) fn differ_in(&self, old: (Span, bool), new: (Span, bool)) -> bool {
        of_passage(&self.old, old.0, old.1) != of_passage(self.new, new.0, new.1)
    }
}

pub(crate) fn remove(connection: &Connection, document: DocId) -> Result<(), Fault> {
    connection.prepare_cached("DELETE FROM links WHERE document = ?1")?.execute([document.0])?;
    Ok(())
}

pub(crate) fn load(connection: &Connection, document: DocId, path: &str) -> Result<Vec<Link>, Fault> {
    const SELECT: &str = "SELECT links FROM links WHERE document = ?1";
    let found: Option<String> =
        connection.prepare_cached(SELECT)?.query_row([document.0], |row| row.get(0)).optional()?;
    found.map_or(Ok(Vec::new()), |json| parse(path, "list of links", &json))
}

/// The links that begin in `passage`, with their places in it, and before them those of the front matter if it is the first
/// passage of its document.
pub(crate) fn of_passage(links: &[Link], passage: Span, is_first: bool) -> Vec<Link> {
    let place = |link: &Link| {
        if link.span.start < passage.start {
            return is_first.then_some(Span::new(0, 0));
        }
        let within = |at: usize| at.min(passage.end) - passage.start;
        (link.span.start < passage.end).then(|| Span::new(within(link.span.start), within(link.span.end)))
    };
    links.iter().filter_map(|link| Some(Link { span: place(link)?, ..link.clone() })).collect()
}

#[cfg(test)]
mod tests {
    use wikirag_core::LinkKind;

    use super::*;

    #[test]
    fn a_link_belongs_to_the_passage_that_it_begins_in() {
        let link = |start, end| Link { span: Span::new(start, end), kind: LinkKind::Wiki, target: format!("{start}") };
        let links = [link(2, 6), link(10, 14), link(18, 24), link(30, 34)];
        let spans = |passage, is_first| -> Vec<_> {
            of_passage(&links, passage, is_first).into_iter().map(|link| (link.target, link.span)).collect()
        };
        let found = |target: &str, start, end| (target.to_owned(), Span::new(start, end));
        assert_eq!(spans(Span::new(10, 20), true), [found("2", 0, 0), found("10", 0, 4), found("18", 8, 10)]);
        assert_eq!(spans(Span::new(10, 20), false), [found("10", 0, 4), found("18", 8, 10)]);
        assert_eq!(spans(Span::new(20, 40), false), [found("30", 10, 14)]);
        assert_eq!(spans(Span::new(34, 40), false), []);
    }
}
