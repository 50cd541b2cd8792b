//! Paragraphs: what stands between empty lines.

use wikirag_core::{Block, BlockKind, Span};

/// The paragraphs of `text`, which begin and end with a character that is no white space.
///
/// A block is a hundred bytes and allocates nothing besides. A log without empty lines is one paragraph, however long: the
/// chunker cuts it at its lines.
pub(crate) fn paragraphs(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open: Option<Span> = None;
    let mut start = 0;
    while start < text.len() {
        let rest = &text[start..];
        let length = rest.find(['\n', '\r']).unwrap_or(rest.len());
        let line = &rest[..length];
        let words = line.trim();
        if words.is_empty() {
            blocks.extend(open.take().map(paragraph));
        } else {
            let first = start + (line.len() - line.trim_start().len());
            open = Some(Span::new(open.map_or(first, |span| span.start), first + words.len()));
        }
        // A `\r\n` is one end of a line, not an empty line.
        start += length + if rest[length..].starts_with("\r\n") { 2 } else { 1 };
    }
    blocks.extend(open.map(paragraph));
    blocks
}

const fn paragraph(span: Span) -> Block {
    Block { span, kind: BlockKind::Paragraph, cuts: Vec::new() }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn found(text: &str) -> Vec<&str> {
        paragraphs(text).iter().map(|block| &text[block.span.range()]).collect()
    }

    #[test]
    fn empty_lines_part_and_line_ends_of_any_kind_end() {
        assert_eq!(found("  one\ntwo \n \t\nthree\n\n\n"), ["one\ntwo", "three"]);
        assert_eq!(found("one\r\ntwo\r\n\r\nthree"), ["one\r\ntwo", "three"]);
        assert_eq!(found("one\rtwo\r\rthree\r"), ["one\rtwo", "three"]);
        assert_eq!(found("\u{3000}\n\u{a0}"), [""; 0]);
        assert_eq!(found(""), [""; 0]);
    }

    #[test]
    fn a_log_is_one_paragraph() {
        assert_eq!(found(&"12:00 something happened\n".repeat(100_000)).len(), 1);
    }

    proptest! {
        #[test]
        fn all_but_white_space_is_in_order_in_paragraphs(text in "(\\PC{0,3}|[ \t\r\n\u{85}\u{2028}]){0,60}") {
            let joined: String = found(&text).concat();
            let solid = |text: &str| text.chars().filter(|letter| !letter.is_whitespace()).collect::<String>();
            prop_assert_eq!(solid(&joined), solid(&text));
            for words in found(&text) {
                prop_assert_eq!(words.trim(), words);
                prop_assert!(!words.contains("\n\n") && !words.contains("\r\r") && !words.is_empty());
            }
        }
    }
}
