//! Making a wiki by name: a manifest of its own, whose documents lie elsewhere.

use std::fs;
use std::path::{Path, PathBuf};

use wikirag_core::{Error, ErrorKind, Result, Sensitivity, WikiName};

use super::{LocatedWiki, Locator, canonical};
use crate::lock::WriteLock;
use crate::manifest::yaml::quoted;
use crate::manifest::{WikiKind, WikiManifest, text_file, wiki};
use crate::settings::{Settings, suggest};

const OPERATION: &str = "make wiki";

/// A wiki to be made by name.
#[derive(Debug, Clone)]
pub struct NewWiki<'a> {
    /// Its name.
    pub name: WikiName,
    /// The folder of its documents.
    pub source: &'a Path,
    /// What it is a collection of.
    pub kind: WikiKind,
    /// Words to sort wikis by.
    pub tags: &'a [String],
    /// Its sensitivity; `None` leaves it to the manifest beside the documents or the default.
    pub sensitivity: Option<Sensitivity>,
}

/// The folder of the manifests of all wikis made by name.
pub(super) fn folder(settings: &Settings) -> PathBuf {
    settings.data_dir.join("wikis")
}

/// The folder of the manifest of the wiki made by the name `name`, be it there or not.
pub(crate) fn home(settings: &Settings, name: &WikiName) -> PathBuf {
    folder(settings).join(name.as_str())
}

/// Makes the wiki, or finds it where it was made before with the same source. Its documents are not written to, and no
/// index is made.
///
/// # Errors
/// [`ErrorKind::NotFound`] where `source` is no folder; [`ErrorKind::Invalid`] where the name belongs to another source,
/// or what is asked for contradicts what its manifest says; [`ErrorKind::Io`] where the manifest cannot be written.
pub fn register(settings: &Settings, new: &NewWiki<'_>) -> Result<LocatedWiki> {
    let source = std::path::absolute(new.source).unwrap_or_else(|_| new.source.to_owned());
    if !source.is_dir() {
        return Err(
            Error::new(ErrorKind::NotFound, OPERATION, "the source is no folder").with("path", source.display())
        );
    }
    let home = home(settings, &new.name);
    let path = home.join(wiki::FILE_NAME);
    let text = manifest_text(new, &source)?;
    if !path.exists() {
        fs::create_dir_all(&home).and_then(|()| text_file::write(&path, &text)).map_err(|error| {
            Error::new(ErrorKind::Io, OPERATION, "the manifest cannot be written")
                .with("path", path.display())
                .caused_by(error)
        })?;
    }
    // Read back in either case: another process may have made a wiki of this name at the same time, and a file system
    // may take two names for one.
    let known = WikiManifest::load(&home)?;
    check_same(new, &source, &known, &path)?;
    // Whoever makes a wiki owns its documents.
    Locator::new(settings, &home, Sensitivity::Restricted).wiki(&home.to_string_lossy())
}

/// Takes back what [`register`] made, if it is made of `source`: the manifest and the index. The documents are not touched, and
/// may be gone. Returns whether there was such a wiki.
///
/// # Errors
/// [`ErrorKind::Busy`] while the index is being written; [`ErrorKind::Invalid`] where the manifest cannot be understood;
/// [`ErrorKind::Io`] where something cannot be removed.
pub fn unregister(settings: &Settings, name: &WikiName, source: &Path) -> Result<bool> {
    let home = home(settings, name);
    if !home.join(wiki::FILE_NAME).exists() {
        return Ok(false);
    }
    let known = WikiManifest::load(&home)?;
    if known.source.as_deref().map(canonical) != Some(canonical(source)) {
        return Ok(false);
    }
    let index_dir = Locator::new(settings, &home, Sensitivity::Restricted).index_dir(&known, &home);
    let failed = |path: &Path, error| {
        Error::new(ErrorKind::Io, "remove wiki", "it cannot be removed").with("path", path.display()).caused_by(error)
    };
    if index_dir.is_dir() {
        let _lock = WriteLock::acquire(&index_dir)?;
        fs::remove_dir_all(&index_dir).map_err(|error| failed(&index_dir, error))?;
    }
    // The manifest goes last: whoever is interrupted finds the wiki once more.
    fs::remove_dir_all(&home).map_err(|error| failed(&home, error))?;
    Ok(true)
}

fn check_same(new: &NewWiki<'_>, source: &Path, known: &WikiManifest, path: &Path) -> Result<()> {
    let invalid = |message: String| Error::new(ErrorKind::Invalid, OPERATION, message).with("path", path.display());
    let edit = "edit the manifest to change it";
    if known.name != new.name {
        return Err(invalid(format!("the wiki in this folder is called `{}`", known.name)).help("take another name"));
    }
    match &known.source {
        Some(known) if canonical(known) == canonical(source) => {}
        Some(known) => {
            return Err(invalid(format!("`{}` is made of {}", new.name, known.display()))
                .help("take another name, or delete the folder of this manifest first"));
        }
        None => return Err(invalid("it has no `source`".to_owned()).help("take another name")),
    }
    if let Some(tag) = new.tags.iter().find(|tag| !known.tags.iter().any(|known| known == tag.trim())) {
        return Err(invalid(format!("the wiki exists without the tag `{}`", suggest::shorten(tag))).help(edit));
    }
    if new.sensitivity.is_some_and(|level| Some(level) != known.stated_sensitivity) {
        return Err(invalid("the wiki exists with another sensitivity".to_owned()).help(edit));
    }
    Ok(())
}

fn manifest_text(new: &NewWiki<'_>, source: &Path) -> Result<String> {
    let source = source.to_str().ok_or_else(|| {
        Error::new(ErrorKind::Invalid, OPERATION, "the path of the source is no UTF-8 text")
            .with("path", source.display())
    })?;
    let mut text = format!("name: {}\nsource: {}\n", quoted(new.name.as_str()), quoted(source));
    if new.kind != WikiKind::default() {
        text.push_str(&format!("kind: {}\n", new.kind.as_str()));
    }
    if !new.tags.is_empty() {
        let tags: Vec<String> = new.tags.iter().map(|tag| quoted(tag)).collect();
        text.push_str(&format!("tags: [{}]\n", tags.join(", ")));
    }
    if let Some(level) = new.sensitivity {
        text.push_str(&format!("sensitivity: {level}\n"));
    }
    Ok(text)
}
