//! What a caller sees of a composition.

use wikirag_core::{Error, ErrorKind, Result};
use wikirag_engine::Composition;

use super::Caller;

/// The composition without what the caller may not read; `None` where nothing is left.
///
/// Which wikis of a file were missing is told to nobody: the name of a missing wiki is in no list of what a caller may read.
pub(super) fn of(mut composition: Composition, caller: &Caller) -> Option<Composition> {
    composition.clearance = composition.clearance.min(caller.clearance);
    let clearance = composition.clearance;
    composition.wikis.retain(|wiki| {
        let manifest = &wiki.located.manifest;
        let is_listed = caller.wikis.as_ref().is_none_or(|wikis| wikis.contains(manifest.name.as_str()));
        is_listed && manifest.sensitivity.is_readable_at(clearance)
    });
    composition.missing.clear();
    (!composition.wikis.is_empty()).then_some(composition)
}

/// Only these wikis of it, in its order.
///
/// # Errors
/// [`ErrorKind::NotFound`] where one is not there; [`ErrorKind::Usage`] where none is named.
pub(super) fn narrow(mut composition: Composition, wikis: &[String]) -> Result<Composition> {
    let name_of = |place: usize| composition.wikis.get(place).map(|wiki| wiki.located.manifest.name.as_str());
    let is_there = |name: &&String| (0..composition.wikis.len()).any(|place| name_of(place) == Some(name.as_str()));
    if let Some(stranger) = wikis.iter().find(|name| !is_there(name)) {
        let known: Vec<String> =
            (0..composition.wikis.len()).filter_map(name_of).map(|name| format!("`{name}`")).collect();
        let error =
            Error::new(ErrorKind::NotFound, "find wiki", format!("there is no wiki `{}` here", short(stranger)));
        return Err(error.help(format!("there are: {}", known.join(", "))));
    }
    if wikis.is_empty() {
        return Err(Error::new(ErrorKind::Usage, "find wiki", "`wikis` names none").help("leave it out to ask all"));
    }
    composition.wikis.retain(|wiki| wikis.iter().any(|name| name == wiki.located.manifest.name.as_str()));
    Ok(composition)
}

/// The same whether it does not exist or nothing in it may be read.
pub(super) fn no_rag(name: &str) -> Error {
    Error::new(ErrorKind::NotFound, "find composition", format!("there is no composition `{}` here", short(name)))
        .help("leave `rag` out where there is one only")
}

/// As much of what a caller wrote as belongs into a message.
fn short(text: &str) -> String {
    const MOST: usize = 80;
    let plain = |c: char| if c.is_control() { ' ' } else { c };
    let cut: String = text.chars().take(MOST).map(plain).collect();
    if text.chars().nth(MOST).is_some() { format!("{cut}…") } else { cut }
}
