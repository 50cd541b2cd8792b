//! A real tokenizer file, small enough to count by hand.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;

use proptest::prelude::*;
use serde_json::json;
use wikirag_core::{ErrorKind, Host, PluginSetup, Registry, Section, TokenCounter};
use wikirag_tokenizer::PLUGIN;

fn make(file: &std::path::Path) -> wikirag_core::Result<Box<dyn TokenCounter>> {
    let registry = Registry::from_plugins([PLUGIN]).unwrap();
    let setup = PluginSetup {
        settings: Section::new("test", json!({ "file": file })),
        host: Host::new(registry.clone()).into(),
    };
    registry.token_counter("tokenizer", &setup)
}

/// Word pieces: `sow`, `basil`, and what is left by letters.
fn pieces() -> serde_json::Value {
    let letters = "abcdefghijklmnopqrstuvwxyz";
    let mut vocabulary = serde_json::Map::new();
    let words = ["[UNK]", "[CLS]", "sow", "basil"].map(str::to_owned);
    let letters = letters.chars().flat_map(|letter| [letter.to_string(), format!("##{letter}")]);
    for (number, word) in words.into_iter().chain(letters).enumerate() {
        vocabulary.insert(word, number.into());
    }
    json!({
        "version": "1.0",
        "truncation": {"direction": "Right", "max_length": 4, "strategy": "LongestFirst", "stride": 0},
        "padding": {
            "strategy": {"Fixed": 4}, "direction": "Right", "pad_to_multiple_of": null, "pad_id": 0, "pad_type_id": 0,
            "pad_token": "[UNK]"
        },
        "added_tokens": [],
        "normalizer": {"type": "Lowercase"},
        "pre_tokenizer": {"type": "Whitespace"},
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [{"SpecialToken": {"id": "[CLS]", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}],
            "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 0}}],
            "special_tokens": {"[CLS]": {"id": "[CLS]", "ids": [1], "tokens": ["[CLS]"]}}
        },
        "decoder": null,
        "model": {
            "type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100, "vocab": vocabulary
        }
    })
}

#[test]
fn pieces_are_counted_without_special_ones_cuts_and_padding() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tokenizer.json");
    fs::write(&file, pieces().to_string()).unwrap();
    let counter = make(&file).unwrap();
    for (text, count) in [("", 0), ("Sow", 1), ("sow basil", 2), ("sow basil mint sow", 7), ("é", 1)] {
        assert_eq!(counter.count(text).unwrap(), count, "{text:?}");
    }
    assert!(counter.name().contains("tokenizer.json"));
}

#[test]
fn what_is_no_tokenizer_is_told_with_its_path() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tokenizer.json");
    let error = make(&file).err().unwrap();
    assert_eq!(error.kind(), ErrorKind::NotFound);
    for text in ["", "{}", "{\"model\": 3}", "\u{0}"] {
        fs::write(&file, text).unwrap();
        let error = make(&file).err().unwrap();
        assert!(error.kind() == ErrorKind::Invalid && error.to_string().contains("tokenizer.json"), "{error}");
    }
}

proptest! {
    #[test]
    fn any_text_has_a_count(text in "\\PC{0,60}") {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("tokenizer.json");
        fs::write(&file, pieces().to_string()).unwrap();
        prop_assert!(make(&file).unwrap().count(&text).unwrap() <= text.len());
    }
}
