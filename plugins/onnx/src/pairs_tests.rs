use serde_json::json;

use super::*;

/// Letters as tokens, between special ones as BERT has them.
fn tokenizer() -> Tokenizer {
    let vocabulary = json!({"[UNK]": 0, "[CLS]": 1, "[SEP]": 2, "a": 3, "b": 4, "c": 5});
    let text = json!({
        "version": "1.0", "truncation": null, "padding": null, "added_tokens": [], "normalizer": null,
        "pre_tokenizer": {"type": "WhitespaceSplit"}, "decoder": null,
        "post_processor": {"type": "BertProcessing", "cls": ["[CLS]", 1], "sep": ["[SEP]", 2]},
        "model": {"type": "WordLevel", "vocab": vocabulary, "unk_token": "[UNK]"}
    });
    text.to_string().parse().unwrap()
}

#[test]
fn the_two_are_told_apart_by_type() {
    let windows = windows(&tokenizer(), 16, "a b", "c a").unwrap();
    let expected = Window { ids: vec![1, 3, 4, 2, 5, 3, 2], types: vec![0, 0, 0, 0, 1, 1, 1], weight: 2 };
    assert_eq!(windows, [expected]);
    assert_eq!(super::windows(&tokenizer(), 16, "", "").unwrap()[0].ids, [1, 2, 2]);
}

#[test]
fn each_window_of_a_long_passage_has_the_question() {
    let windows = windows(&tokenizer(), 8, "a", "b c b c b c").unwrap();
    let ids: Vec<_> = windows.iter().map(|window| &window.ids[..]).collect();
    assert_eq!(ids, [[1, 3, 2, 4, 5, 4, 2], [1, 3, 2, 5, 4, 5, 2]]);
}

#[test]
fn a_long_question_leaves_room_for_the_passage() {
    for passage in ["", "b", "b c b c b c b c b"] {
        for window in windows(&tokenizer(), 8, &"a ".repeat(50), passage).unwrap() {
            assert!(window.ids.len() <= 8);
            assert_eq!(window.ids.iter().filter(|id| **id == 3).count(), 2);
        }
    }
    assert!(windows(&tokenizer(), 4, "a", "b").is_err());
}
