//! Where the vectors of a small store lie, in a file beside it: the centroids of a few groups of them.
//!
//! A question is near a wiki if it is near one of its groups. Whoever weighs a hundred wikis against each other asks each for
//! that, and reading a file costs a tenth of opening the store.
//!
//! The file is there only while it is true: a commit removes it, and it is written when the feed was followed to its end.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use rusqlite::Connection;
use serde::{Deserialize, Serialize};
use wikirag_core::{Error, ErrorKind, Result, pack_summary, unpack_summary};

use super::vector::{bytes, from_bytes};
use super::{VectorSpace, vector};
use crate::error::{Fault, REBUILD};

const MAGIC: &[u8; 8] = b"wrcentr1";

/// A store of more chunks has no centroids: to make them anew after each edit would cost more than to ask it, and nobody has
/// hundreds of that size.
const MOST_CHUNKS: usize = 4_096;

/// How often the vectors are dealt out anew. On passages of six judged sets in 187 wikis three rounds found the same wikis as eight.
const ROUNDS: usize = 3;

#[derive(Debug, Serialize, Deserialize)]
struct Head {
    fingerprint: String,
    dimensions: usize,
}

/// The centroids of a store.
#[derive(Debug)]
pub(super) struct Centroids {
    space: VectorSpace,
    /// Of unit length, one after the other.
    values: Vec<f32>,
}

/// Where the centroids of the store at `store` lie.
pub(super) fn path(store: &Path) -> PathBuf {
    store.with_extension("centroids")
}

/// Takes the file away before the store changes.
pub(super) fn remove(store: &Path) -> Result<(), Fault> {
    match fs::remove_file(path(store)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(Fault::io("cannot remove the centroids", error)),
        _ => Ok(()),
    }
}

/// Writes the centroids of the store, unless it is empty or a large one.
pub(super) fn write(connection: &Connection, space: &VectorSpace, store: &Path) -> Result<(), Fault> {
    const SELECT: &str =
        "SELECT vectors.vector FROM chunks JOIN vectors ON vectors.id = chunks.vector ORDER BY chunks.id LIMIT ?1";
    let mut statement = connection.prepare_cached(SELECT)?;
    let mut rows = statement.query([MOST_CHUNKS + 1])?;
    let mut vectors = Vec::new();
    while let Some(row) = rows.next()? {
        vectors.push(vector::unit(
            &from_bytes(row.get_ref(0)?.as_blob().map_err(rusqlite::Error::from)?),
            space.dimensions,
        )?);
    }
    if vectors.is_empty() || vectors.len() > MOST_CHUNKS {
        return Ok(());
    }
    let head = Head { fingerprint: space.fingerprint.clone(), dimensions: space.dimensions };
    let packed = pack_summary(MAGIC, &head, &bytes(&centroids(&vectors, space.dimensions)))?;
    // Written beside and renamed: nobody ever reads half a file.
    let (path, temporary) = (path(store), store.with_extension("centroids.new"));
    let written = fs::write(&temporary, packed).and_then(|()| fs::rename(&temporary, path));
    written.map_err(|error| Fault::io("cannot write the centroids", error))
}

impl Centroids {
    /// Reads the file of a store; `None` where there is none.
    ///
    /// # Errors
    /// [`ErrorKind::Damaged`] where it is not what was written.
    pub(super) fn load(store: &Path) -> Result<Option<Self>> {
        let path = path(store);
        let broken = || {
            let message = "the centroids are not what was written";
            Error::new(ErrorKind::Damaged, "read centroids", message).with("path", path.display()).help(REBUILD)
        };
        let read = match fs::read(&path) {
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => {
                let error = Error::new(ErrorKind::Io, "read centroids", error.to_string());
                return Err(error.with("path", path.display()));
            }
        };
        let (Head { fingerprint, dimensions }, body) = unpack_summary(MAGIC, &read).ok_or_else(broken)?;
        let values = from_bytes(body);
        if dimensions == 0 || values.len() * 4 != body.len() || !values.len().is_multiple_of(dimensions) {
            return Err(broken());
        }
        Ok(Some(Self { space: VectorSpace { fingerprint, dimensions }, values }))
    }

    /// The highest cosine of a question to a centroid; `None` where they are those of another space.
    ///
    /// # Errors
    /// Where the question is no vector of the space.
    pub(super) fn nearness(&self, space: &VectorSpace, question: &[f32]) -> Result<Option<f64>, Fault> {
        if self.space != *space {
            return Ok(None);
        }
        let question = vector::unit(question, space.dimensions)?;
        let cosines = self.values.chunks_exact(space.dimensions).map(|centroid| f64::from(dot(centroid, &question)));
        Ok(cosines.reduce(f64::max))
    }
}

/// How many groups so many vectors are dealt into: half the square root. On odd questions of 187 wikis the wikis chosen by that
/// number held .976 of the relevant documents; by one centroid .969, by twice as many .971.
fn groups(vectors: usize) -> usize {
    (vectors.isqrt() / 2).max(1)
}

/// The centroids, of unit length: k-means by cosine (Dhillon and Modha, *Concept decompositions for large sparse text data*, 2001), begun
/// at vectors that lie evenly in the order given, so that the same vectors give the same centroids.
fn centroids(vectors: &[Vec<f32>], dimensions: usize) -> Vec<f32> {
    let count = groups(vectors.len());
    let mut centroids: Vec<f32> =
        (0..count).flat_map(|group| vectors[group * vectors.len() / count].iter().copied()).collect();
    for _ in 0..ROUNDS {
        let mut sums = vec![0.0; count * dimensions];
        for vector in vectors {
            let group = nearest(&centroids, vector);
            let sum = &mut sums[group * dimensions..][..dimensions];
            sum.iter_mut().zip(vector).for_each(|(sum, value)| *sum += value);
        }
        for (centroid, sum) in centroids.chunks_exact_mut(dimensions).zip(sums.chunks_exact(dimensions)) {
            // A group that lost all its vectors, or whose vectors cancel out, stays where it is.
            if let Ok(unit) = vector::unit(sum, dimensions) {
                centroid.copy_from_slice(&unit);
            }
        }
    }
    centroids
}

fn nearest(centroids: &[f32], vector: &[f32]) -> usize {
    let mut best = (0, f32::NEG_INFINITY);
    for (group, centroid) in centroids.chunks_exact(vector.len()).enumerate() {
        let cosine = dot(centroid, vector);
        if cosine > best.1 {
            best = (group, cosine);
        }
    }
    best.0
}

/// Eight sums side by side, which the processor adds at once.
fn dot(a: &[f32], b: &[f32]) -> f32 {
    let (a, a_rest) = a.as_chunks::<8>();
    let (b, b_rest) = b.as_chunks::<8>();
    let mut sums = [0.0; 8];
    for (a, b) in a.iter().zip(b) {
        for lane in 0..8 {
            sums[lane] += a[lane] * b[lane];
        }
    }
    sums.iter().sum::<f32>() + a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum::<f32>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_bundles_have_two_centroids() {
        let vectors: Vec<Vec<f32>> = (0..16)
            .map(|n| {
                let lean = n as f32 / 100.0;
                if n % 2 == 0 { vec![1.0, lean, 0.0] } else { vec![lean, 0.0, 1.0] }
            })
            .map(|vector| vector::unit(&vector, 3).unwrap())
            .collect();
        assert_eq!(groups(vectors.len()), 2);
        let found = centroids(&vectors, 3);
        let near = |question: &[f32]| found.chunks_exact(3).map(|one| dot(one, question)).fold(-1.0, f32::max);
        assert!(near(&[1.0, 0.0, 0.0]) > 0.99 && near(&[0.0, 0.0, 1.0]) > 0.99, "{found:?}");
        assert!(near(&[0.0, 1.0, 0.0]) < 0.2, "{found:?}");
    }

    #[test]
    fn vectors_that_cancel_out_do_no_harm() {
        let found = centroids(&[vec![1.0, 0.0], vec![-1.0, 0.0]], 2);
        assert!(found.iter().all(|value| value.is_finite()), "{found:?}");
    }

    #[test]
    fn sums_of_lanes_are_the_product() {
        for length in 0..20 {
            let a: Vec<f32> = (0..length).map(|n| n as f32).collect();
            let plain: f32 = a.iter().map(|value| value * value).sum();
            assert!((dot(&a, &a) - plain).abs() < 1e-3, "{length}");
        }
    }
}
