//! What the reader promises, with pages made up by the thousand and pages made to hurt.

mod common;

use common::{lines_of, read};
use proptest::prelude::*;
use wikirag_core::{BlockKind, DocumentText, Places};

const TAGS: [&str; 52] = [
    "p",
    "div",
    "b",
    "i",
    "a",
    "span",
    "ul",
    "ol",
    "li",
    "table",
    "tr",
    "td",
    "th",
    "thead",
    "tbody",
    "caption",
    "pre",
    "blockquote",
    "dl",
    "dt",
    "dd",
    "h1",
    "h2",
    "h6",
    "section",
    "main",
    "article",
    "nav",
    "header",
    "footer",
    "aside",
    "script",
    "style",
    "title",
    "template",
    "svg",
    "text",
    "math",
    "select",
    "option",
    "button",
    "ruby",
    "rt",
    "sup",
    "form",
    "body",
    "head",
    "html",
    "textarea",
    "dialog",
    "noscript",
    "my-tag",
];

fn piece() -> impl Strategy<Value = String> {
    let attribute = prop_oneof![
        6 => Just(""),
        1 => Just(" hidden"),
        1 => Just(" href=a.html"),
        1 => Just(" class='menu nav'"),
        1 => Just(" style=display:none"),
        1 => Just(" role=main"),
        1 => Just("/"),
        1 => Just(" x='"),
    ];
    let tag = || prop::sample::select(TAGS.as_slice());
    prop_oneof![
        8 => "[a-z]{1,8} ?",
        6 => (tag(), attribute).prop_map(|(tag, attribute)| format!("<{tag}{attribute}>")),
        5 => tag().prop_map(|tag| format!("</{tag}>")),
        1 => Just("<br>".to_owned()),
        1 => Just("<img src=i.png alt='an image'>".to_owned()),
        1 => Just("\n".to_owned()),
        1 => "&[a-z]{0,4};?",
        1 => "\\PC{1,4}",
        1 => prop::sample::select(["<", "<!--", "-->", "<![CDATA[", "]]>", "</", "&#0;", "\r\n", "\r", "\u{a0}"].as_slice())
            .prop_map(str::to_owned),
    ]
}

fn soup() -> impl Strategy<Value = String> {
    prop::collection::vec(piece(), 0..120).prop_map(|pieces| pieces.concat())
}

/// Names the promise that the document breaks.
fn broken(document: &DocumentText) -> Option<String> {
    let text = &document.text;
    let mut covered = 0;
    for block in &document.blocks {
        let Some(inside) = block.span.slice(text) else { return Some(format!("{block:?} cuts a character")) };
        if block.span.start < covered || inside.trim().is_empty() {
            return Some(format!("{block:?} overlaps or is empty"));
        }
        if !text[covered..block.span.start].trim().is_empty() {
            return Some(format!("text before {block:?} is in no block"));
        }
        if !block.cuts.iter().all(|&cut| block.span.start < cut && cut < block.span.end && text[..cut].ends_with('\n'))
        {
            return Some(format!("{block:?} may be cut in a line"));
        }
        match &block.kind {
            BlockKind::Heading { title, .. } if title.is_empty() || inside.contains('\n') => {
                return Some(format!("{block:?} is no line"));
            }
            BlockKind::Table { header: Some(header) } if !block.span.contains(*header) || header.is_empty() => {
                return Some(format!("the header of {block:?} lies outside"));
            }
            _ => {}
        }
        covered = block.span.end;
    }
    let links_end = document.links.iter().find(|link| link.span.is_empty() || link.span.slice(text).is_none());
    let Places::Lines(lines) = &document.places else { return Some("no lines".to_owned()) };
    let is_descending = lines.windows(2).any(|pair| pair[0].0 >= pair[1].0 || pair[0].1 >= pair[1].1);
    match () {
        () if !text[covered..].trim().is_empty() => Some("text behind the last block".to_owned()),
        () if links_end.is_some() => Some(format!("{links_end:?} has no text")),
        () if is_descending => Some(format!("{lines:?} descend")),
        () => None,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn tag_soup(page in soup()) {
        let document = read(&page);
        prop_assert_eq!(broken(&document), None);
        prop_assert_eq!(read(&page), document);
    }

    #[test]
    fn no_word_is_lost_or_found_twice(words in prop::collection::vec("[a-z]{3,6}", 1..20), tags in prop::collection::vec((0usize..3, 0usize..30), 20)) {
        // Tags that hide nothing and are no chrome, open or closed or not at all, between words that are numbered.
        let page: String = words.iter().enumerate().zip(&tags).map(|((number, word), (way, tag))| {
            let tag = TAGS[*tag];
            let tag = if matches!(tag, "nav" | "header" | "main" | "article" | "footer" | "aside") { "div" } else { tag };
            let end = if *way == 2 { format!("</{tag}>") } else { String::new() };
            let tag = if *way == 0 { " ".to_owned() } else { format!("<{tag}>") };
            format!("{tag} {word}{number} {end}\n")
        }).collect();
        let document = read(&page);
        for (number, word) in words.iter().enumerate() {
            let word = format!("{word}{number}");
            let found: Vec<_> = document.text.split_whitespace().filter(|found| *found == word).collect();
            prop_assert_eq!(found.len(), 1, "{} in {:?} of {}", word, document.text, page);
            let line = u32::try_from(number + 1).unwrap();
            prop_assert_eq!(lines_of(&document, &word), (line, line), "{} of {}", word, page);
        }
    }
}

#[test]
fn pages_made_to_hurt() {
    let deep = 100_000;
    let attributes: String = (0..200_000).map(|number| format!("a{number} ")).collect();
    let fonts: String = (0..5_000).map(|number| format!("<font size={number}>")).collect();
    for page in [
        format!("{}word", "<div>".repeat(deep)),
        format!("{}word{}", "<div><p>".repeat(deep), "</p></div>".repeat(deep)),
        format!("{}word", "<ul><li>".repeat(deep)),
        format!("{}word", "<table><tr><td>".repeat(deep)),
        format!("{}word", "<blockquote><pre>".repeat(deep)),
        format!("{}word", "<a href=x><div>".repeat(deep)),
        format!("{}word", "<h1><sup><a>".repeat(deep)),
        format!("{}word", "<b><p></b>".repeat(deep)),
        format!("{}word", "<dl><dd><dl><dt>".repeat(deep)),
        format!("{}word", "<nav class=menu role=main>".repeat(deep)),
        format!("{}word", "<ruby><rt>x</rt>".repeat(deep)),
        format!("{}word", "</div></p></li></td>".repeat(deep)),
        format!("<table>{}<td>word", "<tr><td>".repeat(deep)),
        format!("<p {attributes}>word"),
        format!("{fonts}{}word", "<p>x".repeat(5_000)),
        format!("<p>{}word", "&amp".repeat(500_000)),
        format!("<p>{} word", "w".repeat(1_000_000)),
        format!("<pre>{}word", "\n".repeat(1_000_000)),
        format!("<pre>{}word", " \n\t".repeat(300_000)),
        (0..deep).map(|number| format!("<x{number}>")).collect::<String>() + "word",
    ] {
        let document = read(&page);
        assert!(document.text.contains("word"), "{}", &page[..40]);
        assert_eq!(broken(&document), None, "{}", &page[..40]);
    }
}
