//! Finding wikis by name, path or folder, and the one rule of who may read them.
//!
//! Every way to a wiki goes through [`Locator::wiki`]: it reads manifests and nothing else, and gives a wiki out only
//! after the clearance was checked. Indexes and documents are touched by those who were given one.

mod composition;
mod known;
mod level;
mod register;
mod several;

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};
use std::sync::OnceLock;

use wikirag_core::{Error, ErrorKind, Result, Sensitivity, WikiName};

pub use self::composition::{ComposedWiki, Composition, Missing, composition};
use self::known::Known;
pub(crate) use self::register::home;
pub use self::register::{NewWiki, register, unregister};
pub use self::several::{join, of_kind, together};
use crate::manifest::text_file::is_absent;
use crate::manifest::wiki::{self, WikiFile};
use crate::manifest::{Documents, WikiManifest, rag};
use crate::settings::{Settings, suggest};

const OPERATION: &str = "find wiki";

/// The folder of an index that lies beside its documents.
pub const INDEX_FOLDER: &str = ".index";

/// A wiki that was found and may be read.
#[derive(Debug, Clone, PartialEq)]
pub struct LocatedWiki {
    /// What it is. `sensitivity` is the level in force: the highest that the manifest, the wiki around the folder and
    /// the wikis made by name over it say.
    pub manifest: WikiManifest,
    /// The folder of the documents, absolute.
    pub root: PathBuf,
    /// The folder of the index, absolute. It may not exist.
    pub index_dir: PathBuf,
    /// Folders below `root`, relative to it, whose documents are those of a wiki made by name: as little part of this one
    /// as folders with a manifest of their own.
    pub nested: BTreeSet<PathBuf>,
}

impl LocatedWiki {
    /// Whether its documents are on this machine.
    pub(crate) fn has_documents(&self) -> bool {
        self.manifest.documents == Documents::Present
    }

    /// The wiki in a folder that the program itself made, with its index beside its documents.
    pub(crate) fn at(root: &Path) -> Result<Self> {
        let manifest = WikiManifest::load(root)?;
        Ok(Self { manifest, root: root.to_owned(), index_dir: root.join(INDEX_FOLDER), nested: BTreeSet::new() })
    }
}

/// Finds wikis for one reader.
#[derive(Debug)]
pub struct Locator<'a> {
    settings: &'a Settings,
    base: PathBuf,
    clearance: Sensitivity,
    siblings: bool,
    registered: OnceLock<Vec<Known>>,
    others: OnceLock<Vec<Known>>,
}

impl<'a> Locator<'a> {
    /// Finds what may be read at `clearance`. Relative paths are taken from `base`, which is absolute.
    #[must_use]
    pub fn new(settings: &'a Settings, base: &Path, clearance: Sensitivity) -> Self {
        let (registered, others) = (OnceLock::new(), OnceLock::new());
        Self { settings, base: base.to_owned(), clearance, siblings: false, registered, others }
    }

    /// Finds the folders directly below `base` by name as well.
    #[must_use]
    pub fn with_siblings(mut self) -> Self {
        self.siblings = true;
        self
    }

    /// The wiki that `reference` means: the folder at that path (or of the `.wiki.yaml` at that path) if there is one,
    /// otherwise the wiki of that name: made by name, in a folder of `wiki_path`, or a sibling. A folder is known by the
    /// name in its manifest and, where no manifest has that name, by its own.
    ///
    /// # Errors
    /// [`ErrorKind::Refused`] where what is meant, or one of several things that could be, may not be read;
    /// [`ErrorKind::NotFound`] with near names that may be read; [`ErrorKind::Invalid`] where two wikis have that
    /// name or a manifest does not say what it must; [`ErrorKind::Usage`] for an empty reference.
    pub fn wiki(&self, reference: &str) -> Result<LocatedWiki> {
        let reference = reference.trim();
        if reference.is_empty() || reference.contains('\0') {
            return Err(Error::new(ErrorKind::Usage, OPERATION, "neither a name nor a path of a wiki was given"));
        }
        let mut found = match self.folder(reference)? {
            Some(folder) => vec![self.open(&folder)?],
            None => self.named(reference)?,
        };
        if found.iter().any(|wiki| !wiki.manifest.sensitivity.is_readable_at(self.clearance)) {
            return Err(refusal(&[reference], self.clearance));
        }
        if found.len() > 1 {
            let folders: Vec<String> = found.iter().map(|wiki| wiki.manifest.root.display().to_string()).collect();
            let message =
                format!("{} wikis are called `{}`: {}", found.len(), suggest::shorten(reference), folders.join(", "));
            return Err(Error::new(ErrorKind::Invalid, OPERATION, message).help("give the path of the one you mean"));
        }
        let Some(wiki) = found.pop() else { return Err(self.absence(reference)) };
        match std::fs::metadata(&wiki.root) {
            Ok(metadata) if metadata.is_dir() => Ok(wiki),
            // What the folder says of its own sensitivity is not known either.
            _ => Err(Error::new(ErrorKind::NotFound, OPERATION, "the folder of the documents is not there")
                .with("wiki", &wiki.manifest.name)
                .with("path", wiki.root.display())
                .help("mount it, or make the wiki anew with `wikirag build NAME SOURCE`")),
        }
    }

    /// The folder at the path `reference`, if there is one.
    fn folder(&self, reference: &str) -> Result<Option<PathBuf>> {
        let path = tidy(&self.base.join(reference));
        let failed = |error| {
            Error::new(ErrorKind::Io, OPERATION, "the path cannot be looked at")
                .with("path", suggest::shorten(reference))
                .caused_by(error)
        };
        match std::fs::metadata(&path) {
            Ok(metadata) if metadata.is_dir() => Ok(Some(path)),
            Ok(_) if path.file_name().is_some_and(|name| name == wiki::FILE_NAME) => {
                Ok(path.parent().map(Path::to_owned))
            }
            Ok(_) if rag::is_rag_path(&path) => {
                Err(Error::new(ErrorKind::Invalid, OPERATION, "it is a composition, not a wiki")
                    .with("path", path.display())
                    .help("list its wikis instead"))
            }
            // A file that happens to be called as a wiki is.
            Ok(_) => Ok(None),
            // A name of a wiki may be no path at all, or longer than a file name may be.
            Err(error) if is_absent(&error) || error.kind() == std::io::ErrorKind::InvalidFilename => Ok(None),
            Err(error) => Err(failed(error)),
        }
    }

    /// The wiki whose manifest lies in `folder`, or would, with the level in force. Not yet checked against the
    /// clearance.
    fn open(&self, folder: &Path) -> Result<LocatedWiki> {
        let own = WikiFile::read(folder)?;
        let path = own.is_some().then(|| folder.join(wiki::FILE_NAME));
        let mut file = own.unwrap_or_default();
        let root = match file.source() {
            None => folder.to_owned(),
            Some(_) if !self.is_registration(folder) => return Err(foreign_source(folder)),
            Some(source) => source.to_owned(),
        };
        if root != folder
            && let Some(beside) = WikiFile::read(&root)?
        {
            if beside.source().is_some() {
                return Err(foreign_source(&root));
            }
            file = file.or(beside);
        }
        let mut manifest = WikiManifest::from_file(file, folder, path)?;
        let documents = canonical(&root);
        // A folder inside a confidential wiki does not become public by being asked for on its own.
        let around = level::of_tree(&documents)?;
        let registered = self.registered()?;
        let over = registered.iter().map(|known| known.level_over(&documents)).collect::<Result<Vec<_>>>()?;
        manifest.sensitivity = over.into_iter().chain([around]).flatten().fold(manifest.sensitivity, Sensitivity::max);
        let index_dir = self.index_dir(&manifest, folder);
        let nested = registered.iter().filter_map(|known| known.place_below(&documents)).collect();
        Ok(LocatedWiki { manifest, root, index_dir, nested })
    }

    fn index_dir(&self, manifest: &WikiManifest, folder: &Path) -> PathBuf {
        index_dir(self.settings, &manifest.name, folder)
    }

    /// All wikis called `name`, each set of documents once.
    fn named(&self, name: &str) -> Result<Vec<LocatedWiki>> {
        let all = || -> Result<_> { Ok(self.registered()?.iter().chain(self.others()?)) };
        let mut matching: Vec<&Known> = all()?.filter(|known| known.is_called(name)).collect();
        if matching.is_empty() {
            matching = all()?.filter(|known| known.folder_name() == name).collect();
        }
        let mut wikis: Vec<LocatedWiki> = Vec::new();
        for known in matching {
            let wiki = self.open(&known.folder)?;
            if wikis.iter().all(|seen| canonical(&seen.root) != canonical(&wiki.root)) {
                wikis.push(wiki);
            }
        }
        Ok(wikis)
    }

    fn registered(&self) -> Result<&[Known]> {
        lazily(&self.registered, || known::registered(&register::folder(self.settings)))
    }

    fn others(&self) -> Result<&[Known]> {
        lazily(&self.others, || {
            let folders = self.settings.wiki_path.iter().chain(self.siblings.then_some(&self.base));
            let mut all = Vec::new();
            for folder in folders {
                all.extend(known::below(folder)?);
            }
            Ok(all)
        })
    }

    /// The folders of the wikis that are known without being named, each once: those made by name, then those directly below
    /// `wiki_path` that have a manifest or an index. Any other folder there is a wiki when it is named, and may be anything as long as
    /// it is not.
    ///
    /// # Errors
    /// [`ErrorKind::Io`] where a folder that holds wikis cannot be listed.
    pub fn known(&self) -> Result<Vec<PathBuf>> {
        let has_index = |known: &&Known| self.open(&known.folder).is_ok_and(|wiki| wiki.index_dir.is_dir());
        let is_wiki = |known: &&Known| known.folder.join(wiki::FILE_NAME).exists() || has_index(known);
        let all = self.registered()?.iter().chain(self.others()?.iter().filter(is_wiki));
        let mut folders: Vec<PathBuf> = Vec::new();
        for known in all {
            if !folders.contains(&known.folder) {
                folders.push(known.folder.clone());
            }
        }
        Ok(folders)
    }

    fn is_registration(&self, folder: &Path) -> bool {
        folder.parent().is_some_and(|parent| canonical(parent) == canonical(&register::folder(self.settings)))
    }

    /// The error for a reference that means nothing, with near names of what the reader may read.
    fn absence(&self, reference: &str) -> Error {
        let short = suggest::shorten(reference);
        let registered = register::folder(self.settings);
        let places = [&self.base, &registered].into_iter().chain(&self.settings.wiki_path);
        let places: Vec<String> = places.map(|place| place.display().to_string()).collect();
        let error = Error::new(ErrorKind::NotFound, OPERATION, format!("there is no wiki `{short}`"))
            .with("looked in", places.join(", "));
        let near = self.near(reference);
        if !near.is_empty() {
            return error.help(format!("did you mean {}?", near.join(", ")));
        }
        error.help("give the path of its folder, or make it with `wikirag build NAME SOURCE`")
    }

    fn near(&self, reference: &str) -> Vec<String> {
        let known = [self.registered(), self.others()].into_iter().filter_map(Result::ok).flatten();
        let known: Vec<&Known> = known.collect();
        let names = suggest::near(reference, known.iter().filter_map(|known| known.declared.as_deref()));
        let readable = |name: &&str| {
            known.iter().filter(|known| known.is_called(name)).all(|known| {
                self.open(&known.folder).is_ok_and(|wiki| wiki.manifest.sensitivity.is_readable_at(self.clearance))
            })
        };
        names.into_iter().filter(readable).take(3).map(|name| format!("`{name}`")).collect()
    }
}

/// What the manifest nearest to `folder`, in it or above it, says of sensitivity; `None` where no manifest says anything.
///
/// # Errors
/// Where a manifest cannot be read: what it says is not known.
pub(crate) fn level_of(folder: &Path) -> Result<Option<Sensitivity>> {
    level::of_tree(&canonical(folder))
}

/// Where the index of the wiki `name` lies whose manifest lies in `folder`, which is there.
pub(crate) fn index_dir(settings: &Settings, name: &WikiName, folder: &Path) -> PathBuf {
    match &settings.index_dir {
        None => folder.join(INDEX_FOLDER),
        Some(dir) => {
            let hash = blake3::hash(canonical(folder).as_os_str().as_encoded_bytes()).to_hex();
            let short: String = hash.chars().take(12).collect();
            dir.join(format!("{name}-{short}"))
        }
    }
}

/// The one way of saying no. It says nothing but what the asker wrote and what the asker may see.
fn refusal(references: &[&str], clearance: Sensitivity) -> Error {
    let list: Vec<String> = references.iter().map(|reference| format!("`{}`", suggest::shorten(reference))).collect();
    let message = format!("{} may not be read here", list.join(", "));
    Error::new(ErrorKind::Refused, OPERATION, message).with("clearance", clearance)
}

fn foreign_source(folder: &Path) -> Error {
    Error::new(ErrorKind::Invalid, OPERATION, "`source` stands only in the manifests of wikis made by name")
        .with("path", folder.join(wiki::FILE_NAME).display())
        .help("take it out, or make the wiki with `wikirag build NAME SOURCE`")
}

fn lazily(cell: &OnceLock<Vec<Known>>, list: impl FnOnce() -> Result<Vec<Known>>) -> Result<&[Known]> {
    match cell.get() {
        Some(known) => Ok(known),
        None => list().map(|known| cell.get_or_init(|| known).as_slice()),
    }
}

/// The path without links, for telling whether two are the same; as it is where it does not exist.
fn canonical(path: &Path) -> PathBuf {
    std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// The path without `.` and a `/` at its end. Links in it stay, since people know their folders by them; only where
/// there is a `..`, which may mean another folder behind a link, they are followed.
fn tidy(path: &Path) -> PathBuf {
    if path.components().any(|part| part == Component::ParentDir) {
        canonical(path)
    } else {
        path.components().collect()
    }
}

#[cfg(test)]
mod tests;
