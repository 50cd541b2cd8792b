//! From a place in a text to a line of its file.

use wikirag_core::{PlaceIndex, Result, Span};
use wikirag_sqlite::Catalog;

use super::finding::{At, Finding};
use super::sink::{Found, Spot};
use super::subject::Subject;
use crate::head;

/// What was found, with lines, sorted by path, place and check. Only texts in which something lies somewhere are read again.
pub(super) fn findings(subject: &Subject, catalog: &Catalog, mut found: Vec<Found>) -> Result<Vec<Finding>> {
    found.sort_by_key(|found| found.page);
    let mut findings = Vec::with_capacity(found.len());
    for of_page in found.chunk_by(|one, other| one.page == other.page) {
        let Some(first) = of_page.first() else { continue };
        let path = &subject.vault.pages[first.page].path;
        let needs_text = of_page.iter().any(|found| matches!(found.spot, Spot::Byte(_) | Spot::Key(_)));
        let document = if needs_text { catalog.document(path)? } else { None };
        let text = document.as_ref().map_or("", |document| document.text.as_str());
        let places = document.as_ref().map(|document| document.places.index(text));
        for Found { check, spot, severity, message, remedy, .. } in of_page {
            findings.push(Finding {
                check,
                severity: *severity,
                path: path.clone(),
                at: at(spot, text, places.as_ref()),
                message: message.clone(),
                remedy: remedy.clone(),
            });
        }
    }
    findings.sort_by(|one, other| {
        let key = |finding: &Finding| (finding.at, finding.check, finding.severity);
        one.path.cmp(&other.path).then_with(|| key(one).cmp(&key(other))).then_with(|| one.message.cmp(&other.message))
    });
    Ok(findings)
}

fn at(spot: &Spot, text: &str, places: Option<&PlaceIndex>) -> At {
    let byte = match *spot {
        Spot::Byte(byte) => byte,
        Spot::Key(key) => head::key(text, key).unwrap_or(0),
        Spot::Line(line) => return At::Line(line),
        Spot::Page => return At::Line(1),
    };
    places.map_or(At::Line(1), |places| At::from(places.of(Span::new(byte, byte))))
}
