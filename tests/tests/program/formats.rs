//! Formats other than Markdown, from the file to the citation.

use crate::world;

/// A page in which the main thing begins far down.
const PAGE: &str = "<!DOCTYPE html>
<html><head>
<title>Slugs &amp; snails</title>
<style>p { color: green }</style>
</head>
<body>
<nav><ul><li><a href=\"a.html\">Kohlrabi menu</a></li></ul></nav>

<h1>Slugs</h1>
<p>Slugs come out
after rain.</p>
<h2>Copper</h2>
<p>Tape of copper keeps them off the l&eacute;ttuce.</p>
</body></html>
";

#[test]
fn a_page_is_cited_by_the_lines_of_its_file() {
    let world = world();
    world.write("wiki/page.html", PAGE);
    let run = world.run(&["query", "wiki", "copper tape", "--json"]).ok();
    let hit = &run.results()[0];
    assert_eq!((&hit["title"], &hit["path"]), (&"Slugs & snails".into(), &"page.html".into()), "{run}");
    let (first, last) = (hit["lines"][0].as_u64().unwrap(), hit["lines"][1].as_u64().unwrap());
    assert!((9..=13).contains(&first) && (13..=14).contains(&last), "{hit}");
    let line = world.run(&["get", "wiki", "page.html:13"]).ok();
    assert_eq!(line.stdout.trim(), "Tape of copper keeps them off the léttuce.");
    assert!(world.run(&["query", "wiki", "kohlrabi", "--json"]).ok().hits().is_empty());
}

#[test]
fn a_text_in_an_old_encoding_is_read_and_the_guess_is_told() {
    let world = world();
    let bytes: Vec<u8> =
        "Die schönen Grüße aus Österreich kamen am späten Abend an, und über die Straße fuhr der müde Bäcker.\n"
            .chars()
            .map(|c| u8::try_from(u32::from(c)).unwrap())
            .collect();
    world.write("wiki/gruss.txt", bytes);
    let build = world.run(&["build", "wiki"]).ok();
    assert!(build.stderr.contains("gruss.txt:1: read as windows-1252, which is a guess"), "{build}");
    let run = world.run(&["query", "wiki", "Grüße Österreich", "--json"]).ok();
    assert!(run.results()[0]["text"].as_str().unwrap().contains("schönen Grüße aus Österreich"), "{run}");
    let status = world.run(&["status", "wiki", "--files", "--json"]).ok().json();
    let warnings = &status["wikis"][0]["files"][1]["warnings"];
    assert!(warnings[0]["message"].as_str().unwrap().contains("guess"), "{status}");
}

#[test]
fn sections_of_restructured_text_are_headings() {
    let world = world();
    world.write(
        "wiki/guide.rst",
        "=====\nGuide\n=====\n\nIntro.\n\nInstalling\n==========\n\nRun the installer::\n\n    ./install --quiet\n\nThen reboot the heron.\n",
    );
    let run = world.run(&["query", "wiki", "reboot heron", "--json"]).ok();
    assert_eq!(run.results()[0]["title"], "Guide", "{run}");
    let run = world.run(&["query", "wiki", "install --quiet", "--json"]).ok();
    assert_eq!(run.hits(), ["wiki/guide.rst"], "{run}");
}

/// What cannot be understood is not read again at each question, and is once it has changed.
#[test]
fn what_failed_is_read_again_when_it_changes() {
    let world = world();
    world.write("wiki/good.md", "# Good\n\nThe otter swims.\n");
    world.write("wiki/bad.txt", b"\x7fELF\x02\x01\x01\x00\x00\x03\x00\x3e");
    let first = world.run(&["build", "wiki"]).expect(4);
    assert!(first.stderr.contains("bad.txt"), "{first}");
    std::thread::sleep(std::time::Duration::from_millis(100));
    // Its time is old enough to be trusted now.
    let _ = world.run(&["build", "wiki"]).expect(4);
    let again = world.run(&["build", "wiki", "--json"]).expect(4).json();
    assert_eq!((&again["failed"][0]["path"], &again["indexed"]), (&"bad.txt".into(), &0.into()));
    world.write("wiki/bad.txt", "The heron waits.\n");
    let mended = world.run(&["build", "wiki", "--json"]).ok().json();
    assert_eq!((&mended["failed"], &mended["indexed"]), (&serde_json::json!([]), &1.into()));
    assert_eq!(world.run(&["query", "wiki", "heron", "--json"]).ok().hits(), ["wiki/bad.txt"]);
}

/// A PDF with a line of text on each page.
fn pdf(lines: &[&str]) -> Vec<u8> {
    let kids: String = (0..lines.len()).map(|page| format!("{} 0 R ", 4 + 2 * page)).collect();
    let mut objects = vec![
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        format!("<< /Type /Pages /Count {} /Kids [{kids}] >>", lines.len()),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>".to_owned(),
    ];
    for (page, line) in lines.iter().enumerate() {
        let content = 5 + 2 * page;
        objects.push(format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents {content} 0 R \
             /Resources << /Font << /F 3 0 R >> >> >>"
        ));
        let drawn = if line.is_empty() { String::new() } else { format!("BT /F 12 Tf 50 700 Td ({line}) Tj ET") };
        objects.push(format!("<< /Length {} >>\nstream\n{drawn}\nendstream", drawn.len()));
    }
    let mut file = String::from("%PDF-1.4\n");
    let mut table = format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1);
    for (number, object) in objects.iter().enumerate() {
        table += &format!("{:010} 00000 n \n", file.len());
        file += &format!("{} 0 obj\n{object}\nendobj\n", number + 1);
    }
    let start = file.len();
    let trailer = format!("trailer\n<< /Size {} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n", objects.len() + 1);
    (file + &table + &trailer).into_bytes()
}

#[test]
fn a_pdf_is_cited_by_page() {
    let world = world();
    world.write(
        "wiki/paper.pdf",
        pdf(&["The otter swims in the morning.", "The heron waits by the weir all day long."]),
    );
    let run = world.run(&["query", "wiki", "heron weir", "--json"]).ok();
    let hit = &run.results()[0];
    assert_eq!((&hit["path"], &hit["lines"]), (&"paper.pdf".into(), &serde_json::Value::Null), "{run}");
    assert_eq!(hit["pages"][1], 2, "{run}");
    let text = world.run(&["query", "wiki", "heron weir"]).ok();
    assert!(text.stdout.contains("wiki/paper.pdf#page="), "{text}");
    let page = world.run(&["get", "wiki", "paper.pdf#page=2"]).ok();
    assert_eq!(page.stdout.trim(), "The heron waits by the weir all day long.");
    let beyond = world.run(&["get", "wiki", "paper.pdf#page=3"]).expect(1);
    assert!(beyond.stderr.contains("2 pages"), "{beyond}");
    // Pages that are images are no success.
    world.write("wiki/scan.pdf", pdf(&["", ""]));
    let build = world.run(&["build", "wiki"]).expect(4);
    assert!(build.stderr.contains("scan.pdf") && build.stderr.contains("text"), "{build}");
}
