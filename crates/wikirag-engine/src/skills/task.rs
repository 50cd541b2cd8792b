//! What is looked for when somebody says what is to be done.

use wikirag_text::{Analyser, Language, detect_language};

/// Words with which one speaks to somebody in English, and which say nothing of what is to be done: "can you help me", "how do I".
///
/// In short descriptions, unlike in pages, a "me" or a "can" is rare, and so would count as if it meant much. To leave these out lifted
/// recall@5 on questions to 199 tools by four points and changed nothing on 1,819 skills; to leave out all function words lifted the
/// first by seven points and cost the second half a point. See `docs/skills.md`.
const ASKING: [&str; 65] = [
    "also", "am", "any", "been", "being", "can", "could", "d", "did", "do", "does", "doing", "don", "had", "has",
    "have", "having", "he", "her", "here", "hers", "him", "his", "how", "i", "just", "let", "lets", "ll", "m", "may",
    "me", "might", "mine", "must", "my", "myself", "our", "ours", "please", "re", "s", "shall", "she", "should", "so",
    "some", "t", "there", "us", "ve", "we", "were", "what", "when", "where", "which", "who", "whom", "whose", "why",
    "would", "you", "your", "yours",
];

/// What may stand before "skill for", which names what is looked for and not what it is for.
const CHOOSING: [&str; 12] =
    ["a", "an", "best", "find", "good", "is", "need", "right", "suitable", "the", "want", "which"];

/// The words of `task` to be looked for, without those that only ask. All of them where there are no others.
///
/// A task is plain words: quotes, `-word` and `field:value`, which demand something in a question, demand nothing here.
pub(super) fn words_of(task: &str) -> String {
    let plain = plain(task);
    let words = plain.split_whitespace().map(|word| word.trim_start_matches(['-', '+']));
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let language = detect_language(task);
    // Without enough words nobody knows the language.
    if language.is_some_and(|language| language != Language::English) {
        return words.join(" ");
    }
    let analyser = Analyser::new(language);
    let telling: Vec<&str> = words.iter().copied().filter(|word| tells(&analyser, word)).collect();
    let telling = without_choosing(&telling);
    if telling.is_empty() { words.join(" ") } else { telling.join(" ") }
}

/// Whether some token of a word is none of [`ASKING`]; a sign without any is left for others to judge. Of "can't" both halves are looked
/// at.
fn tells(analyser: &Analyser, word: &str) -> bool {
    let (mut any, mut tells) = (false, false);
    for part in word.split(['\'', '’']) {
        analyser.tokens(part, |token| {
            any = true;
            tells |= !token.form.repeats() && !ASKING.contains(&&*token.text);
        });
    }
    tells || !any
}

/// The words behind "the best skill for".
fn without_choosing<'w, 't>(words: &'w [&'t str]) -> &'w [&'t str] {
    let is = |word: &str, known: &[&str]| known.iter().any(|known| word.eq_ignore_ascii_case(known));
    let before = words.iter().take_while(|word| is(word, &CHOOSING)).count();
    match words.get(before..) {
        Some([noun, link, rest @ ..]) if is(noun, &["skill", "skills"]) && is(link, &["for", "to", "that"]) => rest,
        _ => words,
    }
}

/// A task without the signs that would make a word of it a demand.
fn plain(task: &str) -> String {
    task.replace(['"', '“', '”', '„', '«', '»', ':'], " ")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::search::Question;

    #[test]
    fn no_word_stands_twice() {
        let distinct: std::collections::BTreeSet<_> = ASKING.iter().collect();
        assert_eq!(distinct.len(), ASKING.len());
    }

    #[test]
    fn what_only_asks_is_left_out() {
        for (task, words) in [
            ("Can you help me to test a React app?", "help to test a React app?"),
            ("best skill for testing a React app", "testing a React app"),
            ("Which is the best skill to merge PDFs?", "merge PDFs?"),
            ("skill creator for teams", "skill creator for teams"),
            ("I'm trying to merge PDFs, can't I?", "trying to merge PDFs,"),
            (
                "Wie kann man da helfen, was würde er sagen und warum so?",
                "Wie kann man da helfen, was würde er sagen und warum so?",
            ),
            ("can you", "can you"),
            ("\"exact words\" -without name:value", "exact words without name value"),
            ("", ""),
            ("视频下载", "视频下载"),
        ] {
            assert_eq!(words_of(task), words, "{task}");
        }
    }

    proptest! {
        #[test]
        fn a_task_demands_nothing(task in "([+\"a-z: -]|\\PC){0,40}") {
            let words = words_of(&task);
            let question = Question::parse(&words, |_| Ok(true)).unwrap();
            let mut plain = Question::default();
            plain.words.clone_from(&question.words);
            prop_assert_eq!(question, plain);
        }
    }
}
