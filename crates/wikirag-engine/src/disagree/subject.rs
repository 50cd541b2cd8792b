//! Whether two sentences of equal words speak of one thing.

use std::collections::BTreeSet;

use wikirag_text::Analyser;

use super::Passage;
use super::statement::{Sort, Statement, subject};

/// Titles that say nothing about what a page is about.
const GENERIC: [&str; 16] = [
    "changelog",
    "contributing",
    "faq",
    "home",
    "index",
    "introduction",
    "license",
    "main",
    "notes",
    "overview",
    "readme",
    "skill",
    "start",
    "summary",
    "template",
    "untitled",
];
/// Words that a sentence has to share beyond its values to say by itself what it is about.
const SELF_CONTAINED: usize = 6;
/// The same for a sentence that has the words of a title or heading, or stands in passages that name the same things.
const NAMING: usize = 4;
/// Names that passages under titles of different words have to share.
const SHARED_NAMES: usize = 2;

/// What a passage says it is about.
#[derive(Debug)]
pub(super) struct Subject {
    title: Name,
    heading: Name,
    /// The proper names and identifiers in its sentences.
    names: BTreeSet<u64>,
}

/// A title or a heading.
#[derive(Debug, Default)]
struct Name {
    /// Ascending, each once.
    words: Vec<u64>,
    /// `3.8`, `2024-01-02`: as written, in order.
    numbers: Vec<String>,
}

/// How two names stand to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Relation {
    /// One holds the words of the other.
    Same,
    /// Each has words of its own.
    Apart,
    /// They are numbered differently: two of a series.
    Numbered,
    /// One has no words.
    Silent,
}

impl Subject {
    pub(super) fn of(passage: &Passage<'_>, analyser: &Analyser) -> Self {
        let name = |text: &str| Name::of(text, analyser);
        let heading = passage.headings.last().filter(|heading| heading.trim() != passage.title.trim());
        Self {
            title: name(passage.title),
            heading: heading.map(|heading| name(heading)).unwrap_or_default(),
            names: BTreeSet::new(),
        }
    }

    /// Takes note of the names in a sentence of the passage.
    pub(super) fn add(&mut self, statement: &Statement) {
        self.names.extend(words(statement).filter(|(_, is_name)| *is_name).map(|(word, _)| word));
    }

    /// Whether one of the passages names nothing that the other does not. Two passages of one template name what each is about.
    fn names_the_same(&self, theirs: &Self) -> bool {
        let (less, more) = if self.names.len() <= theirs.names.len() { (self, theirs) } else { (theirs, self) };
        less.names.len() >= SHARED_NAMES && less.names.is_subset(&more.names)
    }

    /// Whether `one`, a sentence of a passage about this, and `other`, one of a passage about `theirs`, speak of one thing,
    /// given that their words are the same.
    ///
    /// Templates make sentences of equal words about different things, which only titles and headings tell apart. So those
    /// have to agree; or the passages name the same things; or the sentence names what one of them is about and the other is
    /// not. Two of a numbered series are two things whatever they say.
    pub(super) fn is_shared(&self, theirs: &Self, one: &Statement, other: &Statement) -> bool {
        let title = self.title.relation(&theirs.title);
        let heading = self.heading.relation(&theirs.heading);
        if title == Relation::Same && matches!(heading, Relation::Same | Relation::Silent) {
            return true;
        }
        if title == Relation::Numbered || heading == Relation::Numbered {
            return false;
        }
        let words_of_both = one.words.min(other.words);
        if words_of_both >= NAMING && self.names_the_same(theirs) {
            return true;
        }
        if one.points || other.points || words_of_both < NAMING {
            return false;
        }
        if self.title.is_named(&theirs.title, one) || self.heading.is_named(&theirs.heading, one) {
            return true;
        }
        title == Relation::Silent && words_of_both >= SELF_CONTAINED && words(one).any(|(_, is_name)| is_name)
    }
}

impl Name {
    fn of(text: &str, analyser: &Analyser) -> Self {
        if GENERIC.iter().any(|generic| generic.eq_ignore_ascii_case(text.trim())) {
            return Self::default();
        }
        let pieces = text.split(|c: char| c.is_whitespace() || "()[]:,".contains(c));
        let numbers = pieces.filter(|piece| piece.contains(|c: char| c.is_ascii_digit()));
        Self { words: subject(analyser, text), numbers: numbers.map(str::to_lowercase).collect() }
    }

    fn relation(&self, other: &Self) -> Relation {
        if !self.numbers.is_empty() && !other.numbers.is_empty() && self.numbers != other.numbers {
            return Relation::Numbered;
        }
        let (less, more) = (self.words.len().min(other.words.len()), self.words.len().max(other.words.len()));
        if less == 0 {
            return Relation::Silent;
        }
        let shared = self.words.iter().filter(|word| other.words.contains(word)).count();
        if shared == less && 2 * less >= more { Relation::Same } else { Relation::Apart }
    }

    /// Whether a sentence holds at least half of the words of one of the names, and one that the other lacks.
    fn is_named(&self, other: &Self, sentence: &Statement) -> bool {
        [(self, other), (other, self)].into_iter().any(|(own, others)| {
            let named = || own.words.iter().filter(|own| words(sentence).any(|(word, _)| word == **own));
            2 * named().count() >= own.words.len() && named().any(|word| !others.words.contains(word))
        })
    }
}

fn words(statement: &Statement) -> impl Iterator<Item = (u64, bool)> {
    statement.parts.iter().filter_map(|part| match part.sort {
        Sort::Word { id, is_name, .. } => Some((id, is_name)),
        Sort::Value(_) => None,
    })
}
