//! Words are found however they are written: tables of notes and of questions that must find them.
//!
//! Each table is a wiki of its own. Its notes lie near each other on purpose, since a question must find its note before
//! all others of the table.

mod identifiers;
mod letters;
mod odd;
mod scripts;

use std::fmt::Write as _;

use wikirag_tests::World;

use crate::world;

/// The text of a note, and questions of which each must find it first.
type Note = (&'static str, &'static [&'static str]);

/// Notes, and questions that none of them answers.
struct Table {
    notes: &'static [Note],
    nothing: &'static [&'static str],
}

/// Every table with its name.
const TABLES: [(&str, Table); 13] = [
    ("identifiers", identifiers::IDENTIFIERS),
    ("versions", identifiers::VERSIONS),
    ("dates", identifiers::DATES),
    ("paths", identifiers::PATHS),
    ("accents", letters::ACCENTS),
    ("spellings", letters::SPELLINGS),
    ("inflections", letters::INFLECTIONS),
    ("east asian", scripts::EAST_ASIAN),
    ("korean", scripts::KOREAN),
    ("south-east asian", scripts::SOUTH_EAST_ASIAN),
    ("semitic", scripts::SEMITIC),
    ("operators", odd::OPERATORS),
    ("naughty strings", odd::NAUGHTY),
];

/// What went wrong with the questions of one table.
fn failures(table: &Table) -> String {
    let world = world();
    for (number, (text, _)) in table.notes.iter().enumerate() {
        world.write(&format!("wiki/{}", file(number)), text);
    }
    let _ = world.run(&["build", "wiki"]).ok();
    let mut failures = String::new();
    for (number, (text, questions)) in table.notes.iter().enumerate() {
        for question in *questions {
            let found = hits(&world, question);
            if found.first() != Some(&format!("wiki/{}", file(number))) {
                writeln!(failures, "`{question}` should find `{text}`, not {found:?}").unwrap();
            }
        }
    }
    for question in table.nothing {
        let run = ask(&world, question);
        let explained = run.hints().iter().any(|hint| hint == "nothing-found" || hint == "no-words");
        if !run.hits().is_empty() || !explained {
            writeln!(failures, "`{question}` should find nothing and say so: {run}").unwrap();
        }
    }
    failures
}

/// A name that no question asks for.
fn file(number: usize) -> String {
    let letter = |number: usize| char::from(b'a' + (number % 26) as u8);
    format!("leaf{}{}.md", letter(number / 26), letter(number))
}

fn ask(world: &World, question: &str) -> wikirag_tests::Run {
    world.run(&["query", "wiki", "--json", "--no-refresh", "--", question]).ok()
}

fn hits(world: &World, question: &str) -> Vec<String> {
    ask(world, question).hits()
}

#[track_caller]
fn check(name: &str) {
    let (_, table) = TABLES.iter().find(|(known, _)| *known == name).unwrap();
    let failures = failures(table);
    assert!(failures.is_empty(), "{name}:\n{failures}");
}

/// [B01] [B02]
#[test]
fn identifiers_are_found_whole_and_in_parts() {
    check("identifiers");
}

#[test]
fn versions_are_told_apart() {
    check("versions");
}

/// [B05]
#[test]
fn dates_are_told_apart() {
    check("dates");
}

/// [B03]
#[test]
fn paths_and_addresses_are_found() {
    check("paths");
}

#[test]
fn accents_may_be_left_out_and_count_where_they_are_written() {
    check("accents");
}

/// [B10]
#[test]
fn spellings_of_one_word_meet() {
    check("spellings");
}

#[test]
fn inflections_meet_and_the_exact_form_comes_first() {
    check("inflections");
}

/// [B12]
#[test]
fn compounds_are_found_inside_of_sentences_without_spaces() {
    check("east asian");
}

/// [B12]
#[test]
fn particles_hide_no_word() {
    check("korean");
}

#[test]
fn thai_lao_khmer_and_burmese_need_no_spaces() {
    check("south-east asian");
}

#[test]
fn points_and_forms_of_arabic_and_hebrew_may_be_left_out() {
    check("semitic");
}

/// [B06]
#[test]
fn operators_of_other_programs_are_words() {
    check("operators");
}

/// [B07] [B74]
#[test]
fn naughty_strings_are_questions() {
    check("naughty strings");
}

#[test]
fn the_tables_are_large() {
    let pairs =
        |table: &Table| table.notes.iter().map(|(_, questions)| questions.len()).sum::<usize>() + table.nothing.len();
    assert!(TABLES.iter().map(|(_, table)| pairs(table)).sum::<usize>() >= 200);
}
