//! The part of a passage that says most about a question.

use std::ops::Range;

use wikirag_text::{Language, mark_terms};

use super::answer::Snippet;

/// Length of a snippet in characters: two to three lines of a terminal.
const LENGTH: usize = 240;

/// Cuts the window of the passage with the most distinct marked words, the first of equals.
pub(crate) fn snippet(question: &str, passage: &str, language: Option<Language>) -> Snippet {
    let marks = mark_terms(question, passage, language);
    let window = window(passage, best_start(passage, &marks));
    fold(passage, window, &marks)
}

/// Where the window with the most distinct words of the question begins.
fn best_start(passage: &str, marks: &[Range<usize>]) -> usize {
    // Bytes stand for characters here: the window is cut exactly afterwards.
    let mut best = (0, 0);
    let mut counts = std::collections::HashMap::<String, usize>::new();
    let mut last = 0;
    let word = |mark: &Range<usize>| passage.get(mark.clone()).unwrap_or("").to_lowercase();
    for (first, mark) in marks.iter().enumerate() {
        while marks.get(last).is_some_and(|next| next.end <= mark.start + LENGTH) {
            *counts.entry(word(&marks[last])).or_default() += 1;
            last += 1;
        }
        if counts.len() > best.0 {
            best = (counts.len(), mark.start);
        }
        if last > first {
            let word = word(mark);
            if let Some(count) = counts.get_mut(&word) {
                *count -= 1;
                if *count == 0 {
                    counts.remove(&word);
                }
            }
        } else {
            // A mark longer than the window.
            last = first + 1;
        }
    }
    best.1
}

/// About `LENGTH` characters that hold `start`, begun at a sentence or line if one begins shortly before it.
fn window(passage: &str, start: usize) -> Range<usize> {
    let before = passage.get(..start).unwrap_or("");
    let lead: usize = before.chars().rev().take(LENGTH / 3).map(char::len_utf8).sum();
    let lead = &before[before.len() - lead..];
    let sentence = lead.rfind(['\n', '.', '!', '?', '。', '！', '？']).map(|at| {
        let end = lead[at..].chars().next().map_or(0, char::len_utf8);
        at + end
    });
    let whole = lead.len() == before.len();
    let word = lead.find(char::is_whitespace).unwrap_or(0);
    let offset = sentence.unwrap_or(if whole { 0 } else { word });
    let from = before.len() - lead.len() + offset;
    let rest = &passage[from..];
    let from = from + (rest.len() - rest.trim_start().len());
    let rest = &passage[from..];
    let Some((limit, _)) = rest.char_indices().nth(LENGTH) else { return from..passage.trim_end().len().max(from) };
    let end = rest[..limit].rfind(char::is_whitespace).filter(|at| *at > limit / 2).unwrap_or(limit);
    from..from + rest[..end].trim_end().len()
}

/// The window as one line: runs of white space become one blank, and the marks move along.
fn fold(passage: &str, window: Range<usize>, marks: &[Range<usize>]) -> Snippet {
    let mut snippet = Snippet { text: String::new(), marks: Vec::new() };
    if passage.get(..window.start).is_some_and(|before| !before.trim().is_empty()) {
        snippet.text.push('…');
    }
    let mut marks = marks.iter().filter(|mark| window.start <= mark.start && mark.end <= window.end).peekable();
    let mut open = None;
    let cut = passage.get(window.clone()).unwrap_or("");
    for (offset, c) in cut.char_indices() {
        let at = window.start + offset;
        close(&mut snippet, &mut open, at);
        if open.is_none()
            && let Some(mark) = marks.next_if(|mark| mark.start <= at)
            && mark.start == at
        {
            open = Some((snippet.text.len(), mark.end));
        }
        if !c.is_whitespace() {
            snippet.text.push(c);
        } else if !snippet.text.is_empty() && !snippet.text.ends_with(' ') {
            snippet.text.push(' ');
        }
    }
    close(&mut snippet, &mut open, window.end);
    if passage.get(window.end..).is_some_and(|rest| !rest.trim().is_empty()) {
        snippet.text.push('…');
    }
    snippet
}

fn close(snippet: &mut Snippet, open: &mut Option<(usize, usize)>, at: usize) {
    if let Some((start, end)) = *open
        && end <= at
    {
        snippet.marks.push([start, snippet.text.len()]);
        *open = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked(snippet: &Snippet) -> Vec<&str> {
        snippet.marks.iter().map(|[start, end]| &snippet.text[*start..*end]).collect()
    }

    #[test]
    fn the_window_moves_to_the_words_of_the_question() {
        let passage =
            format!("{}\n\nWater the basil\nin the morning. {}", "Filler words. ".repeat(60), "More. ".repeat(60));
        let snippet = snippet("basil morning", &passage, None);
        assert!(snippet.text.starts_with("…Water the basil in the morning."), "{}", snippet.text);
        assert_eq!(marked(&snippet), ["basil", "morning"]);
        assert!(snippet.text.chars().count() <= LENGTH + 2);
    }

    #[test]
    fn a_short_passage_is_shown_whole() {
        let snippet = snippet("basil", "  Basil\twants sun.\n", None);
        assert_eq!(snippet.text, "Basil wants sun.");
        assert_eq!(marked(&snippet), ["Basil"]);
    }

    proptest::proptest! {
        #[test]
        fn any_passage_and_question_give_a_bounded_snippet(passage in "\\PC{0,800}", question in "\\PC{0,40}") {
            let snippet = snippet(&question, &passage, None);
            proptest::prop_assert!(snippet.text.chars().count() <= LENGTH + 2);
            for [start, end] in &snippet.marks {
                proptest::prop_assert!(snippet.text.get(*start..*end).is_some_and(|mark| !mark.is_empty()));
            }
        }
    }
}
