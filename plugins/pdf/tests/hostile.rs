//! Files made to hurt, and files that were hurt.

mod common;

use std::fmt::Write as _;

use common::{file, first_free, lines, pages, stream, text_file};
use proptest::prelude::*;
use serde_json::json;
use wikirag_core::{DocumentText, ErrorKind, Result, Source};
use wikirag_pdf::PLUGIN;
use wikirag_testkit::make;

fn read(bytes: &[u8]) -> Result<DocumentText> {
    let read = make::reader(PLUGIN, json!({}))?.read(Source { path: "file.pdf", bytes });
    if let Err(error) = &read {
        assert_eq!(error.kind(), ErrorKind::Invalid, "{error}");
    }
    read
}

#[test]
fn deep_nesting_does_not_overflow_the_stack() {
    for (open, close) in [("[", "]"), ("<< /A ", ">>"), ("(", ")"), ("<", ">")] {
        let deep = format!("{}{}", open.repeat(200_000), close.repeat(200_000));
        let mut objects = pages(&[lines(&["text"])], &format!("/Deep {deep}"), "");
        objects.push(deep.into_bytes());
        let _ = read(&file(&objects, ""));
        let _ = read(&file(&pages(&[[b"/X ", objects[6 - 1].as_slice(), b" DP"].concat()], "", ""), ""));
    }
    let states = [b"q ".repeat(200_000), lines(&["text"])].concat();
    assert_eq!(read(&file(&pages(&[states], "", ""), "")).unwrap().text, "text");
}

#[test]
fn loops_are_left() {
    // Pages that are their own kids.
    let mut objects = pages(&[lines(&["text"])], "", "");
    objects[1] = b"<< /Type /Pages /Count 9 /Kids [2 0 R 4 0 R 2 0 R] >>".to_vec();
    assert_eq!(read(&file(&objects, "")).unwrap().text, "text");
    // A form that draws itself.
    let free = first_free(1);
    let me = format!("/XObject << /X {free} 0 R >>");
    let mut objects = pages(&[[&lines(&["text"])[..], b" /X Do"].concat()], "", &me);
    objects.push(stream(&format!("/Subtype /Form /BBox [0 0 9 9] /Resources << {me} >>"), b"/X Do /X Do"));
    objects[0] = b"<< /Type /Catalog /Pages 2 0 R /Outlines 1 0 R /First 1 0 R >>".to_vec();
    let _ = read(&file(&objects, ""));
    // References to themselves, where a number or a stream belongs.
    let mut objects = pages(&[lines(&["text"])], "", "");
    objects[4] = b"5 0 R".to_vec();
    let _ = read(&file(&objects, ""));
    objects[4] = b"<< /Length 5 0 R /Filter 5 0 R >>\nstream\nBT ET\nendstream".to_vec();
    let _ = read(&file(&objects, "/Prev 9"));
}

#[test]
fn forms_that_draw_forms_that_draw_forms_end() {
    // Each draws the next one ten times: 10^40 times for the last.
    let free = first_free(1);
    let mut objects = pages(&[b"/X Do".to_vec()], "", &format!("/XObject << /X {free} 0 R >>"));
    for form in 0..40 {
        let next = format!("/Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X {} 0 R >> >>", free + form + 1);
        objects.push(stream(&next, &b"/X Do ".repeat(10)));
    }
    objects.push(stream("/Subtype /Form /BBox [0 0 9 9]", b"0 0 m 1 1 l S"));
    let error = read(&file(&objects, "")).unwrap_err();
    assert!(error.message().contains("more than is read"), "{error}");
}

#[test]
fn many_pages_of_one_content_end() {
    let mut objects = pages(&[lines(&["text"])], "", "");
    let mut kids = String::new();
    for page in 0..5_000 {
        write!(kids, "{} 0 R ", first_free(1) + page).unwrap();
        objects.push(objects[3].clone());
    }
    objects[1] = format!("<< /Type /Pages /Kids [{kids}] >>").into_bytes();
    assert_eq!(read(&file(&objects, "")).unwrap().blocks.len(), 5_000);
    objects[4] = stream("", &b" ".repeat(1 << 20));
    let error = read(&file(&objects, "")).unwrap_err();
    assert!(error.message().contains("more than is read"), "{error}");
}

#[test]
fn words_of_the_format_by_the_thousand() {
    for word in
        ["stream\n", "endstream ", "1 0 obj ", "obj<<", "trailer<<", "startxref\n5\n", "xref\n0 1\n", "%PDF-1.7\n"]
    {
        let _ = read(format!("%PDF-1.7\n{}%%EOF", word.repeat(50_000)).as_bytes());
    }
}

/// A file with most of what this reader looks at.
fn rich() -> Vec<u8> {
    let free = first_free(2);
    let contents = [lines(&["One line of text", "and another", "", "Paragraph"]), lines(&["Next page"])];
    let mut objects = pages(&contents, &format!("/Outlines {free} 0 R"), "");
    objects.push(format!("<< /First {} 0 R >>", free + 1).into_bytes());
    objects.push(b"<< /Title (Next page) >>".to_vec());
    objects.push(b"<< /Title (A title) /Author (Me) >>".to_vec());
    file(&objects, &format!("/Info {} 0 R", free + 2))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn cut_files_are_read_or_refused(share in 0.0..1.0_f64) {
        let whole = rich();
        let _ = read(&whole[..(whole.len() as f64 * share) as usize]);
    }

    #[test]
    fn changed_files_are_read_or_refused(changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..20)) {
        let mut bytes = rich();
        for (place, byte) in changes {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        let _ = read(&bytes);
    }

    #[test]
    fn any_words_are_read(text in "[a-zA-Z0-9][a-zA-Z0-9.,;:!? ]{0,60}") {
        let read = read(&text_file(&[&[&text]])).unwrap().text;
        prop_assert_eq!(read.split_whitespace().collect::<Vec<_>>(), text.split_whitespace().collect::<Vec<_>>());
    }
}
