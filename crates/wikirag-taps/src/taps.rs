//! The taps of a user: added, listed, updated, removed.

use std::fs;
use std::path::{Path, PathBuf};

use wikirag_core::{Context, Error, ErrorKind, Result, WikiName};
use wikirag_engine::git_head;
use wikirag_engine::locate::{self, NewWiki};
use wikirag_engine::manifest::WikiKind;
use wikirag_engine::settings::Settings;

use crate::Limits;
use crate::clone::{Failure, Origin, Stand};
use crate::outcome::{Added, NewTap, Removed, TapState, TapStatus, UpdateState, Updated};
use crate::place::{Place, io, move_folder};
use crate::source::{Source, tap_name};
use crate::tap_file::TapFile;

/// The folder of a clone in that of its tap.
const CLONE: &str = "clone";

/// The taps below a data folder. All functions block: they wait for git and for the disk.
#[derive(Debug)]
pub struct Taps<'a> {
    settings: &'a Settings,
    limits: Limits,
}

impl<'a> Taps<'a> {
    /// The taps of these settings.
    #[must_use]
    pub fn new(settings: &'a Settings, limits: Limits) -> Self {
        Self { settings, limits }
    }

    /// Adds a tap: clones it, unless it is a folder, and makes a wiki of the kind `skills` by its name. Nothing is left of a tap
    /// that cannot be added. The index is made when it is asked for.
    ///
    /// # Errors
    /// [`ErrorKind::Invalid`] where the name is taken by another tap or wiki, or the repository is larger than allowed;
    /// [`ErrorKind::NotFound`] where there is no git or nothing to clone; [`ErrorKind::Busy`] while another process changes
    /// taps; [`ErrorKind::TimedOut`]; [`ErrorKind::Io`] with what git said.
    pub fn add(&self, new: &NewTap, context: &Context) -> Result<Added> {
        let place = Place::lock(&self.folder())?;
        let home = self.home(&new.name);
        if let Some(known) = TapFile::read(&home)? {
            return self.known(new, &known);
        }
        let half = place.half()?;
        let mut file =
            TapFile { source: new.source.clone(), branch: new.branch.clone(), head: None, updated: None, failed: None };
        let stand = if new.source.is_cloned() {
            let stand = file.origin().make(&half.path().join(CLONE), self.limits, &self.limited(context));
            let stand = stand.map_err(more_time)?;
            (file.head, file.updated) = (stand.branch.clone(), Some(now()));
            Some(stand)
        } else {
            None
        };
        file.write(half.path())?;
        place.put(half, &home)?;
        let documents = documents(&home, &new.source);
        if let Err(error) = self.register(&new.name, &documents, &new.tags) {
            place.discard(&home)?;
            return Err(error.help("take another name with `--name`"));
        }
        Ok(Added {
            name: new.name.to_string(),
            was_there: false,
            branch: file.branch.or(file.head),
            commit: git_head(&documents),
            contents: stand.and_then(|stand| stand.contents),
            documents: documents.display().to_string(),
        })
    }

    fn register(&self, name: &WikiName, documents: &Path, tags: &[String]) -> Result<()> {
        let (name, kind) = (name.clone(), WikiKind::Skills);
        let wiki = NewWiki { name, source: documents, kind, tags, sensitivity: None };
        locate::register(self.settings, &wiki).map(|_| ())
    }

    /// A tap of this name is there: nothing to do where it is the same.
    fn known(&self, new: &NewTap, known: &TapFile) -> Result<Added> {
        if (&known.source, &known.branch) != (&new.source, &new.branch) {
            let branch = known.branch.as_ref().map(|branch| format!(", branch `{branch}`")).unwrap_or_default();
            let message = format!("there is a tap `{}` of {}{branch}", new.name, known.source);
            return Err(Error::new(ErrorKind::Invalid, "add tap", message).help(format!(
                "take another name with `--name`, or remove it first: `wikirag tap remove {}`",
                new.name
            )));
        }
        let documents = documents(&self.home(&new.name), &known.source);
        if documents.is_dir() {
            // Whoever was interrupted while it was added has the tap and no wiki of it.
            self.register(&new.name, &documents, &[])?;
        }
        Ok(Added {
            name: new.name.to_string(),
            was_there: true,
            branch: known.branch.clone().or_else(|| known.head.clone()),
            commit: git_head(&documents),
            contents: None,
            documents: documents.display().to_string(),
        })
    }

    /// All taps by name. No remote is asked, and no git is run.
    ///
    /// # Errors
    /// [`ErrorKind::Io`] where the folder of the taps cannot be read. A tap that cannot be understood is a line of the list.
    pub fn list(&self) -> Result<Vec<TapStatus>> {
        let names = self.names()?;
        Ok(names.iter().map(|name| self.status(name)).collect())
    }

    fn status(&self, name: &WikiName) -> TapStatus {
        let home = self.home(name);
        let mut status = TapStatus {
            name: name.to_string(),
            source: None,
            is_cloned: home.join(CLONE).is_dir(),
            branch: None,
            commit: None,
            state: TapState::Broken,
            reason: None,
            updated: None,
        };
        let file = match TapFile::read(&home) {
            Ok(Some(file)) => file,
            Ok(None) => return TapStatus { reason: Some("its tap.yaml is not there".to_owned()), ..status },
            Err(error) => return TapStatus { reason: Some(error.statement()), ..status },
        };
        let documents = documents(&home, &file.source);
        status.commit = git_head(&documents);
        (status.state, status.reason) = if !documents.is_dir() {
            (TapState::Missing, Some(format!("there is no folder {}", documents.display())))
        } else if file.source.is_cloned() && status.commit.is_none() {
            (TapState::Missing, Some(format!("there is no clone in {}", documents.display())))
        } else if file.failed.is_some() {
            (TapState::Stale, file.failed)
        } else {
            (TapState::Ready, None)
        };
        status.is_cloned = file.source.is_cloned();
        status.source = Some(file.source.to_string());
        status.branch = file.branch.or(file.head);
        status.updated = file.updated;
        status
    }

    /// Brings taps up to date: those of these names, or all. One that fails stays as it was, with its reason, and does not keep
    /// the others from it.
    ///
    /// # Errors
    /// [`ErrorKind::NotFound`] where there is no tap of a name, or no git; [`ErrorKind::Busy`] while another process changes
    /// taps; [`ErrorKind::Cancelled`].
    pub fn update(&self, names: &[WikiName], context: &Context) -> Result<Vec<Updated>> {
        let place = Place::lock(&self.folder())?;
        let known = self.names()?;
        if let Some(unknown) = names.iter().find(|name| !known.contains(name)) {
            return Err(unknown_tap(unknown));
        }
        let names = if names.is_empty() { &known } else { names };
        names.iter().map(|name| self.update_one(&place, name, context)).collect()
    }

    fn update_one(&self, place: &Place, name: &WikiName, context: &Context) -> Result<Updated> {
        let home = self.home(name);
        let mut updated = Updated {
            name: name.to_string(),
            state: UpdateState::Failed,
            from: None,
            commit: None,
            contents: None,
            reason: None,
        };
        let mut file = match TapFile::read(&home) {
            Ok(Some(file)) => file,
            Ok(None) => return Ok(Updated { reason: Some("its tap.yaml is not there".to_owned()), ..updated }),
            Err(error) => return Ok(Updated { reason: Some(error.statement()), ..updated }),
        };
        let documents = documents(&home, &file.source);
        updated.from = git_head(&documents);
        updated.commit.clone_from(&updated.from);
        if !file.source.is_cloned() {
            let is_there = documents.is_dir();
            updated.state = if is_there { UpdateState::InPlace } else { UpdateState::Failed };
            updated.reason = (!is_there).then(|| format!("there is no folder {}", documents.display()));
            return Ok(updated);
        }
        match self.follow(place, &file, &documents, context) {
            Ok(stand) => {
                let is_same = updated.from.as_ref() == Some(&stand.commit) && stand.contents.is_none();
                updated.state = if is_same { UpdateState::Unchanged } else { UpdateState::Updated };
                (updated.commit, updated.contents) = (Some(stand.commit), stand.contents);
                (file.head, file.updated, file.failed) = (stand.branch, Some(now()), None);
            }
            Err(error) if error.kind() == ErrorKind::Cancelled || error.context("program").is_some() => {
                return Err(error);
            }
            Err(error) => {
                let error = more_time(error);
                updated.commit = git_head(&documents);
                updated.reason = Some(error.to_string());
                file.failed = Some(error.statement());
            }
        }
        if let Err(error) = file.write(&home) {
            updated.state = UpdateState::Failed;
            updated.reason.get_or_insert(error.to_string());
        }
        Ok(updated)
    }

    /// Brings a clone to where its remote stands. A clone that cannot be brought there is made anew, beside the old one.
    fn follow(&self, place: &Place, file: &TapFile, clone: &Path, context: &Context) -> Result<Stand> {
        let (origin, context) = (file.origin(), self.limited(context));
        match git_head(clone).map(|_| origin.update(clone, self.limits, &context)) {
            Some(Ok(stand)) => return Ok(stand),
            Some(Err(Failure::Remote(error))) => return Err(error),
            Some(Err(Failure::Clone(error))) if error.kind() != ErrorKind::Io => return Err(error),
            Some(Err(Failure::Clone(_))) | None => {}
        }
        let half = place.half()?;
        let fresh = half.path().join(CLONE);
        let stand = origin.make(&fresh, self.limits, &context)?;
        if clone.exists() {
            move_folder(clone, &half.path().join("old"))?;
        }
        move_folder(&fresh, clone)?;
        Ok(stand)
    }

    /// Removes a tap: its clone, its wiki, and the index of that. A folder that is used in place is left as it is.
    ///
    /// # Errors
    /// [`ErrorKind::NotFound`] where there is none of that name; [`ErrorKind::Busy`] while its index is written, or another
    /// process changes taps; [`ErrorKind::Io`] where something cannot be removed.
    pub fn remove(&self, name: &WikiName) -> Result<Removed> {
        let place = Place::lock(&self.folder())?;
        if !self.names()?.contains(name) {
            return Err(unknown_tap(name));
        }
        let home = self.home(name);
        // Of a tap that cannot be understood at least the clone is known.
        let source = TapFile::read(&home).ok().flatten().map(|file| file.source);
        let documents = source.as_ref().map_or_else(|| home.join(CLONE), |source| documents(&home, source));
        let wiki = locate::unregister(self.settings, name, &documents)?;
        place.discard(&home)?;
        let kept = source.filter(|source| !source.is_cloned()).map(|source| source.to_string());
        Ok(Removed { name: name.to_string(), wiki, kept })
    }

    fn folder(&self) -> PathBuf {
        self.settings.data_dir.join("taps")
    }

    fn home(&self, name: &WikiName) -> PathBuf {
        self.folder().join(name.as_str())
    }

    /// The names of all taps, sorted.
    fn names(&self) -> Result<Vec<WikiName>> {
        let folder = self.folder();
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(io("list taps", "the folder cannot be read", &folder, error)),
        };
        // A folder that has no name of a tap was not made by this program.
        let folders = entries.flatten().filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
        let mut names: Vec<WikiName> = folders.filter_map(|entry| tap_name(entry.file_name().to_str()?).ok()).collect();
        names.sort_unstable();
        Ok(names)
    }

    fn limited(&self, context: &Context) -> Context {
        context.clone().with_time_limit(self.limits.time)
    }
}

fn documents(home: &Path, source: &Source) -> PathBuf {
    match source {
        Source::Folder(folder) => folder.clone(),
        Source::Url(_) | Source::Repository(_) => home.join(CLONE),
    }
}

impl TapFile {
    fn origin(&self) -> Origin<'_> {
        Origin { source: &self.source, branch: self.branch.as_deref() }
    }
}

fn unknown_tap(name: &WikiName) -> Error {
    Error::new(ErrorKind::NotFound, "find tap", format!("there is no tap `{name}`"))
        .help("`wikirag tap list` lists those that are there")
}

fn more_time(error: Error) -> Error {
    if error.kind() == ErrorKind::TimedOut { error.help("give it more with `--max-seconds`") } else { error }
}

/// To the second, since nobody reads more.
fn now() -> String {
    let now = jiff::Timestamp::now();
    jiff::Timestamp::from_second(now.as_second()).unwrap_or(now).to_string()
}
