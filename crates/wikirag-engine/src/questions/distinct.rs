//! Questions that were asked several times.

use std::collections::BTreeMap;

use wikirag_core::Date;
use wikirag_text::caseless;

use super::entry::Entry;
use super::topic::Asked;

/// Strength below which a topic may be missing: the passages hold no answer, more likely than not. One does well to refuse an answer only
/// where that is far more likely; a list for somebody who looks at it may ask sooner.
const EVEN: f64 = 0.5;

/// Whether a question of this strength found too little.
pub(super) fn is_open(strength: f64, is_weak: bool) -> bool {
    is_weak || strength < EVEN
}

/// A question, however often it was asked.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Distinct {
    /// What makes it one.
    pub(super) key: String,
    /// As it was asked last.
    pub(super) question: String,
    pub(super) asked: usize,
    pub(super) last: String,
    /// Whether it found too little when it was asked last.
    pub(super) is_open: bool,
}

impl Distinct {
    pub(super) fn asked(&self, strength: f64) -> Asked {
        Asked { question: self.question.clone(), asked: self.asked, last: self.last.clone(), strength }
    }
}

/// The distinct questions of entries, which are in the order of their time; sorted by key.
pub(super) fn distinct(entries: &[Entry], since: Option<Date>) -> Vec<Distinct> {
    let mut all: BTreeMap<String, Distinct> = BTreeMap::new();
    for entry in entries {
        if since.is_some_and(|since| Date::of(&entry.at).is_none_or(|day| day < since)) {
            continue;
        }
        let question = entry.question.split_whitespace().collect::<Vec<_>>().join(" ");
        let key = caseless(&question).into_owned();
        let asked = all.get(&key).map_or(0, |known| known.asked) + 1;
        let one = Distinct {
            key: key.clone(),
            question,
            asked,
            last: entry.at.clone(),
            is_open: is_open(entry.strength, entry.is_weak),
        };
        all.insert(key, one);
    }
    all.into_values().collect()
}
