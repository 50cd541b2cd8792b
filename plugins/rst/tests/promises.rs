//! What the reader promises, with files made up by the thousand.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use proptest::prelude::*;
use wikirag_core::{BlockKind, DocumentText, Reader, Source};
use wikirag_rst::RstReader;

fn read(bytes: &[u8]) -> DocumentText {
    RstReader::default().read(Source { path: "a.rst", bytes }).unwrap()
}

/// What is text by the rules of the reader: enough control characters make bytes no text.
fn is_text(text: &str) -> bool {
    wikirag_text::decode(text.as_bytes(), None).is_ok()
}

fn garbage() -> impl Strategy<Value = String> {
    let marks = "(- |\\* |1\\. |#\\. |a\\) |\\.\\. |\\.\\.|::|:a: |:a:`|`|``|_|`_|<b>|\\+--\\+|\\+==\\+|\\| |=== ===|====|----|>>> |__ |\\[1\\]|\\\\|\n|\r|\t|a|é|  |\n\n){0,80}";
    prop_oneof!["[-=~^\"#*`:._|<>\\[\\]\\\\+ \t\n\ra知]{0,200}", marks, "[^\u{0}]{0,60}"]
}

fn section() -> impl Strategy<Value = (String, usize)> {
    ("[A-Z][a-z]{1,9}( [a-z]{1,9}){0,4}", 0usize..4)
}

fn body() -> impl Strategy<Value = String> {
    let words = "[a-z]{2,9}( [a-z]{2,9}){0,9}\\.";
    prop_oneof![
        words.prop_map(|words| words),
        words.prop_map(|words| format!("- {words}\n- {words}")),
        words.prop_map(|words| format!("So::\n\n   {words}\n   =====")),
        words.prop_map(|words| format!(".. note:: {words}\n\n   Title\n   =====")),
        words.prop_map(|words| format!("=====  =====\n{words}\n=====  =====\n{words}\n=====  =====")),
        words.prop_map(|words| format!("{words}\n  {words}")),
        Just("----------".to_owned()),
    ]
}

proptest! {
    #[test]
    fn every_word_lies_in_a_block_and_blocks_in_order(text in garbage().prop_filter("text", |text| is_text(text))) {
        let document = read(text.as_bytes());
        let mut end = 0;
        for (at, block) in document.blocks.iter().enumerate() {
            let words = block.span.slice(&document.text).unwrap();
            prop_assert!(end <= block.span.start && !words.is_empty());
            prop_assert!(!document.text[end..block.span.start].contains(char::is_alphanumeric));
            prop_assert!(block.cuts.is_sorted() && block.cuts.iter().all(|cut| block.span.range().contains(cut)));
            prop_assert!(at == 0 || block.kind != BlockKind::FrontMatter);
            if let BlockKind::Table { header: Some(header) } = block.kind {
                prop_assert!(block.span.contains(header));
            }
            end = block.span.end;
        }
        prop_assert!(!document.text[end..].contains(char::is_alphanumeric));
        prop_assert!(document.links.iter().all(|link| link.span.slice(&document.text).is_some()));
        prop_assert!(document.links.is_sorted_by_key(|link| link.span.start));
    }

    #[test]
    fn sections_are_found_whatever_stands_between(parts in prop::collection::vec((section(), body()), 1..12)) {
        let marks = ['=', '-', '~', '\''];
        let mut text = String::new();
        for ((title, mark), body) in &parts {
            let under = marks[*mark].to_string().repeat(title.len());
            text += &format!("{title}\n{under}\n\n{body}\n\n");
        }
        let document = read(text.as_bytes());
        let found: Vec<_> = document.blocks.iter().filter_map(|block| match &block.kind {
            BlockKind::Heading { title, .. } => Some(title.as_str()),
            _ => None,
        }).collect();
        let expected: Vec<_> = parts.iter().map(|((title, _), _)| title.as_str()).collect();
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes: Vec<u8>) {
        let first = RstReader::default().read(Source { path: "a.rst", bytes: &bytes });
        let again = RstReader::default().read(Source { path: "a.rst", bytes: &bytes });
        prop_assert_eq!(first.ok(), again.ok());
    }
}
