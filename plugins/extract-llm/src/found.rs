//! What rows say, put together.

use std::collections::HashMap;

use wikirag_core::{Entity, Extraction, Relation};
use wikirag_text::caseless;

use crate::clean::clean;

/// Longer names are sentences that stand in the wrong place.
const LONGEST_NAME: usize = 120;
/// Likewise of kinds.
const MOST_WORDS_OF_KIND: usize = 3;

/// How many lines a model may use to say that there is nothing. One that writes more and ends it as it was told has not understood: a small
/// one wrote 27 lines of its own and the end behind them.
const MOST_LINES_OF_NOTHING: usize = 3;

/// One row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Row {
    Entity(Entity),
    Relation(Relation),
}

impl Row {
    /// The entity that these fields, still packed, say. `None` where the name can be none.
    pub(crate) fn entity(name: &str, kind: &str, description: &str) -> Option<Self> {
        let (mut kind, mut description) = (clean(kind), clean(description));
        if description.is_empty() && kind.split(' ').count() > MOST_WORDS_OF_KIND {
            description = std::mem::take(&mut kind);
        }
        Some(Self::Entity(Entity { name: name_of(name)?, kind: kind.to_lowercase(), description }))
    }

    /// The relation that these fields, still packed, say. `None` where a name can be none.
    pub(crate) fn relation(from: &str, to: &str, description: &str) -> Option<Self> {
        let (from, to) = (name_of(from)?, name_of(to)?);
        Some(Self::Relation(Relation { from, to, description: clean(description) }))
    }
}

fn name_of(field: &str) -> Option<String> {
    let name = clean(field);
    (name.contains(char::is_alphanumeric) && name.chars().count() <= LONGEST_NAME).then_some(name)
}

/// Rows of any order and number, of one passage.
#[derive(Debug, Default)]
pub(crate) struct Found {
    rows: Vec<Row>,
    /// See [`Extraction::unreadable`].
    pub(crate) unreadable: usize,
    /// Whether the model said that it came to its end.
    pub(crate) ended: bool,
}

impl Found {
    /// Adds a row, or counts what is none.
    pub(crate) fn add(&mut self, row: Option<Row>) {
        match row {
            Some(row) => self.rows.push(row),
            None => self.unreadable += 1,
        }
    }

    /// How many rows there are.
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether anything was understood: a row, or the end of an answer that has none and says little else.
    pub(crate) fn is_understood(&self) -> bool {
        !self.rows.is_empty() || self.ended && self.unreadable <= MOST_LINES_OF_NOTHING
    }

    /// Adds what a later answer says.
    pub(crate) fn extend(&mut self, later: Self) {
        self.rows.extend(later.rows);
        self.unreadable += later.unreadable;
        self.ended |= later.ended;
    }

    /// All of it: each name once, as it was spelled first, with the first kind that was said and all descriptions together;
    /// and the relations between those. `is_foreign` says of which names nothing is to be believed.
    pub(crate) fn extraction(self, is_foreign: impl Fn(&str) -> bool) -> Extraction {
        let mut found = Extraction { unreadable: self.unreadable, ..Extraction::default() };
        let mut entities: HashMap<String, usize> = HashMap::new();
        let mut relations = Vec::new();
        for row in self.rows {
            match row {
                Row::Entity(entity) if is_foreign(&entity.name) => found.dropped += 1,
                Row::Entity(entity) => match entities.get(&*caseless(&entity.name)) {
                    Some(place) => {
                        let known = &mut found.entities[*place];
                        add(&mut known.description, &entity.description);
                        if known.kind.is_empty() {
                            known.kind = entity.kind;
                        }
                    }
                    None => {
                        entities.insert(caseless(&entity.name).into_owned(), found.entities.len());
                        found.entities.push(entity);
                    }
                },
                Row::Relation(relation) => relations.push(relation),
            }
        }
        let mut known: HashMap<(usize, usize), usize> = HashMap::new();
        for relation in relations {
            let place = |name: &str| entities.get(&*caseless(name)).copied();
            match (place(&relation.from), place(&relation.to)) {
                (Some(from), Some(to)) if from != to => match known.get(&(from, to)) {
                    Some(place) => add(&mut found.relations[*place].description, &relation.description),
                    None => {
                        known.insert((from, to), found.relations.len());
                        let name = |place: usize| found.entities[place].name.clone();
                        found.relations.push(Relation { from: name(from), to: name(to), ..relation });
                    }
                },
                _ => found.dropped += 1,
            }
        }
        found
    }
}

/// Adds a description to others of the same thing. One alone stays as it was written.
fn add(known: &mut String, more: &str) {
    if known.is_empty() {
        more.clone_into(known);
    } else if !more.is_empty() && known != more {
        *known = Extraction::merged([known.as_str(), more]);
    }
}
