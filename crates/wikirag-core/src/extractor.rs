//! Entities and relations out of passages.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use crate::{Context, Result};

/// A thing that a passage speaks of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entity {
    /// Its name as written: not empty, without white space around it, in one line.
    pub name: String,
    /// What it is (`person`, `place`, `tool`), or empty.
    pub kind: String,
    /// What the passage says of it, or empty. See [`Extraction::merged`] for several descriptions of one thing.
    pub description: String,
}

/// How two entities of a passage belong together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Relation {
    /// Name of the first.
    pub from: String,
    /// Name of the second, another one.
    pub to: String,
    /// What the passage says of the two, or empty.
    pub description: String,
}

/// All that was found in one passage.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Extraction {
    /// Things, each name once.
    pub entities: Vec<Entity>,
    /// How they belong together; both ends are among the entities, spelled as there.
    pub relations: Vec<Relation>,
    /// Lines of what a model wrote that could not be read. 0 where no model writes.
    pub unreadable: usize,
    /// What could be read and was left out: relations of things that are not among the entities.
    pub dropped: usize,
}

impl Extraction {
    /// The longest sentence that [`Extraction::merged`] keeps whole, in characters.
    pub const LONGEST_SENTENCE: usize = 300;
    /// How many sentences it keeps.
    pub const MOST_SENTENCES: usize = 12;

    /// What several descriptions of one thing say together: their sentences without repetitions, one a line, the longest
    /// first. Sentences that differ in case or in the mark at their end are one. Of more than
    /// [`MOST_SENTENCES`](Self::MOST_SENTENCES) the longest stay.
    ///
    /// The result depends on the set of sentences alone, and to merge what was merged before with something new gives
    /// what merging all of it gives: descriptions can be added one by one and in any order.
    pub fn merged<'a>(descriptions: impl IntoIterator<Item = &'a str>) -> String {
        let mut sentences: BTreeMap<(Reverse<usize>, String), String> = BTreeMap::new();
        for line in descriptions.into_iter().flat_map(str::lines) {
            let line = line.split_whitespace().collect::<Vec<_>>().join(" ");
            for sentence in sentences_of(&line) {
                let sentence = shortened(sentence);
                let meaning = sentence.trim_end_matches(ends_sentence).to_lowercase();
                if !meaning.contains(char::is_alphanumeric) {
                    continue;
                }
                let kept = sentences.entry((Reverse(meaning.chars().count()), meaning)).or_default();
                // Of two spellings the same one must stay whichever comes first.
                if kept.is_empty() || sentence < *kept {
                    *kept = sentence;
                }
            }
        }
        sentences.into_values().take(Self::MOST_SENTENCES).collect::<Vec<_>>().join("\n")
    }
}

/// Whether a sentence may end with `c`.
fn ends_sentence(c: char) -> bool {
    matches!(c, '.' | '!' | '?' | '。' | '！' | '？')
}

/// The sentences of a line whose white space is single spaces. Where a sentence ends depends on nothing but the words
/// on both sides of that place, so that a sentence by itself is not cut any further.
fn sentences_of(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = line;
    std::iter::from_fn(move || {
        let end = rest.char_indices().find_map(|(at, c)| {
            let after = at + c.len_utf8();
            (ends_sentence(c) && is_end(&rest[..at], c, &rest[after..])).then_some(after)
        });
        let (sentence, next) = rest.split_at(end.unwrap_or(rest.len()));
        rest = next.trim_start();
        (!sentence.is_empty()).then_some(sentence)
    })
}

/// Whether the mark `c` between the two texts ends a sentence. A full stop after a short word may belong to it (`Dr.`,
/// `No.`, `J.`), and one before a small letter does (`Inc. was`).
fn is_end(before: &str, c: char, after: &str) -> bool {
    let mut next = after.chars();
    match (c, next.next()) {
        (_, None) => false,
        ('。' | '！' | '？', Some(next)) => next == ' ' || next.is_alphanumeric(),
        ('.', Some(' ')) => {
            let word = before.rsplit(' ').next().unwrap_or_default();
            word.chars().count() > 3 && !next.next().is_some_and(char::is_lowercase)
        }
        (_, next) => next == Some(' '),
    }
}

/// The beginning of a long sentence.
fn shortened(sentence: &str) -> String {
    let Some((end, _)) = sentence.char_indices().nth(Extraction::LONGEST_SENTENCE) else {
        return sentence.to_owned();
    };
    // One character is that of the mark.
    let end = sentence[..end].char_indices().next_back().map_or(0, |(last, _)| last);
    let end = sentence[..end].rfind(' ').unwrap_or(end);
    format!("{}…", sentence[..end].trim_end())
}

/// Finds entities and relations.
///
/// Promises, which the conformance suite `wikirag_testkit::extractor_suite!` checks:
/// * no name is empty, none has white space around it or a line break, and none comes twice, in whatever case;
/// * both ends of a relation are among the entities, spelled as there, and are not the same;
/// * a passage without a letter or digit has nothing in it, which is no error;
/// * the fingerprint is known before anything is asked, and equal settings have equal ones;
/// * a call that is stopped says so.
#[async_trait]
pub trait Extractor: Send + Sync {
    /// Equal fingerprints give equal extractions, as far as the model does; for cache keys.
    fn fingerprint(&self) -> &str;

    /// Looks at one passage.
    ///
    /// # Errors
    /// * [`ErrorKind::Invalid`](crate::ErrorKind::Invalid), never temporary: nothing of what the model wrote could be
    ///   read, or the passage is too long for it. That is of this passage alone. The caller counts it, finds the names
    ///   of the passage without a model, and goes on.
    /// * [`ErrorKind::Cancelled`](crate::ErrorKind::Cancelled) and [`ErrorKind::TimedOut`](crate::ErrorKind::TimedOut),
    ///   where the context says stop.
    /// * All others are of the model or its service: the next passage will meet the same.
    async fn extract(&self, passage: &str, context: &Context) -> Result<Extraction>;
}

const _: fn(&dyn Extractor) = |_| {};

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn merged(descriptions: &[&str]) -> String {
        Extraction::merged(descriptions.iter().copied())
    }

    #[test]
    fn sentences_are_kept_once() {
        let all = merged(&["A chemist. Born in Warsaw in 1867.", "born in Warsaw in 1867", "", " a  chemist! ", "..."]);
        assert_eq!(all, "Born in Warsaw in 1867.\nA chemist.");
        assert_eq!(merged(&[]), "");
    }

    #[test]
    fn short_words_with_a_full_stop_end_no_sentence() {
        for whole in ["Dr. Curie worked with J. Perrin.", "Acme Corp. was no. 5 of 7.", "It is at example.org/a?b here"]
        {
            assert_eq!(merged(&[whole]), whole);
        }
        assert_eq!(merged(&["二人は物理学者だ。パリで働いた。"]), "二人は物理学者だ。\nパリで働いた。");
    }

    #[test]
    fn the_length_is_bounded() {
        let long = "word ".repeat(100);
        let many: Vec<_> = (0..100).map(|n| format!("Sentence {n}.")).chain([long, "水".repeat(999)]).collect();
        let all = Extraction::merged(many.iter().map(String::as_str));
        assert_eq!(all.lines().count(), Extraction::MOST_SENTENCES);
        assert!(all.lines().all(|line| line.chars().count() <= Extraction::LONGEST_SENTENCE));
        assert!(all.contains("word word…") && all.contains("水…"), "{all}");
    }

    proptest! {
        #[test]
        fn descriptions_can_be_added_one_by_one_and_in_any_order(
            mut texts in prop::collection::vec("([Aa]b|Cdef|Dr|水|e\u{301}|ΣΑΣ|\\PC|[ .!?。…\n]{1,2}){0,24}", 0..24),
        ) {
            let all = Extraction::merged(texts.iter().map(String::as_str));
            let one_by_one = texts.iter().fold(String::new(), |sum, text| Extraction::merged([sum.as_str(), text]));
            prop_assert_eq!(&one_by_one, &all);
            prop_assert_eq!(&Extraction::merged([all.as_str()]), &all);
            texts.reverse();
            texts.extend_from_within(..);
            prop_assert_eq!(&Extraction::merged(texts.iter().map(String::as_str)), &all);
        }

        #[test]
        fn long_ones_too(texts in prop::collection::vec("(word |水水水水水|Cdefg\\. ){0,120}", 0..4)) {
            let all = Extraction::merged(texts.iter().map(String::as_str));
            let one_by_one = texts.iter().rev().fold(String::new(), |sum, text| Extraction::merged([text, sum.as_str()]));
            prop_assert_eq!(one_by_one, all);
        }
    }
}
