//! One wiki that is watched: what is known of it, and when it is looked at next.

use std::sync::Arc;
use std::time::{Duration, Instant};

use wikirag_core::{Error, ErrorKind, Result};
use wikirag_sqlite::FileId;

use super::folders::Folders;
use crate::locate::LocatedWiki;
use crate::scan::scan;

/// A wiki that failed is tried again after this time, and then after twice as long each time...
const RETRY: Duration = Duration::from_secs(5);

/// ...up to this. As often is one looked at of which a layer is behind, as when a service does not answer.
const RETRY_AT_MOST: Duration = Duration::from_secs(60);

/// How often a folder is looked at of which the system tells nothing.
const UNWATCHED: Duration = Duration::from_secs(30);

/// How often any folder is looked at although nothing was told: some file systems tell of no change that another machine makes,
/// and an unmount may take the watches along and say nothing.
const WATCHED: Duration = Duration::from_secs(600);

/// How long a wiki that another process builds is left alone.
const BUSY: Duration = Duration::from_secs(1);

/// See the module.
pub(super) struct Watched {
    /// Its number for the bell.
    pub(super) id: u64,
    /// How it was named.
    pub(super) reference: String,
    pub(super) located: Arc<LocatedWiki>,
    /// When it is looked at next, whether or not the bell rings. `None` while its folder is gone.
    pub(super) due: Option<Instant>,
    /// Why it is not up to date, as was told.
    fault: Option<String>,
    /// What keeps the system from telling of changes, as was told.
    unwatched: Option<String>,
    /// The folder that was last looked at.
    folder: Option<FileId>,
    /// How many documents it had then.
    documents: Option<u64>,
    retry: Duration,
}

/// What a look at the folder found before anything is built.
pub(super) struct Look {
    folder: Option<FileId>,
    /// Why the system does not tell of changes.
    pub(super) unwatched: Option<Error>,
}

impl Watched {
    pub(super) fn new(id: u64, reference: String, located: Arc<LocatedWiki>, now: Instant) -> Self {
        let (fault, unwatched, folder, documents) = (None, None, None, None);
        Self { id, reference, located, due: Some(now), fault, unwatched, folder, documents, retry: RETRY }
    }

    /// Whether its folder is another than the one that was last looked at: mounted, or made anew.
    pub(super) fn is_another(&self, folder: Option<FileId>) -> bool {
        self.folder.is_some() && self.folder != folder
    }

    /// Whether nobody was told yet how it stands.
    pub(super) fn is_new(&self) -> bool {
        self.documents.is_none()
    }

    /// What must be done before a build: to see to it that what happens from now on is told of, and that there is a folder at all.
    /// To be run off the async runtime.
    pub(super) fn before_build(&self) -> impl FnOnce(&Folders) -> Result<Look> + Send + 'static {
        let (id, located) = (self.id, Arc::clone(&self.located));
        let (before, had_documents) = (self.folder, self.documents.unwrap_or(0) > 0);
        let was_unwatched = self.unwatched.is_some();
        move |folders| {
            if !located.root.is_dir() {
                return Err(absent(&located, "the folder of the documents is not there"));
            }
            let folder = FileId::of(&located.root);
            let is_new = was_unwatched || before != folder;
            let unwatched = folders.watch(id, &located, is_new).err();
            // An index that went with all documents is an unmounted disk, and what is left of it is the place where it goes. Building there
            // would begin an empty one.
            if had_documents && !located.index_dir.exists() && scan(&located)?.found.is_empty() {
                return Err(absent(&located, "the folder holds nothing, and it held documents"));
            }
            Ok(Look { folder, unwatched })
        }
    }

    /// Takes note of a build that ended well. Says whether people should hear of that although nothing changed.
    pub(super) fn built(&mut self, look: &Look, documents: u64, is_behind: bool, now: Instant) -> bool {
        let is_news = self.is_new() || self.fault.take().is_some();
        self.folder = look.folder;
        self.documents = Some(documents);
        self.retry = RETRY;
        let pause = if is_behind {
            RETRY_AT_MOST
        } else if look.unwatched.is_some() {
            UNWATCHED
        } else {
            WATCHED
        };
        self.due = Some(now + pause);
        is_news
    }

    /// Takes note of what the system says of watching. Says whether people should hear of it.
    pub(super) fn unwatched(&mut self, error: Option<&Error>) -> bool {
        let statement = error.map(Error::statement);
        let is_news = statement.is_some() && statement != self.unwatched;
        self.unwatched = statement;
        is_news
    }

    /// Takes note of a failure. Says whether people should hear of it.
    pub(super) fn failed(&mut self, error: &Error, now: Instant) -> bool {
        if error.kind() == ErrorKind::Busy {
            self.due = Some(now + BUSY);
            return false;
        }
        self.due = Some(now + self.retry);
        self.retry = (self.retry * 2).min(RETRY_AT_MOST);
        self.tell(error)
    }

    /// The wiki cannot be found any more: it waits until it can.
    pub(super) fn gone(&mut self, error: &Error) -> bool {
        self.due = None;
        self.tell(error)
    }

    fn tell(&mut self, error: &Error) -> bool {
        // The same may be found out in two ways, which say it in the same words.
        let is_news = self.fault.as_deref() != Some(error.message());
        self.fault = Some(error.message().to_owned());
        is_news
    }
}

fn absent(wiki: &LocatedWiki, message: &'static str) -> Error {
    Error::new(ErrorKind::NotFound, "watch folder", message)
        .with("path", wiki.root.display())
        .help("its index is kept, and goes on when the folder is there again")
}
