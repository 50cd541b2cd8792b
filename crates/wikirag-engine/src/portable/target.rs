//! Where an archive goes: a wiki that is to be, or one that is there.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use wikirag_core::{Error, ErrorKind, Result, Sensitivity, WikiName};

use super::head::Head;
use super::import::{ImportOptions, OPERATION, Place, failed};
use super::settings;
use crate::layers::CATALOG_FILE;
use crate::locate::{self, LocatedWiki, Locator};
use crate::lock::WriteLock;
use crate::manifest::wiki::{FILE_NAME, WikiFile};
use crate::manifest::{Documents, WikiManifest, text_file};
use crate::settings::Settings;

/// See the module.
#[derive(Debug)]
pub(super) struct Target {
    pub(super) wiki: LocatedWiki,
    folder: Folder,
    /// Whether somebody's manifest is there, which holds. One that an earlier import wrote for a wiki without documents is written
    /// anew.
    has_own_manifest: bool,
}

/// The folder of the manifest. One that was made for an import is removed again where nothing came into it.
#[derive(Debug)]
struct Folder {
    path: PathBuf,
    is_new: bool,
}

impl Drop for Folder {
    fn drop(&mut self) {
        if self.is_new {
            // Fails where something is in it, as it should.
            let _ = fs::remove_dir(&self.path);
        }
    }
}

impl Target {
    /// The target of an archive with this head. Makes its folder.
    ///
    /// # Errors
    /// [`ErrorKind::Invalid`] where an index is there that may not be replaced, or the manifest is below the level of the archive.
    pub(super) fn find(settings: &Settings, head: &Head, options: &ImportOptions) -> Result<Self> {
        let path = match &options.place {
            Place::OwnName => locate::home(settings, &head.wiki),
            Place::Named(name) => locate::home(settings, name),
            Place::Folder(folder) => std::path::absolute(folder).unwrap_or_else(|_| folder.clone()),
        };
        let is_new = !path.exists();
        fs::create_dir_all(&path).map_err(|error| failed(&error, &path))?;
        let folder = Folder { path, is_new };
        let there = WikiFile::read(&folder.path)?;
        let has_own_manifest = there.as_ref().is_some_and(|file| file.documents() != Some(Documents::Absent));
        let wiki = if has_own_manifest {
            must_be_high_enough(located(settings, &folder.path)?, head)?
        } else {
            let name = match &options.place {
                Place::Named(name) => name.clone(),
                Place::OwnName | Place::Folder(_) => match there.and_then(|file| file.name()) {
                    Some(name) => WikiName::new(&name)?,
                    None => head.wiki.clone(),
                },
            };
            let text = settings::manifest(&name, level(&folder.path, head)?, false, &head.contents.manifest);
            LocatedWiki {
                manifest: WikiManifest::from_text(&text, &folder.path)?,
                root: folder.path.clone(),
                index_dir: locate::index_dir(settings, &name, &folder.path),
                nested: BTreeSet::new(),
            }
        };
        if wiki.index_dir.join(CATALOG_FILE).exists() && !options.replace {
            return Err(Error::new(ErrorKind::Invalid, OPERATION, "the wiki has an index already")
                .with("path", wiki.index_dir.display())
                .help("give it another name with --as, or let --replace put the new one in its place"));
        }
        Ok(Self { wiki, folder, has_own_manifest })
    }

    /// The lock of the index that is there, if one is.
    pub(super) fn lock(&self) -> Result<Option<WriteLock>> {
        self.wiki.index_dir.is_dir().then(|| WriteLock::acquire(&self.wiki.index_dir)).transpose()
    }

    /// Writes the manifest, unless somebody's is there.
    ///
    /// # Errors
    /// [`ErrorKind::Invalid`] where that one is of a wiki with documents, and none of them is there.
    pub(super) fn write_manifest(&self, head: &Head, has_documents: bool) -> Result<()> {
        let path = self.folder.path.join(FILE_NAME);
        if self.has_own_manifest {
            if has_documents {
                return Ok(());
            }
            let message =
                "none of the documents of the archive is there, and the next build would take them for deleted";
            return Err(Error::new(ErrorKind::Invalid, OPERATION, message)
                .with("path", self.wiki.root.display())
                .help("import it by a name of its own, with --as, or into an empty folder"));
        }
        let (manifest, level) = (&self.wiki.manifest, level(&self.folder.path, head)?);
        let text = settings::manifest(&manifest.name, level, has_documents, &head.contents.manifest);
        text_file::write(&path, &text).map_err(|error| failed(&error, &path))
    }

    /// The wiki as it is found from now on, and the folder of its manifest.
    pub(super) fn found(&self, settings: &Settings) -> Result<(LocatedWiki, PathBuf)> {
        Ok((located(settings, &self.folder.path)?, self.folder.path.clone()))
    }
}

/// Whoever imports owns what he imports.
fn located(settings: &Settings, folder: &Path) -> Result<LocatedWiki> {
    Locator::new(settings, folder, Sensitivity::Restricted).wiki(&folder.to_string_lossy())
}

/// The level that a manifest of ours states: that of the archive, or the one in force in the folder, where it is higher.
fn level(folder: &Path, head: &Head) -> Result<Sensitivity> {
    let there = locate::level_of(folder)?;
    Ok(there.into_iter().fold(head.contents.sensitivity, Sensitivity::max))
}

fn must_be_high_enough(wiki: LocatedWiki, head: &Head) -> Result<LocatedWiki> {
    let (level, archive) = (wiki.manifest.sensitivity, head.contents.sensitivity);
    if level >= archive {
        return Ok(wiki);
    }
    Err(Error::new(ErrorKind::Invalid, OPERATION, format!("the wiki is {level}, and the archive is {archive}"))
        .with("path", wiki.manifest.root.join(FILE_NAME).display())
        .help(format!("an import lowers no level: write `sensitivity: {archive}` there first")))
}
