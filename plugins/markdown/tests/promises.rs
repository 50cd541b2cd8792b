//! What the reader and the chunker promise, with documents made up by the thousand.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use common::Chunked;
use proptest::prelude::*;
use serde_json::{Value, json};
use wikirag_core::BlockKind;
use wikirag_text::estimate_tokens;

fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        8 => "[a-z]{1,9}",
        1 => "\\PC{1,6}",
        1 => Just("👩‍👩‍👧‍👦".to_owned()),
        1 => Just("知識檢索".to_owned()),
        1 => "(\\[\\[[a-z]{1,5}\\]\\]|!\\[\\[x\\|y\\]\\]|\\[a\\]\\(b\\.md\\)|`c`|\\*d\\*)",
    ]
}

fn sentence() -> impl Strategy<Value = String> {
    prop::collection::vec(word(), 1..15).prop_map(|words| format!("{}.", words.join(" ")))
}

fn paragraph() -> impl Strategy<Value = String> {
    prop::collection::vec(sentence(), 1..12).prop_map(|sentences| sentences.join(" "))
}

fn block() -> impl Strategy<Value = String> {
    let lines = |sentences: Vec<String>, before: &str| {
        sentences.iter().map(|sentence| format!("{before}{sentence}")).collect::<Vec<_>>().join("\n")
    };
    let many = || prop::collection::vec(sentence(), 1..20);
    prop_oneof![
        4 => (1usize..7, word()).prop_map(|(level, title)| format!("{} {title}", "#".repeat(level))),
        6 => paragraph(),
        2 => many().prop_map(move |items| lines(items, "- ")),
        1 => many().prop_map(move |items| items.iter().enumerate().map(|(n, item)| format!("{}- {item}\n", "  ".repeat(n % 5))).collect()),
        1 => many().prop_map(move |rows| format!("| a |\n|---|\n{}", lines(rows, "| "))),
        2 => (3usize..6, many()).prop_map(move |(ticks, code)| {
            let fence = "`".repeat(ticks);
            format!("{fence}\n{}\n{fence}", lines(code, ""))
        }),
        1 => many().prop_map(move |code| format!("~~~\n{}", lines(code, "# "))),
        1 => many().prop_map(move |quote| lines(quote, "> ")),
        1 => many().prop_map(move |quote| format!("<div>\n{}\n</div>", lines(quote, ""))),
        1 => Just("---".to_owned()),
        1 => Just("[ref]: target".to_owned()),
        1 => "[a-z]{300,900}",
    ]
}

fn file() -> impl Strategy<Value = String> {
    let head = prop_oneof![
        3 => Just(""),
        1 => Just("---\ntitle: A\n---\n"),
        1 => Just("---\ntitle: *A*\n---\n"),
        1 => Just("\u{feff}"),
        1 => Just("\u{feff}+++\na = 1\n+++\n"),
    ];
    let end = prop_oneof![Just("\n\n"), Just("\r\n\r\n"), Just("\n"), Just("\r")];
    (head, prop::collection::vec(block(), 0..16), end)
        .prop_map(|(head, blocks, end)| format!("{head}{}{end}", blocks.join(end)))
}

fn garbage() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        "[-#>`~|\\[\\]!*_<:=+ \t\n\r\\\\a$%&0.]{0,300}",
        "(- |> |# |\\| |``` ?|\n|\t|a|é|  ){0,120}"
    ]
}

fn settings() -> impl Strategy<Value = (Value, usize, usize)> {
    let size = prop_oneof![1usize..20, 20usize..200, Just(512usize)];
    (size, 0usize..3, any::<bool>(), 1u8..7, prop_oneof![Just(0usize), Just(40), Just(120)]).prop_map(
        |(size, overlap, by_heading, level, min_chars)| {
            let overlap = size * overlap / 4;
            let strategy = if by_heading { "heading" } else { "recursive" };
            let settings = json!({"strategy": strategy, "max_tokens": size, "overlap": overlap, "level": level, "min_chars": min_chars});
            (settings, size, overlap)
        },
    )
}

/// Tokens of the passages `from` to `to` as one.
fn size(chunked: &Chunked, from: usize, to: usize) -> usize {
    let span = chunked.chunks[from].span.start..chunked.chunks[to].span.end;
    estimate_tokens(&chunked.document.text[span])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn files(file in file(), (settings, size, overlap) in settings()) {
        Chunked::of(&file, settings).keeps_promises(size, overlap).map_err(TestCaseError::fail)?;
    }

    #[test]
    fn garbage_in_any_settings(file in garbage(), (settings, size, overlap) in settings()) {
        Chunked::of(&file, settings).keeps_promises(size, overlap).map_err(TestCaseError::fail)?;
    }

    #[test]
    fn the_same_file_gives_the_same_passages(file in file(), (settings, ..) in settings()) {
        let (first, second) = (Chunked::of(&file, settings.clone()), Chunked::of(&file, settings));
        prop_assert_eq!(first.document, second.document);
        prop_assert_eq!(first.chunks, second.chunks);
    }

    #[test]
    fn atomic_blocks_within_the_size_stay_whole(file in file(), max in 16usize..300) {
        let chunked = Chunked::of(&file, json!({"max_tokens": max}));
        for block in chunked.document.blocks.iter().filter(|block| block.kind.is_atomic()) {
            let text = block.span.slice(&chunked.document.text).unwrap();
            let parts = chunked.chunks.iter().filter(|chunk| chunk.span.start < block.span.end && block.span.start < chunk.span.end);
            prop_assert!(block.kind == BlockKind::FrontMatter || estimate_tokens(text) > max || parts.count() <= 1, "{text}");
        }
    }

    #[test]
    fn short_passages_have_no_room_beside_them(file in file(), max in 64usize..600) {
        let chunked = Chunked::of(&file, json!({"max_tokens": max}));
        for (index, text) in chunked.texts().into_iter().enumerate() {
            if text.chars().count() < 40 {
                prop_assert!(index == 0 || size(&chunked, index - 1, index) > max, "{text}");
                prop_assert!(index + 1 == chunked.chunks.len() || size(&chunked, index, index + 1) > max, "{text}");
            }
        }
    }

    #[test]
    fn headings_stay_with_what_follows(file in file(), max in 64usize..600) {
        let chunked = Chunked::of(&file, json!({"max_tokens": max, "min_chars": 0}));
        let text = &chunked.document.text;
        let mut headings = 0;
        for pair in chunked.document.blocks.windows(2) {
            let [heading, next] = pair else { unreachable!() };
            let is_heading = matches!(heading.kind, BlockKind::Heading { .. });
            headings = if is_heading { headings + estimate_tokens(heading.span.slice(text).unwrap()) } else { 0 };
            // A row of headings that fills half a passage may be cut; what is atomic may leave no room for its heading.
            if is_heading && headings <= max / 2 && !next.kind.is_atomic() && !matches!(next.kind, BlockKind::Heading { .. }) {
                let is_last = chunked.chunks.iter().any(|chunk| chunk.span.end == heading.span.end);
                prop_assert!(!is_last, "{:?}", heading.span.slice(text));
            }
        }
    }

    #[test]
    fn no_more_passages_than_wanted(file in file(), most in 1usize..10) {
        let free = Chunked::of(&file, json!({"max_tokens": 32}));
        let chunked = Chunked::of(&file, json!({"max_tokens": 32, "max_chunks": most}));
        prop_assert_eq!(chunked.chunks.len(), free.chunks.len().min(most).max(chunked.chunks.len().min(1)));
        chunked.keeps_promises(usize::MAX, 0).map_err(TestCaseError::fail)?;
    }
}
