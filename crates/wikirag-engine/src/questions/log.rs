//! Writing to and reading from the log of a composition.

use std::collections::HashSet;
use std::path::Path;

use serde::Deserialize;
use wikirag_core::{Error, ErrorKind, Result, Sensitivity, offload};

use super::distinct::distinct;
use super::entry::{Entry, VERSION};
use super::store::Store;
use crate::locate::Composition;
use crate::{Engine, Hint};

/// What a log says.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Logged {
    /// In the order of their time.
    pub entries: Vec<Entry>,
    /// What else one may want to know.
    pub hints: Vec<Hint>,
}

impl Logged {
    /// The distinct questions, as each was asked last, in the order of their text.
    pub(crate) fn distinct(&self) -> Vec<String> {
        distinct(&self.entries, None).into_iter().map(|one| one.question).collect()
    }
}

/// What is looked at before all else.
#[derive(Deserialize)]
struct Level {
    clearance: Sensitivity,
}

impl Engine {
    /// Adds an entry to the log of a composition, unless the setting `questions.log` forbids it. An answer is no worse for not being
    /// logged: where the log cannot be written, that is a hint. Writing takes far less than a millisecond, and a second at most where
    /// others hold the log.
    pub async fn log_question(&self, composition: &Composition, entry: &Entry) -> Option<Hint> {
        let settings = &self.settings().questions;
        if !settings.log {
            return None;
        }
        let store = Store::of(composition)?;
        let (line, max_bytes) = (serde_json::to_string(entry), settings.max_bytes);
        let written = offload(move || {
            let line = line.map_err(|error| Error::new(ErrorKind::Internal, "log question", error.to_string()))?;
            store.append(&line, max_bytes)
        });
        let error = written.await.err()?;
        let text = format!("the question was not logged: {}; `questions.log = false` keeps no log", error.statement());
        Some(Hint { code: "not-logged".to_owned(), text })
    }

    /// The entries of the log of a composition that its clearance allows to be read. A log that is not there has none.
    ///
    /// Of an entry that was made at a higher clearance nothing is shown, not even that there is one. A hit in a wiki that the composition does
    /// not list any more is left out of its entry, and with it what was answered.
    ///
    /// # Errors
    /// [`ErrorKind::Io`] where the log cannot be read; [`ErrorKind::Busy`] where somebody writes to it for long.
    pub async fn questions(&self, composition: &Composition) -> Result<Logged> {
        composition.check()?;
        match Store::of(composition) {
            Some(store) => read(store, composition).await,
            None => Ok(Logged::default()),
        }
    }

    /// The same of a log at a path, which must be there.
    ///
    /// # Errors
    /// As [`Engine::questions`], and [`ErrorKind::NotFound`].
    pub(crate) async fn questions_at(&self, path: &Path, composition: &Composition) -> Result<Logged> {
        composition.check()?;
        if !path.exists() {
            let error = Error::new(ErrorKind::NotFound, "read log of questions", "there is no such file");
            return Err(error.with("path", path.display()));
        }
        read(Store::at(path), composition).await
    }
}

async fn read(store: Store, composition: &Composition) -> Result<Logged> {
    let clearance = composition.clearance;
    let wikis: HashSet<String> = composition.wikis.iter().map(|wiki| wiki.located.manifest.name.to_string()).collect();
    offload(move || Ok(logged(&store.lines()?, clearance, &wikis))).await
}

/// What of these lines a reader with this clearance over these wikis may see.
fn logged(lines: &[Vec<u8>], clearance: Sensitivity, wikis: &HashSet<String>) -> Logged {
    let mut logged = Logged::default();
    let mut is_foreign = false;
    for line in lines {
        // A line of a form that is not ours may still say for whom it is.
        let level = serde_json::from_slice::<Level>(line).map(|level| level.clearance);
        if level.is_ok_and(|level| !level.is_readable_at(clearance)) {
            continue;
        }
        match entry(line) {
            Some(mut entry) => {
                let hits = entry.results.len();
                entry.results.retain(|hit| wikis.contains(&hit.wiki));
                if entry.results.len() < hits {
                    entry.answer = None;
                }
                logged.entries.push(entry);
            }
            None => is_foreign = true,
        }
    }
    // Several processes write; each knows when it asked, and none when it gets its turn.
    logged.entries.sort_by_cached_key(|entry| entry.at.parse::<jiff::Timestamp>().ok());
    if is_foreign {
        // Without a count, and without a place: what cannot be read may be of any clearance.
        let text = "the log of questions holds lines that cannot be read, which were passed over".to_owned();
        logged.hints.push(Hint { code: "log-damaged".to_owned(), text });
    }
    logged
}

fn entry(line: &[u8]) -> Option<Entry> {
    let entry: Entry = serde_json::from_slice(line).ok()?;
    let is_sound = entry.version == VERSION
        && entry.at.parse::<jiff::Timestamp>().is_ok()
        && (0.0..=1.0).contains(&entry.strength)
        && !entry.question.trim().is_empty();
    is_sound.then_some(entry)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::super::entry::LoggedHit;
    use super::*;

    fn sample(question: &str, clearance: Sensitivity) -> Entry {
        let hit = |wiki: &str| LoggedHit {
            id: format!("{wiki}#0000000000000001"),
            wiki: wiki.to_owned(),
            path: "a.md".to_owned(),
            headings: Vec::new(),
            score: 1.0,
        };
        Entry {
            version: VERSION,
            at: "2026-11-30T10:00:00Z".to_owned(),
            rag: "food".to_owned(),
            surface: "ask".to_owned(),
            clearance,
            question: question.to_owned(),
            results: vec![hit("open"), hit("gone")],
            answer: Some("as [[a]] of the wiki that is gone says".to_owned()),
            strength: 0.2,
            is_weak: true,
            took_ms: 1.5,
            served_by: vec!["bm25".to_owned()],
            degraded: Vec::new(),
        }
    }

    fn line(entry: &Entry) -> Vec<u8> {
        serde_json::to_vec(entry).unwrap()
    }

    fn read(lines: &[Vec<u8>], clearance: Sensitivity) -> Logged {
        logged(lines, clearance, &HashSet::from(["open".to_owned()]))
    }

    #[test]
    fn what_is_above_the_reader_is_not_there() {
        let lines = Sensitivity::ALL.map(|level| line(&sample(level.as_str(), level)));
        for (count, clearance) in (1..).zip(Sensitivity::ALL) {
            let logged = read(&lines, clearance);
            assert_eq!(logged.entries.len(), count);
            assert!(logged.entries.iter().all(|entry| entry.clearance <= clearance) && logged.hints.is_empty());
        }
        // Also where nothing else of it is understood.
        let foreign = serde_json::to_vec(&json!({"clearance": "restricted", "version": 9})).unwrap();
        assert_eq!(read(&[foreign], Sensitivity::Confidential), Logged::default());
    }

    #[test]
    fn of_a_wiki_that_is_not_listed_nothing_is_left() {
        let logged = read(&[line(&sample("q", Sensitivity::Public))], Sensitivity::Public);
        let wikis: Vec<&str> = logged.entries[0].results.iter().map(|hit| hit.wiki.as_str()).collect();
        assert_eq!((wikis, &logged.entries[0].answer), (vec!["open"], &None));
    }

    #[test]
    fn torn_and_foreign_lines_are_told_and_passed_over() {
        let sound = line(&sample("q", Sensitivity::Internal));
        let later = Entry { version: VERSION + 1, ..sample("q", Sensitivity::Internal) };
        let timeless = Entry { at: "soon".to_owned(), ..sample("q", Sensitivity::Internal) };
        let empty = sample(" ", Sensitivity::Internal);
        for odd in
            [sound[..40].to_vec(), b"\xff\x00".to_vec(), b"{}".to_vec(), line(&later), line(&timeless), line(&empty)]
        {
            let logged = read(&[sound.clone(), odd, sound.clone()], Sensitivity::Internal);
            assert_eq!((logged.entries.len(), logged.hints.len()), (2, 1));
            assert_eq!(logged.hints[0].code, "log-damaged");
        }
    }

    proptest! {
        #[test]
        fn no_line_does_harm(bytes in proptest::collection::vec(any::<u8>(), 0..200), cut in 0_usize..400) {
            let sound = line(&sample("q", Sensitivity::Internal));
            let torn = sound[..cut.min(sound.len())].to_vec();
            let logged = read(&[bytes, torn, sound], Sensitivity::Internal);
            prop_assert!((1..=2).contains(&logged.entries.len()));
        }
    }
}
