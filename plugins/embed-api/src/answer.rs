//! What a service answers. Nothing of it is believed unseen: a wrong vector in an index is worse than none.

use serde::Deserialize;
use wikirag_core::Error;
use wikirag_remote::{Private, unavailable};

use crate::OPERATION;
use crate::pieces::unit;

/// The parts that both protocols have.
#[derive(Deserialize)]
struct Answer {
    data: Vec<Item>,
}

#[derive(Deserialize)]
struct Item {
    index: usize,
    embedding: Vec<f64>,
}

/// The longest answer that can be one, in bytes: each number with sign, digits, exponent, comma and white space.
pub(crate) fn longest(count: usize, dimensions: usize) -> u64 {
    let bytes = count.saturating_mul(dimensions.saturating_mul(40).saturating_add(1_024)).saturating_add(1 << 16);
    bytes as u64
}

/// The vectors of `count` texts in their order, of unit length.
///
/// # Errors
/// What is wrong with the answer. Where it is something else altogether its words are told, without what is `private`: some
/// gateways send their errors with a status that says there is none.
pub(crate) fn read(body: &[u8], count: usize, dimensions: usize, private: Private<'_>) -> Result<Vec<Vec<f32>>, Error> {
    let unavailable = |message: String| unavailable(OPERATION, message);
    let answer: Answer = serde_json::from_slice(body).map_err(|error| {
        unavailable(format!("the answer cannot be read: {error}")).with("answer", private.said(body))
    })?;
    if answer.data.len() != count {
        return Err(unavailable(format!("{count} texts were sent, {} vectors came back", answer.data.len())));
    }
    let mut rows = vec![Vec::new(); count];
    for Item { index, embedding } in answer.data {
        if embedding.len() != dimensions {
            let message = format!("the service sends vectors of {} dimensions, not {dimensions}", embedding.len());
            return Err(unavailable(message).help("set `dimensions` to what the model has, or another `model`"));
        }
        let place = rows.get_mut(index).filter(|row| row.is_empty());
        let place = place.ok_or_else(|| {
            unavailable(format!(
                "the answer has the index {index} twice, or more than the {count} texts that were sent"
            ))
        })?;
        *place =
            unit(&embedding).ok_or_else(|| unavailable(format!("the vector of text {index} is zero or not finite")))?;
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_ordered_by_index_and_scaled() {
        let body = br#"{"object":"list","data":[
            {"object":"embedding","index":1,"embedding":[0,2]},{"index":0,"embedding":[3.0,-4e0]}],"usage":{"total_tokens":2}}"#;
        assert_eq!(read(body, 2, 2, Private::default()).unwrap(), [[0.6, -0.8], [0.0, 1.0]]);
        assert!(read(br#"{"data":[]}"#, 0, 2, Private::default()).unwrap().is_empty());
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (body, words) in [
            ("", "cannot be read"),
            ("<html>", "cannot be read"),
            (r#"{"error":{"message":"no"}}"#, "`data`"),
            (r#"{"data":[{"embedding":[1,0]}]}"#, "`index`"),
            (r#"{"data":[{"index":0}]}"#, "`embedding`"),
            (r#"{"data":[{"index":0,"embedding":[null,1]}]}"#, "null"),
            (r#"{"data":[{"index":0,"embedding":[NaN,1]}]}"#, "cannot be read"),
            (r#"{"data":[{"index":0,"embedding":[1e999,1]}]}"#, "out of range"),
            (r#"{"data":[{"index":0,"embedding":"AAAA"}]}"#, "string"),
            (r#"{"data":[]}"#, "0 vectors"),
            (r#"{"data":[{"index":0,"embedding":[1,0]},{"index":1,"embedding":[1,0]}]}"#, "2 vectors"),
            (r#"{"data":[{"index":1,"embedding":[1,0]}]}"#, "index 1"),
            (r#"{"data":[{"index":-1,"embedding":[1,0]}]}"#, "-1"),
            (r#"{"data":[{"index":0,"embedding":[1,0,0]}]}"#, "3 dimensions"),
            (r#"{"data":[{"index":0,"embedding":[]}]}"#, "0 dimensions"),
            (r#"{"data":[{"index":0,"embedding":[0,0]}]}"#, "zero"),
        ] {
            let error = read(body.as_bytes(), 1, 2, Private::default()).unwrap_err();
            assert!(error.message().contains(words), "{body}: {error}");
        }
        let twice = r#"{"data":[{"index":0,"embedding":[1,0]},{"index":0,"embedding":[1,0]}]}"#;
        assert!(read(twice.as_bytes(), 2, 2, Private::default()).unwrap_err().message().contains("index 0 twice"));
    }

    #[test]
    fn an_answer_of_long_numbers_is_not_too_long() {
        let row = vec![-1.234_567_890_123_456_7e-105_f64; 64];
        let items: Vec<_> = (0..9).map(|index| serde_json::json!({"index": index, "embedding": row})).collect();
        let body = serde_json::to_string_pretty(&serde_json::json!({"data": items})).unwrap();
        assert!((body.len() as u64) < longest(9, 64));
    }
}
