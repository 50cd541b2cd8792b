//! Text to vectors.

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
/// Promises: one row per text in the order of the texts; a vector does not depend on the other texts of the call;
/// unit length; equal fingerprints mean comparable vectors.
#[async_trait]
pub trait Embedder: Send + Sync {
    /// Names the space: model, file hashes, pooling, prefixes. Vectors of different fingerprints never meet.
    fn fingerprint(&self) -> &str;

    /// Width of its vectors.
    fn dimensions(&self) -> usize;

    /// The longest text it sees whole, in tokens of its own.
    fn max_tokens(&self) -> usize;

    /// Whether it can serve now, without loading anything.
    fn readiness(&self) -> Readiness;

    /// Embeds.
    ///
    /// # Errors
    /// Where the model or the service fails, or the context says stop.
    async fn embed(&self, texts: &[&str], role: Role, context: &Context) -> Result<Vectors>;
}

const _: fn(&dyn Embedder) = |_| {};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn broken_vectors_are_refused() {
        assert_eq!(Vectors::new(vec![1.0, 0.0, 0.0, 1.0], 2).unwrap().rows().len(), 2);
        assert!(Vectors::new(vec![1.0; 3], 2).is_err());
        assert!(Vectors::new(vec![f32::NAN, 1.0], 2).is_err());
        assert!(Vectors::new(Vec::new(), 0).is_err());
    }
}
