//! When folders were last looked at, for those who ask so often that each question cannot look again.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::search::Notes;

/// What the last look at a folder told.
#[derive(Debug, Clone, Default)]
pub(crate) struct Seen {
    /// The sum of the folder, where nothing had changed.
    pub(crate) folder: Option<String>,
    /// What there was to tell.
    pub(crate) notes: Notes,
}

/// The last look at each wiki, by its index folder.
#[derive(Debug, Default)]
pub(crate) struct Looks(Mutex<HashMap<PathBuf, (Instant, Seen)>>);

impl Looks {
    /// What was seen, where that is no older than `age`. `None`: the caller has to look, and to tell by [`Looks::saw`] or
    /// [`Looks::forget`]; while it does, others go on with what was seen before.
    pub(crate) fn recent(&self, index_dir: &Path, age: Duration) -> Option<Seen> {
        let mut looks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (at, seen) = looks.get_mut(index_dir)?;
        if at.elapsed() < age {
            return Some(seen.clone());
        }
        *at = Instant::now();
        None
    }

    /// Keeps what a look told that began at `started`.
    pub(crate) fn saw(&self, index_dir: &Path, started: Instant, seen: Seen) {
        let mut looks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        looks.insert(index_dir.to_owned(), (started, seen));
    }

    /// The next one looks.
    pub(crate) fn forget(&self, index_dir: &Path) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(index_dir);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(3_600);

    #[test]
    fn one_looks_and_the_others_go_on_with_what_was_seen() {
        let (looks, dir) = (Looks::default(), Path::new("a"));
        // Nothing was seen yet: all have to look.
        assert!(looks.recent(dir, LONG).is_none() && looks.recent(dir, LONG).is_none());
        let long_ago = Instant::now().checked_sub(Duration::from_secs(60)).unwrap();
        looks.saw(dir, long_ago, Seen { folder: Some("x".to_owned()), ..Seen::default() });
        assert_eq!(looks.recent(dir, LONG).unwrap().folder.as_deref(), Some("x"));
        let soon = Duration::from_secs(30);
        assert!(looks.recent(dir, soon).is_none());
        assert!(looks.recent(dir, soon).is_some() && looks.recent(Path::new("b"), soon).is_none());
        looks.forget(dir);
        assert!(looks.recent(dir, soon).is_none());
    }
}
