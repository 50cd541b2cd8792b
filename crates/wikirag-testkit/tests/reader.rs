//! The suite for readers over readers that are broken on purpose.

#![expect(clippy::unwrap_used, reason = "a test may end where something is not as it must be")]

mod broken;
mod plain;

use plain::{Fault, Plain};
use wikirag_testkit::reader::{CHECKS, Subject};
use wikirag_testkit::reader_suite;

reader_suite!(the_reference, || Ok(Box::new(Plain::new(None))), samples());

fn samples() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("a.txt", b"---\ntitle: A\n---\n\n# One\n\nA line with [[a link]].\n".to_vec()),
        ("b.txt", "Caf\u{e9} [[x]]\u{e9} [[y]], and no line end".into()),
    ]
}

const FAULTS: &[(Fault, &str)] = &[
    (Fault::DottedEnding, "extensions_are_plain"),
    (Fault::RefusesItsFormat, "samples_are_read"),
    (Fault::LinksEndInACharacter, "spans_lie_in_the_text"),
    (Fault::BlocksOverlap, "blocks_come_in_order"),
    (Fault::LevelSeven, "blocks_are_well_formed"),
    (Fault::LosesAParagraph, "every_word_lies_in_a_block"),
    (Fault::LinksBackwards, "links_come_in_order"),
    (Fault::PlacesBackwards, "places_come_in_order"),
    (Fault::CountsLinesFromZero, "warnings_name_a_line"),
    (Fault::DependsOnTheInstance, "equal_bytes_give_equal_documents"),
    (Fault::WantsUtf8, "damaged_files_are_read_or_refused"),
    (Fault::WrongKind, "damaged_files_are_read_or_refused"),
    (Fault::FearsSize, "huge_files_are_read_or_refused"),
    (Fault::Quadratic, "the_time_is_linear"),
];

#[test]
fn each_fault_fails_its_own_check() {
    broken::each_fault_fails_its_own_check(CHECKS, FAULTS, |fault| {
        Subject::new(move || Ok(Box::new(Plain::new(fault))), samples())
    });
}
