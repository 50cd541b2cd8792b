use std::fs;

use serde_json::{Value, json};

use super::*;

/// A tokenizer of words between white space, with these special tokens around a text.
fn words(post_processor: &Value) -> Value {
    let vocabulary = ["[UNK]", "[CLS]", "[SEP]", "a", "b", "c", "query:"];
    let vocabulary: serde_json::Map<_, _> =
        (0..).zip(vocabulary).map(|(id, word): (u32, _)| (word.to_owned(), id.into())).collect();
    json!({
        "version": "1.0",
        "truncation": {"direction": "Right", "max_length": 4, "strategy": "LongestFirst", "stride": 0},
        "padding": {
            "strategy": {"Fixed": 16}, "direction": "Right", "pad_to_multiple_of": null,
            "pad_id": 0, "pad_type_id": 0, "pad_token": "[UNK]"
        },
        "added_tokens": [],
        "normalizer": null,
        "pre_tokenizer": {"type": "WhitespaceSplit"},
        "post_processor": post_processor,
        "decoder": null,
        "model": {"type": "WordLevel", "vocab": vocabulary, "unk_token": "[UNK]"}
    })
}

fn bert() -> Value {
    json!({"type": "BertProcessing", "cls": ["[CLS]", 1], "sep": ["[SEP]", 2]})
}

fn splitter(tokenizer: &Value, max_tokens: usize) -> Result<Splitter> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tokenizer.json");
    fs::write(&path, tokenizer.to_string()).unwrap();
    Splitter::open(&path, max_tokens)
}

fn ids(windows: &[Window]) -> Vec<&[i64]> {
    windows.iter().map(|window| &window.ids[..]).collect()
}

#[test]
fn a_short_text_is_one_window_between_the_special_tokens() {
    let splitter = splitter(&words(&bert()), 8).unwrap();
    let windows = splitter.windows("", "a b c").unwrap();
    assert_eq!(windows, [Window { ids: vec![1, 3, 4, 5, 2], types: vec![0; 5], weight: 3 }]);
    assert_eq!(ids(&splitter.windows("", "a b c a b c").unwrap()), [[1, 3, 4, 5, 3, 4, 5, 2]]);
    assert_eq!(ids(&splitter.windows("", "").unwrap()), [[1, 2]]);
    assert_eq!(ids(&splitter.windows("", " \n\0 zzz").unwrap()), [[1, 0, 0, 2]]);
}

#[test]
fn without_special_tokens_an_empty_text_is_a_token_all_the_same() {
    let splitter = splitter(&words(&Value::Null), 8).unwrap();
    assert_eq!(ids(&splitter.windows("", "a b").unwrap()), [[3, 4]]);
    assert_eq!(splitter.windows("", "").unwrap(), [Window { ids: vec![0], types: vec![0], weight: 1 }]);
}

#[test]
fn a_long_text_loses_no_token() {
    let splitter = splitter(&words(&bert()), 8).unwrap();
    for length in 0..100 {
        let text: Vec<_> = (0..length).map(|place| ["a", "b", "c"][place % 3]).collect();
        let windows = splitter.windows("", &text.join(" ")).unwrap();
        let inner: Vec<_> = windows.iter().flat_map(|window| &window.ids[1..window.ids.len() - 1]).copied().collect();
        assert_eq!(inner, (0..length).map(|place| 3 + place as i64 % 3).collect::<Vec<_>>());
        assert!(windows.iter().all(|window| window.ids.len() <= 8 && window.types.len() == window.ids.len()));
        assert_eq!(windows.iter().map(|window| window.weight).sum::<usize>(), length.max(1));
        assert_eq!(windows.len(), length.div_ceil(6).max(1), "as few windows as can be");
    }
}

#[test]
fn a_prefix_stands_before_each_window() {
    let splitter = splitter(&words(&bert()), 8).unwrap();
    assert_eq!(ids(&splitter.windows("query: ", "a b").unwrap()), [[1, 6, 3, 4, 2]]);
    let windows = splitter.windows("query: ", "a b c a b c a b").unwrap();
    assert_eq!(ids(&windows), [[1, 6, 3, 4, 5, 3, 2].as_slice(), &[1, 6, 4, 5, 3, 4, 2]]);
    assert_eq!(windows.iter().map(|window| window.weight).collect::<Vec<_>>(), [4, 4]);
    // One that would take most of each window is said once.
    let long = splitter.windows("query: query: query: query: ", "a b c a b c").unwrap();
    assert_eq!(long.iter().flat_map(|window| &window.ids).filter(|id| **id == 6).count(), 4);
}

#[test]
fn windows_end_between_words() {
    // Words of two tokens each; the last one is longer than a window.
    let words: Vec<_> = [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4].map(Some).to_vec();
    assert_eq!(cuts(&words, 5), [4, 8, 12, 16]);
    assert_eq!(cuts(&words[..8], 5), [4, 8]);
    assert_eq!(cuts(&words[..6], 4), [2, 6], "three tokens would cut a word");
    assert_eq!(cuts(&[None; 7], 3), [3, 5, 7]);
    assert!(cuts(&[], 3).is_empty());
    assert_eq!(cuts(&words, 1), (1..=16).collect::<Vec<_>>());
}

#[test]
fn a_file_that_is_no_tokenizer_is_named() {
    let error = splitter(&json!({"version": "1.0"}), 8).err().unwrap();
    assert_eq!(error.kind(), ErrorKind::Unavailable);
    assert!(error.context("path").unwrap().contains("tokenizer.json"), "{error}");
    assert!(splitter(&words(&bert()), 2).err().unwrap().to_string().contains("no token of a text fits"));
}
