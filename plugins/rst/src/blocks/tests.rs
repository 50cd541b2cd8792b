use super::*;

fn name(kind: &BlockKind) -> &'static str {
    match kind {
        BlockKind::FrontMatter => "front",
        BlockKind::Heading { .. } => "heading",
        BlockKind::Paragraph => "paragraph",
        BlockKind::List => "list",
        BlockKind::Table { .. } => "table",
        BlockKind::Code => "code",
        BlockKind::Quote => "quote",
        BlockKind::Other => "other",
    }
}

fn found(text: &str) -> Vec<(&'static str, &str)> {
    parse(text, 0).blocks.iter().map(|block| (name(&block.kind), &text[block.span.range()])).collect()
}

fn titles(text: &str) -> Vec<(u8, String)> {
    let title = |block: Block| match block.kind {
        BlockKind::Heading { level, title } => Some((level, title)),
        _ => None,
    };
    parse(text, 0).blocks.into_iter().filter_map(title).collect()
}

fn header(text: &str) -> Option<&str> {
    match parse(text, 0).blocks[0].kind {
        BlockKind::Table { header } => header.and_then(|header| header.slice(text)),
        _ => panic!("no table"),
    }
}

#[test]
fn levels_come_by_order_of_appearance() {
    let text = "====\nBook\n====\n\nOne\n====\n\nA\n--\n\nB\n--\ntext\n\nTwo\n====\n\n1. Numbered\n-----------\n\n章\n==\n\nR\n-\n";
    let expected = [(1, "Book"), (2, "One"), (3, "A"), (3, "B"), (2, "Two"), (3, "1. Numbered"), (2, "章"), (3, "R")];
    assert_eq!(titles(text), expected.map(|(level, title)| (level, title.to_owned())));
    assert_eq!(found(text)[4], ("paragraph", "text"));
}

#[test]
fn what_is_no_title() {
    // Too short, a transition, a line inside of a paragraph, one in a literal block.
    let text = "A longer title\n==\n\n----------\n\none\ntwo\n-----\n\nSo::\n\n  A\n  ==\n\n- item\n\n====\n";
    assert_eq!(titles(text), []);
    assert_eq!(
        found(text),
        [
            ("paragraph", "A longer title\n=="),
            ("paragraph", "one\ntwo\n-----"),
            ("paragraph", "So::"),
            ("code", "A\n  =="),
            ("list", "- item"),
        ]
    );
}

#[test]
fn literal_blocks() {
    let text = "Indented::\n\n    a\n\n    b\n\nQuoted::\n\n> a\n> b\n\n::\n\n  alone\n\nNone::\n\ntext\n\n  quote\n";
    assert_eq!(
        found(text),
        [
            ("paragraph", "Indented::"),
            ("code", "a\n\n    b"),
            ("paragraph", "Quoted::"),
            ("code", "> a\n> b"),
            ("code", "alone"),
            ("paragraph", "None::"),
            ("paragraph", "text"),
            ("quote", "quote"),
        ]
    );
}

#[test]
fn explicit_markup_by_its_kind() {
    let text = ".. note:: Mind\n   this.\n\n   And that.\n.. code-block:: c\n\n   x;\n\n.. [1] A note.\n.. _a: b\n.. a comment\n   of two lines\n\n..\n\n   a quote\n\n.. py:function:: f(x)\n\n   Does it.\n\ntext\n";
    assert_eq!(
        found(text),
        [
            ("quote", ".. note:: Mind\n   this.\n\n   And that."),
            ("code", ".. code-block:: c\n\n   x;"),
            ("other", ".. [1] A note."),
            ("other", ".. _a: b"),
            ("other", ".. a comment\n   of two lines"),
            ("quote", "a quote"),
            ("other", ".. py:function:: f(x)\n\n   Does it."),
            ("paragraph", "text"),
        ]
    );
}

#[test]
fn lists_may_be_cut_at_their_items() {
    let text = "- a\n  more\n\n  - b\n  - c\n\n- d\n\n#. one\n#. two\n\nterm\n  what it is\nother\n  that\n\n:f: x\n\n| a\n| b\n";
    let kinds: Vec<_> = found(text).iter().map(|(kind, _)| *kind).collect();
    assert_eq!(kinds, ["list", "list", "other", "list", "other"]);
    let blocks = parse(text, 0).blocks;
    let parts = |at: usize| blocks[at].cuts.iter().map(|&cut| text[cut..].lines().next().unwrap()).collect::<Vec<_>>();
    assert_eq!(parts(0), ["  - b", "  - c", "- d"]);
    assert_eq!((parts(1), parts(2)), (vec!["#. two"], vec!["other"]));
}

#[test]
fn an_initial_is_no_item() {
    assert_eq!(
        found("A. Lovelace wrote\nthe first program.\n"),
        [("paragraph", "A. Lovelace wrote\nthe first program.")]
    );
}

#[test]
fn tables_know_their_header() {
    let grid = "+---+---+\n| a | b |\n+===+===+\n| 1 | 2 |\n+---+---+\n\ntext\n";
    assert_eq!(header(grid), Some("+---+---+\n| a | b |\n+===+===+"));
    assert_eq!(found(grid)[1], ("paragraph", "text"));
    let simple = "=== ===\na   b\n=== ===\n1   2\n\n3   4\n=== ===\n\ntext\n";
    assert_eq!(header(simple), Some("=== ===\na   b\n=== ==="));
    assert_eq!(found(simple)[1], ("paragraph", "text"));
    assert_eq!(header("=== ===\na   b\n=== ===\n\ntext\n"), None);
    assert_eq!(header("+---+\n| a |\n+---+\n"), None);
}

#[test]
fn a_table_without_end_is_text() {
    assert_eq!(found("=== ===\na   b\n\nc\n"), [("paragraph", "=== ===\na   b"), ("paragraph", "c")]);
}

#[test]
fn fields_at_the_head_are_metadata() {
    let body = parse(".. comment\n\nTitle\n=====\n\n:Author: Ada\n:Version: 1\n\ntext\n\n:not: this\n", 0);
    assert_eq!(body.meta.keys().collect::<Vec<_>>(), ["author", "version"]);
    assert_eq!(name(&body.blocks[2].kind), "list");
    assert_eq!(name(&parse(":Author: Ada\n", 0).blocks[0].kind), "front");
    assert!(parse("text\n\n:Author: Ada\n", 0).meta.is_empty());
}
