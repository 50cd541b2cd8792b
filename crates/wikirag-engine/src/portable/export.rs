//! Writing an archive.

use std::fs::{self, File};
use std::io::{BufWriter, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use flate2::Compression;
use serde::Serialize;
use wikirag_core::{ChangeFeed, Context, Error, ErrorKind, Readiness, Reason, Result, ResultExt, offload};
use wikirag_sqlite::{Catalog, FileState};

use super::head::{CatalogPart, Contents, FilePart, Head, LayerPart, MOST_RATIO};
use super::scratch::Scratch;
use super::{LayerLeftOut, archive, settings};
use crate::layers::{self, CATALOG_FILE};
use crate::scan::still_belongs;
use crate::{Engine, LocatedWiki, open};

const OPERATION: &str = "export wiki";

/// What was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Exported {
    /// The archive.
    pub path: PathBuf,
    /// Its size.
    pub bytes: u64,
    /// Its head.
    #[serde(flatten)]
    pub head: Head,
    /// Layers that are not in it, with the reason; they are made where it is imported.
    pub left_out: Vec<LayerLeftOut>,
    /// Files of the wiki that could not be read or understood, and of which nothing is in the archive but what was indexed before.
    pub failed: u64,
}

impl Engine {
    /// Writes the index of a wiki, as it stands, as one archive. It holds the text of all documents.
    ///
    /// A layer that is behind the catalog, or cannot be brought into the one form of archives, is left out, and said to be.
    ///
    /// # Errors
    /// [`ErrorKind::IndexMissing`] where nothing is indexed, [`ErrorKind::Damaged`] where the index is, [`ErrorKind::Invalid`] where
    /// something lies at `to` that is no archive, [`ErrorKind::Busy`] where the index changes meanwhile, [`ErrorKind::Io`] where it
    /// cannot be written.
    pub async fn export(&self, wiki: &Arc<LocatedWiki>, to: &Path, context: &Context) -> Result<Exported> {
        self.export_as_it_stands(wiki, to, context).await.with("wiki", &wiki.manifest.name)
    }

    async fn export_as_it_stands(&self, wiki: &Arc<LocatedWiki>, to: &Path, context: &Context) -> Result<Exported> {
        let to = std::path::absolute(to).unwrap_or_else(|_| to.to_owned());
        may_be_replaced(&to)?;
        let catalog = open::catalog_of(self, wiki).await?;
        let before = catalog.info()?;
        let scratch = Scratch::beside(&to)?;
        let folder = scratch.path().join("index");
        let (known, place, of) = (Arc::clone(&catalog), folder.clone(), Arc::clone(wiki));
        let (portable, failed) = offload(move || copy_catalog(&of, &known, &place)).await?;
        let portable = Arc::new(portable);
        let (mut parts, mut left_out) = (Vec::new(), Vec::new());
        let mut names = layers::names(self, wiki);
        names.sort();
        for name in names {
            context.check("export")?;
            match self.export_layer(wiki, &name, &catalog, &portable, &folder, context).await.with("layer", &name)? {
                Ok(part) => parts.push(part),
                Err(reason) => left_out.push(LayerLeftOut { layer: name, reason }),
            }
        }
        // A layer that holds other passages than the copied catalog would find what is not there.
        if catalog.info()? != before {
            let error = Error::new(ErrorKind::Busy, OPERATION, "the index was changed while it was exported");
            return Err(error.help("try again when nobody builds it"));
        }
        let info = portable.info()?;
        // Closed, the file alone is the whole catalog.
        drop(portable);
        let numbers = CatalogPart {
            format: info.format,
            documents: info.documents,
            chunks: info.chunks,
            characters: info.characters,
        };
        let wiki = Arc::clone(wiki);
        offload(move || {
            let (head, bytes) = pack(&wiki, numbers, parts, &scratch, &to)?;
            Ok(Exported { path: to, bytes, head, left_out, failed })
        })
        .await
    }

    /// A layer in its portable form, or why it is not in the archive.
    async fn export_layer(
        &self,
        wiki: &LocatedWiki,
        name: &str,
        catalog: &Catalog,
        portable: &Arc<Catalog>,
        folder: &Path,
        context: &Context,
    ) -> Result<Result<LayerPart, Reason>> {
        let layer = layers::open_layer(self, wiki, name)?;
        if layer.position()?.is_none() || layers::pending(layer.as_ref(), catalog)? > 0 {
            let own = match layer.sync_readiness() {
                Readiness::Unavailable(reasons) => reasons.into_iter().next(),
                Readiness::Ready | Readiness::Degraded(_) => None,
            };
            let behind = || Reason::new("behind", "it has not followed the wiki to its end", "run `wikirag build`");
            return Ok(Err(own.unwrap_or_else(behind)));
        }
        let place = folder.join(name);
        fs::create_dir(&place).map_err(|error| failed(&error, &place))?;
        let feed: Arc<dyn ChangeFeed> = Arc::<Catalog>::clone(portable);
        match layer.write_portable(feed, &place, context).await? {
            Some(index) => Ok(Ok(LayerPart { name: name.to_owned(), index })),
            None => {
                fs::remove_dir_all(&place).map_err(|error| failed(&error, &place))?;
                let reason =
                    Reason::new("not-portable", "its index has no portable form", "it is made anew by `wikirag build`");
                Ok(Err(reason))
            }
        }
    }
}

/// The catalog in its one form, checked as a whole, and how many files failed in the last build.
fn copy_catalog(wiki: &LocatedWiki, catalog: &Catalog, folder: &Path) -> Result<(Catalog, u64)> {
    if catalog.info()?.chunks == 0 {
        return Err(Error::new(ErrorKind::IndexMissing, OPERATION, "nothing is indexed that could be exported"));
    }
    // An index is older than the manifests, and what they take out of a wiki is in no archive either.
    if catalog.stamps()?.iter().any(|stamp| !still_belongs(wiki, &stamp.path)) {
        let message = "the index holds documents that are no part of the wiki any more";
        return Err(Error::new(ErrorKind::StaleIndex, OPERATION, message).help("run `wikirag build`"));
    }
    fs::create_dir(folder).map_err(|error| failed(&error, folder))?;
    let path = folder.join(CATALOG_FILE);
    catalog.write_portable(&path)?;
    // As its writer, which leaves nothing beside the file when it is closed.
    let portable = Catalog::open_or_create(&path)?;
    portable.verify()?;
    let failed = catalog.files()?.iter().filter(|file| file.state == FileState::Failed).count();
    Ok((portable, failed as u64))
}

/// An archive makes room for its successor; any other file was not meant.
fn may_be_replaced(path: &Path) -> Result<()> {
    let mut first = [0; 8];
    match File::open(path).and_then(|mut file| file.read_exact(&mut first)) {
        Ok(()) if archive::is_archive(&first) => Ok(()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        _ => Err(Error::new(ErrorKind::Invalid, OPERATION, "something lies there that is no archive of a wiki")
            .with("path", path.display())
            .help("give the name of a new file")),
    }
}

fn pack(
    wiki: &LocatedWiki,
    catalog: CatalogPart,
    layers: Vec<LayerPart>,
    scratch: &Scratch,
    to: &Path,
) -> Result<(Head, u64)> {
    let folder = scratch.path().join("index");
    let mut files = Vec::new();
    list(&folder, "", &mut files).map_err(|error| failed(&error, &folder))?;
    files.sort_by_key(|file| file.path.to_ascii_lowercase());
    let manifest = settings::carried(wiki)?;
    let contents = Contents { sensitivity: wiki.manifest.sensitivity, manifest, catalog, layers, files };
    let head = Head::new(wiki.manifest.name.clone(), contents)?;
    let packed = scratch.path().join("archive");
    let write = |level| {
        let mut out = BufWriter::new(File::create(&packed)?);
        archive::write(&mut out, &head, level, |file| File::open(folder.join(&file.path)))?;
        let out = out.into_inner()?;
        out.sync_all()?;
        Ok::<_, std::io::Error>(out.metadata()?.len())
    };
    let mut bytes = write(Compression::default()).map_err(|error| failed(&error, to))?;
    if head.bytes() / MOST_RATIO > bytes {
        // No import would take it: too much would come out of too little.
        bytes = write(Compression::none()).map_err(|error| failed(&error, to))?;
    }
    head.check(bytes)?;
    fs::rename(&packed, to).map_err(|error| failed(&error, to))?;
    Ok((head, bytes))
}

/// All files below `folder`, with their hashes.
fn list(folder: &Path, prefix: &str, files: &mut Vec<FilePart>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let path = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            list(&entry.path(), &format!("{path}/"), files)?;
            continue;
        }
        let mut hasher = blake3::Hasher::new();
        let bytes = std::io::copy(&mut File::open(entry.path())?, &mut hasher)?;
        files.push(FilePart { path, bytes, hash: hasher.finalize().to_hex().to_string() });
    }
    Ok(())
}

fn failed(error: &std::io::Error, path: &Path) -> Error {
    Error::new(ErrorKind::Io, OPERATION, error.to_string()).with("path", path.display())
}
