//! Vectors on their way in and out.

use wikirag_core::{Error, ErrorKind};

use crate::error::Fault;
use crate::identity::{Checksum, checksum};

/// `vector` with unit length. One that has no direction, or another width than the store, is no vector of it.
pub(super) fn unit(vector: &[f32], dimensions: usize) -> Result<Vec<f32>, Fault> {
    let refuse = |what: String| Err(Error::new(ErrorKind::Internal, "take vector", what).into());
    if vector.len() != dimensions {
        return refuse(format!("the vector has {} dimensions, the index has {dimensions}", vector.len()));
    }
    let length = vector.iter().map(|value| f64::from(*value) * f64::from(*value)).sum::<f64>().sqrt();
    if !length.is_finite() {
        return refuse("a value of the vector is no number".to_owned());
    }
    // Far below what any model gives, and far above where a division by it would lose the direction.
    if length < 1e-12 {
        return refuse("all values of the vector are zero".to_owned());
    }
    Ok(vector.iter().map(|value| (f64::from(*value) / length) as f32).collect())
}

/// The form in which sqlite-vec takes vectors.
pub(super) fn bytes(vector: &[f32]) -> Vec<u8> {
    vector.iter().flat_map(|value| value.to_le_bytes()).collect()
}

/// The vector of such bytes.
pub(super) fn from_bytes(bytes: &[u8]) -> Vec<f32> {
    let (values, _) = bytes.as_chunks::<4>();
    values.iter().map(|value| f32::from_le_bytes(*value)).collect()
}

/// The checksum of a row of `vectors`.
pub(super) fn vector_checksum(id: u64, text_hash: &[u8], vector: &[u8]) -> Checksum {
    checksum(&[&id.to_le_bytes(), text_hash, vector])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_direction_is_refused() {
        for (vector, why) in [
            (vec![0.0; 3], "zero"),
            (vec![1.0, f32::NAN, 0.0], "no number"),
            (vec![1.0, f32::INFINITY, 0.0], "no number"),
            (vec![1.0; 4], "4 dimensions"),
            (vec![], "0 dimensions"),
        ] {
            let error = unit(&vector, 3).unwrap_err().told("test", "v.db".as_ref());
            assert_eq!(error.kind(), ErrorKind::Internal);
            assert!(error.to_string().contains(why), "{error}");
        }
    }

    #[test]
    fn all_others_get_unit_length() {
        assert_eq!(unit(&[3.0, 4.0], 2).unwrap(), [0.6, 0.8]);
        assert_eq!(unit(&[f32::MAX, 0.0], 2).unwrap(), [1.0, 0.0]);
        let vector = unit(&[1e-8, -1e-8], 2).unwrap();
        assert_eq!(from_bytes(&bytes(&vector)), vector);
    }
}
