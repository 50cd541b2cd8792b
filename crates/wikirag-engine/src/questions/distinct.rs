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

/// How much is missing where a question has this strength, from 0 to 1: how far it is from even. What lies just below even may as well be
/// answered, and many of such questions must not come before few that find nothing.
pub(super) fn lack(strength: f64) -> f64 {
    (1.0 - strength / EVEN).max(0.0)
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

#[cfg(test)]
mod tests {
    use wikirag_core::Sensitivity;

    use super::super::entry::VERSION;
    use super::*;

    fn entry(question: &str, at: &str, strength: f64) -> Entry {
        Entry {
            version: VERSION,
            at: at.to_owned(),
            rag: String::new(),
            surface: "ask".to_owned(),
            clearance: Sensitivity::Public,
            question: question.to_owned(),
            results: Vec::new(),
            answer: None,
            strength,
            is_weak: strength < 0.2,
            took_ms: 0.0,
            served_by: Vec::new(),
            degraded: Vec::new(),
        }
    }

    #[test]
    fn case_and_blanks_make_no_other_question_and_the_last_time_counts() {
        let entries = [
            entry("Wasps?", "2026-11-01T10:00:00Z", 0.1),
            entry("bees", "2026-11-01T11:00:00Z", 0.9),
            entry(" WASPS? ", "2026-11-02T10:00:00Z", 0.5),
            entry("Bees", "2026-11-03T10:00:00Z", 0.49),
        ];
        let found = distinct(&entries, None);
        let told: Vec<_> = found.iter().map(|one| (one.question.as_str(), one.asked, one.is_open)).collect();
        assert_eq!(told, [("Bees", 2, true), ("WASPS?", 2, false)]);
        let since = distinct(&entries, Date::of("2026-11-02"));
        let told: Vec<_> = since.iter().map(|one| (one.question.as_str(), one.asked)).collect();
        assert_eq!(told, [("Bees", 1), ("WASPS?", 1)]);
        assert!(distinct(&entries, Date::of("2026-11-04")).is_empty());
    }

    #[test]
    fn what_ask_refuses_is_open_whatever_its_strength() {
        assert!(is_open(0.9, true) && is_open(0.49, false) && !is_open(0.5, false));
    }
}
