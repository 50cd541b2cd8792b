//! The format that the model is asked to write, a row each.

use wikirag_core::Extraction;

use crate::clean::BETWEEN;

/// What ends an answer.
pub(crate) const END: &str = "<|COMPLETE|>";
/// The first field of the row of an entity.
pub(crate) const ENTITY: &str = "entity";
/// That of a relation.
pub(crate) const RELATION: &str = "relation";

/// `found` as the model should have written it. Whoever reads it gets `found` again, save for its counts.
pub(crate) fn written(found: &Extraction) -> String {
    let mut rows = String::new();
    let mut write = |what: &str, two: [&str; 2], description: &str| {
        // A description of several lines is what several rows said.
        let lines = if description.is_empty() { vec![""] } else { description.lines().collect() };
        for line in lines {
            rows.push_str(&[what, two[0], two[1], line].join(BETWEEN));
            rows.push('\n');
        }
    };
    for entity in &found.entities {
        write(ENTITY, [&entity.name, &entity.kind], &entity.description);
    }
    for relation in &found.relations {
        write(RELATION, [&relation.from, &relation.to], &relation.description);
    }
    rows.push_str(END);
    rows
}
