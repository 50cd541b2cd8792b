//! Random histories against a model: a map from path to document.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use wikirag_core::{Change, ChangeFeed, ChunkId, ChunkRecord, DocId, FeedPosition, Link, Span};
use wikirag_sqlite::{Catalog, FileEntry, FileStamp, FileState};

use crate::follow::Follower;
use crate::sample::{Home, Sample, word_links};

#[derive(Debug, Clone)]
enum Step {
    Put(Box<Sample>),
    Touch(String, i64),
    Remove(String),
    Skip(String),
    Unskip(String),
}

#[derive(Debug, Clone)]
struct Transaction {
    steps: Vec<Step>,
    commit: bool,
    /// What a follower does afterwards: batches of this size, at most so many of them.
    limit: usize,
    batches: usize,
    /// Whether the follower loses all it has, or its last batch.
    forgets: u8,
}

fn path() -> impl Strategy<Value = String> {
    prop::sample::select(vec!["a.md", "b.md", "ä/c.md", "A.md"]).prop_map(str::to_owned)
}

fn sample() -> impl Strategy<Value = Sample> {
    // Few different lines, so that passages repeat, move and come back.
    let lines = prop::collection::vec(prop::sample::select(vec!["", "x", "yy", "zß", "x", "@l", "ß @m y @l"]), 0..7);
    let flags = (any::<bool>(), any::<bool>());
    (path(), lines, 0..3usize, 0..3usize, flags).prop_map(|(path, lines, title, heading, (navigation, is_headed))| {
        let mut sample = Sample::new(&path, &lines.join("\n"));
        if is_headed && sample.chunks.len() > 1 {
            // As front matter: a part of the text that is no passage and may hold links.
            sample.chunks.remove(0);
        }
        sample.title = ["t", "u", ""][title].into();
        sample.navigation = navigation;
        if let Some(chunk) = sample.chunks.get_mut(heading) {
            chunk.headings.push("h".into());
        }
        sample
    })
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        6 => sample().prop_map(|sample| Step::Put(Box::new(sample))),
        1 => (path(), any::<i64>()).prop_map(|(path, time)| Step::Touch(path, time)),
        2 => path().prop_map(Step::Remove),
        1 => path().prop_map(Step::Skip),
        1 => path().prop_map(Step::Unskip),
    ]
}

fn transaction() -> impl Strategy<Value = Transaction> {
    let steps = prop::collection::vec(step(), 0..5);
    (steps, prop::bool::weighted(0.8), 1..9usize, 0..4usize, 0..6u8)
        .prop_map(|(steps, commit, limit, batches, forgets)| Transaction { steps, commit, limit, batches, forgets })
}

#[derive(Debug, Clone, Default)]
struct Model {
    documents: BTreeMap<String, Sample>,
    skipped: BTreeSet<String>,
}

impl Model {
    fn apply(&mut self, step: &Step) {
        match step {
            Step::Put(sample) => {
                self.documents.insert(sample.path.clone(), Sample::clone(sample));
                self.skipped.remove(&sample.path);
            }
            Step::Touch(path, time) => {
                if let Some(sample) = self.documents.get_mut(path) {
                    sample.stamp = FileStamp { size: 1, modified_ns: *time };
                }
                self.skipped.remove(path);
            }
            Step::Remove(path) => drop(self.documents.remove(path)),
            Step::Skip(path) => {
                self.skipped.insert(path.clone());
            }
            Step::Unskip(path) => {
                self.skipped.remove(path);
            }
        }
    }

    /// The records without the ids of the documents, which tell of the history.
    fn records(&self) -> BTreeMap<ChunkId, ChunkRecord> {
        let mut records = BTreeMap::new();
        for sample in self.documents.values() {
            let mut before = BTreeMap::new();
            for (number, chunk) in sample.chunks.iter().enumerate() {
                let text = chunk.span.slice(&sample.text).unwrap();
                let head = if number == 0 { &sample.text[..chunk.span.start] } else { "" };
                let in_head = word_links(head).into_iter().map(|link| Link { span: Span::new(0, 0), ..link });
                let count = before.entry(text).or_insert(0u64);
                let key = [sample.path.as_bytes(), &[0], text.as_bytes(), &[0], &count.to_le_bytes()].concat();
                *count += 1;
                let hash = blake3::hash(&key);
                let id = ChunkId(u64::from_be_bytes(hash.as_bytes()[..8].try_into().unwrap()) >> 1);
                let record = ChunkRecord {
                    id,
                    document: DocId(0),
                    path: sample.path.clone(),
                    title: sample.title.clone(),
                    headings: chunk.headings.clone(),
                    aliases: sample.aliases.clone(),
                    tags: sample.tags.clone(),
                    summary: sample.summary.clone(),
                    language: sample.language.clone(),
                    links: in_head.chain(word_links(text)).collect(),
                    text: text.to_owned(),
                };
                records.insert(id, record);
            }
        }
        records
    }

    fn files(&self) -> Vec<FileEntry> {
        let paths: BTreeSet<_> = self.documents.keys().chain(&self.skipped).collect();
        let entry = |path: &String| {
            let document = self.documents.get(path);
            let skipped = self.skipped.contains(path);
            FileEntry {
                path: path.clone(),
                state: if skipped { FileState::Skipped } else { FileState::Indexed },
                reason: if skipped { "reason".into() } else { String::new() },
                detail: String::new(),
                characters: document.map_or(0, |sample| sample.text.chars().count() as u64),
                chunks: document.map_or(0, |sample| sample.chunks.len() as u64),
                warnings: Vec::new(),
                read: None,
            }
        };
        paths.into_iter().map(entry).collect()
    }
}

fn apply(catalog: &Catalog, transaction: &Transaction) {
    let mut update = catalog.update().unwrap();
    for step in &transaction.steps {
        match step {
            Step::Put(sample) => {
                let report = sample.put(&mut update);
                let chunks = report.added + report.changed + report.moved + report.kept;
                assert_eq!(chunks, sample.chunks.len() as u64);
            }
            Step::Touch(path, time) => {
                let _ = update.touch(path, FileStamp { size: 1, modified_ns: *time });
            }
            Step::Remove(path) => {
                update.remove_document(path).unwrap();
            }
            Step::Skip(path) => update
                .put_file(&FileEntry {
                    path: path.clone(),
                    state: FileState::Skipped,
                    reason: "reason".into(),
                    detail: String::new(),
                    characters: 0,
                    chunks: 0,
                    warnings: Vec::new(),
                    read: None,
                })
                .unwrap(),
            Step::Unskip(path) => update.remove_file(path).unwrap(),
        }
    }
    if transaction.commit {
        update.commit().unwrap();
    }
}

fn check(catalog: &Catalog, model: &Model) {
    let info = catalog.info().unwrap();
    let samples = || model.documents.values();
    assert_eq!(info.documents, samples().count() as u64);
    assert_eq!(info.navigation, samples().filter(|sample| sample.navigation).count() as u64);
    assert_eq!(info.chunks, samples().map(|sample| sample.chunks.len() as u64).sum::<u64>());
    assert_eq!(info.characters, samples().map(|sample| sample.text.chars().count() as u64).sum::<u64>());
    assert_eq!(catalog.files().unwrap(), model.files());
    let stamps = catalog.stamps().unwrap();
    assert_eq!(stamps.len(), model.documents.len());
    for (stamp, sample) in stamps.iter().zip(samples()) {
        assert_eq!((&stamp.path, stamp.stamp), (&sample.path, sample.stamp));
        assert_eq!((stamp.content_hash, &stamp.fingerprint), (sample.content_hash(), &sample.fingerprint));
        let stored = catalog.document(&sample.path).unwrap().unwrap();
        assert_eq!((&stored.text, &stored.title, stored.navigation), (&sample.text, &sample.title, sample.navigation));
        assert_eq!(stored.chunks.len(), sample.chunks.len());
        for (stored, chunk) in stored.chunks.iter().zip(&sample.chunks) {
            assert_eq!((stored.span, stored.place, &stored.headings), (chunk.span, chunk.place, &chunk.headings));
        }
    }
    let pages: BTreeMap<_, _> = catalog.pages().unwrap().into_iter().map(|page| (page.path.clone(), page)).collect();
    let mut texts = BTreeMap::new();
    catalog.each_text(|_, path, text| drop(texts.insert(path.to_owned(), text.to_owned()))).unwrap();
    assert_eq!(pages.len(), model.documents.len());
    assert_eq!(texts.len(), model.documents.len());
    for (path, sample) in &model.documents {
        let page = &pages[path];
        assert_eq!((&page.title, &page.aliases, &page.tags), (&sample.title, &sample.aliases, &sample.tags));
        assert_eq!((&page.links, &page.meta, page.navigation), (&sample.links, &sample.meta, sample.navigation));
        assert_eq!((page.characters, &texts[path]), (sample.text.chars().count() as u64, &sample.text));
    }
    for (id, record) in model.records() {
        let stored = catalog.chunk(id).unwrap().unwrap();
        assert_eq!(ChunkRecord { document: DocId(0), ..stored.record }, record);
    }
    catalog.verify().unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn the_catalog_is_what_the_history_says(history in prop::collection::vec(transaction(), 1..9)) {
        let home = Home::new();
        let mut catalog = home.writer();
        let mut model = Model::default();
        let mut follower = Follower::default();
        for (number, transaction) in history.iter().enumerate() {
            apply(&catalog, transaction);
            if transaction.commit {
                transaction.steps.iter().for_each(|step| model.apply(step));
            }
            check(&catalog, &model);
            match transaction.forgets {
                0 => follower = Follower::default(),
                1 => follower.lose_last_batch(),
                _ => {}
            }
            follower.follow(&catalog, transaction.limit, transaction.batches);
            if number % 3 == 2 {
                drop(catalog);
                catalog = home.writer();
            }
        }
        // However it went on its way, a follower that reaches the end has what is there.
        follower.follow(&catalog, 3, usize::MAX);
        let followed: BTreeMap<_, _> = follower
            .records()
            .map(|(id, record)| (*id, ChunkRecord { document: DocId(0), ..record.clone() }))
            .collect();
        prop_assert_eq!(&followed, &model.records());
        prop_assert_eq!(follower.position(), catalog.head().unwrap());

        // A catalog made at once from the same documents has the same ids.
        let fresh = Home::new();
        let fresh_catalog = fresh.writer();
        let steps = model.documents.values().rev().map(|sample| Step::Put(Box::new(sample.clone()))).collect();
        apply(&fresh_catalog, &Transaction { steps, commit: true, limit: 1, batches: 0, forgets: 9 });
        let ids = |catalog: &Catalog| {
            let batch = catalog.after(FeedPosition(0), usize::MAX).unwrap();
            let id = |change: &Change| match change {
                Change::Upsert(record) => record.id,
                Change::Delete(id) => panic!("a new follower was told to delete {id}"),
            };
            batch.changes.iter().map(id).collect::<BTreeSet<_>>()
        };
        prop_assert_eq!(ids(&fresh_catalog), ids(&catalog));
    }
}
