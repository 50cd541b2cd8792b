//! Folders that tell of their changes, and which of those may matter to an index.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use notify::event::{AccessKind, AccessMode};
use notify::{Config, Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};
use wikirag_core::{Error, ErrorKind, Result};

use super::bell::{Bell, MANIFESTS};
use crate::locate::LocatedWiki;
use crate::manifest::WikiKind;
use crate::manifest::wiki::FILE_NAME;
use crate::scan::{IGNORE_FILES, is_hidden};

/// Whether the system tells of one folder and not of those below it, so that a watch stands on each of them.
const ONE_BY_ONE: bool = cfg!(any(target_os = "linux", target_os = "android"));

/// The folders of all wikis that are watched. The system calls from a thread of its own, which does nothing but ring the bell.
pub(super) struct Folders {
    bell: Arc<Bell>,
    routes: Arc<Routes>,
    watcher: Mutex<Option<RecommendedWatcher>>,
}

/// Which wiki a path belongs to.
#[derive(Debug, Default)]
struct Routes(Mutex<Vec<Route>>);

#[derive(Debug)]
struct Route {
    wiki: u64,
    /// Without links, as the system tells them.
    root: PathBuf,
    index_dir: PathBuf,
    kind: WikiKind,
}

impl Folders {
    pub(super) fn new(bell: Arc<Bell>) -> Self {
        Self { bell, routes: Arc::default(), watcher: Mutex::default() }
    }

    /// Watches the folder of a wiki and all below it; `is_new` unless this very folder is watched already.
    ///
    /// To be called before each look at the folder. Where a watch stands on each folder, that of a new one comes into place some time
    /// after the folder itself, and what happens in between is told by nobody. Called here, it stands on all that the look will
    /// find, so nothing that happens after the look is lost; what happened before it, the look sees.
    ///
    /// # Errors
    /// [`ErrorKind::Io`] where the system watches no more folders, or not these.
    pub(super) fn watch(&self, wiki: u64, located: &LocatedWiki, is_new: bool) -> Result<()> {
        let [root, index_dir] = [&located.root, &located.index_dir]
            .map(|path| std::fs::canonicalize(path).unwrap_or_else(|_| path.clone()));
        let before = self.routes.put(Route { wiki, root: root.clone(), index_dir, kind: located.manifest.kind });
        let mut watcher = self.watcher.lock().unwrap_or_else(PoisonError::into_inner);
        let failed = |error: notify::Error| {
            let help = match error.kind {
                notify::ErrorKind::MaxFilesWatch => "raise `fs.inotify.max_user_watches`, or watch fewer folders",
                _ => "changes are found by looking at the folder every half a minute",
            };
            Error::new(ErrorKind::Io, "watch folder", error.to_string()).with("path", root.display()).help(help)
        };
        let watcher = match &mut *watcher {
            Some(watcher) => watcher,
            none => none.insert(self.watcher().map_err(failed)?),
        };
        if let Some(before) = before.filter(|before| *before != root) {
            self.forget(watcher, &before);
        }
        if ONE_BY_ONE || is_new {
            watcher.watch(&root, RecursiveMode::Recursive).map_err(failed)?;
        }
        Ok(())
    }

    /// Watches the folder of this wiki no more.
    pub(super) fn unwatch(&self, wiki: u64) {
        let before = self.routes.take(wiki);
        let mut watcher = self.watcher.lock().unwrap_or_else(PoisonError::into_inner);
        if let (Some(watcher), Some(before)) = (&mut *watcher, before) {
            self.forget(watcher, &before);
        }
    }

    fn forget(&self, watcher: &mut RecommendedWatcher, root: &Path) {
        // Where the folder is gone, so is its watch.
        let _ = watcher.unwatch(root);
        // With it went the watches of the wikis inside. A look brings them back.
        self.routes.ring_all(&self.bell);
    }

    fn watcher(&self) -> notify::Result<RecommendedWatcher> {
        let (bell, routes) = (Arc::clone(&self.bell), Arc::clone(&self.routes));
        let handler = move |event: notify::Result<Event>| match event {
            Ok(event) if !event.need_rescan() => routes.ring(&event, &bell),
            // Events were lost, or cannot be had: any folder may have changed.
            Ok(_) | Err(_) => routes.ring_all(&bell),
        };
        // Scans do not follow links either.
        RecommendedWatcher::new(handler, Config::default().with_follow_symlinks(false))
    }
}

impl Routes {
    /// Puts the route in the place of an earlier one of this wiki, of which it gives the root.
    fn put(&self, route: Route) -> Option<PathBuf> {
        let mut routes = self.routes();
        match routes.iter_mut().find(|known| known.wiki == route.wiki) {
            Some(known) => Some(std::mem::replace(known, route).root),
            None => {
                routes.push(route);
                None
            }
        }
    }

    fn take(&self, wiki: u64) -> Option<PathBuf> {
        let mut routes = self.routes();
        let at = routes.iter().position(|route| route.wiki == wiki)?;
        Some(routes.swap_remove(at).root)
    }

    fn ring_all(&self, bell: &Bell) {
        let now = Instant::now();
        self.routes().iter().for_each(|route| bell.ring(route.wiki, now));
    }

    fn ring(&self, event: &Event, bell: &Bell) {
        let may_change = match event.kind {
            EventKind::Access(AccessKind::Close(AccessMode::Write)) => true,
            EventKind::Access(_) => false,
            _ => true,
        };
        if !may_change {
            return;
        }
        let (routes, now) = (self.routes(), Instant::now());
        for path in &event.paths {
            if routes.iter().any(|route| path.starts_with(&route.index_dir)) {
                continue;
            }
            // A wiki inside another's folder is no part of that, but its manifest may have come or gone; looking costs little.
            for route in routes.iter().filter(|route| route.concerns(path)) {
                bell.ring(route.wiki, now);
                if path.file_name().is_some_and(|name| name == FILE_NAME) {
                    bell.ring(MANIFESTS, now);
                }
            }
        }
    }

    fn routes(&self) -> MutexGuard<'_, Vec<Route>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Route {
    /// Whether a change at `path` may be one of the wiki. Hidden files and folders are no part of it, but for those that say what is.
    fn concerns(&self, path: &Path) -> bool {
        let Ok(below) = path.strip_prefix(&self.root) else { return false };
        let is_rule = |name: &OsStr| name == FILE_NAME || IGNORE_FILES.iter().any(|rules| name == *rules);
        // The last name may be that of a folder too, which has come or gone as a whole.
        let is_hidden = |name: &OsStr| is_hidden(self.kind, &name.to_string_lossy(), true);
        let mut names = below.iter();
        let last = names.next_back();
        !names.any(is_hidden) && last.is_none_or(|name| !is_hidden(name) || is_rule(name))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use notify::event::{CreateKind, DataChange, ModifyKind};

    use super::*;
    use crate::standing::watch::WatchOptions;

    fn route(wiki: u64, root: &str, index_dir: &str) -> Route {
        Route { wiki, root: root.into(), index_dir: index_dir.into(), kind: WikiKind::Notes }
    }

    /// The wikis that ring at an event, and whether manifests do.
    fn rung(routes: Vec<Route>, kind: EventKind, path: &str) -> (Vec<u64>, bool) {
        let bell = Bell::new(WatchOptions { quiet: Duration::ZERO, at_most: Duration::ZERO });
        let wikis: Vec<u64> = routes.iter().map(|route| route.wiki).collect();
        Routes(Mutex::new(routes)).ring(&Event::new(kind).add_path(path.into()), &bell);
        let now = Instant::now() + Duration::from_secs(1);
        (wikis.into_iter().filter(|wiki| bell.take(*wiki, now)).collect(), bell.take(MANIFESTS, now))
    }

    fn routes() -> Vec<Route> {
        let index = "/a/made-here/b-123";
        vec![route(1, "/a", "/a/.index"), route(2, "/a/b", index), route(3, "/ab", "/ab/.index")]
    }

    const EDIT: EventKind = EventKind::Modify(ModifyKind::Data(DataChange::Any));

    #[test]
    fn a_change_rings_for_the_wikis_around_it() {
        let of = |path| rung(routes(), EDIT, path).0;
        assert_eq!(of("/a/x.md"), [1]);
        assert_eq!(of("/a/c/d/x.md"), [1]);
        assert_eq!(of("/a/b/x.md"), [1, 2]);
        assert_eq!(of("/a/b"), [1, 2], "the folder itself");
        assert_eq!(of("/ab/x.md"), [3]);
        assert!(of("/x.md").is_empty() && of("/").is_empty());
    }

    #[test]
    fn what_is_hidden_or_an_index_rings_for_nobody() {
        for path in
            ["/a/.index/catalog.db", "/a/.git/HEAD", "/a/.x.swp", "/a/made-here/b-123/bm25/1.idx", "/a/.git/.gitignore"]
        {
            assert!(rung(routes(), EDIT, path).0.is_empty(), "{path}");
        }
        for path in ["/a/.gitignore", "/a/c/.wikiragignore"] {
            assert_eq!(rung(routes(), EDIT, path), (vec![1], false), "{path}");
        }
        assert_eq!(rung(routes(), EDIT, "/a/c/.wiki.yaml"), (vec![1], true));
    }

    #[test]
    fn hidden_folders_of_a_wiki_of_skills_hold_entries() {
        let skills = || vec![Route { kind: WikiKind::Skills, ..route(1, "/a", "/a/.index") }];
        for (path, rings) in [
            ("/a/.claude/commands/review.md", true),
            ("/a/skills/.curated", true),
            ("/a/.git/HEAD", false),
            ("/a/.index/catalog.db", false),
        ] {
            assert_eq!(!rung(skills(), EDIT, path).0.is_empty(), rings, "{path}");
        }
    }

    #[test]
    fn reading_is_no_change() {
        let kinds = [
            (EventKind::Access(AccessKind::Open(AccessMode::Any)), false),
            (EventKind::Access(AccessKind::Close(AccessMode::Read)), false),
            (EventKind::Access(AccessKind::Close(AccessMode::Write)), true),
            (EventKind::Create(CreateKind::Folder), true),
            (EventKind::Any, true),
        ];
        for (kind, rings) in kinds {
            assert_eq!(!rung(routes(), kind, "/a/x.md").0.is_empty(), rings, "{kind:?}");
        }
    }

    #[test]
    fn lost_events_ring_for_all() {
        let bell = Bell::new(WatchOptions { quiet: Duration::ZERO, at_most: Duration::ZERO });
        let routes = Routes(Mutex::new(routes()));
        routes.ring_all(&bell);
        let now = Instant::now();
        assert!([1, 2, 3].iter().all(|wiki| bell.take(*wiki, now)));
        assert_eq!(routes.put(route(2, "/z", "/z/.index")), Some("/a/b".into()));
        assert_eq!(routes.put(route(4, "/y", "/y/.index")), None);
        assert_eq!((routes.take(2), routes.take(2)), (Some("/z".into()), None));
    }
}
