//! Passages as answers need them: what the catalog says of each, and what is worked out of its text. Both are kept for the next
//! question, as far as memory is set aside for it: passages are found again far more often than they change.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use wikirag_core::{ChunkId, Generation, Result};
use wikirag_sqlite::{Catalog, StoredPassage};
use wikirag_text::{Analyser, Language};

use crate::disagree::{Passage, Reading};
use crate::search::similar::Sketch;

/// Memory for passages in bytes, of all wikis together, as [`cost`] counts: some 16,000 passages of 500 characters.
const MOST_BYTES: usize = 64 << 20;

/// A passage, and what was worked out of it so far.
#[derive(Debug)]
pub(crate) struct KnownPassage {
    pub(crate) stored: StoredPassage,
    sketch: OnceLock<Sketch>,
    reading: OnceLock<Reading>,
}

impl KnownPassage {
    fn new(stored: StoredPassage) -> Self {
        Self { stored, sketch: OnceLock::new(), reading: OnceLock::new() }
    }

    #[cfg(test)]
    pub(crate) fn of_text(id: ChunkId, text: String) -> Self {
        let source = wikirag_sqlite::PassageSource {
            document: wikirag_core::DocId(1),
            path: "a.md".to_owned(),
            title: String::new(),
            language: "eng".to_owned(),
            role: String::new(),
            stamp: wikirag_sqlite::FileStamp::default(),
            content_hash: [0; 32],
            meta: wikirag_core::Metadata::new(),
        };
        let (span, place) = (wikirag_core::Span::new(0, text.len()), wikirag_core::PlaceRange::Lines(1, 1));
        Self::new(StoredPassage { id, source: Arc::new(source), headings: Vec::new(), span, place, text })
    }

    /// What tells whether it is a copy of another one.
    pub(crate) fn sketch(&self) -> &Sketch {
        self.sketch.get_or_init(|| Sketch::of(&Analyser::new(None), &self.stored.text))
    }

    /// What tells whether it disagrees with another one.
    pub(crate) fn reading(&self) -> &Reading {
        // The name of the wiki tells passages apart, and is no part of what one says.
        self.reading.get_or_init(|| Reading::of(&self.in_wiki("")))
    }

    /// The passage as it is compared with those of any wiki.
    pub(crate) fn in_wiki<'p>(&'p self, wiki: &'p str) -> Passage<'p> {
        let StoredPassage { source, headings, text, .. } = &self.stored;
        Passage {
            wiki,
            path: &source.path,
            title: &source.title,
            headings,
            text,
            meta: &source.meta,
            language: self.language(),
        }
    }

    pub(crate) fn language(&self) -> Option<Language> {
        Language::from_code(&self.stored.source.language)
    }

    /// About what it takes in memory, in bytes, once all is worked out: a word of text is a word sequence of 8 bytes, and most
    /// words are parts of 32 bytes.
    fn cost(&self) -> usize {
        1024 + 8 * self.stored.text.len()
    }
}

/// Which passage of which state of a catalog. Catalogs are numbered as they are opened.
type Key = (u64, Generation, ChunkId);

/// Passages that were asked for last.
#[derive(Debug, Default)]
pub(crate) struct PassageMemory(Mutex<Halves>);

/// Where the young half is full it becomes the old one, and what nobody asked for since the last time is forgotten. So one
/// step forgets many, and none of them has to be looked for.
#[derive(Debug, Default)]
struct Halves {
    young: HashMap<Key, Arc<KnownPassage>>,
    old: HashMap<Key, Arc<KnownPassage>>,
    /// Of the young half.
    bytes: usize,
}

impl Halves {
    fn get(&mut self, key: &Key) -> Option<Arc<KnownPassage>> {
        if let Some(passage) = self.young.get(key) {
            return Some(Arc::clone(passage));
        }
        let passage = self.old.remove(key)?;
        self.put(*key, Arc::clone(&passage));
        Some(passage)
    }

    fn put(&mut self, key: Key, passage: Arc<KnownPassage>) {
        if self.bytes + passage.cost() > MOST_BYTES / 2 {
            self.old = std::mem::take(&mut self.young);
            self.bytes = 0;
        }
        let cost = passage.cost();
        match self.young.insert(key, passage) {
            Some(before) => self.bytes = self.bytes + cost - before.cost(),
            None => self.bytes += cost,
        }
    }
}

impl PassageMemory {
    /// The passages of these chunks as the catalog `number` holds them now, in this order; `None` for an id that no chunk has.
    ///
    /// # Errors
    /// Those of [`Catalog::passages`].
    pub(crate) fn load(
        &self,
        catalog: &Catalog,
        number: u64,
        ids: &[ChunkId],
    ) -> Result<Vec<Option<Arc<KnownPassage>>>> {
        let halves = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut found: Vec<Option<Arc<KnownPassage>>> = Vec::new();
        let mut at = Generation(0);
        let mut missing = Vec::new();
        let read = catalog.passages(|generation| {
            at = generation;
            let mut halves = halves();
            found.extend(ids.iter().map(|id| halves.get(&(number, generation, *id))));
            missing.extend((0..ids.len()).filter(|place| found[*place].is_none()));
            missing.iter().map(|place| ids[*place]).collect()
        })?;
        let mut halves = halves();
        for (place, stored) in missing.into_iter().zip(read) {
            if let Some(stored) = stored {
                let passage = Arc::new(KnownPassage::new(stored));
                halves.put((number, at, ids[place]), Arc::clone(&passage));
                found[place] = Some(passage);
            }
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passage(id: u64, text: String) -> Arc<KnownPassage> {
        Arc::new(KnownPassage::of_text(ChunkId(id), text))
    }

    #[test]
    fn memory_is_bounded_and_what_is_asked_for_stays() {
        let mut halves = Halves::default();
        let key = |id: u64| (1, Generation(1), ChunkId(id));
        let large = "basil ".repeat(20_000);
        let each = passage(0, large.clone()).cost();
        for id in 0..500 {
            halves.put(key(id), passage(id, large.clone()));
            assert!(halves.get(&key(0)).is_some(), "asked for after {id}");
            assert!(halves.bytes <= MOST_BYTES / 2);
            assert!((halves.young.len() + halves.old.len()) * each <= MOST_BYTES);
        }
        assert!(halves.get(&key(1)).is_none());
        assert!(
            halves.get(&(2, Generation(1), ChunkId(0))).is_none()
                && halves.get(&(1, Generation(2), ChunkId(0))).is_none()
        );
    }
}
