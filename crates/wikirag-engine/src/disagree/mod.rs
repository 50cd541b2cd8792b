//! Passages that disagree: declared by their documents, or seen in sentences that say the same but for a value.
//!
//! [`disagreements`] looks at the passages of one answer. It resolves nothing and drops nothing: it says which two passages
//! differ in what, and where. What it looks for is two of the classes of contradiction of de Marneffe, Rafferty and Manning
//! ("Finding Contradictions in Text", ACL 2008), *numeric* and *negation*: the ones that need no model. It is made to be
//! silent where it is not sure, since a flag that is often wrong is soon not read.
//!
//! * `declared.rs`: what front matter says;
//! * `sentences.rs`, `scan.rs`, `statement.rs`: from a passage to sentences of content words and values;
//! * `candidates.rs`, `align.rs`: which sentences are compared, and how;
//! * `subject.rs`: whether sentences of equal words speak of one thing;
//! * `facts.rs`: words that keep two texts from being copies.

mod align;
mod candidates;
mod cursor;
mod dates;
mod declared;
mod facts;
mod lexicon;
mod scan;
mod sentences;
mod statement;
mod subject;
#[cfg(test)]
mod tests;
mod values;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::Range;

use serde::Serialize;
use wikirag_core::{Metadata, Span};
use wikirag_text::Analyser;

pub use declared::{Declaration, declared_elsewhere};
pub use wikirag_text::Language;

pub(crate) use declared::between as declared;
pub(crate) use facts::is_fact;
pub(crate) use lexicon::is_function;

use align::Verdict;
use lexicon::Lexicon;
use statement::{Said, Statement};
use subject::Subject;

/// A passage of an answer.
#[derive(Debug, Clone, Copy)]
pub struct Passage<'a> {
    /// Name of its wiki.
    pub wiki: &'a str,
    /// Of its document, below the root of the wiki, with `/`.
    pub path: &'a str,
    /// Of its document.
    pub title: &'a str,
    /// Headings above the passage, outermost first.
    pub headings: &'a [String],
    /// The passage.
    pub text: &'a str,
    /// Front matter of its document.
    pub meta: &'a Metadata,
    /// Of the passage, where it is known. What is not known is read as English.
    pub language: Option<Language>,
}

impl<'a> Passage<'a> {
    /// Wiki and path: what tells documents apart.
    const fn document(&self) -> (&'a str, &'a str) {
        (self.wiki, self.path)
    }
}

/// In what way two passages disagree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// The document of one says `contradicts:` of the document of the other.
    Declared,
    /// The document of one says `superseded_by:` of the document of the other.
    Superseded,
    /// A number, with or without a unit.
    Number,
    /// A date or a time of day.
    Date,
    /// A version.
    Version,
    /// One says it, the other says that it is not so.
    Negation,
}

impl Kind {
    /// As it stands in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Declared => "declared",
            Self::Superseded => "superseded",
            Self::Number => "number",
            Self::Date => "date",
            Self::Version => "version",
            Self::Negation => "negation",
        }
    }

    /// Whether a document says so itself, of another document as a whole.
    #[must_use]
    pub const fn is_declared(self) -> bool {
        matches!(self, Self::Declared | Self::Superseded)
    }
}

/// Two passages that disagree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Disagreement {
    /// The one that comes first in the list that was given.
    pub first: usize,
    /// The other: `first < second`.
    pub second: usize,
    /// In what way.
    pub kind: Kind,
    /// The sentence in the text of the first and in that of the second; where documents declare it, the whole passages.
    pub at: [Span; 2],
    /// The words that differ, in the same order. Where documents declare it, the line of the one that does, and the title of
    /// the other.
    pub what: [String; 2],
}

/// What is compared of a passage: its sentences, and what it says it is about. Depends on its text, title, last heading and
/// language alone, so it can be kept.
#[derive(Debug)]
pub(crate) struct Reading {
    statements: Vec<Statement>,
    subject: Subject,
}

impl Reading {
    pub(crate) fn of(passage: &Passage<'_>) -> Self {
        let analyser = Analyser::new(passage.language);
        let mut statements = Vec::new();
        sentences::sentences(passage.text, Lexicon::of(passage.language), |span| {
            let statement = statement::read(&analyser, passage.text, span);
            statements.extend(statement.filter(|statement| statement.words >= align::MIN_WORDS));
        });
        let mut subject = Subject::of(passage, &analyser);
        for statement in &statements {
            subject.add(statement);
        }
        Self { statements, subject }
    }
}

/// The disagreements between passages of different documents, sorted by the passages and the kind. Of each kind a pair of
/// passages has one at most, the first in the text.
///
/// The same passages in another order give the same disagreements. Linear in the texts for all but passages that share many
/// sentences, of which a bounded number is compared.
#[must_use]
pub fn disagreements(passages: &[Passage<'_>]) -> Vec<Disagreement> {
    let readings: Vec<Reading> = passages.iter().map(Reading::of).collect();
    disagreements_of(passages, &readings.iter().collect::<Vec<_>>())
}

/// [`disagreements`] of passages that were read before: one reading a passage.
pub(crate) fn disagreements_of(passages: &[Passage<'_>], readings: &[&Reading]) -> Vec<Disagreement> {
    let mut found = declared::between(passages);
    found.extend(stated(passages, readings));
    found.sort_by_key(|one| (one.first, one.second, one.kind));
    found
}

/// A pair of sentences, by their places among all, and the stretches in which they differ.
struct Differing {
    sentences: [usize; 2],
    kind: Kind,
    at: [Range<usize>; 2],
}

/// What is known of two passages that share sentences.
#[derive(Default)]
struct Shared {
    differing: Vec<Differing>,
    /// Sentences that the other passage says too.
    agreed: HashSet<usize>,
}

fn stated(passages: &[Passage<'_>], readings: &[&Reading]) -> Vec<Disagreement> {
    // In an order of their own, so that the order in which they were found changes nothing.
    let mut order: Vec<usize> = (0..passages.len().min(readings.len())).collect();
    let key = |at: &usize| passages.get(*at).map(|one| (one.document(), one.text, one.title, one.headings));
    order.sort_by(|one, other| key(one).cmp(&key(other)));
    let said = |passage: usize| readings[passage].statements.iter().map(move |statement| Said { passage, statement });
    let statements: Vec<Said<'_>> = order.into_iter().flat_map(said).collect();
    let mut shared = BTreeMap::<(usize, usize), Shared>::new();
    let allowed = |one: usize, other: usize| passages[one].document() != passages[other].document();
    candidates::pairs(&statements, allowed, |earlier, later| {
        let (one, other) = (&statements[earlier], &statements[later]);
        let both = || (one.passage, other.passage);
        match align::compare(one.statement, other.statement) {
            Verdict::Apart => {}
            Verdict::Same => shared.entry(both()).or_default().agreed.extend([earlier, later]),
            Verdict::Differ { kind, at } => {
                let (subject, others) = (&readings[one.passage].subject, &readings[other.passage].subject);
                if subject.is_shared(others, one.statement, other.statement) {
                    let differing = Differing { sentences: [earlier, later], kind, at };
                    shared.entry(both()).or_default().differing.push(differing);
                }
            }
        }
    });
    let pairs = shared.into_iter();
    pairs.flat_map(|(both, shared)| of_pair(passages, &statements, both, shared)).collect()
}

/// What two passages disagree in, by the sentences of theirs that differ.
fn of_pair(
    passages: &[Passage<'_>],
    statements: &[Said<'_>],
    (one, other): (usize, usize),
    mut shared: Shared,
) -> Vec<Disagreement> {
    // A sentence that differs from several of the other passage is one of an enumeration: they do not contradict each other.
    let mut times = HashMap::<usize, usize>::new();
    for at in shared.differing.iter().flat_map(|differing| differing.sentences) {
        *times.entry(at).or_default() += 1;
    }
    shared.differing.retain(|differing| {
        differing.sentences.iter().all(|at| !shared.agreed.contains(at) && times.get(at) == Some(&1))
    });
    shared.differing.sort_by_key(|differing| differing.sentences);
    let mut kinds = BTreeSet::new();
    shared.differing.retain(|differing| kinds.insert(differing.kind));
    let swap = one > other;
    let both = shared.differing.into_iter().map(|Differing { sentences: [left, right], kind, at: [from, to] }| {
        let word = |passage: usize, at: Range<usize>| passages[passage].text.get(at).unwrap_or("").to_owned();
        let (mut at, mut what) =
            ([statements[left].statement.span, statements[right].statement.span], [word(one, from), word(other, to)]);
        if swap {
            at.reverse();
            what.reverse();
        }
        Disagreement { first: one.min(other), second: one.max(other), kind, at, what }
    });
    both.collect()
}
