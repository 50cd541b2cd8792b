//! What the model gives, to one vector of unit length or one score.

use wikirag_core::{Error, ErrorKind, Result};
use wikirag_models::Pooling;

const OPERATION: &str = "embed";

/// How a vector is made of the output tensor of one window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shape {
    pub(crate) pooling: Pooling,
    pub(crate) dimensions: usize,
    /// Whether the vector must be brought to unit length. Otherwise the model does it, which is checked.
    pub(crate) normalise: bool,
}

/// A vector shorter than this has no direction.
const SHORTEST: f32 = 1e-9;
/// How far from 1 the length of a vector may be that the model is said to have brought to unit length.
const SLACK: f32 = 1e-2;

impl Shape {
    /// The vector of one window of `tokens` tokens, none of them padding. `dims` and `values` are the output tensor.
    ///
    /// # Errors
    /// [`ErrorKind::Unavailable`] where the output has another shape than the recipe says, or no direction.
    pub(crate) fn vector(self, dims: &[i64], values: &[f32], tokens: usize) -> Result<Vec<f32>> {
        let rows = if self.pooling == Pooling::None { vec![1] } else { vec![1, tokens] };
        let expected: Vec<i64> =
            rows.iter().chain([&self.dimensions]).map(|n| i64::try_from(*n).unwrap_or_default()).collect();
        if dims != expected || values.len() != rows.iter().product::<usize>() * self.dimensions {
            let message = format!(
                "the output of the model has the shape {dims:?}, with pooling `{}` it must be {expected:?}",
                self.pooling.as_str()
            );
            return Err(Error::new(ErrorKind::Unavailable, OPERATION, message).help(MEND));
        }
        let mut rows = values.chunks_exact(self.dimensions);
        let vector = match self.pooling {
            Pooling::Mean => mean(rows, self.dimensions),
            Pooling::None | Pooling::Cls => rows.next().unwrap_or_default().to_vec(),
            Pooling::Last => rows.next_back().unwrap_or_default().to_vec(),
        };
        let unit = unit(&vector)?;
        if !self.normalise {
            let length = length(&vector);
            if (length - 1.0).abs() > SLACK {
                let message = format!("the model gives a vector of length {length}, and its recipe says that it is 1");
                return Err(Error::new(ErrorKind::Unavailable, OPERATION, message).help(MEND));
            }
        }
        Ok(unit)
    }
}

/// The score in the output tensor of one window of a reranker, which is one number.
///
/// # Errors
/// [`ErrorKind::Unavailable`] where it is another number of numbers, or none that can be compared.
pub(crate) fn score(dims: &[i64], values: &[f32]) -> Result<f32> {
    match values {
        [score] if score.is_finite() => Ok(*score),
        _ => {
            let message = format!("the output of the model has the shape {dims:?}, it must be one finite number");
            Err(Error::new(ErrorKind::Unavailable, "rerank", message).help("mend `output` in the recipe of the model"))
        }
    }
}

const MEND: &str = "mend `pooling`, `dimensions`, `normalise` or `output` in the recipe of the model";

fn mean<'a>(rows: impl ExactSizeIterator<Item = &'a [f32]>, dimensions: usize) -> Vec<f32> {
    let count = rows.len() as f32;
    let mut sum = vec![0.0; dimensions];
    for row in rows {
        sum.iter_mut().zip(row).for_each(|(sum, value)| *sum += value);
    }
    sum.iter_mut().for_each(|value| *value /= count);
    sum
}

/// The mean of the vectors of windows, each by its weight, of unit length. One vector stays as it is.
///
/// # Errors
/// [`ErrorKind::Unavailable`] where they cancel out.
pub(crate) fn weighted_mean(mut windows: Vec<(Vec<f32>, usize)>) -> Result<Vec<f32>> {
    if windows.len() == 1 {
        return Ok(windows.swap_remove(0).0);
    }
    let mut sum = vec![0.0; windows.first().map_or(0, |(vector, _)| vector.len())];
    for (vector, weight) in &windows {
        sum.iter_mut().zip(vector).for_each(|(sum, value)| *sum += value * *weight as f32);
    }
    unit(&sum)
}

fn length(vector: &[f32]) -> f32 {
    vector.iter().map(|value| value * value).sum::<f32>().sqrt()
}

fn unit(vector: &[f32]) -> Result<Vec<f32>> {
    let length = length(vector);
    if !length.is_finite() || length < SHORTEST {
        let what = if length.is_finite() { "zero" } else { "not finite" };
        let message =
            format!("the vector of a text is {what}: the model or the library computes wrong on this machine");
        return Err(Error::new(ErrorKind::Unavailable, OPERATION, message)
            .help("try another version of the library, or another model"));
    }
    Ok(vector.iter().map(|value| value / length).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(pooling: Pooling, normalise: bool) -> Shape {
        Shape { pooling, dimensions: 2, normalise }
    }

    const TWO_TOKENS: [f32; 4] = [3.0, 0.0, 0.0, 4.0];

    #[test]
    fn each_way_of_pooling() {
        let vector = |pooling| shape(pooling, true).vector(&[1, 2, 2], &TWO_TOKENS, 2).unwrap();
        assert_eq!(vector(Pooling::Mean), [0.6, 0.8]);
        assert_eq!(vector(Pooling::Cls), [1.0, 0.0]);
        assert_eq!(vector(Pooling::Last), [0.0, 1.0]);
        assert_eq!(shape(Pooling::None, true).vector(&[1, 2], &[3.0, 4.0], 9).unwrap(), [0.6, 0.8]);
    }

    #[test]
    fn another_shape_is_refused() {
        for (pooling, dims, values) in [
            (Pooling::None, vec![1, 2, 2], &TWO_TOKENS[..]),
            (Pooling::None, vec![2], &TWO_TOKENS[..2]),
            (Pooling::None, vec![1, 4], &TWO_TOKENS[..]),
            (Pooling::Mean, vec![1, 2], &TWO_TOKENS[..2]),
            (Pooling::Mean, vec![1, 4, 1], &TWO_TOKENS[..]),
            (Pooling::Mean, vec![2, 2, 1], &TWO_TOKENS[..]),
            (Pooling::Cls, vec![1, 0, 2], &[]),
            (Pooling::Last, vec![1, 2, 2], &TWO_TOKENS[..2]),
        ] {
            let error = shape(pooling, true).vector(&dims, values, 2).unwrap_err();
            assert!(error.to_string().contains("shape") && error.remedy().is_some(), "{dims:?}: {error}");
        }
    }

    #[test]
    fn what_has_no_direction_is_refused() {
        for values in [[0.0, 0.0], [f32::NAN, 1.0], [f32::INFINITY, 1.0], [f32::MAX, f32::MAX]] {
            let error = shape(Pooling::None, true).vector(&[1, 2], &values, 1).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Unavailable, "{values:?}");
        }
    }

    #[test]
    fn a_model_that_normalises_is_held_to_it() {
        let plain = shape(Pooling::None, false);
        assert_eq!(plain.vector(&[1, 2], &[0.6, 0.8], 1).unwrap(), [0.6, 0.8]);
        assert!(plain.vector(&[1, 2], &[3.0, 4.0], 1).unwrap_err().to_string().contains("length 5"));
    }

    #[test]
    fn a_score_is_one_number() {
        assert_eq!(score(&[1, 1], &[-2.5]).unwrap(), -2.5);
        for (dims, values) in [(vec![1, 2], vec![1.0, 2.0]), (vec![1, 0], vec![]), (vec![1, 1], vec![f32::NAN])] {
            assert_eq!(score(&dims, &values).unwrap_err().kind(), ErrorKind::Unavailable);
        }
    }

    #[test]
    fn windows_count_by_their_weight() {
        let mean = weighted_mean(vec![(vec![1.0, 0.0], 3), (vec![0.0, 1.0], 4)]).unwrap();
        assert_eq!(mean, [0.6, 0.8]);
        assert_eq!(weighted_mean(vec![(vec![0.6, 0.8], 1)]).unwrap(), [0.6, 0.8]);
        assert!(weighted_mean(vec![(vec![1.0, 0.0], 1), (vec![-1.0, 0.0], 1)]).is_err());
    }
}
