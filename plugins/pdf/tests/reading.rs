//! What comes of files of every kind.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use common::{file, first_free, lines, pages, stream, text_file};
use serde_json::json;
use wikirag_core::{BlockKind, DocumentText, ErrorKind, Places, Result, Source};
use wikirag_pdf::PLUGIN;
use wikirag_testkit::make;

fn read(bytes: &[u8]) -> Result<DocumentText> {
    make::reader(PLUGIN, json!({}))?.read(Source { path: "file.pdf", bytes })
}

fn refusal(bytes: &[u8]) -> (String, String) {
    let error = read(bytes).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Invalid);
    (error.message().to_owned(), error.remedy().unwrap_or_default().to_owned())
}

fn blocks(document: &DocumentText) -> Vec<&str> {
    document.blocks.iter().map(|block| block.span.slice(&document.text).unwrap()).collect()
}

#[test]
fn pages_and_paragraphs() {
    let document = read(&text_file(&[
        &["A paragraph of two", "lines, hyphen-", "ated once.", "", "Gr\u{fc}\u{df}e."],
        &[],
        &["The third page."],
    ]))
    .unwrap();
    assert_eq!(blocks(&document), ["A paragraph of two\nlines, hyphenated once.", "Grüße.", "The third page."]);
    let third = document.text.find("The third").unwrap();
    assert_eq!(document.places, Places::Pages(vec![0, third, third]));
}

#[test]
fn words_placed_by_hand_are_parted() {
    let content = b"BT /F 10 Tf 72 700 Td [(Wa) 80 (ter) -600 (and) -400 (land)] TJ ET \
        BT /F 10 Tf 1 0 0 1 72 600 Tm (one) Tj 1 0 0 1 300 600 Tm (two) Tj ET";
    let document = read(&file(&pages(&[content.to_vec()], "", ""), "")).unwrap();
    assert_eq!(document.text, "Water and land\n\none two");
}

#[test]
fn text_drawn_twice_is_read_once() {
    let content = b"BT /F 10 Tf 2 Tr 72 700 Td (outlined) Tj ET BT /F 10 Tf 72 600 Td (bold) Tj 0.2 0 Td (bold) Tj ET";
    let document = read(&file(&pages(&[content.to_vec()], "", ""), "")).unwrap();
    assert_eq!(document.text, "outlined\n\nbold");
}

#[test]
fn text_that_is_not_shown_is_read() {
    // What OCR lays under the picture of a page.
    let content = b"BT /F 10 Tf 3 Tr 72 700 Td (scanned words) Tj ET";
    assert_eq!(read(&file(&pages(&[content.to_vec()], "", ""), "")).unwrap().text, "scanned words");
}

#[test]
fn turned_pages_are_read_in_lines() {
    let content = b"BT /F 10 Tf 0 1 -1 0 100 100 Tm (upwards we) Tj 0 1 -1 0 112 100 Tm (go) Tj ET";
    assert_eq!(read(&file(&pages(&[content.to_vec()], "", ""), "")).unwrap().text, "upwards we\ngo");
}

#[test]
fn forms_are_read() {
    let free = first_free(1);
    let mut objects = pages(&[b"/X Do".to_vec()], "", &format!("/XObject << /X {free} 0 R >>"));
    objects.push(stream(
        "/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources << /Font << /F 3 0 R >> >>",
        &lines(&["within a form"]),
    ));
    assert_eq!(read(&file(&objects, "")).unwrap().text, "within a form");
}

#[test]
fn values_of_form_fields_are_read() {
    let mut objects = pages(&[lines(&["Name: Ada"])], "", "");
    let page = String::from_utf8(objects[3].clone()).unwrap();
    let field = |more: &str| format!("<< /Subtype /Widget /Rect [0 0 9 9] /FT /Tx {more} >> ");
    let fields = [
        field("/V (Ada)"),
        field("/V <FEFF00DC006200650072>"),
        field("/V (secret) /Ff 8192"),
        field("/V (hidden) /F 2"),
        field("/V (button)").replace("/Tx", "/Btn"),
    ];
    objects[3] = page.replace("/Parent", &format!("/Annots [{}] /Parent", fields.concat())).into_bytes();
    assert_eq!(read(&file(&objects, "")).unwrap().text, "Name: Ada\n\nÜber");
}

#[test]
fn the_information_is_metadata() {
    let mut objects = pages(&[lines(&["text"])], "", "");
    objects
        .push(b"<< /Title (On Foxes) /Author <FEFF004A00F6> /Keywords (fox, dog) /Subject () /Creator (x) >>".to_vec());
    let document = read(&file(&objects, &format!("/Info {} 0 R", first_free(1)))).unwrap();
    assert_eq!(
        serde_json::Value::from(document.meta),
        json!({"title": "On Foxes", "author": "Jö", "keywords": "fox, dog"})
    );
}

#[test]
fn bookmarks_make_headings() {
    let free = first_free(2);
    let catalog = format!("/Outlines {free} 0 R /Names << /Dests << /Kids [{} 0 R] >> >>", free + 4);
    let contents =
        [lines(&["1 Beginnings", "They began.", "Ends"]), lines(&["1.1 Small", "Small ones.", "2 Ends", "It ends."])];
    let mut objects = pages(&contents, &catalog, "");
    let entry = |title: &str, rest: String| format!("<< /Title ({title}) {rest} >>").into_bytes();
    objects.push(format!("<< /First {} 0 R >>", free + 1).into_bytes());
    objects.push(entry("Beginnings", format!("/Dest [4 0 R /Fit] /First {} 0 R /Next {} 0 R", free + 2, free + 3)));
    objects.push(entry("Small", "/A << /S /GoTo /D (small) >>".into()));
    // The last one leads back to the first.
    objects.push(entry("Ends", format!("/Dest (ends) /Next {} 0 R", free + 1)));
    objects
        .push(format!("<< /Kids [{} 0 R] /Names [(ends) << /D [6 0 R /Fit] >> (small) [6 0 R]] >>", free + 4).into());
    let document = read(&file(&objects, "")).unwrap();
    let headings: Vec<_> = document
        .blocks
        .iter()
        .filter_map(|block| match &block.kind {
            BlockKind::Heading { level, title } => Some((*level, title.as_str())),
            _ => None,
        })
        .collect();
    assert_eq!(headings, [(2, "1 Beginnings"), (3, "1.1 Small"), (2, "2 Ends")]);
    assert_eq!(blocks(&document)[1], "They began.\nEnds");
}

#[test]
fn pages_that_hold_pictures_only_are_warned_of() {
    let picture = b"q 100 0 0 100 0 0 cm BI /W 1 /H 1 /CS /G /BPC 8 ID \xff EI Q".to_vec();
    let contents = [picture.clone(), lines(&["text"]), picture.clone(), picture.clone()];
    let document = read(&file(&pages(&contents, "", ""), "")).unwrap();
    let warnings: Vec<_> = document.warnings.iter().map(|warning| (warning.line, warning.message.as_str())).collect();
    assert_eq!(
        warnings,
        [(1, "page 1 holds no text, perhaps images"), (3, "pages 3 to 4 hold no text, perhaps images")]
    );
    let (message, remedy) = refusal(&file(&pages(&[picture.clone(), picture], "", ""), ""));
    assert_eq!(message, "its 2 pages hold no text, perhaps images");
    assert!(remedy.contains("ocrmypdf"));
}

#[test]
fn characters_that_nobody_can_tell_are_counted() {
    let font = b"<< /Type /Font /Subtype /Type0 /BaseFont /X /Encoding /Identity-H /DescendantFonts [\
        << /Type /Font /Subtype /CIDFontType2 /BaseFont /X /CIDSystemInfo << /Registry (A) /Ordering (I) /Supplement 0 >> >>] >>";
    let mut objects = pages(&[b"BT /F 10 Tf 72 700 Td <00010002> Tj ET".to_vec()], "", "");
    objects[2] = font.to_vec();
    assert!(refusal(&file(&objects, "")).0.contains("do not say which characters"));
}

#[test]
fn encrypted_files_are_refused() {
    let objects = pages(&[lines(&["text"])], "", "");
    let id = "/ID [<00112233445566778899aabbccddeeff> <00112233445566778899aabbccddeeff>]";
    let key = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";
    let encrypt = format!("/Encrypt << /Filter /Standard /V 2 /R 3 /Length 128 /P -44 /O <{key}> /U <{key}> >> {id}");
    let (message, remedy) = refusal(&file(&objects, &encrypt));
    assert!(message.contains("password"), "{message}");
    assert!(remedy.contains("qpdf"));
    let (message, _) = refusal(&file(&objects, &encrypt.replace("/V 2", "/V 77")));
    assert!(message.contains("not understood"), "{message}");
}

#[test]
fn files_that_are_none_are_refused() {
    for bytes in [&b""[..], b"%PDF", b"text", b"<html>"] {
        assert!(refusal(bytes).0.contains("does not begin"));
    }
    assert_eq!(refusal(b"%PDF-1.7\n").0, "the file is damaged");
    assert_eq!(refusal(&file(&pages(&[], "", ""), "")).0, "the file has no page");
}

#[test]
fn a_file_without_its_end_is_warned_of() {
    let whole = text_file(&[&["first page"], &["second page"]]);
    let cut = whole.windows(4).rposition(|window| window == b"xref").unwrap() - 120;
    let document = read(&whole[..cut]).unwrap();
    assert!(document.text.contains("first page"));
    assert!(document.warnings[0].message.contains("cut short"));
}
