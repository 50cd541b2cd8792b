//! The store of vectors alone, at sizes that no corpus here has.

use std::path::Path;
use std::time::Instant;

use wikirag::core::{CatalogId, ChunkId, FeedPosition};
use wikirag::{Context, Result};
use wikirag_sqlite::{TextKey, VectorBatch, VectorSpace, VectorStore, VectorWriter};

use crate::{Table, percentiles};

const DIMENSIONS: usize = 384;
/// Directions that texts lie around, as they do around topics.
const TOPICS: usize = 2_000;
/// Share of noise: the cosine of a vector to its topic is about .9.
const NOISE: f32 = 0.48;
const BATCH: usize = 1_024;
const QUESTIONS: usize = 200;
const WANT: usize = 100;

/// Writes `count` vectors, searches them, and compares the first ten hits with those of brute force in f32.
pub(crate) fn measure(count: usize, folder: &Path, table: &mut Table) -> Result<()> {
    let mut random = fastrand::Rng::with_seed(11);
    let topics: Vec<Vec<f32>> = (0..TOPICS).map(|_| near(None, &mut random)).collect();
    let vectors: Vec<Vec<f32>> = (0..count).map(|at| near(Some(&topics[at % TOPICS]), &mut random)).collect();
    let questions: Vec<Vec<f32>> =
        (0..QUESTIONS).map(|_| near(Some(&topics[random.usize(0..TOPICS)]), &mut random)).collect();

    let path = folder.join("dense.db");
    std::fs::create_dir_all(folder).map_err(|error| crate::failed("make work folder", error))?;
    let space = VectorSpace { fingerprint: "synthetic".to_owned(), dimensions: DIMENSIONS };
    let started = Instant::now();
    let mut writer = VectorWriter::open(&path, &space, &CatalogId("bench".to_owned()))?;
    for (number, page) in vectors.chunks(BATCH).enumerate() {
        let mut batch =
            VectorBatch { anew: number == 0, position: FeedPosition(number as u64 + 1), ..VectorBatch::default() };
        for (at, vector) in (number * BATCH..).zip(page) {
            let key = TextKey::of(&at.to_string());
            batch.vectors.push((key, vector.clone()));
            batch.upserts.push((ChunkId(at as u64), key));
        }
        writer.commit(&batch)?;
    }
    drop(writer);
    let written = started.elapsed();

    let store = VectorStore::new(path);
    let context = Context::new();
    let (mut times, mut same) = (Vec::new(), 0);
    for question in &questions {
        let started = Instant::now();
        let found = store.search(&space, question, WANT, &context)?;
        times.push(started.elapsed());
        let best = brute_force(&vectors, question);
        same += found.hits.iter().take(best.len()).filter(|hit| best.contains(&hit.chunk.0)).count();
    }
    #[expect(clippy::cast_precision_loss, reason = "two thousand hits at most")]
    let overlap = same as f64 / (QUESTIONS * 10) as f64;
    table.row(
        "search of vectors alone, warm",
        // The first one reads the compact form.
        percentiles(&times[1..]),
        format!(
            "{count} synthetic vectors of {DIMENSIONS}, {WANT} hits; overlap@10 with brute force {overlap:.4}; first search {:.0} ms, written in {:.1} s",
            times[0].as_secs_f64() * 1e3,
            written.as_secs_f64()
        ),
    );
    Ok(())
}

/// A random unit vector, or one near `topic`.
fn near(topic: Option<&Vec<f32>>, random: &mut fastrand::Rng) -> Vec<f32> {
    // The sum of a few even draws is near enough to a normal one.
    let mut normal = || (0..6).map(|_| random.f32() - 0.5).sum::<f32>() * 2_f32.sqrt();
    #[expect(clippy::cast_precision_loss, reason = "384")]
    let scale = NOISE / (DIMENSIONS as f32).sqrt();
    let mut vector: Vec<f32> = match topic {
        None => (0..DIMENSIONS).map(|_| normal()).collect(),
        Some(topic) => topic.iter().map(|value| value + scale * normal()).collect(),
    };
    let length = vector.iter().map(|value| value * value).sum::<f32>().sqrt();
    vector.iter_mut().for_each(|value| *value /= length);
    vector
}

/// The ten nearest.
fn brute_force(vectors: &[Vec<f32>], question: &[f32]) -> Vec<u64> {
    let dot = |vector: &Vec<f32>| vector.iter().zip(question).map(|(one, other)| one * other).sum::<f32>();
    let mut scored: Vec<(f32, u64)> = (0..).zip(vectors).map(|(at, vector)| (dot(vector), at)).collect();
    scored.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    scored.into_iter().take(10).map(|(_, at)| at).collect()
}
