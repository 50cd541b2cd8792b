//! Questions put together into topics, and what a topic is called.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::ask_again::{Found, NearestPage};
use super::distinct::{Distinct, lack};
use super::groups::{Bag, Vocabulary, groups};
use super::words::Weighed;

/// Words of the name of a topic.
const LABEL_WORDS: usize = 4;

/// Questions about one thing that find too little.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Topic {
    /// Its name: the words that its questions share and that set them apart, at most four.
    pub label: String,
    /// How often it was asked for.
    pub asked: usize,
    /// How well the wikis support an answer, 0 to 1: the mean over the times it was asked.
    pub strength: f64,
    /// The page that most of its questions find first.
    pub nearest: Option<NearestPage>,
    /// Its questions, those asked most first, and of those the weakest.
    pub questions: Vec<Asked>,
}

/// A question of a topic. Those that differ in case and blanks alone are one.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "AskedQuestion"))]
pub struct Asked {
    /// As it was asked last.
    pub question: String,
    /// How often.
    pub asked: usize,
    /// When last: RFC 3339, UTC.
    pub last: String,
    /// How well the wikis support an answer now, 0 to 1.
    pub strength: f64,
}

/// Makes topics of questions and their words.
pub(super) fn put_together(open: &[(Distinct, Found)], weighed: &[Vec<Weighed>]) -> Vec<Topic> {
    let mut vocabulary = Vocabulary::default();
    let bag = |words: &Vec<Weighed>| vocabulary.bag(words.iter().map(|word| (word.stem.as_str(), word.weight)));
    let bags: Vec<Bag> = weighed.iter().map(bag).collect();
    let mut topics: Vec<(f64, Topic)> = groups(&bags)
        .into_iter()
        .map(|group| {
            let members: Vec<_> =
                group.iter().filter_map(|place| Some((open.get(*place)?, weighed.get(*place)?))).collect();
            topic(&members)
        })
        .collect();
    topics.sort_by(|(a, one), (b, two)| b.total_cmp(a).then_with(|| one.label.cmp(&two.label)));
    topics.into_iter().map(|(_, topic)| topic).collect()
}

/// A topic of these questions, and how much it is missed: the times it was asked for, each by how much was lacking.
#[expect(clippy::cast_precision_loss, reason = "counts of questions")]
fn topic(members: &[(&(Distinct, Found), &Vec<Weighed>)]) -> (f64, Topic) {
    let asked: usize = members.iter().map(|((one, _), _)| one.asked).sum();
    let sum =
        |of: fn(f64) -> f64| members.iter().map(|((one, found), _)| one.asked as f64 * of(found.strength)).sum::<f64>();
    let mut pages: BTreeMap<&NearestPage, usize> = BTreeMap::new();
    for ((one, found), _) in members {
        if let Some(page) = &found.nearest {
            *pages.entry(page).or_default() += one.asked;
        }
    }
    let nearest = pages.iter().max_by_key(|(page, asked)| (**asked, Reverse(**page)));
    let mut questions: Vec<Asked> = members.iter().map(|((one, found), _)| one.asked(found.strength)).collect();
    questions.sort_by(|a, b| {
        let by_strength = a.strength.total_cmp(&b.strength);
        b.asked.cmp(&a.asked).then(by_strength).then_with(|| a.question.cmp(&b.question))
    });
    let topic = Topic {
        label: label(members),
        asked,
        strength: sum(|strength| strength) / asked.max(1) as f64,
        nearest: nearest.map(|(page, _)| (*page).clone()),
        questions,
    };
    (sum(lack), topic)
}

/// The words that weigh most over all questions of a topic and stand in at least half of them, in the order in which the first
/// question that has them does.
#[expect(clippy::cast_precision_loss, reason = "counts of questions")]
fn label(members: &[(&(Distinct, Found), &Vec<Weighed>)]) -> String {
    let mut sums: BTreeMap<&str, (f64, usize)> = BTreeMap::new();
    for ((one, _), words) in members {
        for word in *words {
            let (weight, count) = sums.entry(&word.stem).or_default();
            *weight += word.weight * one.asked as f64;
            *count += 1;
        }
    }
    let mut shared: Vec<(&str, f64)> = sums
        .into_iter()
        .filter(|(_, (_, count))| 2 * count >= members.len())
        .map(|(stem, (sum, _))| (stem, sum))
        .collect();
    shared.sort_by(|a, b| b.1.total_cmp(&a.1));
    let chosen: BTreeSet<&str> = shared.into_iter().take(LABEL_WORDS).map(|(stem, _)| stem).collect();
    let mut seen = BTreeSet::new();
    let words = members.iter().flat_map(|(_, words)| *words);
    let words = words.filter(|word| chosen.contains(word.stem.as_str()) && seen.insert(&word.stem));
    let words: Vec<&str> = words.map(|word| word.text.as_str()).collect();
    match (words.is_empty(), members.first()) {
        // Nothing that could be looked up, as a lone emoji.
        (true, Some(((one, _), _))) => one.question.clone(),
        _ => words.join(" "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::questions::words::Words;

    fn page(path: &str) -> NearestPage {
        NearestPage {
            wiki: wikirag_core::WikiName::new("garden").unwrap(),
            path: path.to_owned(),
            title: String::new(),
        }
    }

    /// Topics of questions, each with the times it was asked, its strength, and its nearest page.
    fn topics(asked: &[(&str, usize, f64, &str)]) -> Vec<Topic> {
        let words = Words::new(None, &[]);
        let one = |(question, asked, strength, path): &(&str, usize, f64, &str)| {
            let distinct = Distinct {
                key: (*question).to_owned(),
                question: (*question).to_owned(),
                asked: *asked,
                last: String::new(),
                is_open: true,
            };
            let found = Found { strength: *strength, is_weak: true, missing: Vec::new(), nearest: Some(page(path)) };
            (distinct, found)
        };
        let open: Vec<_> = asked.iter().map(one).collect();
        let weighed: Vec<_> = asked.iter().map(|(question, ..)| words.of(question)).collect();
        put_together(&open, &weighed)
    }

    #[test]
    fn by_hand_times_strength_page_and_name() {
        let found = topics(&[
            ("wasp nest attic", 1, 0.4, "b.md"),
            ("wasp nest stings", 3, 0.2, "a.md"),
            ("prune roses", 2, 0.1, "a.md"),
        ]);
        let [wasps, roses] = found.as_slice() else { panic!("{found:?}") };
        // (1 × 0.4 + 3 × 0.2) / 4, and what lacks is 1 × 0.2 + 3 × 0.6 = 2 against 2 × 0.8 = 1.6.
        assert_eq!((wasps.label.as_str(), wasps.asked, wasps.strength), ("wasp nest attic stings", 4, 0.25));
        assert_eq!((&wasps.nearest, wasps.questions[0].question.as_str()), (&Some(page("a.md")), "wasp nest stings"));
        assert_eq!((roses.label.as_str(), roses.asked), ("prune roses", 2));
    }

    #[test]
    fn a_name_leaves_out_what_few_of_its_questions_have() {
        let found = topics(&[
            ("wasp nest attic", 1, 0.0, "a.md"),
            ("wasp nest stings", 1, 0.0, "b.md"),
            ("wasp nest", 1, 0.0, "b.md"),
        ]);
        assert_eq!((found.len(), found[0].label.as_str()), (1, "wasp nest"));
        // Of pages that are found as often, the first by path.
        let found = topics(&[("wasp nest attic", 1, 0.0, "b.md"), ("wasp nest stings", 1, 0.0, "a.md")]);
        assert_eq!(found[0].nearest, Some(page("a.md")));
    }

    #[test]
    fn what_has_no_word_is_called_as_it_was_asked() {
        assert_eq!(topics(&[("🐝", 1, 0.0, "a.md")])[0].label, "🐝");
        assert!(topics(&[]).is_empty());
    }
}
