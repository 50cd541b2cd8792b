//! Contradictions: how many seeded ones are found, how many alarms clean pairs give, and what looking costs.
//!
//! Seeded: a real passage and a copy of it under another path and a variant of the title, in which one value or negation is
//! changed; in every other copy the rest is reordered and lightly edited. Both are looked at among other hits. Clean: a real
//! passage and the best hit for its words from another document. Every alarm is printed, to be judged by eye: what alarms in
//! real notes may be true.

mod seed;

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

use fastrand::Rng;
use futures_lite::future::block_on;
use wikirag::core::{Change, ChangeFeed, ChunkRecord, FeedPosition, Metadata};
use wikirag::disagree::{Disagreement, Language, Passage, disagreements};
use wikirag::locate::{self, Missing};
use wikirag::settings::{LoadOptions, Settings};
use wikirag::{BuildOptions, Composition, Context, Engine, QueryOptions, Refresh, Result};
use wikirag_sqlite::Catalog;

use crate::{Table, percentiles, wiki};
use seed::{Change as Seeded, KINDS};

/// Pairs of each kind that are seeded.
const SEEDED: usize = 25;
/// Clean pairs over all collections.
const CLEAN: usize = 500;
/// Passages around a seeded pair.
const OTHERS: usize = 8;
/// Words of a passage that are asked for.
const ASKED_WORDS: usize = 40;

/// One collection, built and open for questions.
struct Collection {
    name: String,
    engine: Engine,
    composition: Composition,
    passages: Vec<ChunkRecord>,
    by_id: HashMap<String, usize>,
}

/// Measures over the notes in `folders`; indexes lie below `work`.
pub(crate) fn measure(folders: &[PathBuf], work: &Path, table: &mut Table) -> Result<()> {
    let collections: Vec<Collection> = folders
        .iter()
        .enumerate()
        .map(|(at, folder)| open(folder, &work.join(at.to_string())))
        .collect::<Result<_>>()?;
    for collection in &collections {
        table.row("collection", &collection.name, format!("{} passages", collection.passages.len()));
    }
    seeded(&collections, table);
    clean(&collections, table)?;
    cost(&collections, table)
}

fn open(folder: &Path, work: &Path) -> Result<Collection> {
    let mut options = LoadOptions::new(folder);
    options.data_dir = Some(work.join("data"));
    options.flags.push(("layers".to_owned(), "bm25".to_owned()));
    options.flags.push(("index_dir".to_owned(), work.join("index").to_string_lossy().into_owned()));
    let engine = Engine::with_linked_plugins(Settings::load(&options)?)?;
    let wiki = wiki(&engine, folder)?;
    block_on(engine.build(&wiki, BuildOptions::default(), &Context::new()))?;
    let catalog = Catalog::open(&wiki.index_dir.join("catalog.db"))?;
    let (mut passages, mut position) = (Vec::new(), FeedPosition::default());
    loop {
        let batch = catalog.after(position, 10_000)?;
        if batch.changes.is_empty() {
            break;
        }
        position = batch.position;
        passages.extend(batch.changes.into_iter().filter_map(|change| match change {
            Change::Upsert(record) => Some(record),
            Change::Delete(_) => None,
        }));
    }
    // The order of the feed is that of the files; that of the ids is that of chance, and the same everywhere.
    passages.sort_by_key(|record| record.id);
    let name = wiki.manifest.name.to_string();
    let id = |record: &ChunkRecord| format!("{name}#{:016x}", record.id.0);
    let by_id = passages.iter().enumerate().map(|(at, record)| (id(record), at)).collect();
    let composition = locate::composition(&folder.to_string_lossy(), folder, engine.settings(), Missing::Refuse)?;
    Ok(Collection { name, engine, composition, passages, by_id })
}

impl Collection {
    /// The passages that a question with the words of `record` brings, best first.
    fn hits(&self, record: &ChunkRecord, limit: usize) -> Result<Vec<&ChunkRecord>> {
        let words: Vec<String> = record
            .text
            .split_whitespace()
            .map(|word| word.chars().filter(|c| c.is_alphanumeric()).collect::<String>())
            .filter(|word| !word.is_empty())
            .take(ASKED_WORDS)
            .collect();
        if words.is_empty() {
            return Ok(Vec::new());
        }
        let options = QueryOptions {
            refresh: Refresh::Never,
            limit: Some(limit),
            passages: false,
            check_freshness: false,
            ..QueryOptions::default()
        };
        let answer = block_on(self.engine.query(&self.composition, &words.join(" "), &options, &Context::new()))?;
        Ok(answer.results.iter().filter_map(|hit| self.passages.get(*self.by_id.get(&hit.id)?)).collect())
    }
}

fn passage<'a>(wiki: &'a str, record: &'a ChunkRecord, meta: &'a Metadata) -> Passage<'a> {
    Passage {
        wiki,
        path: &record.path,
        title: &record.title,
        headings: &record.headings,
        text: &record.text,
        meta,
        language: Language::from_code(&record.language),
    }
}

/// Half of the documents settings may be chosen on, by a hash of the path that does not depend on the machine.
fn is_odd(path: &str) -> bool {
    path.bytes().fold(7_u32, |hash, byte| hash.wrapping_mul(31).wrapping_add(u32::from(byte))) >> 8 & 1 == 1
}

fn seeded(collections: &[Collection], table: &mut Table) {
    let meta = Metadata::new();
    let mut missed = String::new();
    for kind in KINDS {
        let mut random = Rng::with_seed(13);
        let (mut made, mut found, mut renamed) = ([0; 2], [0; 2], 0);
        // A collection may hold nothing of a kind.
        for attempt in 0..SEEDED * 4_000 {
            if made[0] + made[1] == SEEDED {
                break;
            }
            let collection = &collections[attempt % collections.len()];
            let Some(record) = random.choice(&collection.passages) else { continue };
            let number = made[0] + made[1];
            let Some(Seeded { place, copied, text }) = seed::change(&record.text, kind, number % 2 == 1, &mut random)
            else {
                continue;
            };
            let mut copy = record.clone();
            copy.text = text;
            copy.path = format!("archive/{}", record.path);
            copy.title = seed::title(&record.title, number);
            let others: Vec<_> = (0..OTHERS).filter_map(|_| random.choice(&collection.passages)).collect();
            let is_found = |copy: &ChunkRecord| {
                let mut passages = vec![passage(&collection.name, record, &meta)];
                passages.extend(others.iter().map(|other| passage(&collection.name, other, &meta)));
                passages.push(passage("copies", copy, &meta));
                let last = passages.len() - 1;
                disagreements(&passages).iter().any(|one| {
                    let holds = |side: usize, place: usize| one.at[side].start <= place && place < one.at[side].end;
                    (one.first, one.second) == (0, last) && holds(0, place) && holds(1, copied)
                })
            };
            let half = usize::from(is_odd(&record.path));
            made[half] += 1;
            if is_found(&copy) {
                found[half] += 1;
            } else {
                let line = record.text[..place].rfind('\n').map_or(0, |at| at + 1);
                let end = record.text[place..].find('\n').map_or(record.text.len(), |at| place + at);
                let _ = writeln!(missed, "missed {kind:?} in {}: {}", record.path, &record.text[line..end]);
            }
            copy.title = "Minutes".to_owned();
            copy.headings.clear();
            renamed += usize::from(is_found(&copy));
        }
        let remark = format!(
            "odd documents {} of {}, even {} of {}; {renamed} under a title of no word in common",
            found[1], made[1], found[0], made[0]
        );
        table.row(&format!("seeded, {kind:?}"), format!("{} of {}", found[0] + found[1], made[0] + made[1]), remark);
    }
    table.0.push_str(&missed);
}

fn clean(collections: &[Collection], table: &mut Table) -> Result<()> {
    let meta = Metadata::new();
    let mut alarms = String::new();
    for collection in collections {
        let mut random = Rng::with_seed(7);
        let (mut pairs, mut alarmed) = ([0; 2], [0; 2]);
        let wanted = CLEAN / collections.len();
        for _ in 0..wanted * 20 {
            if pairs[0] + pairs[1] == wanted {
                break;
            }
            let Some(record) = random.choice(&collection.passages) else { break };
            let hits = collection.hits(record, 10)?;
            let Some(neighbour) = hits.into_iter().find(|hit| hit.path != record.path) else { continue };
            let both = [record, neighbour].map(|record| passage(&collection.name, record, &meta));
            let found = disagreements(&both);
            let half = usize::from(is_odd(&record.path));
            pairs[half] += 1;
            alarmed[half] += usize::from(!found.is_empty());
            for one in &found {
                show(&mut alarms, one, &both);
            }
        }
        let remark = format!("odd documents {} of {}, even {} of {}", alarmed[1], pairs[1], alarmed[0], pairs[0]);
        let figure = format!("{} alarms in {} pairs", alarmed[0] + alarmed[1], pairs[0] + pairs[1]);
        table.row(&format!("clean, {}", collection.name), figure, remark);
    }
    table.0.push_str(&alarms);
    Ok(())
}

fn show(out: &mut String, one: &Disagreement, passages: &[Passage<'_>]) {
    let _ = writeln!(out, "\nalarm {:?}: {:?}", one.kind, one.what);
    for (at, span) in [one.first, one.second].into_iter().zip(one.at) {
        let Passage { path, title, headings, text, .. } = passages[at];
        let sentence = span.slice(text).unwrap_or("").split_whitespace().collect::<Vec<_>>().join(" ");
        let _ = writeln!(out, "  {path} [{title} > {}] {sentence}", headings.join(" > "));
    }
}

/// What the look at one answer costs.
fn cost(collections: &[Collection], table: &mut Table) -> Result<()> {
    let meta = Metadata::new();
    let mut alarms = String::new();
    for count in [10, 30, 400] {
        let mut random = Rng::with_seed(3);
        let (mut times, mut found, mut asked) = (Vec::new(), 0, 0);
        for collection in collections {
            for _ in 0..20 {
                let Some(record) = random.choice(&collection.passages) else { break };
                let hits = collection.hits(record, count.min(QueryOptions::MAX_LIMIT))?;
                let mut hits: Vec<_> =
                    hits.into_iter().map(|record| passage(&collection.name, record, &meta)).collect();
                // An answer may be shorter than what is measured.
                while hits.len() < count
                    && let Some(more) = random.choice(&collection.passages)
                {
                    hits.push(passage(&collection.name, more, &meta));
                }
                let started = Instant::now();
                let disagreements = disagreements(&hits);
                times.push(started.elapsed());
                asked += 1;
                found += disagreements.len();
                for one in &disagreements {
                    show(&mut alarms, one, &hits);
                }
            }
        }
        let remark = format!("{found} disagreements in {asked} answers");
        table.row(&format!("look at an answer of {count} passages"), percentiles(&times), remark);
    }
    table.0.push_str(&alarms);
    Ok(())
}
