//! Files that other tools stumbled over, and what becomes of them here.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use common::Chunked;
use serde_json::json;
use wikirag_text::estimate_tokens;

fn with_defaults(file: &str) -> Chunked {
    let chunked = Chunked::of(file, json!({}));
    chunked.keeps_promises(512, 0).unwrap();
    chunked
}

fn path(chunked: &Chunked, chunk: usize) -> Vec<&str> {
    chunked.document.headings().path(chunked.chunks[chunk].heading)
}

/// Lines of the passages, from 1, inclusive.
fn lines(chunked: &Chunked) -> Vec<(usize, usize)> {
    let line = |at: usize| 1 + chunked.document.text[..at].matches('\n').count();
    chunked.chunks.iter().map(|chunk| (line(chunk.span.start), line(chunk.span.end))).collect()
}

/// `count` words, no two of them alike, in sentences of ten. A word is two tokens.
fn prose(count: usize) -> String {
    let word = |n: usize| match n % 10 {
        0 => format!("Word{n} "),
        9 => format!("word{n}. "),
        _ => format!("word{n} "),
    };
    (0..count).map(word).collect()
}

#[test]
fn a_letterhead_between_rules_is_searched() {
    for file in [
        "---\n**OSTROWSKI LEGAL PLLC**\n---\n\nDear Sir, we write to you about the fence.\n",
        "---\n\n**OSTROWSKI LEGAL PLLC**\n\n---\n\nDear Sir, we write to you about the fence.\n",
    ] {
        let chunked = with_defaults(file);
        assert!(chunked.document.warnings.is_empty() && chunked.document.meta.is_empty());
        assert_eq!(chunked.texts(), [file.trim()]);
    }
}

#[test]
fn front_matter_that_does_not_parse_is_searched() {
    let chunked = with_defaults("---\nrelated:\n  - [[link]]suffix\n---\n\nThe body.\n");
    assert_eq!(chunked.document.warnings[0].line, 3);
    assert!(chunked.texts()[0].contains("suffix") && chunked.texts()[0].contains("body"));
    let chunked = with_defaults("---\nA rule at the head, and no second one.\n");
    assert!(chunked.document.warnings.is_empty());
    let chunked = with_defaults("---\ntitle: closed by nothing\n\nThe body.\n");
    assert_eq!(chunked.document.warnings[0].line, 1);
    assert!(chunked.texts()[0].contains("closed by nothing"));
    let chunked = with_defaults("---\ntitle: x\ntags:\n\t- tab\n---\n\nThe body.\n");
    assert_eq!(chunked.document.warnings.len(), 1);
    assert!(chunked.texts()[0].contains("- tab"));
}

#[test]
fn front_matter_is_no_passage() {
    let chunked = with_defaults("---\npath: C:\\agent\n---\n\nThe body.\n");
    assert_eq!(chunked.document.meta["path"], "C:\\agent");
    assert_eq!(chunked.texts(), ["The body."]);
    assert!(with_defaults("---\ntitle: nothing else\n---\n").chunks.is_empty());
}

#[test]
fn characters_of_many_code_points_are_not_cut() {
    let family = "👩‍👩‍👧‍👦";
    let chunked = Chunked::of(&family.repeat(3_000), json!({"max_tokens": 50}));
    chunked.keeps_promises(50, 0).unwrap();
    assert!(chunked.chunks.len() > 100);
    for text in chunked.texts() {
        assert_eq!(text.replace(family, ""), "");
    }
}

#[test]
fn a_fence_within_the_size_is_one_passage() {
    let fence = format!("````\n{}````", "```\n# no heading\n".repeat(30));
    let file = format!("# Code\n\n{}\n\n{fence}\n\n{}\n", prose(150), prose(150));
    let chunked = with_defaults(&file);
    assert!(chunked.texts().iter().any(|text| text.contains(&fence)));
    assert!((0..chunked.chunks.len()).all(|chunk| path(&chunked, chunk) == ["Code"]));
}

#[test]
fn a_fence_over_the_size_is_cut_at_lines() {
    for (open, close) in [("````", "````\n"), ("~~~ text", "~~~\n"), ("```", "")] {
        let inner = if open == "````" { "```" } else { "code" };
        let code: String =
            (0..2_000).map(|n| if n % 3 == 0 { format!("{inner}\n") } else { format!("# line {n}\n") }).collect();
        let chunked = with_defaults(&format!("# Title\n\n{open}\n{code}{close}"));
        assert!(chunked.chunks.len() > 10);
        for (index, text) in chunked.texts().into_iter().enumerate() {
            assert_eq!(path(&chunked, index), ["Title"]);
            let (start, end) = (chunked.chunks[index].span.start, chunked.chunks[index].span.end);
            assert!(start == 0 || chunked.document.text[..start].ends_with('\n'), "{text}");
            assert!(end == chunked.document.text.len() || chunked.document.text[end..].starts_with('\n'), "{text}");
        }
    }
}

#[test]
fn long_lists_and_tables_lose_nothing_and_leave_no_crumbs() {
    let list: String = (0..200).map(|n| format!("{}- item number {n} of the list\n", "  ".repeat(n % 6))).collect();
    let table: String = (0..300).map(|n| format!("| row {n} | value {n} |\n")).collect();
    for file in [list, format!("| name | value |\n|------|-------|\n{table}")] {
        let chunked = with_defaults(&file);
        assert!(chunked.chunks.len() > 1);
        assert!(chunked.texts().iter().all(|text| estimate_tokens(text) > 64));
        // Passages begin and end at whole lines, and together they are the file.
        assert_eq!(
            chunked.texts().join("\n").split_whitespace().collect::<String>(),
            file.split_whitespace().collect::<String>()
        );
        assert!(chunked.chunks.iter().all(|chunk| chunked.document.text[chunk.span.end..].starts_with('\n')));
    }
}

#[test]
fn the_header_of_a_table_is_never_alone() {
    let rows = format!("| {} |\n", "long cell ".repeat(30)).repeat(20);
    let chunked = Chunked::of(&format!("| a |\n|---|\n{rows}"), json!({"max_tokens": 100}));
    assert!(chunked.texts()[0].lines().count() > 2);
}

#[test]
fn a_file_of_list_marks_has_no_passages() {
    assert!(with_defaults(&"- \n".repeat(1_000)).chunks.is_empty());
    assert!(with_defaults("").chunks.is_empty());
    assert!(with_defaults(" \n\t\n").chunks.is_empty());
    assert!(with_defaults("---\n\n***\n").chunks.is_empty());
}

#[test]
fn a_word_at_the_end_of_a_long_note_is_found() {
    let mut note = prose(5_000);
    note.truncate(39_900);
    note.push_str(" xylotomous.\n\nThe end of the note.\n");
    let chunked = with_defaults(&note);
    let found: Vec<_> = chunked.texts().into_iter().filter(|text| text.contains("xylotomous")).map(str::len).collect();
    assert_eq!(found.len(), 1);
    assert!(found[0] < 5_000);
}

#[test]
fn line_ends_of_either_kind_give_the_same_passages() {
    let section =
        |n: usize| format!("## Section {n}\n\n{}\n\n- one\n- two\n\n```\ncode\n\ncode\n```\n\n", prose(60 + n * 37));
    let unix: String = "---\ntitle: T\n---\n".to_owned() + &(0..20).map(section).collect::<String>();
    let windows = unix.replace('\n', "\r\n");
    let mixed = unix.replacen('\n', "\r\n", 100);
    let expected = with_defaults(&unix);
    assert!(expected.chunks.len() > 20);
    for file in [windows.clone(), mixed, windows.trim_end().to_owned()] {
        let found = with_defaults(&file);
        assert_eq!(lines(&found), lines(&expected));
        assert_eq!(found.texts().iter().map(|text| text.replace('\r', "")).collect::<Vec<_>>(), expected.texts());
        assert_eq!(found.document.meta, expected.document.meta);
    }
}

#[test]
fn an_edit_moves_the_cuts_around_it_only() {
    let words = prose(20_000);
    let paragraphs: Vec<String> =
        words.split_inclusive(". ").collect::<Vec<_>>().chunks(7).map(<[_]>::concat).collect();
    for before in [words.clone(), paragraphs.join("\n\n"), format!("```\n{}\n```\n", words.replace(". ", ".\n"))] {
        let after = before.replacen("word2001 ", "word2001 and a few more words ", 1);
        let (before, after) = (with_defaults(&before), with_defaults(&after));
        let kept = after.texts().into_iter().filter(|text| before.texts().contains(text)).count();
        let lost = before.chunks.len() - kept;
        assert!(lost <= 12, "{lost} of {} passages changed", before.chunks.len());
    }
}

#[test]
fn sections_are_passages() {
    let file = format!(
        "# Guide\n\n## Install\n\n{}\n\n## Use\n\n{}\n\n### Options\n\n{}\n\n## Licence\n\nAs free as can be.\n\n## Thanks\n\nTo all of you.\n",
        prose(150),
        prose(200),
        prose(180)
    );
    let chunked = with_defaults(&file);
    let paths: Vec<_> = (0..chunked.chunks.len()).map(|chunk| path(&chunked, chunk)).collect();
    assert_eq!(
        paths,
        [vec!["Guide", "Install"], vec!["Guide", "Use"], vec!["Guide", "Use", "Options"], vec!["Guide", "Licence"]]
    );
    assert!(chunked.texts()[0].starts_with("# Guide\n\n## Install"));
    assert!(chunked.texts()[3].ends_with("To all of you."));
}

#[test]
fn the_heading_strategy_cuts_at_its_level() {
    let file = "# A\n\nintroduction of the first part, not so short\n\n## B\n\nsome text under B that is long enough\n\n### C\n\ntext\n\n## D\n\nsome text under D that is long enough\n";
    let chunked = Chunked::of(file, json!({"strategy": "heading", "level": 2}));
    let paths: Vec<_> = (0..chunked.chunks.len()).map(|chunk| path(&chunked, chunk)).collect();
    assert_eq!(paths, [vec!["A"], vec!["A", "B"], vec!["A", "D"]]);
    let chunked = Chunked::of(file, json!({"strategy": "heading", "level": 1}));
    assert_eq!(chunked.texts(), [file.trim()]);
}

#[test]
fn overlap_repeats_whole_sentences() {
    let chunked = Chunked::of(&prose(2_000), json!({"max_tokens": 200, "overlap": 60}));
    chunked.keeps_promises(200, 60).unwrap();
    let mut repeated = 0;
    for pair in chunked.chunks.windows(2) {
        let shared = &chunked.document.text[pair[1].span.start..pair[0].span.end];
        repeated += estimate_tokens(shared);
        assert!(shared.ends_with('.'), "{shared}");
        assert!(chunked.document.text[..pair[1].span.start].trim_end().ends_with('.'));
    }
    assert!(repeated > 20 * chunked.chunks.len());
}

#[test]
fn overlap_does_not_pass_a_heading() {
    let file = format!("## A\n\n{}\n\n## B\n\n{}\n", prose(200), prose(200));
    let chunked = Chunked::of(&file, json!({"overlap": 100}));
    assert_eq!(chunked.chunks.len(), 2);
    assert!(chunked.texts()[1].starts_with("## B"));
}

#[test]
fn settings_are_checked() {
    use wikirag_core::Section;
    use wikirag_markdown::MarkdownChunker;
    for wrong in [
        json!({"max_tokens": 0}),
        json!({"max_tokens": 100, "overlap": 51}),
        json!({"level": 7}),
        json!({"level": 0}),
        json!({"max_chunks": 0}),
        json!({"strategy": "fixed"}),
        json!({"max_token": 100}),
    ] {
        let error = MarkdownChunker::new(&Section::new("a.yaml: chunker", wrong.clone())).unwrap_err();
        assert!(error.to_string().contains("a.yaml: chunker"), "{wrong}: {error}");
    }
}
