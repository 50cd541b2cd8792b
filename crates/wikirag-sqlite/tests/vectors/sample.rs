//! Stores with vectors in them, and what must be found.

use std::collections::BTreeMap;
use std::path::PathBuf;

use tempfile::TempDir;
use wikirag_core::{CatalogId, ChunkId, Context, FeedPosition, RankedList, Result};
use wikirag_sqlite::{TextKey, VectorBatch, VectorSpace, VectorStore, VectorWriter};

pub(crate) struct Home {
    folder: TempDir,
    pub(crate) dimensions: usize,
}

impl Home {
    pub(crate) fn new(dimensions: usize) -> Self {
        Self { folder: tempfile::tempdir().unwrap(), dimensions }
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.folder.path().join("dense.db")
    }

    pub(crate) fn space(&self) -> VectorSpace {
        VectorSpace { fingerprint: "test model".to_owned(), dimensions: self.dimensions }
    }

    pub(crate) fn writer(&self) -> VectorWriter {
        VectorWriter::open(&self.path(), &self.space(), &CatalogId("a".to_owned())).unwrap()
    }

    pub(crate) fn reader(&self) -> VectorStore {
        VectorStore::new(self.path())
    }

    pub(crate) fn search(&self, store: &VectorStore, question: &[f32], want: usize) -> Result<RankedList> {
        store.search(&self.space(), question, want, &Context::new())
    }
}

/// Random numbers from -1 to 1, the same each time.
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    pub(crate) fn bits(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.bits() % end
    }

    pub(crate) fn vector(&mut self, dimensions: usize) -> Vec<f32> {
        (0..dimensions).map(|_| (self.bits() >> 40) as f32 / (1 << 23) as f32 - 1.0).collect()
    }

    /// A vector not far from `center`, as those of texts about one subject are.
    pub(crate) fn near(&mut self, center: &[f32], distance: f32) -> Vec<f32> {
        let noise = self.vector(center.len());
        center.iter().zip(noise).map(|(value, noise)| value + distance * noise).collect()
    }
}

pub(crate) fn key(text: u64) -> TextKey {
    TextKey::of(&text.to_string())
}

/// What a store should hold: a vector by text, a text by chunk.
#[derive(Default)]
pub(crate) struct Expected {
    pub(crate) vectors: BTreeMap<u64, Vec<f32>>,
    pub(crate) chunks: BTreeMap<u64, u64>,
}

impl Expected {
    /// A batch that puts `chunks` (chunk and text) in, with the vectors of their texts.
    pub(crate) fn put(&mut self, chunks: &[(u64, u64)]) -> VectorBatch {
        self.chunks.extend(chunks.iter().copied());
        VectorBatch {
            vectors: chunks.iter().map(|(_, text)| (key(*text), self.vectors[text].clone())).collect(),
            upserts: chunks.iter().map(|(chunk, text)| (ChunkId(*chunk), key(*text))).collect(),
            position: FeedPosition(self.chunks.len() as u64),
            ..VectorBatch::default()
        }
    }

    fn cosine(&self, chunk: u64, question: &[f32]) -> f64 {
        let length = |vector: &[f32]| vector.iter().map(|value| f64::from(*value).powi(2)).sum::<f64>().sqrt();
        let vector = &self.vectors[&self.chunks[&chunk]];
        let product: f64 = vector.iter().zip(question).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum();
        product / length(vector) / length(question)
    }

    /// Looks whether `list` is what comparing all vectors gives, up to the rounding of `f32`.
    pub(crate) fn check(&self, list: &RankedList, question: &[f32], want: usize) {
        const ROUNDING: f64 = 2e-6;
        let mut all: Vec<(f64, u64)> =
            self.chunks.keys().map(|chunk| (self.cosine(*chunk, question), *chunk)).collect();
        all.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        assert_eq!(list.hits.len(), want.min(all.len()));
        for (hit, (score, _)) in list.hits.iter().zip(&all) {
            assert!((hit.score.get() - score).abs() < ROUNDING, "{} instead of {score}", hit.score);
            assert!((hit.score.get() - self.cosine(hit.chunk.0, question)).abs() < ROUNDING);
        }
        let ordered = |pair: &[wikirag_core::Ranked]| (pair[1].score, pair[0].chunk) < (pair[0].score, pair[1].chunk);
        assert!(list.hits.windows(2).all(ordered), "{list:?}");
    }
}
