//! Text to vectors.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;

use crate::{Context, Error, ErrorKind, Readiness, Result};

/// What a text is to the model: many models were trained with different prefixes for the two.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// A question.
    Query,
    /// A passage that questions are asked of.
    Passage,
}

/// Vectors of equal width in one flat buffer, row after row.
#[derive(Debug, Clone, PartialEq)]
pub struct Vectors {
    data: Vec<f32>,
    dimensions: usize,
}

impl Vectors {
    /// `data.len()` must be a multiple of `dimensions`, and every value finite.
    ///
    /// # Errors
    /// [`ErrorKind::Internal`]: an embedder that breaks this must not reach an index.
    pub fn new(data: Vec<f32>, dimensions: usize) -> Result<Self> {
        if dimensions == 0 || !data.len().is_multiple_of(dimensions) {
            let message = format!("{} values are no rows of {dimensions} dimensions", data.len());
            return Err(Error::new(ErrorKind::Internal, "take vectors", message));
        }
        if let Some(index) = data.iter().position(|value| !value.is_finite()) {
            let message = format!("value {} of row {} is not finite", index % dimensions, index / dimensions);
            return Err(Error::new(ErrorKind::Internal, "take vectors", message));
        }
        Ok(Self { data, dimensions })
    }

    /// Width of a row.
    #[must_use]
    pub const fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// The rows, in the order of the texts.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[f32]> {
        self.data.chunks_exact(self.dimensions)
    }
}

/// Turns texts into vectors of one space.
///
/// Promises, which the conformance suite `wikirag_testkit::embedder_suite!` checks:
/// * one row per text in the order of the texts, and no text is refused: of an empty one there is a vector as well;
/// * a vector depends on its text and role alone, not on the other texts of the call;
/// * rows have unit length, and equal fingerprints mean comparable vectors;
/// * a text longer than the model takes is embedded in pieces, never cut;
/// * making one loads nothing, and a question that was just asked costs nothing (see [`RecentVectors`]);
/// * no `async fn` blocks: CPU-bound work goes through [`offload`](crate::offload).
#[async_trait]
pub trait Embedder: Send + Sync {
    /// Names the space: model, file hashes, pooling, prefixes. Vectors of different fingerprints never meet. Known without
    /// loading anything.
    fn fingerprint(&self) -> &str;

    /// Width of its vectors.
    fn dimensions(&self) -> usize;

    /// The longest text it sees whole, in tokens of its own.
    fn max_tokens(&self) -> usize;

    /// The languages that it was made for, as ISO 639-3 codes; empty: any.
    fn languages(&self) -> &[String] {
        &[]
    }

    /// The cosine that a question and passages reach which have nothing to do with each other: hits at or below it say nothing.
    /// `None` where that is not known.
    fn noise(&self) -> Option<f64> {
        None
    }

    /// Whether it can serve now, without loading anything.
    fn readiness(&self) -> Readiness;

    /// Embeds.
    ///
    /// # Errors
    /// Where the model or the service fails, or the context says stop.
    async fn embed(&self, texts: &[&str], role: Role, context: &Context) -> Result<Vectors>;
}

const _: fn(&dyn Embedder) = |_| {};

/// The vectors of the last questions. A question runs in many wikis at once, and each asks for its vector: the first one
/// pays, the others wait for it.
#[derive(Debug, Default)]
pub struct RecentVectors(Mutex<VecDeque<(String, Place)>>);

/// Where the vector of one question is, or will be.
type Place = Arc<Mutex<Option<Vec<f32>>>>;

impl RecentVectors {
    /// Questions that are kept: more than are ever asked at one moment.
    const KEPT: usize = 64;

    /// The vector of `question`, made by `embed` if it was not among the last ones. Blocks while another thread makes the
    /// vector of the same question.
    ///
    /// # Errors
    /// Those of `embed`, which are not kept.
    pub fn get_or_embed(&self, question: &str, embed: impl FnOnce() -> Result<Vec<f32>>) -> Result<Vec<f32>> {
        let place = self.place_of(question);
        let mut vector = place.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = &*vector {
            return Ok(known.clone());
        }
        Ok(vector.insert(embed()?).clone())
    }

    fn place_of(&self, question: &str) -> Place {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, place)) = kept.iter().find(|(known, _)| known == question) {
            return Arc::clone(place);
        }
        if kept.len() == Self::KEPT {
            kept.pop_front();
        }
        let place = Place::default();
        kept.push_back((question.to_owned(), Arc::clone(&place)));
        place
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_questions_are_embedded_once() {
        let recent = RecentVectors::default();
        assert!(recent.get_or_embed("a", || Err(Error::new(ErrorKind::Unavailable, "embed", "no"))).is_err());
        assert_eq!(recent.get_or_embed("a", || Ok(vec![1.0])).unwrap(), [1.0]);
        assert_eq!(recent.get_or_embed("a", || Ok(vec![2.0])).unwrap(), [1.0]);
        for other in 0..RecentVectors::KEPT {
            recent.get_or_embed(&other.to_string(), || Ok(vec![0.0])).unwrap();
        }
        assert_eq!(recent.get_or_embed("a", || Ok(vec![3.0])).unwrap(), [3.0]);
        // One question does not wait for another.
        let inner = || recent.get_or_embed("c", || Ok(vec![5.0]));
        assert_eq!(recent.get_or_embed("b", inner).unwrap(), [5.0]);
    }

    #[test]
    fn broken_vectors_are_refused() {
        assert_eq!(Vectors::new(vec![1.0, 0.0, 0.0, 1.0], 2).unwrap().rows().len(), 2);
        assert!(Vectors::new(vec![1.0; 3], 2).is_err());
        assert!(Vectors::new(vec![f32::NAN, 1.0], 2).is_err());
        assert!(Vectors::new(Vec::new(), 0).is_err());
    }
}
