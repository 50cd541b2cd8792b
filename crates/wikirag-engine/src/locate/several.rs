//! Compositions that nobody wrote down: all wikis of a kind, and several that were named together.

use std::path::Path;
use std::sync::Arc;

use wikirag_core::{Error, ErrorKind, Result};

use super::composition::check_distinct;
use super::{ComposedWiki, Composition, Locator, canonical, known, register};
use crate::manifest::WikiKind;
use crate::settings::Settings;

const OPERATION: &str = "find wikis";

/// All wikis of a kind that were made by name and may be read at the clearance of the settings, in the order of their names. One that
/// cannot be read now is listed as missing; one above the clearance is left out, since nobody named it.
///
/// # Errors
/// [`ErrorKind::NotFound`] where there is none; [`ErrorKind::Io`] where the folder of the wikis cannot be listed.
pub fn of_kind(kind: WikiKind, settings: &Settings) -> Result<Composition> {
    let folder = register::folder(settings);
    let locator = Locator::new(settings, &folder, settings.clearance);
    let (mut wikis, mut missing) = (Vec::new(), Vec::new());
    for known in known::registered(&folder)? {
        let reference = known.folder_name().into_owned();
        match locator.wiki(&known.folder.to_string_lossy()) {
            Ok(located) if located.manifest.kind == kind => {
                wikis.push(ComposedWiki { located: Arc::new(located), reference, weight: 1.0 });
            }
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::Refused => {}
            Err(_) => missing.push(reference),
        }
    }
    if wikis.is_empty() {
        let message = format!("there is no wiki of the kind `{}`", kind.as_str());
        let help =
            "add one with `wikirag tap add URL_OR_PATH`, or name a folder whose `.wiki.yaml` says `kind: skills`";
        return Err(Error::new(ErrorKind::NotFound, OPERATION, message).help(help));
    }
    check_distinct(&wikis)?;
    Ok(Composition { missing, ..Composition::plain(kind.as_str(), settings.clearance, wikis) })
}

/// What several references mean together, each as [`composition`](super::composition) takes it; see [`join`].
///
/// # Errors
/// As [`composition`](super::composition) for each, and as [`join`].
pub fn together(references: &[String], cwd: &Path, settings: &Settings) -> Result<Composition> {
    let load = |reference: &String| super::composition(reference, cwd, settings, super::Missing::Refuse);
    join(references.iter().map(load).collect::<Result<_>>()?)
}

/// The wikis of several compositions. One alone is what it is; of several, a wiki that comes twice counts once, and how they are weighed,
/// fused and reranked is taken from none of them.
///
/// # Errors
/// [`ErrorKind::Invalid`] for two wikis of one name; [`ErrorKind::Usage`] where there is no composition.
pub fn join(mut compositions: Vec<Composition>) -> Result<Composition> {
    let names: Vec<String> = compositions.iter().map(|one| one.name.clone()).collect();
    // Each was held against its own clearance, so none of their wikis is above the highest.
    let highest = compositions.iter().map(|one| one.clearance).max();
    let (Some(clearance), true) = (highest, compositions.len() > 1) else {
        let none = || Error::new(ErrorKind::Usage, OPERATION, "no wiki is named");
        return compositions.pop().ok_or_else(none);
    };
    let mut wikis: Vec<ComposedWiki> = Vec::new();
    let mut missing = Vec::new();
    for one in compositions {
        missing.extend(one.missing);
        for wiki in one.wikis {
            if wikis.iter().all(|known| canonical(&known.located.root) != canonical(&wiki.located.root)) {
                wikis.push(wiki);
            }
        }
    }
    check_distinct(&wikis)?;
    Ok(Composition { missing, ..Composition::plain(names.join("+"), clearance, wikis) })
}
