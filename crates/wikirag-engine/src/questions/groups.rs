//! Questions about the same thing, by their words: no model is needed.
//!
//! Average linkage (Sokal and Michener, 1958) over the cosines of weighted words, by chains of nearest neighbours (Benzécri, 1982), which
//! need time and memory by the square of the number of questions.

use std::collections::HashMap;

/// Questions that are more alike than this are about one thing: the mean of the cosines between those of two groups.
const ALIKE: f64 = 0.2;

/// A question as its words, each with its weight, and with length 1.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Bag {
    /// By number of the word.
    words: Vec<(usize, f64)>,
}

/// Numbers words.
#[derive(Debug, Default)]
pub(super) struct Vocabulary(HashMap<String, usize>);

impl Vocabulary {
    /// The bag of these words with their weights, which are finite and not negative. A word that stands twice counts once.
    pub(super) fn bag<'w>(&mut self, words: impl IntoIterator<Item = (&'w str, f64)>) -> Bag {
        let mut bag: Vec<(usize, f64)> = Vec::new();
        for (word, weight) in words {
            let next = self.0.len();
            let number = *self.0.entry(word.to_owned()).or_insert(next);
            if weight > 0.0 {
                bag.push((number, weight));
            }
        }
        bag.sort_by_key(|(number, _)| *number);
        bag.dedup_by_key(|(number, _)| *number);
        let length = bag.iter().map(|(_, weight)| weight * weight).sum::<f64>().sqrt();
        bag.iter_mut().for_each(|(_, weight)| *weight /= length);
        Bag { words: bag }
    }
}

impl Bag {
    /// The cosine, 0 to 1.
    fn cosine(&self, other: &Self) -> f64 {
        let (mut one, mut two) = (self.words.as_slice(), other.words.as_slice());
        let mut sum = 0.0;
        while let ([(a, x), rest_a @ ..], [(b, y), rest_b @ ..]) = (one, two) {
            if a == b {
                sum += x * y;
            }
            if a <= b {
                one = rest_a;
            }
            if b <= a {
                two = rest_b;
            }
        }
        sum
    }
}

/// Groups of bags that are about one thing, by their places: each place in one group, both sorted. The answer depends on the order of
/// the bags only where two groups are exactly as near.
pub(super) fn groups(bags: &[Bag]) -> Vec<Vec<usize>> {
    let mut likeness = Likeness::of(bags);
    let mut members: Vec<Option<Vec<usize>>> = (0..bags.len()).map(|place| Some(vec![place])).collect();
    let mut groups = Vec::new();
    let mut chain: Vec<usize> = Vec::new();
    while let Some(last) = chain.last().copied().or_else(|| members.iter().position(Option::is_some)) {
        if chain.is_empty() {
            chain.push(last);
        }
        let before = chain.len().checked_sub(2).and_then(|place| chain.get(place)).copied();
        // On a tie the one before in the chain, so that the chain ends.
        let nearest = (0..members.len())
            .filter(|other| *other != last && members.get(*other).is_some_and(Option::is_some))
            .map(|other| (likeness.get(last, other), Some(other) == before, other))
            .max_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)).then(b.2.cmp(&a.2)));
        match nearest {
            Some((alike, _, other)) if alike > ALIKE => {
                if Some(other) != before {
                    chain.push(other);
                    continue;
                }
                // Each is the nearest of the other.
                chain.truncate(chain.len() - 2);
                let mut of = |place: usize| members.get_mut(place).and_then(Option::take).unwrap_or_default();
                let (mut all, gone) = (of(other), of(last));
                likeness.join(other, all.len(), last, gone.len());
                all.extend(gone);
                members[other] = Some(all);
            }
            // Joining others never brings anything nearer than its nearest was, so this group stays as it is.
            _ => {
                chain.pop();
                groups.extend(members.get_mut(last).and_then(Option::take));
            }
        }
    }
    groups.iter_mut().for_each(|group| group.sort_unstable());
    groups.sort_unstable();
    groups
}

/// How alike groups are: the mean over their members.
struct Likeness {
    count: usize,
    values: Vec<f64>,
}

impl Likeness {
    fn of(bags: &[Bag]) -> Self {
        let count = bags.len();
        let mut likeness = Self { count, values: vec![0.0; count * count] };
        for (a, one) in bags.iter().enumerate() {
            for (b, two) in bags.iter().enumerate().skip(a + 1) {
                likeness.set(a, b, one.cosine(two));
            }
        }
        likeness
    }

    fn get(&self, a: usize, b: usize) -> f64 {
        self.values.get(a * self.count + b).copied().unwrap_or(0.0)
    }

    fn set(&mut self, a: usize, b: usize, value: f64) {
        for place in [a * self.count + b, b * self.count + a] {
            if let Some(known) = self.values.get_mut(place) {
                *known = value;
            }
        }
    }

    /// Makes one group of two at the place of the first.
    fn join(&mut self, kept: usize, of_kept: usize, gone: usize, of_gone: usize) {
        #[expect(clippy::cast_precision_loss, reason = "counts of questions")]
        let (of_kept, of_gone) = (of_kept as f64, of_gone as f64);
        for other in 0..self.count {
            let sum = of_kept * self.get(kept, other) + of_gone * self.get(gone, other);
            self.set(kept, other, sum / (of_kept + of_gone));
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn grouped(questions: &[&str]) -> Vec<Vec<usize>> {
        let mut vocabulary = Vocabulary::default();
        let bags: Vec<Bag> =
            questions.iter().map(|text| vocabulary.bag(text.split_whitespace().map(|word| (word, 1.0)))).collect();
        groups(&bags)
    }

    #[test]
    fn questions_with_the_same_words_are_together() {
        let found = grouped(&["sow basil", "prune roses", "sow basil early", "when prune roses", "", "sharpen shears"]);
        assert_eq!(found, [vec![0, 2], vec![1, 3], vec![4], vec![5]]);
        assert!(groups(&[]).is_empty());
    }

    #[test]
    fn a_bridge_does_not_join_what_is_far_apart() {
        // The second has a third in common with the first and with the last, which share nothing.
        let found = grouped(&["a1 a2 a3 a4 b1 b2", "b1 b2 x y d1 d2", "d1 d2 c1 c2 c3 c4"]);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(!found.iter().any(|group| group.contains(&0) && group.contains(&2)), "{found:?}");
    }

    #[test]
    fn a_heavy_word_counts_more_than_light_ones() {
        let mut vocabulary = Vocabulary::default();
        let mut bag = |words: &[(&str, f64)]| vocabulary.bag(words.iter().copied());
        let bags = [
            bag(&[("slugs", 9.0), ("how", 1.0)]),
            bag(&[("slugs", 9.0), ("keep", 1.0)]),
            bag(&[("basil", 9.0), ("how", 1.0), ("keep", 1.0)]),
        ];
        assert_eq!(groups(&bags), [vec![0, 1], vec![2]]);
    }

    proptest! {
        #[test]
        fn each_question_is_in_one_group(questions in proptest::collection::vec("[a-d]( [a-d]){0,3}", 0..14)) {
            let questions: Vec<&str> = questions.iter().map(String::as_str).collect();
            let found = grouped(&questions);
            let mut places: Vec<usize> = found.iter().flatten().copied().collect();
            places.sort_unstable();
            prop_assert_eq!(places, (0..questions.len()).collect::<Vec<_>>());
            // Equal ones are together.
            for (a, one) in questions.iter().enumerate() {
                for (b, two) in questions.iter().enumerate() {
                    let together = found.iter().any(|group| group.contains(&a) && group.contains(&b));
                    prop_assert!(one != two || together, "{:?}", found);
                }
            }
        }
    }
}
