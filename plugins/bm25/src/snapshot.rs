//! The index as one commit left it, open for questions.

use std::collections::HashMap;
use std::path::PathBuf;

use tantivy::columnar::Column;
use tantivy::index::SegmentReader;
use tantivy::{ReloadPolicy, Searcher};
use wikirag_core::Result;
use wikirag_text::Language;

use crate::damage::{damaged, translate};
use crate::schema::{CHUNK_ID, FIELDS};
use crate::statistics::{Statistics, live_frequency};
use crate::store::Store;

/// Questions are analysed in at most this many languages, the most frequent ones of the index first: each costs a little
/// time.
const MAX_LANGUAGES: usize = 16;
/// The most frequent languages are taken without a question.
const FIRST_LANGUAGES: usize = 4;
/// Others must be those of one chunk in so many: short notes are taken for all kinds of languages, and the stems of a
/// wrong one meet words that have nothing to do with each other.
const RARE: u64 = 50;

/// An index of this many bytes or fewer is checked whole when it is opened, which takes a few milliseconds. Of a larger
/// one only the ends of the files are checked then, as tantivy does, and the rest by `verify`.
const CHECKED_WHOLE: u64 = 8 << 20;

/// One state of the index. Its files stay readable for as long as it lives, whatever a writer does.
pub(crate) struct Snapshot {
    /// See [`Store::meta`].
    pub(crate) meta: Vec<u8>,
    pub(crate) dir: PathBuf,
    searcher: Searcher,
    /// Chunk ids by segment.
    ids: Vec<Column<u64>>,
    pub(crate) statistics: Statistics,
    /// The languages to analyse questions in.
    pub(crate) languages: Vec<Option<Language>>,
}

impl Snapshot {
    /// Opens the last commit; `meta` was read before.
    pub(crate) fn open(store: &Store, meta: Vec<u8>) -> Result<Self> {
        if total_size(store) <= CHECKED_WHOLE {
            check_sums(&store.open()?, store)?;
        }
        Self::open_unchecked(store, meta)
    }

    /// The same for whoever wrote the files a moment ago.
    pub(crate) fn open_unchecked(store: &Store, meta: Vec<u8>) -> Result<Self> {
        let index = store.open()?;
        let failed = |error| translate("open index", error, store.dir());
        let reader = index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into().map_err(failed)?;
        let searcher: Searcher = reader.searcher();
        let segments = searcher.segment_readers();
        let ids = segments.iter().map(|segment| segment.fast_fields().u64(CHUNK_ID)).collect::<tantivy::Result<_>>();
        let statistics = Statistics::of(segments).map_err(failed)?;
        let languages = languages(segments).map_err(failed)?;
        Ok(Self { meta, dir: store.dir().to_owned(), ids: ids.map_err(failed)?, statistics, languages, searcher })
    }

    /// The segments with their chunk ids.
    pub(crate) fn segments(&self) -> impl Iterator<Item = (&SegmentReader, &Column<u64>)> {
        self.searcher.segment_readers().iter().zip(&self.ids)
    }
}

fn total_size(store: &Store) -> u64 {
    let Ok(entries) = std::fs::read_dir(store.dir()) else { return 0 };
    entries.filter_map(|entry| entry.ok()?.metadata().ok()).map(|metadata| metadata.len()).sum()
}

/// Compares all files of the last commit with the checksums they carry.
pub(crate) fn check_sums(index: &tantivy::Index, store: &Store) -> Result<()> {
    let broken = index.validate_checksum().map_err(|error| translate("verify index", error, store.dir()))?;
    let mut names: Vec<_> = broken.iter().map(|path| store.dir().join(path).display().to_string()).collect();
    names.sort_unstable();
    match names.first() {
        None => Ok(()),
        Some(first) => {
            let message = format!("{} of its files are not what was written", names.len());
            Err(damaged("verify index", message).with("path", first))
        }
    }
}

/// The languages of the live chunks, the most frequent first.
fn languages(segments: &[SegmentReader]) -> tantivy::Result<Vec<Option<Language>>> {
    let mut counts: HashMap<Option<Language>, u64> = HashMap::new();
    for segment in segments {
        let index = segment.inverted_index(FIELDS.language)?;
        let mut codes = index.terms().stream()?;
        while codes.advance() {
            let language = std::str::from_utf8(codes.key()).ok().and_then(Language::from_code);
            *counts.entry(language).or_default() += live_frequency(segment, FIELDS.language, codes.value())?;
        }
    }
    let mut counts: Vec<_> = counts.into_iter().filter(|(_, count)| *count > 0).collect();
    counts.sort_unstable_by_key(|(language, count)| (std::cmp::Reverse(*count), *language));
    let all: u64 = counts.iter().map(|(_, count)| count).sum();
    let mut place = 0;
    counts.retain(|(language, count)| {
        place += 1;
        let sure = language.is_some_and(Language::is_told_by_script);
        place <= FIRST_LANGUAGES || count * RARE >= all || sure
    });
    counts.truncate(MAX_LANGUAGES);
    Ok(counts.into_iter().map(|(language, _)| language).collect())
}
