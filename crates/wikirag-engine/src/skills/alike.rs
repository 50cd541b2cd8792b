//! Entries that are made from one template, or copied from registry to registry.

use wikirag_text::Analyser;

use crate::head;
use crate::search::similar::Sketch;

/// Entries are near-identical where they share this part of their word sequences.
///
/// In a registry of 832 templates, each for another product, two of them share .68 to .71; see `docs/skills.md` for how rarely entries
/// of other registries that are not copies come near it.
const LEAST: f64 = 0.6;

/// Bytes of an entry that are compared: a template shows in less.
const COMPARED: usize = 6_000;

/// The first entries of groups.
pub(super) struct Groups {
    analyser: Analyser,
    heads: Vec<Sketch>,
}

impl Groups {
    pub(super) fn new() -> Self {
        Self { analyser: Analyser::new(None), heads: Vec::new() }
    }

    /// The group, by the order of their first ones, that an entry of this name and text belongs to, with its likeness from 0 to 1; where
    /// there is none the entry begins one.
    pub(super) fn place(&mut self, name: &str, text: &str) -> Option<(usize, f64)> {
        let body = head::body(text);
        let body = &body[..body.floor_char_boundary(COMPARED)];
        let sketch = Sketch::of_page(&self.analyser, name, body);
        let likeness = self.heads.iter().map(|head| head.likeness(&sketch, LEAST)).enumerate();
        // Of equals the earlier, which is the better one.
        let nearest = likeness.filter(|(_, share)| *share >= LEAST).rev().max_by(|a, b| a.1.total_cmp(&b.1));
        if nearest.is_none() {
            self.heads.push(sketch);
        }
        nearest
    }

    /// Takes the last group back: the entry that began it is not shown.
    pub(super) fn forget_last(&mut self) {
        self.heads.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn template(product: &str) -> String {
        let line = format!(
            "Automate {product} by the tools of its connector, and always search for the current schemas first.\n"
        );
        let steps = "Check the connection, list what there is, ask before anything is deleted, report every failure.\n";
        format!("---\nname: {product}\n---\n{line}{}", steps.repeat(3))
    }

    #[test]
    fn templates_are_one_group_and_others_are_not() {
        let mut groups = Groups::new();
        assert_eq!(groups.place("slack", &template("slack")), None);
        assert_eq!(
            groups.place("other", "Something else is said here, at some length, of quite another matter."),
            None
        );
        let (group, likeness) = groups.place("gmail", &template("gmail")).unwrap();
        assert_eq!(group, 0);
        assert!((LEAST..1.0).contains(&likeness), "{likeness}");
        assert_eq!(groups.place("slack", &template("slack")), Some((0, 1.0)));
        assert_eq!((groups.place("", ""), groups.place("", "")), (None, None), "empty texts resemble nothing");
    }
}
