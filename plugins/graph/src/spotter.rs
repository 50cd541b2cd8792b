//! Finding names in texts, where they are written as names.

use wikirag_vault::{Mention, Names};

use crate::facts::Written;

/// Names with numbers. Those of the same words (`Peer Review` and `peer-review`) are told apart by how they are written.
#[derive(Debug, Default)]
pub(crate) struct Spotter {
    /// By words alone, to the place in `written`.
    names: Names,
    written: Vec<Vec<(Written, u32)>>,
}

impl Spotter {
    pub(crate) fn insert(&mut self, name: Written, id: u32) {
        let place = self.names.get(&name.words);
        match place.and_then(|place| self.written.get_mut(place as usize)) {
            Some(same) => {
                same.retain(|(_, known)| *known != id);
                same.push((name, id));
            }
            None => {
                let place = u32::try_from(self.written.len()).unwrap_or(u32::MAX);
                self.names.insert(&name.words, place);
                self.written.push(vec![(name, id)]);
            }
        }
    }

    /// Calls `sink` with each name in a text and where it stands, also with those that are parts of others.
    pub(crate) fn find(&self, text: &Written, mut sink: impl FnMut(u32, &Mention)) {
        self.names.find_all(&text.words, |mention| {
            let marks = text.marks(mention.first, mention.last);
            for (name, id) in self.written.get(mention.id as usize).into_iter().flatten() {
                if name.is_written(marks) {
                    sink(*id, &mention);
                }
            }
        });
    }

    /// Calls `sink` with each name whose words stand in those of `name`, however they are written, but not with that name itself.
    pub(crate) fn parts(&self, name: &Written, mut sink: impl FnMut(u32)) {
        self.names.find_all(&name.words, |mention| {
            if mention.last - mention.first + 1 < name.words.len() {
                self.written.get(mention.id as usize).into_iter().flatten().for_each(|(_, id)| sink(*id));
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::Reader;

    #[test]
    fn names_of_the_same_words_are_told_apart() {
        let reader = Reader::default();
        let mut spotter = Spotter::default();
        for (id, name) in (0..).zip(["Peer Review", "peer-review", "Review", "Peer Review Board"]) {
            spotter.insert(reader.words(name), id);
        }
        let found = |text: &str| {
            let mut found = Vec::new();
            spotter.find(&reader.words(text), |id, _| found.push(id));
            found
        };
        assert!(found("the peer review").is_empty());
        assert_eq!(found("a peer-review"), [1]);
        assert_eq!(found("The Peer Review Board"), [0, 3, 2]);
        let mut parts = Vec::new();
        spotter.parts(&reader.words("Peer Review Board"), |id| parts.push(id));
        assert_eq!(parts, [0, 1, 2]);
    }
}
