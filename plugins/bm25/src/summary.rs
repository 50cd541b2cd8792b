//! How many chunks hold each word, in a small file beside the index.
//!
//! Whoever weighs a hundred wikis against each other asks each of them for these numbers, and most for nothing more.
//! Reading one file of some kilobytes costs a hundredth of what opening the index does.
//!
//! The file is there only while it is true: a sync removes it before it changes the index and writes it when it is done, so a
//! kill in between leaves none, and the numbers are counted from the index as they are where there is none.
//!
//! Format: see [`pack_summary`]; the body is a finite state transducer from field and form to frequency (`tantivy-fst`).

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

use serde::{Deserialize, Serialize};
use tantivy_fst::{Map, MapBuilder};
use wikirag_core::{Result, TermStatistic, TermStatistics, pack_summary, unpack_summary};
use wikirag_text::Language;

use crate::damage::{damaged, io_error, translate};
use crate::question::{Word, recent_words};
use crate::schema::{BODY, FIELDS, SEARCHED_COUNT, VERSION};
use crate::score::{field_weights, frequency_of};
use crate::settings::Settings;
use crate::snapshot::Snapshot;
use crate::statistics::live_frequency;
use crate::store::Store;

const MAGIC: &[u8; 8] = b"wrwords1";

/// An index of more chunks has no such file: to count its words anew after each edit would cost more than to open it for a
/// question, and nobody has hundreds of that size.
const MOST_CHUNKS: u64 = 4_096;

#[derive(Debug, Serialize, Deserialize)]
struct Head {
    /// See [`VERSION`].
    version: u32,
    chunks: u64,
    words: u64,
    /// Codes of the languages that questions are analysed in; empty for "none".
    languages: Vec<String>,
}

/// The numbers of one index.
pub(crate) struct Summary {
    chunks: u64,
    words: u64,
    languages: Vec<Option<Language>>,
    frequencies: Map<Vec<u8>>,
}

/// Tells a file from one that took its place: a sync that changes anything takes longer than the clock of a file system needs to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stamp(u64, Option<SystemTime>);

impl Stamp {
    /// Of the file of an index, where there is one.
    pub(crate) fn of(store: &Store) -> Option<Self> {
        let metadata = fs::metadata(store.summary()).ok()?;
        Some(Self(metadata.len(), metadata.modified().ok()))
    }
}

impl Summary {
    /// Reads the file of an index. `None` where there is none, or one of another version.
    ///
    /// # Errors
    /// [`ErrorKind::Damaged`](wikirag_core::ErrorKind::Damaged) where the bytes are not what was written.
    pub(crate) fn load(store: &Store) -> Result<Option<Self>> {
        let path = store.summary();
        match fs::read(&path) {
            Ok(bytes) => decode(&bytes, &path),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(io_error("read word counts", error, &path)),
        }
    }

    /// What it knows of the words of a question: the same numbers that the index would give.
    pub(crate) fn statistics(&self, question: &Arc<str>, settings: &Settings) -> TermStatistics {
        let weights = field_weights(settings);
        let mut key = Vec::new();
        let words = recent_words(question, &self.languages);
        let terms = words.iter().map(|word| {
            let counted = frequency_of(word, &weights, self.chunks, |field, form| {
                key.clear();
                key.push(field as u8);
                key.extend_from_slice(form.as_bytes());
                Ok::<_, std::convert::Infallible>(self.frequencies.get(&key).unwrap_or(0))
            });
            let Ok(frequency) = counted;
            statistic(word, frequency)
        });
        TermStatistics { terms: terms.collect(), chunks: self.chunks, words: self.words }
    }
}

/// What is told of one word.
pub(crate) fn statistic(word: &Word, chunk_frequency: u64) -> TermStatistic {
    // Wikis in other languages have other stems of the word; the word itself is what they share.
    TermStatistic { term: word.exact.first().cloned().unwrap_or_default(), chunk_frequency }
}

/// Takes the file away before the index changes.
pub(crate) fn remove(store: &Store) -> Result<()> {
    let path = store.summary();
    match fs::remove_file(&path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(io_error("remove word counts", error, &path)),
        _ => Ok(()),
    }
}

/// Writes the file for the index as it stands, unless that is a large one. Nobody else writes to the index meanwhile.
pub(crate) fn write(store: &Store) -> Result<()> {
    let Some(meta) = store.meta()? else { return Ok(()) };
    let snapshot = Snapshot::open_unchecked(store, meta)?;
    if snapshot.statistics.chunks > MOST_CHUNKS {
        return Ok(());
    }
    let (head, map) = counts(&snapshot).map_err(|error| translate("count words", error, store.dir()))?;
    let bytes = pack_summary(MAGIC, &head, &map)?;
    let path = store.summary();
    // Written beside and renamed: nobody ever reads half a file.
    let temporary = path.with_extension("new");
    fs::write(&temporary, bytes)
        .and_then(|()| fs::rename(&temporary, &path))
        .map_err(|error| io_error("write word counts", error, &path))
}

fn counts(snapshot: &Snapshot) -> tantivy::Result<(Head, Vec<u8>)> {
    let head = Head {
        version: VERSION,
        chunks: snapshot.statistics.chunks,
        words: snapshot.statistics.lengths[BODY].words,
        languages: snapshot.languages.iter().map(|language| language.map_or("", Language::code).to_owned()).collect(),
    };
    let mut map = MapBuilder::memory();
    map.extend_iter(frequencies(snapshot)?).map_err(io::Error::other)?;
    Ok((head, map.into_inner().map_err(io::Error::other)?))
}

/// Live frequencies, by the number of the field and the form.
fn frequencies(snapshot: &Snapshot) -> tantivy::Result<BTreeMap<Vec<u8>, u64>> {
    let mut all = BTreeMap::new();
    for field in 0..SEARCHED_COUNT {
        for (segment, _) in snapshot.segments() {
            let index = segment.inverted_index(FIELDS.searched[field])?;
            let mut terms = index.terms().stream()?;
            while terms.advance() {
                let live = live_frequency(segment, FIELDS.searched[field], terms.value())?;
                if live > 0 {
                    let mut key = vec![field as u8];
                    key.extend_from_slice(terms.key());
                    *all.entry(key).or_default() += live;
                }
            }
        }
    }
    Ok(all)
}

fn decode(bytes: &[u8], path: &Path) -> Result<Option<Summary>> {
    let broken = || damaged("read word counts", "the file is not what was written").with("path", path.display());
    let (head, map) = unpack_summary::<Head>(MAGIC, bytes).ok_or_else(broken)?;
    if head.version != VERSION {
        return Ok(None);
    }
    let frequencies = Map::from_bytes(map.to_vec()).map_err(|_| broken())?;
    Ok(Some(Summary {
        chunks: head.chunks,
        words: head.words,
        languages: head.languages.iter().map(|code| Language::from_code(code)).collect(),
        frequencies,
    }))
}
