//! Watching the folders of wikis: what changes is in the index a moment later.
//!
//! The watch decides when to build, never what. A build compares the folder with the catalog by content, so one that comes too early is
//! followed by another, one too many changes nothing, and events may come twice, in any order, or all at once. What must not
//! happen is that a change is followed by no build; [`Folders::watch`] tells how that is made sure.

mod bell;
mod folders;
mod wiki;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use wikirag_core::{CancelFlag, Context, Error, ErrorKind, Result, offload};
use wikirag_sqlite::FileId;

use self::bell::{Bell, MANIFESTS};
use self::folders::Folders;
use self::wiki::Watched;
use super::Targets;
use super::targets::Found;
use crate::log::Event;
use crate::{BuildOptions, BuildReport, Engine, LocatedWiki};

/// How often the list of wikis and their folders are compared with what is watched. Costs a few looks at the disk for each wiki.
const LOOK: Duration = Duration::from_secs(5);

/// How long a wish to stop may go unnoticed while nothing happens.
const STOP: Duration = Duration::from_millis(250);

/// When changes are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WatchOptions {
    /// Once a folder was quiet for so long.
    pub quiet: Duration,
    /// At the latest so long after the first change.
    pub at_most: Duration,
}

impl Default for WatchOptions {
    fn default() -> Self {
        Self { quiet: Duration::from_millis(300), at_most: Duration::from_secs(2) }
    }
}

/// What happens while wikis are watched.
#[derive(Debug)]
pub enum WatchEvent<'e> {
    /// A wiki is watched from now on.
    Watching(&'e LocatedWiki),
    /// The index of a wiki was brought up to its folder. Told for each build that changed something, for the first one, and for the first
    /// one after a failure.
    Rebuilt(&'e BuildReport),
    /// A wiki cannot be found or built. Its index stays as it is, and it is tried again. Told once for each reason.
    Failed {
        /// The name of the wiki, or how it was named where nobody could find it.
        wiki: &'e str,
        /// Why.
        error: &'e Error,
    },
    /// The system does not tell of the changes of a wiki, so its folder is looked at from time to time.
    Unwatched {
        /// The name of the wiki.
        wiki: &'e str,
        /// Why.
        error: &'e Error,
    },
    /// A wiki is on no list any more, and no longer watched.
    Left(&'e LocatedWiki),
}

/// Takes what happens. An error ends the watch.
pub type OnWatchEvent<'f> = dyn for<'e> FnMut(WatchEvent<'e>) -> Result<()> + Send + 'f;

impl Engine {
    /// Watches the wikis that `targets` name, and builds each when its folder changes, until `context` is cancelled.
    ///
    /// Wikis come and go: those of compositions and of [`Targets::all`] are looked up every few seconds, and at once where a manifest
    /// in a watched folder changes. A folder that is gone is waited for, and nothing of its index is deleted.
    ///
    /// # Errors
    /// Where none of the wikis that were named can be had at the beginning, why; later, what `on_event` gives.
    pub async fn watch(
        &self,
        targets: &Targets,
        options: WatchOptions,
        on_event: &mut OnWatchEvent<'_>,
        context: &Context,
    ) -> Result<()> {
        let bell = Arc::new(Bell::new(options));
        let folders = Arc::new(Folders::new(Arc::clone(&bell)));
        let mut watch =
            Watch { engine: self, targets, bell, folders, wikis: Vec::new(), told: BTreeMap::new(), numbered: 0 };
        let mut found = watch.find().await;
        if found.wikis.is_empty() && !found.missing.is_empty() {
            return Err(found.missing.remove(0).1);
        }
        watch.take_in(found, on_event).await?;
        let mut next_look = Instant::now() + LOOK;
        while !context.cancel.is_cancelled() {
            let now = Instant::now();
            if watch.bell.take(MANIFESTS, now) || now >= next_look {
                let found = watch.find().await;
                watch.take_in(found, on_event).await?;
                next_look = Instant::now() + LOOK;
            }
            match watch.next_due() {
                Some(at) => watch.build(at, on_event, context).await?,
                None => watch.wait(next_look, &context.cancel).await,
            }
        }
        Ok(())
    }
}

/// The wikis as they were last looked up.
struct Seen {
    /// How each was named, and the folder of its documents.
    wikis: Vec<(String, Arc<LocatedWiki>, Option<FileId>)>,
    missing: Vec<(String, Error)>,
}

/// All wikis that are watched.
struct Watch<'a> {
    engine: &'a Engine,
    targets: &'a Targets,
    bell: Arc<Bell>,
    folders: Arc<Folders>,
    /// In the order in which they are built.
    wikis: Vec<Watched>,
    /// What was named and never found, with what was told of it.
    told: BTreeMap<String, String>,
    /// How many numbers wikis were given.
    numbered: u64,
}

impl Watch<'_> {
    async fn find(&self) -> Seen {
        let (engine, targets) = (self.engine.clone(), self.targets.clone());
        offload(move || {
            let Found { wikis, missing } = targets.find(engine.settings());
            let with_folder = |(reference, located): (String, Arc<LocatedWiki>)| {
                let folder = FileId::of(&located.root);
                (reference, located, folder)
            };
            Seen { wikis: wikis.into_iter().map(with_folder).collect(), missing }
        })
        .await
    }

    /// Compares what was found with what is watched.
    async fn take_in(&mut self, found: Seen, on_event: &mut OnWatchEvent<'_>) -> Result<()> {
        let now = Instant::now();
        let mut before = std::mem::take(&mut self.wikis);
        for (reference, located, folder) in found.wikis {
            self.told.remove(&reference);
            match before.iter().position(|known| known.located.index_dir == located.index_dir) {
                Some(at) => {
                    let mut known = before.remove(at);
                    let is_changed = known.located != located;
                    known.reference = reference;
                    known.located = located;
                    if is_changed || known.due.is_none() || known.is_another(folder) {
                        known.due = Some(now);
                    }
                    self.wikis.push(known);
                }
                None => {
                    on_event(WatchEvent::Watching(&located))?;
                    self.numbered += 1;
                    self.wikis.push(Watched::new(self.numbered, reference, located, now));
                }
            }
        }
        for (reference, error) in &found.missing {
            let known = before.iter().position(|known| known.reference == *reference);
            let is_news = match known {
                Some(at) => {
                    let mut known = before.remove(at);
                    let is_news = known.gone(error);
                    self.wikis.push(known);
                    is_news
                }
                None => {
                    let statement = error.statement();
                    let told = self.told.insert(reference.clone(), statement.clone());
                    told.is_none_or(|told| told != statement)
                }
            };
            if is_news {
                on_event(WatchEvent::Failed { wiki: reference, error })?;
            }
        }
        for left in before {
            let (folders, id) = (Arc::clone(&self.folders), left.id);
            offload(move || folders.unwatch(id)).await;
            self.bell.clear(left.id);
            on_event(WatchEvent::Left(&left.located))?;
        }
        Ok(())
    }

    /// The first wiki that is to be looked at now.
    fn next_due(&self) -> Option<usize> {
        let now = Instant::now();
        self.wikis.iter().position(|wiki| {
            // The bell of one whose folder is gone is heard as well, or nobody could wait for another.
            let rings = self.bell.take(wiki.id, now);
            wiki.due.is_some_and(|due| rings || due <= now)
        })
    }

    async fn build(&mut self, at: usize, on_event: &mut OnWatchEvent<'_>, context: &Context) -> Result<()> {
        let Some(wiki) = self.wikis.get_mut(at) else { return Ok(()) };
        let located = Arc::clone(&wiki.located);
        let name = located.manifest.name.as_str();
        // What changes from here on rings anew, and what changed before is seen by the build.
        self.bell.clear(wiki.id);
        let (folders, before) = (Arc::clone(&self.folders), wiki.before_build());
        let looked = offload(move || before(&folders)).await;
        let built = match looked {
            Err(error) => Err(error),
            Ok(look) => {
                if wiki.unwatched(look.unwatched.as_ref())
                    && let Some(error) = &look.unwatched
                {
                    on_event(WatchEvent::Unwatched { wiki: name, error })?;
                }
                let built = self.engine.build_for(Event::Watch, &located, BuildOptions::default(), context).await;
                built.map(|built| (look, built))
            }
        };
        let now = Instant::now();
        match built {
            Ok((look, built)) => {
                let report = built.report;
                let is_behind = report.layers.iter().any(|layer| layer.pending > 0 && layer.left_out.is_none());
                if wiki.built(&look, report.documents, is_behind, now) || !built.is_idle {
                    on_event(WatchEvent::Rebuilt(&report))?;
                }
            }
            // Whoever asked to stop knows.
            Err(error) if error.kind() == ErrorKind::Cancelled => {}
            Err(error) => {
                if wiki.failed(&error, now) {
                    on_event(WatchEvent::Failed { wiki: name, error: &error })?;
                }
            }
        }
        Ok(())
    }

    async fn wait(&self, next_look: Instant, cancel: &CancelFlag) {
        let end = self.wikis.iter().filter_map(|wiki| wiki.due).fold(next_look, Instant::min);
        let (bell, cancel) = (Arc::clone(&self.bell), cancel.clone());
        offload(move || {
            // A flag wakes nobody, so somebody looks at it.
            while !cancel.is_cancelled() && !bell.wait(end.min(Instant::now() + STOP)) && Instant::now() < end {}
        })
        .await;
    }
}
