//! Sentences of notes, and questions made of them.

use fastrand::Rng;

/// A sentence that is asked about has at least so many words, so that some can be left out.
const LEAST_WORDS: usize = 7;
/// And a question at most so many.
const MOST_WORDS: usize = 12;
/// Words of a question that say what it is about, at least.
const TELLING: usize = 4;
/// Words that people put into questions whatever they ask.
const COMMON: [&str; 12] =
    ["what", "how", "when", "the", "is", "about", "does", "should", "with", "which", "use", "there"];

/// The sentences of a note that people might ask about: of its paragraphs and lists, without front matter, code, headings and tables.
pub(crate) fn sentences(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut paragraph = String::new();
    let mut lines = text.lines().peekable();
    if lines.next_if(|line| line.trim() == "---").is_some() {
        lines.find(|line| line.trim() == "---");
    }
    let mut is_code = false;
    for line in lines.chain([""]) {
        let line = line.trim();
        is_code ^= line.starts_with("```");
        let ends = line.is_empty() || line.starts_with(['#', '|', '-', '*', '`', '>', '!', ':', '=', '<']);
        if ends || is_code {
            found.extend(paragraph.split_inclusive(['.', '?', '!']).filter_map(sentence));
            paragraph.clear();
        }
        if !is_code && !line.starts_with(['#', '|', '`', '!', ':', '=', '<']) {
            paragraph.push_str(line.trim_start_matches(['-', '*', '>', ' ']));
            paragraph.push(' ');
        }
    }
    found
}

/// The words of a piece of text, where they are enough to ask about.
fn sentence(text: &str) -> Option<String> {
    let words = words(text);
    let is_said = words.len() >= LEAST_WORDS
        && !text.contains("://")
        && words.iter().filter(|word| is_telling(word)).count() >= TELLING;
    is_said.then(|| words.join(" "))
}

fn words(text: &str) -> Vec<&str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '\'' || c == '_')).filter(|word| !word.is_empty()).collect()
}

/// A question about a sentence: some of its words, not all at their places, and a common word for one or two of the short ones.
pub(crate) fn question(sentence: &str, random: &mut Rng) -> String {
    let mut words = words(sentence);
    let keep = (words.len() * 2 / 3).clamp(LEAST_WORDS - 2, MOST_WORDS);
    for _ in 0..4 * words.len() {
        let place = random.usize(..words.len());
        let telling = words.iter().filter(|word| is_telling(word)).count();
        if words.len() > keep && (telling > TELLING || !is_telling(words[place])) {
            words.remove(place);
        }
    }
    for _ in 0..random.usize(..=2) {
        let (one, other) = (random.usize(..words.len()), random.usize(..words.len()));
        words.swap(one, other);
    }
    for _ in 0..random.usize(..=2) {
        let place = random.usize(..words.len());
        if !is_telling(words[place]) {
            words[place] = COMMON[random.usize(..COMMON.len())];
        }
    }
    words.join(" ").to_lowercase()
}

/// Whether a word may say what a sentence is about. Words that only hold sentences together are short.
fn is_telling(word: &str) -> bool {
    word.chars().count() > 4
}
