//! Passages that say the same: one page in three editions, a note and the article that it was copied from.
//!
//! Two passages are near-duplicates where the sets of their word sequences are mostly the same (Broder, *On the resemblance and
//! containment of documents*, 1997) and what makes a statement another one ([`is_fact`]) is the same throughout: numbers,
//! versions, dates and negations. Passages that differ in those contradict each other, and are no copies.

use std::cmp::Ordering;
use std::collections::HashMap;

use wikirag_text::{Analyser, Form};

use crate::disagree::is_fact;
use crate::word_hash::{mix, word_hash};

/// Words of a sequence. One changed word changes this many sequences.
const WIDTH: usize = 4;

/// Near-duplicates share this part of all their sequences (Jaccard).
///
/// Measured on pairs of passages with equal facts. Of editions of a book (the Rust book, 2,443 passages) 311 pairs share 0.5 or
/// more, all of them the same section; 288 of those share 0.8 or more. In registries of templates that name another product
/// each (30,385 passages of skills) 1,100 pairs of different templates lie between 0.6 and 0.8, where the name is all that
/// differs: those say something else.
const LEAST_SIMILARITY: f64 = 0.8;

/// Passages that say the same.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Group {
    /// Best first. The first is the one that is shown.
    pub(super) members: Vec<Member>,
}

/// One of them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Member {
    /// Its place in what was given.
    pub(super) place: usize,
    /// Which part of all word sequences it shares with the first, from 0 to 1; of the first: 1.
    pub(super) similarity: f64,
}

impl Group {
    /// The passage at `place` alone.
    pub(super) fn of_one(place: usize) -> Self {
        Self { members: vec![Member { place, similarity: 1.0 }] }
    }
}

/// Groups passages, which come best first: each joins the group whose first it resembles most, the better one of equals, or
/// begins one. Every place is in one group; groups come in the order of their firsts.
pub(super) fn group<'s>(passages: impl Iterator<Item = &'s Sketch>) -> Vec<Group> {
    let mut copies = Copies::of_passages();
    let mut groups: Vec<Group> = Vec::new();
    for (place, passage) in passages.enumerate() {
        match copies.add(passage) {
            Some(Copy { group, similarity, .. }) => groups[group].members.push(Member { place, similarity }),
            None => groups.push(Group::of_one(place)),
        }
    }
    groups
}

/// Texts that come one after the other, each a copy of one before or the first of its kind.
///
/// Near-linear in the text: two sets of which 0.8 is shared share one of the first fifth of each in any order (the prefix
/// filter of Bayardo, Ma and Srikant, *Scaling up all pairs similarity search*, 2007), so only those are looked up, and only firsts
/// that have one of them are compared.
pub(crate) struct Copies<'s> {
    /// How often sequences occur, as far as it is known.
    counts: Counts,
    /// Sequences of a text that tell its similarity.
    kept: usize,
    /// How much of all sequences texts must share.
    least: Least,
    firsts: Vec<&'s Sketch>,
    /// The firsts that have a sequence in their first fifth.
    holders: HashMap<u64, Vec<usize>>,
}

/// Which part of all sequences copies share, from 0 to 1. Above 1: what differs so is no copy.
struct Least {
    /// Where facts and names are the same.
    same: f64,
    /// Where facts differ.
    other_facts: f64,
    /// Where each speaks of what it is called, and the other does not.
    other_subject: f64,
}

/// That a text is a copy.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Copy {
    /// Of which first, by their order.
    pub(crate) group: usize,
    /// Which part of all word sequences they share, from 0 to 1.
    pub(crate) similarity: f64,
    /// Whether they differ in what makes a statement another one.
    pub(crate) has_other_facts: bool,
}

impl<'s> Copies<'s> {
    /// For passages of an answer: those whose facts differ are no copies.
    fn of_passages() -> Self {
        let least = Least { same: LEAST_SIMILARITY, other_facts: f64::INFINITY, other_subject: f64::INFINITY };
        Self::new(Counts::default(), usize::MAX, least)
    }

    /// For these pages of a wiki, see [`Sketch::of_page`].
    ///
    /// A page that was copied and then changed in a number is worth a word, so facts may differ where nine tenths are shared. Pages that
    /// are made by one template and speak each of another thing may share as much, and are no copies.
    pub(crate) fn of_pages(sketches: impl Iterator<Item = &'s Sketch>) -> Self {
        let least = Least { same: LEAST_SIMILARITY, other_facts: 0.9, other_subject: 0.97 };
        Self::new(Counts::of(sketches), KEPT, least)
    }

    fn new(counts: Counts, kept: usize, least: Least) -> Self {
        Self { counts, kept, least, firsts: Vec::new(), holders: HashMap::new() }
    }

    /// Adds a text: a copy of the first that it resembles most, the earlier one of equals; `None` where it is the first of its kind
    /// itself.
    pub(crate) fn add(&mut self, sketch: &'s Sketch) -> Option<Copy> {
        let prefix = self.counts.prefix(&sketch.sequences);
        let mut met: Vec<usize> =
            prefix.iter().filter_map(|sequence| self.holders.get(sequence)).flatten().copied().collect();
        met.sort_unstable();
        met.dedup();
        let similar = met.into_iter().filter_map(|group| {
            let first = &self.firsts[group];
            let has_other_facts = first.facts != sketch.facts;
            let least = match has_other_facts {
                _ if first.subject.is_other(&sketch.subject) => self.least.other_subject,
                true => self.least.other_facts,
                false => self.least.same,
            };
            let similarity = if least <= 1.0 { first.similarity(sketch, self.kept, least) } else { 0.0 };
            (similarity >= least).then_some(Copy { group, similarity, has_other_facts })
        });
        let order = |one: &Copy, other: &Copy| one.similarity.total_cmp(&other.similarity);
        let nearest = similar.max_by(|one, other| order(one, other).then(other.group.cmp(&one.group)));
        if nearest.is_none() {
            for sequence in prefix {
                self.holders.entry(sequence).or_default().push(self.firsts.len());
            }
            self.firsts.push(sketch);
        }
        nearest
    }
}

/// How often each word sequence occurs in many texts, near enough: sequences of one hash share a count.
///
/// Pages that are made by one template share most of their sequences. With the rarest ones first the prefix filter meets only pages
/// that share more than the template.
#[derive(Debug, Default)]
struct Counts(Vec<u32>);

impl Counts {
    /// Counts of 4 MiB, whatever is counted.
    const SIZE: usize = 1 << 20;

    fn of<'s>(sketches: impl Iterator<Item = &'s Sketch>) -> Self {
        let mut counts = vec![0_u32; Self::SIZE];
        for sequence in sketches.flat_map(|sketch| &sketch.sequences) {
            let count = &mut counts[Self::place(*sequence)];
            *count = count.saturating_add(1);
        }
        Self(counts)
    }

    /// The remainder is below 2^20.
    const fn place(sequence: u64) -> usize {
        (sequence % Self::SIZE as u64) as usize
    }

    /// The sequences of which a near-duplicate shares one: the rarest fifth; the smallest where nothing was counted.
    fn prefix(&self, sequences: &[u64]) -> Vec<u64> {
        // Never less than `n - ceil(0.8 n) + 1`, whatever is lost in rounding.
        let length = sequences.len().div_ceil(5) + 1;
        let mut prefix = sequences.to_vec();
        if !self.0.is_empty() {
            prefix.sort_unstable_by_key(|sequence| (self.0[Self::place(*sequence)], *sequence));
        }
        prefix.truncate(length);
        prefix
    }
}

/// Sequences that are kept of a page, those with the smallest hashes. They tell a similarity of 0.8 within 0.05 (two standard
/// errors of the estimate, see Broder).
const KEPT: usize = 256;

/// A page of fewer word sequences is too short to be a copy.
const LEAST_SEQUENCES: usize = 5;

/// What is compared of a text.
#[derive(Debug)]
pub(crate) struct Sketch {
    /// Hashes of its word sequences, sorted, each once. None for a text without words, which resembles nothing.
    sequences: Vec<u64>,
    /// Hash of its facts, in their order.
    facts: u64,
    subject: Subject,
}

/// What a page speaks of: the words of its title, and those of its text, as hashes, sorted. A passage has none.
#[derive(Debug, Default)]
struct Subject {
    title: Vec<u32>,
    words: Vec<u32>,
}

impl Subject {
    /// Whether one of two pages says a word of its title that the other does not say.
    fn is_other(&self, other: &Self) -> bool {
        self.says_more(other) || other.says_more(self)
    }

    fn says_more(&self, other: &Self) -> bool {
        let says = |one: &Self, word: &u32| one.words.binary_search(word).is_ok();
        self.title.iter().any(|word| says(self, word) && !says(other, word) && !other.title.contains(word))
    }
}

impl Sketch {
    /// What is compared of a page.
    pub(crate) fn of_page(analyser: &Analyser, title: &str, text: &str) -> Self {
        let mut sketch = Self::of(analyser, text);
        let words = |text: &str| {
            let mut words = Vec::new();
            // Half of the bits tell words apart well enough where a title has a few.
            analyser.tokens(text, |token| words.push(word_hash(&token.text) as u32));
            words.sort_unstable();
            words.dedup();
            words.shrink_to_fit();
            words
        };
        sketch.subject = Subject { title: words(title), words: words(text) };
        if sketch.sequences.len() < LEAST_SEQUENCES {
            sketch.sequences.clear();
        }
        sketch.sequences.truncate(KEPT);
        sketch.sequences.shrink_to_fit();
        sketch
    }

    /// What is compared of a passage.
    pub(crate) fn of(analyser: &Analyser, passage: &str) -> Self {
        let mut words = Vec::new();
        let mut facts = 0;
        analyser.tokens(passage, |token| {
            // The parts of an identifier say what the whole says.
            if token.form.repeats() || token.form == Form::Whole {
                return;
            }
            let word = word_hash(&token.text);
            if is_fact(&token.text) {
                facts = mix(facts, word);
            }
            words.push(word);
        });
        let width = WIDTH.min(words.len()).max(1);
        let sequences = words.windows(width).map(|sequence| sequence.iter().copied().fold(0, mix));
        let mut sequences: Vec<u64> = sequences.collect();
        sequences.sort_unstable();
        sequences.dedup();
        Self { sequences, facts, subject: Subject::default() }
    }

    /// Which part of all sequences of two pages is shared, near enough, from 0 to 1; 0 where it is less than `least`. Facts and names may
    /// differ.
    pub(crate) fn likeness(&self, other: &Self, least: f64) -> f64 {
        self.similarity(other, KEPT, least)
    }

    /// Which part of all sequences is shared, from 0 to 1, told by the smallest `kept` of them; 0 once it is sure to be less than
    /// `least`.
    fn similarity(&self, other: &Self, kept: usize, least: f64) -> f64 {
        let most = kept.min(self.sequences.len() + other.sequences.len());
        let is_hopeless = |apart: usize| share(apart, most.max(1)) > 1.0 - least + f64::EPSILON;
        let (mut ours, mut theirs) = (self.sequences.as_slice(), other.sequences.as_slice());
        let (mut shared, mut all) = (0, 0);
        while all < kept {
            let order = match (ours.first(), theirs.first()) {
                (None, None) => break,
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(one), Some(other)) => one.cmp(other),
            };
            shared += usize::from(order == Ordering::Equal);
            all += 1;
            if is_hopeless(all - shared) {
                return 0.0;
            }
            ours = &ours[usize::from(order != Ordering::Greater)..];
            theirs = &theirs[usize::from(order != Ordering::Less)..];
        }
        if all == 0 { 0.0 } else { share(shared, all) }
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of words, far below 2^52")]
fn share(shared: usize, all: usize) -> f64 {
    shared as f64 / all as f64
}

#[cfg(test)]
#[path = "similar_tests.rs"]
mod tests;
