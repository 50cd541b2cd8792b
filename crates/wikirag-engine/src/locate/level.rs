//! What the folders around some documents say of their sensitivity.

use std::path::Path;

use wikirag_core::{Result, Sensitivity};

use crate::manifest::wiki::WikiFile;

/// What the manifest nearest to `folder`, in it or above it, says of sensitivity; `None` where no manifest says
/// anything. `folder` is without links, so that no link leads around a manifest.
///
/// # Errors
/// Where a manifest cannot be read or does not parse: what it says is not known, and nothing is given out on a guess.
pub(super) fn of_tree(folder: &Path) -> Result<Option<Sensitivity>> {
    for folder in folder.ancestors() {
        if let Some(level) = WikiFile::read(folder)?.and_then(|file| file.sensitivity()) {
            return Ok(Some(level));
        }
    }
    Ok(None)
}
