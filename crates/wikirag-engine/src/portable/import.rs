//! Reading an archive into a wiki.

use std::fs::{self, File};
use std::io::BufReader;
use std::path::{Path, PathBuf};

use serde::Serialize;
use wikirag_core::{Context, Error, ErrorKind, Reason, Result, ResultExt, Sensitivity, WikiName, offload};
use wikirag_sqlite::Catalog;

use super::LayerLeftOut;
use super::archive::ArchiveReader;
use super::head::{CatalogPart, Head, invalid};
use super::scratch::Scratch;
use super::target::Target;
use crate::Engine;
use crate::layers::{self, CATALOG_FILE};
use crate::locate::LocatedWiki;

pub(super) const OPERATION: &str = "import wiki";

/// Where an archive goes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Place {
    /// A wiki made by name, called as it was where it was exported.
    #[default]
    OwnName,
    /// A wiki made by name, called like this.
    Named(WikiName),
    /// A folder, with the documents in it or without. Made where it is not there.
    Folder(PathBuf),
}

/// How to import.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ImportOptions {
    /// Where to.
    pub place: Place,
    /// Take the place of an index that is there.
    pub replace: bool,
}

/// What was imported.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Imported {
    /// How the wiki is called here.
    pub name: WikiName,
    /// The folder of its manifest.
    pub folder: PathBuf,
    /// Its level here: that of the archive, or a higher one.
    pub sensitivity: Sensitivity,
    /// Whether its documents are here.
    pub has_documents: bool,
    /// Whether it took the place of an index.
    pub replaced: bool,
    /// Layers of the archive that cannot serve here, with the reason; a build makes them anew if it can.
    pub left_out: Vec<LayerLeftOut>,
    /// The head of the archive.
    pub archive: Head,
}

impl Engine {
    /// Makes a wiki, or the index of one, of an archive. All of it is unpacked and checked beside the index before anything is moved
    /// to its place, so an archive that was cut or altered leaves nothing.
    ///
    /// Where the folder has a manifest, that one holds; else the one of the archive is written. Where none of the documents is
    /// there, the wiki is one of which the index is all there is: see [`Documents::Absent`](crate::manifest::Documents::Absent).
    ///
    /// # Errors
    /// As [`ArchiveReader`] says of the archive; [`ErrorKind::StaleIndex`] for a catalog of another format, [`ErrorKind::Invalid`] where
    /// there is an index already, or a manifest that is below the level of the archive; [`ErrorKind::Busy`] while the index is being
    /// written; [`ErrorKind::Io`].
    pub async fn import(&self, archive: &Path, options: ImportOptions, context: &Context) -> Result<Imported> {
        let (engine, path, context) = (self.clone(), archive.to_owned(), context.clone());
        offload(move || import(&engine, &path, &options, &context)).await.with("archive", archive.display())
    }
}

fn import(engine: &Engine, path: &Path, options: &ImportOptions, context: &Context) -> Result<Imported> {
    let opened = File::open(path).and_then(|file| file.metadata().map(|metadata| (file, metadata)));
    let (file, metadata) = opened.map_err(|error| failed(&error, path))?;
    let reader = ArchiveReader::open(BufReader::new(file), metadata.len())?;
    must_be_of_today(reader.head())?;
    let target = Target::find(engine.settings(), reader.head(), options)?;
    let place = &target.wiki.index_dir;
    let lock = target.lock()?;
    // Made after the folder of the target, and so removed before it.
    let scratch = Scratch::beside(place)?;
    let staged = LocatedWiki { index_dir: scratch.path().join("index"), ..target.wiki.clone() };
    let archive = unpack(reader, &staged.index_dir, context)?;
    let catalog = Catalog::open(&staged.index_dir.join(CATALOG_FILE))?;
    let has_documents = check(&catalog, &archive, &staged.root)?;
    let left_out = drop_unusable(engine, &staged, &catalog, &archive)?;
    drop(catalog);
    target.write_manifest(&archive, has_documents)?;
    let replaced = place.exists();
    // Some systems move no folder in which a file is open.
    drop(lock);
    swap(&staged.index_dir, place, &scratch.path().join("old"))?;
    let (wiki, folder) = target.found(engine.settings())?;
    let LocatedWiki { manifest, .. } = wiki;
    Ok(Imported {
        name: manifest.name,
        folder,
        sensitivity: manifest.sensitivity,
        has_documents,
        replaced,
        left_out,
        archive,
    })
}

fn must_be_of_today(head: &Head) -> Result<()> {
    let (theirs, ours) = (head.contents.catalog.format, Catalog::FORMAT);
    if theirs == ours {
        return Ok(());
    }
    let message = format!("the archive holds a catalog of format {theirs}, this program reads format {ours}");
    let help = format!("export it anew by this version, or import it by version {} that wrote it", head.program);
    Err(Error::new(ErrorKind::StaleIndex, OPERATION, message).help(help))
}

fn unpack(reader: ArchiveReader<BufReader<File>>, folder: &Path, context: &Context) -> Result<Head> {
    fs::create_dir(folder).map_err(|error| failed(&error, folder))?;
    reader.unpack(
        |file| {
            context.check("import")?;
            let path = folder.join(&file.path);
            let made = path.parent().map_or(Ok(()), fs::create_dir_all);
            // Nothing is there yet: two paths that a file system takes for one are refused here, and no link is followed.
            made.and_then(|()| File::create_new(&path)).map_err(|error| failed(&error, &path))
        },
        // What the index is replaced by is on the disk before it is moved there.
        |file, written| written.sync_all().map_err(|error| failed(&error, Path::new(&file.path))),
    )
}

/// Looks whether the catalog is the one that the head tells of, and whether any of its documents lies in `root`. What each page and
/// passage holds is compared with its own sum whenever it is read.
fn check(catalog: &Catalog, head: &Head, root: &Path) -> Result<bool> {
    let info = catalog.info()?;
    let numbers = CatalogPart {
        format: info.format,
        documents: info.documents,
        chunks: info.chunks,
        characters: info.characters,
    };
    if numbers != head.contents.catalog {
        return Err(invalid("its catalog is not the one that its head tells of"));
    }
    let stamps = catalog.stamps()?;
    if let Some(stamp) = stamps.iter().find(|stamp| !is_below_root(&stamp.path)) {
        let shown: String = stamp.path.chars().take(60).collect();
        return Err(invalid(format!("no document lies at {shown:?}")));
    }
    Ok(stamps.iter().any(|stamp| root.join(&stamp.path).is_file()))
}

/// Whether a document may lie at `path`: names with `/` between them, none of which leads elsewhere.
fn is_below_root(path: &str) -> bool {
    let is_name = |name: &str| !matches!(name, "" | "." | "..") && !name.contains('\0');
    // A scan of our own meets `\` and `:` in names, but on Windows both may lead out of a folder.
    let is_foreign = cfg!(windows) && path.contains(['\\', ':']);
    !is_foreign && path.split('/').all(is_name)
}

/// Removes the layers that this program cannot serve from, and tells why. The catalog is all that is needed to make them anew.
fn drop_unusable(engine: &Engine, staged: &LocatedWiki, catalog: &Catalog, head: &Head) -> Result<Vec<LayerLeftOut>> {
    let info = catalog.info()?;
    let mut left_out = Vec::new();
    for part in &head.contents.layers {
        let position = layers::open_layer(engine, staged, &part.name).and_then(|layer| layer.position());
        let why = match position {
            Ok(Some((catalog, position))) if (&catalog, position) == (&info.id, info.head) => continue,
            Ok(_) => "it does not stand where the catalog does".to_owned(),
            Err(error) => error.statement(),
        };
        let folder = staged.index_dir.join(&part.name);
        fs::remove_dir_all(&folder).map_err(|error| failed(&error, &folder))?;
        let reason = Reason::new("foreign-layer", why, "run `wikirag build`");
        left_out.push(LayerLeftOut { layer: part.name.clone(), reason });
    }
    Ok(left_out)
}

/// Puts `new` in the place of what is there, which goes to `old`.
fn swap(new: &Path, place: &Path, old: &Path) -> Result<()> {
    let moved = match fs::rename(place, old) {
        Ok(()) => true,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => false,
        Err(error) => return Err(failed(&error, place)),
    };
    fs::rename(new, place).map_err(|error| {
        if moved {
            // Where even this fails the first error is the one to tell of.
            let _ = fs::rename(old, place);
        }
        failed(&error, place)
    })
}

pub(super) fn failed(error: &std::io::Error, path: &Path) -> Error {
    let kind = if error.kind() == std::io::ErrorKind::NotFound { ErrorKind::NotFound } else { ErrorKind::Io };
    Error::new(kind, OPERATION, error.to_string()).with("path", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_document_lies_outside() {
        for path in ["a.md", "a/b c.md", "a/..b/.c", "ä/ö.md"] {
            assert!(is_below_root(path), "{path}");
        }
        for path in ["", "/a.md", "a//b.md", "../a.md", "a/../../b.md", "a/.", "a/", "a\0b"] {
            assert!(!is_below_root(path), "{path}");
        }
    }
}
